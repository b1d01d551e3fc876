package scoring_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubberbot/rubberbot/scoring"
)

// TestScoreBoundaries has a row on every boundary of the Laws' scoring table (Law 81), each with its reason.
func TestScoreBoundaries(t *testing.T) {
	type score = scoring.Score
	const nv, vul = false, true
	for _, tt := range []struct {
		contract string // with the result
		vul      bool
		want     score
		reason   string
	}{
		{"1C =", nv, score{Tricks: 20}, "clubs count 20 a trick"},
		{"1D =", nv, score{Tricks: 20}, "diamonds count 20 a trick"},
		{"1H =", nv, score{Tricks: 30}, "hearts count 30 a trick"},
		{"1S =", nv, score{Tricks: 30}, "spades count 30 a trick"},
		{"1NT =", nv, score{Tricks: 40}, "no-trump's first trick counts 40"},
		{"2NT =", nv, score{Tricks: 70}, "no-trump's second trick counts 30: no game"},
		{"3NT =", nv, score{Tricks: 100}, "3NT is worth exactly a game"},
		{"5C =", nv, score{Tricks: 100}, "five of a minor is worth exactly a game"},
		{"5D =", nv, score{Tricks: 100}, "five of a minor is worth exactly a game"},
		{"4D =", nv, score{Tricks: 80}, "four of a minor is no game"},
		{"3S =", nv, score{Tricks: 90}, "three of a major is no game"},
		{"4H =", nv, score{Tricks: 120}, "four of a major is a game"},

		{"1NTX =", nv, score{Tricks: 80, Insult: 50}, "doubled, both no-trump parts are doubled: still no game"},
		{"2HX =", nv, score{Tricks: 120, Insult: 50}, "doubled into game"},
		{"2DX =", nv, score{Tricks: 80, Insult: 50}, "doubled, and no game"},
		{"3CX =", nv, score{Tricks: 120, Insult: 50}, "doubled into game"},
		{"1SXX =", nv, score{Tricks: 120, Insult: 100}, "redoubled counts four times: game; insult 100 since 1993"},
		{"1CXX =", nv, score{Tricks: 80, Insult: 100}, "one of a minor redoubled is no game"},
		{"1NTXX =", nv, score{Tricks: 160, Insult: 100}, "redoubled counts no-trump's 10 four times too"},

		{"1NT +1", nv, score{Tricks: 40, Overtricks: 30}, "an overtrick at no-trump counts 30, never 40"},
		{"2C +1", vul, score{Tricks: 40, Overtricks: 20}, "undoubled overtricks don't depend on vulnerability"},
		{"4S +3", nv, score{Tricks: 120, Overtricks: 90}, "thirteen tricks in a game: no slam was bid"},
		{"5S +1", vul, score{Tricks: 150, Overtricks: 30}, "twelve tricks in a contract of five: no slam was bid"},
		{"1CX +1", nv, score{Tricks: 40, Overtricks: 100, Insult: 50}, "doubled overtrick, not vulnerable, any strain"},
		{"1CX +1", vul, score{Tricks: 40, Overtricks: 200, Insult: 50}, "doubled overtrick, vulnerable"},
		{"1CXX +1", nv, score{Tricks: 80, Overtricks: 200, Insult: 100}, "redoubled overtrick, not vulnerable"},
		{"1CXX +1", vul, score{Tricks: 80, Overtricks: 400, Insult: 100}, "redoubled overtrick, vulnerable; the insult stays 100"},
		{"1NTXX +6", vul, score{Tricks: 160, Overtricks: 2400, Insult: 100}, "the most overtricks there can be"},

		{"6C =", nv, score{Tricks: 120, Slam: 500}, "small slam"},
		{"6C =", vul, score{Tricks: 120, Slam: 750}, "small slam, vulnerable"},
		{"7C =", nv, score{Tricks: 140, Slam: 1000}, "grand slam: instead of the small one's premium, not beside it"},
		{"7C =", vul, score{Tricks: 140, Slam: 1500}, "grand slam, vulnerable"},
		{"6S +1", nv, score{Tricks: 180, Overtricks: 30, Slam: 500}, "thirteen tricks in a small slam: it wasn't a grand slam"},
		{"6SX =", vul, score{Tricks: 360, Insult: 50, Slam: 750}, "a slam's premium is never doubled"},
		{"7NTXX =", vul, score{Tricks: 880, Insult: 100, Slam: 1500}, "the dearest contract made: the premium isn't redoubled"},
		{"6S -1", vul, score{Undertricks: 100}, "no premium for a slam that failed"},
		{"7S -1", nv, score{Undertricks: 50}, "twelve tricks in a grand slam: no small slam's premium"},

		{"4S -1", nv, score{Undertricks: 50}, "50 each"},
		{"4S -1", vul, score{Undertricks: 100}, "100 each, vulnerable"},
		{"1C -7", nv, score{Undertricks: 350}, "all tricks of a contract of one"},
		{"4SX -1", nv, score{Undertricks: 100}, "first doubled"},
		{"4SX -2", nv, score{Undertricks: 300}, "second doubled: 200 more"},
		{"4SX -3", nv, score{Undertricks: 500}, "third doubled: 200 more"},
		{"4SX -4", nv, score{Undertricks: 800}, "fourth doubled: 300 more since 1993, not 200"},
		{"4SX -5", nv, score{Undertricks: 1100}, "and 300 for each one after"},
		{"4SX -1", vul, score{Undertricks: 200}, "first doubled, vulnerable"},
		{"4SX -2", vul, score{Undertricks: 500}, "second doubled, vulnerable: 300 more"},
		{"4SX -4", vul, score{Undertricks: 1100}, "four doubled, vulnerable"},
		{"4SXX -1", nv, score{Undertricks: 200}, "redoubled is twice doubled"},
		{"4SXX -1", vul, score{Undertricks: 400}, "redoubled is twice doubled, vulnerable"},
		{"4SXX -4", nv, score{Undertricks: 1600}, "redoubled is twice doubled, the fourth too"},
		{"7NT -13", nv, score{Undertricks: 650}, "no trick at all"},
		{"7NT -13", vul, score{Undertricks: 1300}, "no trick at all, vulnerable"},
		{"7NTX -13", nv, score{Undertricks: 3500}, "no trick at all, doubled"},
		{"7NTX -13", vul, score{Undertricks: 3800}, "no trick at all, doubled and vulnerable"},
		{"7NTXX -13", vul, score{Undertricks: 7600}, "the dearest defeat"},
	} {
		d, rules := mustRead(tt.contract), scoring.Laws()
		if got := rules.Score(d.Contract, int(d.Tricks), tt.vul); got != tt.want {
			t.Errorf("Score(%s, vulnerable %v) = %+v, want %+v: %s", tt.contract, tt.vul, got, tt.want, tt.reason)
		}
	}
}

