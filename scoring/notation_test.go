package scoring_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubberbot/rubberbot/scoring"
)

// refused is the ParseError of a text; nil where the text reads.
func refused(t *testing.T, text string) *scoring.ParseError {
	t.Helper()
	d, err := scoring.English().Parse(text)
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*scoring.ParseError](err)
	if !ok {
		t.Fatalf("Parse(%q) fails with %T, want *ParseError", text, err)
	}
	if d != (scoring.Deal{}) {
		t.Errorf("Parse(%q) = %v beside an error, want the zero Deal", text, d)
	}
	return e
}

// TestRulings holds every row of DESIGN.md's table of rulings that isn't about an option of /deal. They stand in the
// golden file too, but here no -update can change them.
func TestRulings(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string // the canonical text of the deal
	}{
		{"N 4S =", "N 4♠ ="},
		{"4S S -1", "S 4♠ −1"},
		{"N 3 S =", "N 3♠ ="},
		{"1N N =", "N 1NT ="},
		{"S4S=", "S 4♠ ="},
		{"N3N=", "N 3NT ="},
		{"3NS=", "S 3NT ="},
		{"4SNS=", "NS 4♠ ="},
		{"4SS=", "S 4♠ ="},
		{"4S+1N", "N 4♠ +1"},
		{"4SX-1", "4♠X −1"},
		{"4S-1vul", "4♠ −1 vul"},
		{"4S = made", "4♠ ="},
		{"4S +1 making 5", "4♠ +1"},
		{"4S 9 tricks down 1", "4♠ −1"},
		{"N 4♠X −1", "N 4♠X −1"},
		{"S 3NT =", "S 3NT ="},
		{"EW 2♥ +1 hon EW 100", "EW 2♥ +1 hon EW 100"},
		{"pass", "pass"},
		{"passed out", "pass"},
	} {
		d, err := scoring.English().Parse(tt.text)
		if err != nil || d.String() != tt.want {
			t.Errorf("Parse(%q) = %v, %v, want %s", tt.text, d, err, tt.want)
		}
	}
}

// TestRulingsRefused holds the rows of the same table that refuse, with the caret, what is wrong and what is offered.
func TestRulingsRefused(t *testing.T) {
	for _, tt := range []struct {
		text     string
		at       int
		fault    scoring.Fault
		readings string
		offers   []string
	}{
		{"N3S=", 0, scoring.FaultAmbiguous, "S 3NT = | N 3♠ =", nil},
		{"S3N=", 0, scoring.FaultAmbiguous, "N 3♠ = | S 3NT =", nil},
		{"S 4 =", 4, scoring.FaultUnreadable, "", []string{"S4 ="}},
		{"4S by N", 7, scoring.FaultNoResult, "", []string{"4S by N ="}},
		{"4SX X", 4, scoring.FaultTwice, "", []string{"4SXX ="}},
		{"4Svul=", 2, scoring.FaultUnreadable, "", []string{"4S vul="}},
		{"4Snv", 3, scoring.FaultUnreadable, "", []string{"4S nv ="}},
		{"4S 9", 3, scoring.FaultBareNumber, "", []string{"4S 9 tricks"}},
		{"4S 8", 3, scoring.FaultBareNumber, "", []string{"4S 8 tricks"}},
		{"4S 13", 3, scoring.FaultBareNumber, "", []string{"4S 13 tricks"}},
		{"4S 0", 3, scoring.FaultBareNumber, "", []string{"4S 0 tricks"}},
		{"4S 1", 3, scoring.FaultBareNumber, "", []string{"4S making 1", "4S 1 tricks"}},
		{"4S 7", 3, scoring.FaultBareNumber, "", []string{"4S making 7", "4S 7 tricks"}},
		{"4S = +1", 5, scoring.FaultTwoResults, "", nil},
		{"4S making 5 down 1", 12, scoring.FaultTwoResults, "", nil},
		{"pass N", 5, scoring.FaultPassAlone, "", []string{"pass"}},
		{"pass vul", 5, scoring.FaultPassAlone, "", []string{"pass"}},
		{"P", 0, scoring.FaultUnreadable, "", []string{"pass"}},
		{"8S =", 0, scoring.FaultLevel, "", nil},
		{"44S=", 0, scoring.FaultLevel, "", nil},
	} {
		e := refused(t, tt.text)
		if e == nil {
			t.Errorf("Parse(%q) reads, want it refused", tt.text)
			continue
		}
		if e.At != tt.at || e.Fault != tt.fault {
			t.Errorf("Parse(%q): At %d, Fault %d (%s), want %d, %d", tt.text, e.At, e.Fault, e.Reason(), tt.at, tt.fault)
		}
		var readings []string
		for _, d := range e.Readings {
			readings = append(readings, d.String())
		}
		if got := strings.Join(readings, " | "); got != tt.readings {
			t.Errorf("Parse(%q): Readings %s, want %s", tt.text, got, tt.readings)
		}
		if !slices.Equal(e.Offers, tt.offers) {
			t.Errorf("Parse(%q): Offers %q, want %q", tt.text, e.Offers, tt.offers)
		}
	}
}

