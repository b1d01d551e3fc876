package sheet_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/bot/sheet"
	"github.com/rubberbot/rubberbot/scoring"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func english(t testing.TB) *lang.Words {
	t.Helper()
	catalogue, err := lang.Load()
	if err != nil {
		t.Fatal(err)
	}
	return catalogue.In("en")
}

// rubber is the sheet of deals as people type them; "end" stops it.
func rubber(t testing.TB, texts ...string) scoring.Sheet {
	t.Helper()
	var deals []scoring.Deal
	end := false
	for _, text := range texts {
		if text == "end" {
			end = true
			continue
		}
		d, err := scoring.English().Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		deals = append(deals, d)
	}
	s, err := scoring.Fold(scoring.Laws(), deals)
	if err == nil && end {
		s, err = s.End()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var four = sheet.Names{scoring.North: "Nello", scoring.East: "Enrico", scoring.South: "Sandra", scoring.West: "Olga"}

// TestSheets holds sheets against testdata, where they stand as a player would read them: the deals, the sheet, what is
// said of it.
func TestSheets(t *testing.T) {
	w := english(t)
	for _, row := range []struct {
		name  string
		names sheet.Names
		deals []string
	}{
		{"new", four, nil},
		{"unnamed", sheet.Names{}, []string{"N 2S ="}},
		{"passed_out", four, []string{"pass", "pass"}},
		{"part_scores", four, []string{"N 2S +1", "E 1NT =", "S 3C X -1", "W 2H XX +1"}},
		{"after_a_game", four, []string{"N 2S =", "E 4H +1"}},
		{"two_games_to_none", four, []string{"N 4S =", "S 3NT +1"}},
		{"two_games_to_one", four, []string{"N 4S =", "W 3NT =", "E 2H =", "S 6NT = hon 150"}},
		{"honours_of_the_defenders", four, []string{"N 4S -3 hon E 100", "W 7NT XX = hon 150"}},
		{"ended_with_nothing", four, []string{"N 4S -1", "end"}},
		{"ended_with_a_game_and_a_part_score", four, []string{"N 4S =", "W 2H =", "end"}},
		{"ended_level", four, []string{"pass", "end"}},
		{"more_points_but_fewer_games", four, []string{"N 7NT XX = vul", "E 3NT =", "E 3NT ="}},
		{"wide_names", sheet.Names{scoring.North: "東南西北東南西北", scoring.East: "👨‍👩‍👧‍👦 Familie", scoring.South: "שלום", scoring.West: "e\u0301\u0301\u0301lan"}, []string{"N 1C ="}},
	} {
		t.Run(row.name, func(t *testing.T) {
			deals := row.deals
			for i := range deals {
				deals[i] = strings.TrimSuffix(deals[i], " vul") // a claim is checked at entry, not here
			}
			s := rubber(t, deals...)
			got := strings.Join(deals, "\n") + "\n\n" + sheet.Text(&s, row.names, w, 0) + "\n" + strings.Join(sheet.Summary(&s, w), "\n") + "\n"
			golden(t, row.name+".golden", got)
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// With a limit the oldest entries above the line are one row; no point is lost by it.
func TestEarlierEntriesAreSummed(t *testing.T) {
	var deals []string
	for i := range 10 {
		deals = append(deals, fmt.Sprintf("N 1C -%d", i%7+1)) // 50 a trick, 7 down at most
	}
	s := rubber(t, deals...)
	got := sheet.Text(&s, four, english(t), 4)
	// 7, 1, 2, 3 down are the last four; all but the last three make one row.
	if want := "earlier   1400"; !strings.Contains(got, want) {
		t.Errorf("the sheet lacks %q:\n%s", want, got)
	}
	for _, line := range []string{"1♣ −3      150", "1♣ −2      100", "1♣ −1       50"} {
		if strings.Count(got, line) != 1 {
			t.Errorf("the sheet should have %q once:\n%s", line, got)
		}
	}
	exact := sheet.Text(&s, four, english(t), 10)
	if strings.Contains(exact, "earlier") {
		t.Errorf("ten entries fit into ten rows:\n%s", exact)
	}
}

// deal draws a deal that a sheet takes, whoever is vulnerable.
func deal(t *rapid.T) scoring.Deal {
	if rapid.IntRange(0, 19).Draw(t, "passed out") == 0 {
		return scoring.Deal{}
	}
	d := scoring.Deal{
		Contract: scoring.Contract{
			Level:    uint8(rapid.IntRange(1, 7).Draw(t, "level")),
			Strain:   rapid.SampledFrom([]scoring.Strain{scoring.Clubs, scoring.Diamonds, scoring.Hearts, scoring.Spades, scoring.NoTrump}).Draw(t, "strain"),
			Doubling: rapid.SampledFrom([]scoring.Doubling{scoring.Undoubled, scoring.Doubled, scoring.Redoubled}).Draw(t, "doubling"),
		},
		Tricks: uint8(rapid.IntRange(0, 13).Draw(t, "tricks")),
	}
	if rapid.IntRange(0, 3).Draw(t, "honours") == 0 {
		d.Honours.Points = 150
	}
	seats := scoring.Seats()
	return d.By(rapid.SampledFrom(seats[:]).Draw(t, "declarer"))
}

// anyRubber draws a rubber, finished, open or ended early.
func anyRubber(t *rapid.T) scoring.Sheet {
	s, err := scoring.Fold(scoring.Laws(), nil)
	for range rapid.IntRange(0, 90).Draw(t, "deals") {
		if err != nil || s.Over() {
			break
		}
		s, err = s.Add(deal(t))
	}
	if err == nil && !s.Over() && rapid.Bool().Draw(t, "ended") {
		s, err = s.End()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// nasty are code points that break layouts.
var nasty = []rune("`*_~|[]()<>@#:\\\n\r\t\x00\u0085\u2028\u2029\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2066\u2067\u2068\u2069\u0301\u0489\u3164\ufe0f\ufeff\ufffdW界👍🏽🇩🇪👨𝓝﷽שع\ue000")

func anyName(t *rapid.T, label string) string {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringOfN(rapid.SampledFrom(nasty), 0, 100, -1),
		rapid.Just(strings.Repeat("W", 100)),
		rapid.Just(strings.Repeat("界", 100)),
		rapid.Just(strings.Repeat("👨‍👩‍👧‍👦", 20)),
	).Draw(t, label)
}

// Whatever was played by whomever: no row is wider than the sheet, every row has its two columns, no row holds what could
// end the code block or turn its direction, and the totals stand at the end.
func TestEverySheetFits(t *testing.T) {
	w := english(t)
	rapid.Check(t, func(t *rapid.T) {
		s := anyRubber(t)
		var names sheet.Names
		for _, seat := range scoring.Seats() {
			names[seat] = anyName(t, seat.String())
		}
		rows := rapid.SampledFrom([]int{0, 1, 2, 24}).Draw(t, "rows")
		text := sheet.Text(&s, names, w, rows)
		checkRows(t, text)
		total := s.Total()
		all := strings.Split(text, "\n")
		if got, want := strings.Fields(all[len(all)-2]), fmt.Sprintf("Total %d │ Total %d", total.NS, total.EW); strings.Join(got, " ") != want {
			t.Fatalf("the last row is %q, want %q:\n%s", got, want, text)
		}
	})
}

func checkRows(t *rapid.T, text string) {
	if !strings.HasSuffix(text, "\n") || !utf8.ValidString(text) {
		t.Fatalf("not whole lines of UTF-8: %q", text)
	}
	for row := range strings.Lines(text) {
		row = strings.TrimSuffix(row, "\n")
		if n := sheet.Width(row); n > sheet.Columns {
			t.Fatalf("%d cells, want at most %d: %q", n, sheet.Columns, row)
		}
		if strings.ContainsAny(row, "`\n\r\t\u2028\u2029\u202a\u202e\u2066\u2067\u200e\u200f\x00") {
			t.Fatalf("a row with what could break it: %q", row)
		}
		if strings.Count(row, "│")+strings.Count(row, "┼")+strings.Count(row, "┿") < 1 {
			t.Fatalf("a row without its columns: %q\n%s", row, text)
		}
		if strings.Count(row, "\u2068") != strings.Count(row, "\u2069") {
			t.Fatalf("an isolate that isn't closed: %q", row)
		}
	}
}

func TestClean(t *testing.T) {
	for _, row := range []struct{ why, in, want string }{
		{"plain", "Nello", "Nello"},
		{"spaces around and inside", "  Nello \t Rossi\n", "Nello Rossi"},
		{"line and paragraph separators", "a\u2028b\u2029c", "a b c"},
		{"back-quotes end a code block", "```", "'''"},
		{"right-to-left override", "\u202eolleN\u202c", "olleN"},
		{"isolates of its own", "\u2067x\u2069", "x"},
		{"a zero-width space", "a\u200bb", "ab"},
		{"controls", "a\x00\x1b[31mb", "a[31mb"},
		{"an emoji family holds together", "👨‍👩‍👧", "👨‍👩‍👧"},
		{"accents stay", "e\u0301", "e\u0301"},
		{"invalid UTF-8", "a\xffb", "ab"},
		{"nothing that shows", "\u200b\u202e\u2060", ""},
		{"joiners alone show nothing", "\u200d\ufe0f\u200d", ""},
		{"an accent alone shows nothing", "\u0301", ""},
		{"Hangul fillers, which Discord takes as a name, show nothing", "\u3164\u115f\u1160\uffa0", ""},
		{"blank Braille shows nothing", "\u2800", ""},
		{"tags show nothing", "\U000e0041\U000e0042", ""},
		{"only so much is looked at", strings.Repeat("a\u0301", 100), strings.Repeat("a\u0301", 32)},
	} {
		if got := sheet.Clean(row.in); got != row.want {
			t.Errorf("%s: Clean(%+q) = %+q, want %+q", row.why, row.in, got, row.want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, row := range []struct {
		in   string
		n    int
		want string
	}{
		{"Nello", 5, "Nello"},
		{"Nello!", 5, "Nell…"},
		{"東南西", 6, "東南西"},
		{"東南西", 5, "東南…"},
		{"東南西", 4, "東…"},
		{"", 5, ""},
	} {
		got := sheet.Fit(row.in, row.n)
		if got != row.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", row.in, row.n, got, row.want)
		}
		if sheet.Width(got) > row.n {
			t.Errorf("Fit(%q, %d) takes %d cells", row.in, row.n, sheet.Width(got))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name, n := anyName(t, "name"), rapid.IntRange(1, 40).Draw(t, "cells")
		if got := sheet.Fit(name, n); sheet.Width(got) > n || sheet.Clean(got) != got {
			t.Fatalf("Fit(%+q, %d) = %+q, %d cells, clean %+q", name, n, got, sheet.Width(got), sheet.Clean(got))
		}
	})
}