// TestRubberBoundaries has a row on every boundary of a rubber as a whole (Laws 72 to 74 and 80), each with its reason.
// The deals are separated by semicolons; "end" stops the rubber.
func TestRubberBoundaries(t *testing.T) {
	type tally = scoring.Tally
	for _, tt := range []struct {
		deals                           string
		games, part, below, above, want tally // want is the total
		won                             scoring.Side
		reason                          string
	}{
		{"N 3NT =", tally{1, 0}, tally{}, tally{100, 0}, tally{}, tally{100, 0}, 0, "exactly 100 is a game"},
		{"N 3S =", tally{}, tally{90, 0}, tally{90, 0}, tally{}, tally{90, 0}, 0, "90 is no game"},
		{"N 3S +1", tally{}, tally{90, 0}, tally{90, 0}, tally{30, 0}, tally{120, 0}, 0, "overtricks don't count towards game"},
		{"N 2H =; S 2C =", tally{1, 0}, tally{}, tally{100, 0}, tally{}, tally{100, 0}, 0, "60 and 40 make a game"},
		{"N 2H =; S 1S =", tally{}, tally{90, 0}, tally{90, 0}, tally{}, tally{90, 0}, 0, "60 and 30 don't"},
		{"N 2H =; S 3D =", tally{1, 0}, tally{}, tally{120, 0}, tally{}, tally{120, 0}, 0, "what goes beyond 100 isn't carried over"},
		{"N 2H =; E 2S =; S 2C =", tally{1, 0}, tally{}, tally{100, 60}, tally{}, tally{100, 60}, 0, "at a game the other side's part-score drops too, but stays in its total"},
		{"N 2H =; E 4S =; S 2C =", tally{0, 1}, tally{40, 0}, tally{100, 120}, tally{}, tally{100, 120}, 0, "a part-score from before the others' game doesn't count towards the next"},
		{"N 2HX =", tally{1, 0}, tally{}, tally{120, 0}, tally{50, 0}, tally{170, 0}, 0, "doubled into game"},
		{"N 1SXX =", tally{1, 0}, tally{}, tally{120, 0}, tally{100, 0}, tally{220, 0}, 0, "redoubled into game"},
		{"N 4S =; S 4S =", tally{2, 0}, tally{}, tally{240, 0}, tally{700, 0}, tally{940, 0}, scoring.NS, "two games to none: 700"},
		{"E 4S =; N 4S =; W 4S =", tally{1, 2}, tally{}, tally{120, 240}, tally{0, 500}, tally{120, 740}, scoring.EW, "two games to one: 500"},
		{"N 4S =; N 4S -1", tally{1, 0}, tally{}, tally{120, 0}, tally{0, 100}, tally{120, 100}, 0, "a game makes its side vulnerable from the next deal on"},
		{"N 4S =; E 4S -1", tally{1, 0}, tally{}, tally{120, 0}, tally{50, 0}, tally{170, 0}, 0, "and only that side"},
		{"N 3NT X =; S 6S =", tally{2, 0}, tally{}, tally{380, 0}, tally{1500, 0}, tally{1880, 0}, scoring.NS, "the deal that wins the rubber is priced as it was played: vulnerable, 50 + 750 + 700"},
		{"N 2S =; S 6S =", tally{1, 0}, tally{}, tally{240, 0}, tally{500, 0}, tally{740, 0}, 0, "a part-score makes nobody vulnerable"},
		{"N 7C XX -13; E 3NT =; W 3NT =", tally{0, 2}, tally{}, tally{0, 200}, tally{0, 7700}, tally{0, 7900}, scoring.EW, "thirteen down redoubled: 7000, and 700"},
		{"N 7C XX -13; S 3NT =; N 3NT =", tally{2, 0}, tally{}, tally{200, 0}, tally{700, 7000}, tally{900, 7000}, scoring.NS, "who wins the rubber can lose on points"},
		{"pass", tally{}, tally{}, tally{}, tally{}, tally{}, 0, "a passed-out deal scores nothing"},
		{"N 2H =; pass; pass; S 2C =", tally{1, 0}, tally{}, tally{100, 0}, tally{}, tally{100, 0}, 0, "and changes nothing"},

		{"N 4S = hon 100", tally{1, 0}, tally{}, tally{120, 0}, tally{100, 0}, tally{220, 0}, 0, "honours with no side named are the declaring side's"},
		{"N 4S = hon S 150", tally{1, 0}, tally{}, tally{120, 0}, tally{150, 0}, tally{270, 0}, 0, "honours in dummy"},
		{"N 4S = hon E 100", tally{1, 0}, tally{}, tally{120, 0}, tally{0, 100}, tally{120, 100}, 0, "honours with a defender"},
		{"N 4S -1 hon 100", tally{}, tally{}, tally{}, tally{100, 50}, tally{100, 50}, 0, "honours in a defeated contract"},
		{"N 4SX -1 hon W 150", tally{}, tally{}, tally{}, tally{0, 250}, tally{0, 250}, 0, "a defender's beside undertricks; honours are never doubled"},
		{"N 3NT = hon EW 150", tally{1, 0}, tally{}, tally{100, 0}, tally{0, 150}, tally{100, 150}, 0, "four aces with a defender"},
		{"N 2H = hon 100", tally{}, tally{60, 0}, tally{60, 0}, tally{100, 0}, tally{160, 0}, 0, "honours don't count towards game"},
		{"N 4S =; S 4S = hon E 100", tally{2, 0}, tally{}, tally{240, 0}, tally{700, 100}, tally{940, 100}, scoring.NS, "honours on the deal that ends the rubber count"},

		{"end", tally{}, tally{}, tally{}, tally{}, tally{}, 0, "nothing played: no premium"},
		{"N 4S =; end", tally{1, 0}, tally{}, tally{120, 0}, tally{300, 0}, tally{420, 0}, 0, "the only game: 300"},
		{"N 4S =; E 4S =; end", tally{1, 1}, tally{}, tally{120, 120}, tally{}, tally{120, 120}, 0, "a game each: none"},
		{"N 2H =; end", tally{}, tally{60, 0}, tally{60, 0}, tally{100, 0}, tally{160, 0}, 0, "the only part-score: 100, since 1993 (50 before)"},
		{"N 2H =; E 2H =; end", tally{}, tally{60, 60}, tally{60, 60}, tally{}, tally{60, 60}, 0, "part-scores of both: none"},
		{"N 4S =; S 2H =; end", tally{1, 0}, tally{60, 0}, tally{180, 0}, tally{400, 0}, tally{580, 0}, 0, "game and part-score of one side: 300 and 100"},
		{"N 4S =; E 2H =; end", tally{1, 0}, tally{0, 60}, tally{120, 60}, tally{300, 100}, tally{420, 160}, 0, "of different sides: to each its own"},
		{"N 4S =; S 2C =; E 2H =; end", tally{1, 0}, tally{40, 60}, tally{160, 60}, tally{300, 0}, tally{460, 60}, 0, "the game alone, where both have part-scores"},
		{"N 4S =; E 4S =; S 2C =; end", tally{1, 1}, tally{40, 0}, tally{160, 120}, tally{100, 0}, tally{260, 120}, 0, "the part-score alone, where both have games"},
		{"N 2H =; E 4S =; end", tally{0, 1}, tally{}, tally{60, 120}, tally{0, 300}, tally{60, 420}, 0, "a part-score that a game wiped off isn't in the open game"},
	} {
		s := play(t, tt.deals)
		type outcome struct {
			Games, Part, Below, Above, Total tally
			Won                              scoring.Side
		}
		got := outcome{s.Games, s.PartScore, s.Below, s.Above, s.Total(), s.Won}
		want := outcome{tt.games, tt.part, tt.below, tt.above, tt.want, tt.won}
		if got != want {
			t.Errorf("%s\n got %+v\nwant %+v: %s", tt.deals, got, want, tt.reason)
		}
	}
}