// TestAnyOrder reads the same five parts in all their orders, spaced: one deal each time.
func TestAnyOrder(t *testing.T) {
	want := mustRead("N 4S X -1 vul hon EW 100")
	for parts := range permutations([]string{"by N", "4S", "X", "-1", "vul", "hon EW 100"}) {
		text := strings.Join(parts, " ")
		for _, text := range []string{text, strings.ToUpper(text), strings.ToLower(text)} {
			if d, err := scoring.English().Parse(text); err != nil || d != want {
				t.Errorf("Parse(%q) = %v, %v, want %v", text, d, err, want)
			}
		}
	}
}

// permutations yields all orders of items, in one slice that it reuses.
func permutations(items []string) func(yield func([]string) bool) {
	var each func(k int, yield func([]string) bool) bool
	each = func(k int, yield func([]string) bool) bool {
		if k == len(items) {
			return yield(items)
		}
		for i := k; i < len(items); i++ {
			items[k], items[i] = items[i], items[k]
			if !each(k+1, yield) {
				return false
			}
			items[k], items[i] = items[i], items[k]
		}
		return true
	}
	return func(yield func([]string) bool) { each(0, yield) }
}

// TestEveryShortText reads all texts of up to seven of the signs that can mean two things. No text means more deals than
// a ParseError keeps, each reading is another deal, and each reads back.
func TestEveryShortText(t *testing.T) {
	const signs = "NSE3= X"
	counts := map[int]int{}
	var buf [7]byte
	var each func(n, length int)
	each = func(n, length int) {
		if n < length {
			for i := range len(signs) {
				buf[n] = signs[i]
				each(n+1, length)
			}
			return
		}
		text := string(buf[:length])
		if strings.Count(text, "=") != 1 || strings.Count(text, "3") != 1 {
			return // no reading, or none that would mean something else
		}
		d, err := scoring.English().Parse(text)
		if err == nil {
			counts[1]++
			if back, err := scoring.English().Parse(d.String()); err != nil || back != d {
				t.Errorf("Parse(%q) = %v, which reads back as %v, %v", text, d, back, err)
			}
			return
		}
		e, _ := errors.AsType[*scoring.ParseError](err)
		checkReadings(t, e)
		counts[len(e.Readings)]++
	}
	for length := 2; length <= 6; length++ {
		each(0, length)
	}
	if counts[1] == 0 || counts[2] == 0 || counts[4] != 0 {
		t.Errorf("texts by their number of readings: %v, want some of 1 and 2, none of 4 or more", counts)
	}
}

// checkReadings says what every refusal must keep: an At within the text, readings that differ, offers that read.
func checkReadings(t *testing.T, e *scoring.ParseError) {
	t.Helper()
	length := len([]rune(e.Text))
	if e.At < 0 || e.At > length {
		t.Errorf("Parse(%q): At = %d, want 0 to %d", e.Text, e.At, length)
	}
	if (e.Fault == scoring.FaultAmbiguous) != (len(e.Readings) > 1) || len(e.Readings) == 1 {
		t.Errorf("Parse(%q): fault %d with %d readings", e.Text, e.Fault, len(e.Readings))
	}
	for i, d := range e.Readings {
		if slices.Contains(e.Readings[:i], d) {
			t.Errorf("Parse(%q): reading %v twice", e.Text, d)
		}
		if back, err := scoring.English().Parse(d.String()); err != nil || back != d {
			t.Errorf("Parse(%q): reading %v reads back as %v, %v", e.Text, d, back, err)
		}
	}
	for i, offer := range e.Offers {
		if _, err := scoring.English().Parse(offer); err != nil || slices.Contains(e.Offers[:i], offer) {
			t.Errorf("Parse(%q) offers %q: %v", e.Text, e.Offers, err)
		}
	}
	if len(e.Offers) > 3 {
		t.Errorf("Parse(%q) makes %d offers, want at most 3", e.Text, len(e.Offers))
	}
	if e.Reason() == "" || !strings.HasPrefix(e.Error(), e.Reason()) {
		t.Errorf("Parse(%q): Error() = %q, Reason() = %q", e.Text, e.Error(), e.Reason())
	}
}

// TestEveryPartCounts: no accepted text carries less than it says. A part left out of an accepted text changes the deal.
func TestEveryPartCounts(t *testing.T) {
	whole := "N 4S X -1 vul hon E 100"
	for _, part := range []string{"N ", "X ", "vul ", "hon E 100"} {
		text := strings.Replace(whole, part, "", 1)
		if mustRead(text) == mustRead(whole) {
			t.Errorf("%q and %q read as the same deal", text, whole)
		}
	}
}

// TestHonoursNeverNameTheDeclarer: the seat after "hon" belongs to the honours alone.
func TestHonoursNeverNameTheDeclarer(t *testing.T) {
	d := mustRead("4S = hon N 100")
	want := scoring.Honours{Points: 100, Side: scoring.NS, Seat: scoring.North}
	if d.Declarer != scoring.NoSeat || d.Side != scoring.NoSide || d.Honours != want {
		t.Errorf("4S = hon N 100: declarer %q of %q, honours %+v; want none, %+v", d.Declarer, d.Side, d.Honours, want)
	}
}

