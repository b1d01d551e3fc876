package scoring_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubberbot/rubberbot/scoring"
)

// drawDeal draws a deal that the notation can write: perhaps passed out; else with a declarer, a declaring side or, where
// incomplete is allowed, neither; with a claim of vulnerability where incomplete is allowed; perhaps with honours.
func drawDeal(t *rapid.T, incomplete bool) scoring.Deal {
	if rapid.IntRange(0, 9).Draw(t, "passed out") == 9 {
		return scoring.Deal{}
	}
	d := scoring.Deal{
		Contract: scoring.Contract{
			Level:    rapid.Uint8Range(1, 7).Draw(t, "level"),
			Strain:   scoring.Strain(rapid.Uint8Range(1, 5).Draw(t, "strain")),
			Doubling: scoring.Doubling(rapid.Uint8Range(0, 2).Draw(t, "doubling")),
		},
		Tricks: rapid.Uint8Range(0, 13).Draw(t, "tricks"),
	}
	least := 1
	if incomplete {
		least = 0
		d.Claimed = scoring.Vulnerability(rapid.Uint8Range(0, 2).Draw(t, "claim"))
	}
	d.Declarer, d.Side = drawHand(t, least)
	if rapid.Bool().Draw(t, "honours") {
		d.Honours.Points = 150
		if d.Contract.Strain != scoring.NoTrump {
			d.Honours.Points = rapid.SampledFrom([]uint8{100, 150}).Draw(t, "points")
		}
		d.Honours.Seat, d.Honours.Side = drawHand(t, 0)
	}
	return d
}

// drawHand draws a seat with its side, a side, or (from 0) neither.
func drawHand(t *rapid.T, least int) (scoring.Seat, scoring.Side) {
	switch n := rapid.IntRange(least, 6).Draw(t, "hand"); n {
	case 0:
		return scoring.NoSeat, scoring.NoSide
	case 1, 2:
		return scoring.NoSeat, scoring.Side(n)
	default:
		seat := scoring.Seat(n - 2)
		return seat, seat.Side()
	}
}

// drawRubber draws deals until a rubber is won or 30 are played; often fewer.
func drawRubber(t *rapid.T) []scoring.Deal {
	var deals []scoring.Deal
	s := scoring.Sheet{Rules: scoring.Laws()}
	for range rapid.IntRange(0, 30).Draw(t, "deals") {
		if s.Over() {
			break
		}
		d := drawDeal(t, false)
		deals = append(deals, d)
		s = mustFold(deals...)
	}
	return deals
}

// snapshot is a sheet as text, all of it: two equal snapshots are equal sheets that share no memory.
func snapshot(s scoring.Sheet) string { return fmt.Sprintf("%+v", s) }

// TestPrefixes: the fold of a prefix is the sheet of that moment, however it came about; and no step changes the sheets
// before it, nor the list it was made from.
func TestPrefixes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deals := drawRubber(t)
		before := slices.Clone(deals)
		sheets := []scoring.Sheet{{Rules: scoring.Laws()}}
		shots := []string{snapshot(sheets[0])}
		for i, d := range deals {
			next, err := sheets[i].Add(d)
			if err != nil {
				t.Fatalf("Add(%v): %v", d, err)
			}
			sheets, shots = append(sheets, next), append(shots, snapshot(next))
			if diff := cmp.Diff(mustFold(deals[:i+1]...), next); diff != "" {
				t.Fatalf("after %d deals (-Fold +Add):\n%s", i+1, diff)
			}
			if !next.Over() {
				if _, err := next.End(); err != nil {
					t.Fatalf("End after %d deals: %v", i+1, err)
				}
			}
		}
		for i, s := range sheets {
			if got := snapshot(s); got != shots[i] {
				t.Fatalf("the sheet of %d deals became\n%s, was\n%s", i, got, shots[i])
			}
		}
		if !slices.Equal(deals, before) {
			t.Fatalf("the deals became %v, were %v", deals, before)
		}
	})
}

// TestUndo: undo after add is the identity. Two different deals added to one sheet don't see each other, whatever memory
// the sheet had to spare: one read from a file has grown in place and has some.
func TestUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deals := drawRubber(t)
		if s := mustFold(deals...); s.Over() {
			deals = deals[:len(deals)-1]
		}
		s := fromFile(t, deals)
		was := snapshot(s)
		a, b := drawDeal(t, false), drawDeal(t, false)
		withA, errA := s.Add(a)
		shotA := snapshot(withA)
		withB, errB := s.Add(b)
		if errA != nil || errB != nil {
			t.Fatalf("Add: %v, %v", errA, errB)
		}
		if got := snapshot(withA); got != shotA {
			t.Fatalf("adding %v beside it, the sheet with %v became\n%s, was\n%s", b, a, got, shotA)
		}
		var dropped []scoring.Deal
		for _, l := range withB.Lines[:len(withB.Lines)-1] {
			dropped = append(dropped, l.Deal)
		}
		if got := mustFold(dropped...); snapshot(s) != was || cmp.Diff(s, got, equateEmpty) != "" {
			t.Fatalf("Add and drop:\n%s\nwas\n%s", snapshot(got), was)
		}
	})
}