// play adds deals separated by semicolons, one by one.
func play(t *testing.T, deals string) scoring.Sheet {
	t.Helper()
	s := scoring.Sheet{Rules: scoring.Laws()}
	for text := range strings.SplitSeq(deals, "; ") {
		var err error
		if text == "end" {
			s, err = s.End()
		} else {
			s, err = s.Add(mustRead(text))
		}
		if err != nil {
			t.Fatalf("%s: at %q: %v", deals, text, err)
		}
	}
	return s
}

// TestEntryOrder shows a line with every kind that one deal can have.
func TestEntryOrder(t *testing.T) {
	s := play(t, "N 3NT =; S 6S X +1 hon N 150")
	want := []scoring.Entry{
		{Side: scoring.NS, Kind: scoring.Tricks, Game: 2, Points: 360},
		{Side: scoring.NS, Kind: scoring.Overtricks, Game: 2, Points: 200},
		{Side: scoring.NS, Kind: scoring.Insult, Game: 2, Points: 50},
		{Side: scoring.NS, Kind: scoring.Slam, Game: 2, Points: 750},
		{Side: scoring.NS, Kind: scoring.HonoursHeld, Game: 2, Points: 150},
		{Side: scoring.NS, Kind: scoring.RubberWon, Game: 2, Points: 700},
	}
	if diff := cmp.Diff(want, s.Lines[1].Entries); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	s = play(t, "N 4S =; E 2H =; end")
	want = []scoring.Entry{
		{Side: scoring.NS, Kind: scoring.UnfinishedGame, Game: 2, Points: 300},
		{Side: scoring.EW, Kind: scoring.UnfinishedPart, Game: 2, Points: 100},
	}
	if diff := cmp.Diff(want, s.Closing); diff != "" {
		t.Errorf("closing entries (-want +got):\n%s", diff)
	}
}