// TestLength: texts are read up to MaxText code points, signs without meaning not counted, and refused beyond.
func TestLength(t *testing.T) {
	fits := "4S" + strings.Repeat(" ", scoring.MaxText-3) + "="
	if d, err := scoring.English().Parse(fits); err != nil {
		t.Errorf("Parse of %d characters = %v, %v", len(fits), d, err)
	}
	for _, text := range []string{
		"4S" + strings.Repeat(" ", scoring.MaxText-2) + "=",
		strings.Repeat("\u200b", 4*scoring.MaxText+1),
		strings.Repeat("x", 1<<20),
	} {
		if e := refused(t, text); e == nil || e.Fault != scoring.FaultTooLong || e.At != 0 || e.Offers != nil {
			t.Errorf("Parse of %d bytes: %v, want FaultTooLong at 0", len(text), e)
		} else if want := "more than 200 characters"; e.Reason() != want {
			t.Errorf("Reason() = %q, want %q", e.Reason(), want)
		}
	}
}

// TestAnotherLanguage reads with other letters and words; suit symbols and signs are the same in all languages. A letter
// that the language uses for something else loses its English meaning.
func TestAnotherLanguage(t *testing.T) {
	terms := func(letter string, words ...string) scoring.Terms {
		return scoring.Terms{Letters: []string{letter}, Words: words}
	}
	word := func(w ...string) scoring.Terms { return scoring.Terms{Words: w} }
	italian := scoring.NewNotation(scoring.Vocabulary{
		Strains: [...]scoring.Terms{
			scoring.Clubs: terms("f", "fiori"), scoring.Diamonds: terms("q", "quadri"), scoring.Hearts: terms("c", "cuori"),
			scoring.Spades: terms("p", "picche"), scoring.NoTrump: terms("sa", "senza"),
		},
		Seats: [...]scoring.Terms{
			scoring.North: terms("n", "nord"), scoring.East: terms("e", "est"),
			scoring.South: terms("s", "sud"), scoring.West: terms("o", "ovest"),
		},
		Sides:     [...]scoring.Terms{scoring.NS: terms("ns"), scoring.EW: terms("eo")},
		Doublings: [...]scoring.Terms{scoring.Doubled: terms("x", "contro"), scoring.Redoubled: terms("xx", "surcontro")},
		Made:      word("fatte"), Making: word("facendo"), Down: word("meno"), Tricks: word("prese"), PassedOut: word("passo"),
	})
	for text, want := range map[string]string{
		"3SA =":             "3NT =",
		"O 4C =":            "W 4♥ =",
		"4♠ contro meno 2":  "4♠X −2",
		"EO 2 fiori fatte":  "EW 2♣ =",
		"5Q 10 prese ovest": "W 5♦ −1",
		"passo":             "pass",
	} {
		if d, err := italian.Parse(text); err != nil || d.String() != want {
			t.Errorf("Italian Parse(%q) = %v, %v, want %s", text, d, err, want)
		}
	}
	for text, offers := range map[string][]string{
		"4H =":       nil, // no Italian letter
		"4P 9":       {"4P 9 prese"},
		"4P 4":       {"4P facendo 4", "4P 4 prese"},
		"passo N":    {"passo"},
		"pas":        {"passo"},
		"4P fatte 5": {"4P facendo 5"},
	} {
		_, err := italian.Parse(text)
		e, ok := errors.AsType[*scoring.ParseError](err)
		if !ok || !slices.Equal(e.Offers, offers) {
			t.Errorf("Italian Parse(%q) offers %q, want %q (%v)", text, e.Offers, offers, err)
		}
	}
}

// TestReasons shows each kind of refusal in words.
func TestReasons(t *testing.T) {
	got := map[string]string{}
	for _, text := range []string{"", "N", "4S", "4S X X =", "4S = = =", "4S = hon 100 hon 100", "4S = -1", "4S 14", "7S +1", "1S -8", "pass =", "1NT = hon 100", "N3S=", "9S =", "4", "4S = ?"} {
		if e := refused(t, text); e != nil {
			got[text] = e.Reason()
		}
	}
	want := map[string]string{
		"":                     "nothing to read: a deal looks like 4S +1 by N",
		"N":                    "no contract: put one like 4S or 3NT",
		"4S":                   "no result: put =, +1, -1 or the like",
		"4S X X =":             "a second doubling",
		"4S = = =":             "a third result",
		"4S = hon 100 hon 100": "honours a second time",
		"4S = -1":              "this result contradicts the one before",
		"4S 14":                "a bare number: odd tricks or all tricks?",
		"7S +1":                "that takes more than 13 tricks",
		"1S -8":                "that takes fewer tricks than none",
		"pass =":               "a passed-out deal stands alone",
		"1NT = hon 100":        "at no-trump honours are four aces in one hand: 150, never 100",
		"N3S=":                 "this means more than one deal",
		"9S =":                 "a level is 1 to 7",
		"4":                    "expected strain (C, D, H, S, NT) or the word tricks",
		"4S = ?":               "expected doubling, declarer, vul or nv or honours",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}