// fromFile reads deals as a file.
func fromFile(t *rapid.T, deals []scoring.Deal) scoring.Sheet {
	text := ""
	for _, d := range deals {
		text += d.String() + "\n"
	}
	f, err := scoring.ParseFile(text)
	if err != nil {
		t.Fatalf("ParseFile(%q): %v", text, err)
	}
	return f.Sheet
}

// TestEntriesApart: what a caller appends to one line's entries doesn't run into the next line's.
func TestEntriesApart(t *testing.T) {
	s := mustFold(mustRead("N 2H ="), mustRead("E 2H ="))
	was := s.Lines[1].Entries[0]
	_ = append(s.Lines[0].Entries, scoring.Entry{Side: scoring.NS, Kind: scoring.Slam, Points: 1})
	if got := s.Lines[1].Entries[0]; got != was {
		t.Errorf("the next line's entry became %+v, was %+v", got, was)
	}
}

// equateEmpty makes no difference between nil and empty slices.
var equateEmpty = cmp.FilterValues(
	func(a, b []scoring.Line) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore())

// TestBooksBalance: the entries are the totals, below and above are the total, and each line has its entries in order,
// one a kind, none of zero.
func TestBooksBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := mustFold(drawRubber(t)...)
		if !s.Over() && rapid.Bool().Draw(t, "end") {
			s, _ = s.End()
		}
		var below, above scoring.Tally
		lines := append([]scoring.Line{}, s.Lines...)
		for i, l := range append(lines, scoring.Line{N: len(lines) + 1, Entries: s.Closing}) {
			if l.N != i+1 {
				t.Errorf("line %d has N = %d", i+1, l.N)
			}
			for j, e := range l.Entries {
				if e.Points <= 0 || e.Side == scoring.NoSide || j > 0 && e.Kind <= l.Entries[j-1].Kind && l.Deal != (scoring.Deal{}) {
					t.Errorf("line %d, %v: entry %+v after %+v", l.N, l.Deal, e, l.Entries[:j])
				}
				if e.Kind.Below() {
					below = below.Plus(e.Side, e.Points)
				} else {
					above = above.Plus(e.Side, e.Points)
				}
			}
		}
		if below != s.Below || above != s.Above || s.Total() != below.Sum(above) {
			t.Errorf("entries: %v below, %v above; sheet: %v, %v, %v", below, above, s.Below, s.Above, s.Total())
		}
		for _, side := range scoring.Sides() {
			if p := s.PartScore.Of(side); p < 0 || p >= scoring.GamePoints || s.Games.Of(side) > 2 {
				t.Errorf("%v: part-score %d, games %d", side, p, s.Games.Of(side))
			}
		}
		if s.Finished() != (s.Games.NS == 2 || s.Games.EW == 2) {
			t.Errorf("Finished() = %v with games %v", s.Finished(), s.Games)
		}
	})
}

// TestDealText: the canonical text of any deal, complete or not, reads back to the same deal, as text and as JSON.
func TestDealText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDeal(t, true)
		if err := d.Check(); err != nil {
			t.Fatalf("%+v: Check() = %v", d, err)
		}
		if back, err := scoring.English().Parse(d.String()); err != nil || back != d {
			t.Fatalf("Parse(%q) = %+v, %v, want %+v", d, back, err, d)
		}
		text, err := json.Marshal(d)
		if want := `"` + d.String() + `"`; err != nil || string(text) != want {
			t.Fatalf("Marshal = %s, %v, want %s", text, err, want)
		}
		var back scoring.Deal
		if err := json.Unmarshal(text, &back); err != nil || back != d {
			t.Fatalf("Unmarshal(%s) = %+v, %v, want %+v", text, back, err, d)
		}
	})
}

// TestEveryDealText is TestDealText for every contract, result and declarer there is.
func TestEveryDealText(t *testing.T) {
	for c := range everyContract {
		for tricks := range uint8(14) {
			d := scoring.Deal{Contract: c, Tricks: tricks}
			for _, d := range []scoring.Deal{d, d.By(scoring.North), d.By(scoring.South), d.By(scoring.West), d.BySide(scoring.NS), d.BySide(scoring.EW)} {
				if back, err := scoring.English().Parse(d.String()); err != nil || back != d {
					t.Errorf("Parse(%q) = %+v, %v, want %+v", d, back, err, d)
				}
			}
		}
	}
}

// TestReportText: a report, written and read, is the same report.
func TestReportText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := mustFold(drawRubber(t)...)
		if !s.Over() && rapid.Bool().Draw(t, "end") {
			s, _ = s.End()
		}
		want := s.Report()
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got scoring.Report
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("read back (-want +got):\n%s", diff)
		}
	})
}