// TestStanding shows what a player asks of a sheet on the way: which game is open, and what is needed for it.
func TestStanding(t *testing.T) {
	for _, tt := range []struct {
		deals            string
		game             int
		needsNS, needsEW int
		vulNS, vulEW     bool
	}{
		{"pass", 1, 100, 100, false, false},
		{"N 2H =", 1, 40, 100, false, false},
		{"N 2H =; E 3S =", 1, 40, 10, false, false},
		{"N 2H =; E 4S =", 2, 100, 100, false, true},
		{"N 4S =; E 4S =; W 1C =", 3, 100, 80, true, true},
		{"N 4S =; N 4S =", 2, 100, 100, true, false}, // over: the game that won it
	} {
		s := play(t, tt.deals)
		if got := s.Game(); got != tt.game {
			t.Errorf("%s: Game() = %d, want %d", tt.deals, got, tt.game)
		}
		if ns, ew := s.NeedsForGame(scoring.NS), s.NeedsForGame(scoring.EW); ns != tt.needsNS || ew != tt.needsEW {
			t.Errorf("%s: NeedsForGame = %d, %d, want %d, %d", tt.deals, ns, ew, tt.needsNS, tt.needsEW)
		}
		if ns, ew := s.Vulnerable(scoring.NS), s.Vulnerable(scoring.EW); ns != tt.vulNS || ew != tt.vulEW {
			t.Errorf("%s: Vulnerable = %v, %v, want %v, %v", tt.deals, ns, ew, tt.vulNS, tt.vulEW)
		}
	}
}

// TestNothingAfterTheEnd: a rubber that is won, or was ended, takes no deal and no end.
func TestNothingAfterTheEnd(t *testing.T) {
	for _, tt := range []struct {
		deals string
		want  error
	}{
		{"N 4S =; S 4S =", scoring.ErrOver},
		{"N 4S =; end", scoring.ErrClosed},
		{"end", scoring.ErrClosed},
	} {
		s := play(t, tt.deals)
		if !s.Over() {
			t.Errorf("%s: Over() = false", tt.deals)
		}
		for _, deal := range []string{"N 1C =", "pass"} {
			if after, err := s.Add(mustRead(deal)); !errors.Is(err, tt.want) || after.Lines != nil {
				t.Errorf("%s: Add(%s) = %d lines, %v; want none, %v", tt.deals, deal, len(after.Lines), err, tt.want)
			}
		}
		if _, err := s.End(); !errors.Is(err, tt.want) {
			t.Errorf("%s: End() = %v, want %v", tt.deals, err, tt.want)
		}
	}
}

// TestRulesOfZero: rules that give nothing leave no entry, and change nothing else.
func TestRulesOfZero(t *testing.T) {
	rules := scoring.Rules{Name: "bare", Undertricks: scoring.ScaleLaws}
	deals := []scoring.Deal{mustRead("N 4S X ="), mustRead("E 1C XX =")}
	s, err := scoring.Fold(rules, append(deals, mustRead("N 3NT =")))
	if err != nil || s.Won != scoring.NS || s.Above != (scoring.Tally{}) || s.Below != (scoring.Tally{NS: 340, EW: 80}) {
		t.Errorf("Fold = won by %v, %v below, %v above, %v", s.Won, s.Below, s.Above, err)
	}
	for _, l := range s.Lines {
		if len(l.Entries) != 1 {
			t.Errorf("deal %d has entries %+v, want its tricks alone", l.N, l.Entries)
		}
	}
	s, _ = scoring.Fold(rules, deals)
	if s, err = s.End(); err != nil || s.Closing != nil || s.Above != (scoring.Tally{}) {
		t.Errorf("End = %+v, %v above, %v; want no premium", s.Closing, s.Above, err)
	}
}

// TestFoldRefuses: a list with an impossible deal is refused whole, and the error says which.
func TestFoldRefuses(t *testing.T) {
	good := mustRead("N 4S =")
	for _, tt := range []struct {
		deals []scoring.Deal
		n     int
		want  error
	}{
		{[]scoring.Deal{good, mustRead("4S =")}, 2, scoring.ErrNoDeclarer},
		{[]scoring.Deal{good, good, {}}, 3, scoring.ErrOver},
		{[]scoring.Deal{{Side: scoring.NS}}, 1, scoring.ErrPassedOutWithMore},
		{[]scoring.Deal{{Contract: scoring.Contract{Level: 8, Strain: scoring.Clubs}, Side: scoring.NS}}, 1, scoring.ErrContract},
	} {
		s, err := scoring.Fold(scoring.Laws(), tt.deals)
		e, ok := errors.AsType[*scoring.DealError](err)
		if want := fmt.Sprintf("deal %d: %v", tt.n, tt.want); err.Error() != want {
			t.Errorf("Fold(%v): %q, want %q", tt.deals, err, want)
		}
		if !ok || e.N != tt.n || !errors.Is(err, tt.want) || s.Lines != nil {
			t.Errorf("Fold(%v) = %d lines, %v; want none, deal %d: %v", tt.deals, len(s.Lines), err, tt.n, tt.want)
		}
	}
}

// TestClaims: what a text says of vulnerability is checked where it is entered, and not when the list is folded again.
func TestClaims(t *testing.T) {
	s := play(t, "N 4S =")
	for _, tt := range []struct {
		deal string
		want string // of the error; "" for none
	}{
		{"S 2H = vul", ""},
		{"S 2H =", ""},
		{"E 2H = nv", ""},
		{"S 2H = nv", "NS are vulnerable: they have won a game"},
		{"E 2H = vul", "EW are not vulnerable: they have not won a game yet"},
	} {
		d := mustRead(tt.deal)
		got := ""
		if err := s.Takes(d); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("Takes(%s) = %q, want %q", tt.deal, got, tt.want)
		}
		folded := mustFold(mustRead("N 4S ="), d)
		if claimed := folded.Lines[1].Deal.Claimed; claimed != scoring.Unsaid {
			t.Errorf("Fold keeps the claim %v of %s", claimed, tt.deal)
		}
	}
}
