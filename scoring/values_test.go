package scoring_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubberbot/rubberbot/scoring"
)

// TestNames shows every small value as text, and that a value out of range prints "?" and doesn't panic.
func TestNames(t *testing.T) {
	for _, tt := range []struct {
		of   string
		got  []fmt.Stringer
		want string
	}{
		{"Strain", []fmt.Stringer{scoring.NoStrain, scoring.Clubs, scoring.Diamonds, scoring.Hearts, scoring.Spades, scoring.NoTrump, scoring.Strain(6)}, " ♣ ♦ ♥ ♠ NT ?"},
		{"Doubling", []fmt.Stringer{scoring.Undoubled, scoring.Doubled, scoring.Redoubled, scoring.Doubling(3)}, " X XX ?"},
		{"Seat", []fmt.Stringer{scoring.NoSeat, scoring.North, scoring.East, scoring.South, scoring.West, scoring.Seat(255)}, " N E S W ?"},
		{"Side", []fmt.Stringer{scoring.NoSide, scoring.NS, scoring.EW, scoring.Side(3)}, " NS EW ?"},
		{"Vulnerability", []fmt.Stringer{scoring.Unsaid, scoring.NotVulnerable, scoring.Vulnerable, scoring.Vulnerability(3)}, " nv vul ?"},
		{
			"Kind",
			[]fmt.Stringer{scoring.Tricks, scoring.Overtricks, scoring.Undertricks, scoring.Insult, scoring.Slam, scoring.HonoursHeld, scoring.RubberWon, scoring.UnfinishedGame, scoring.UnfinishedPart, scoring.Kind(99)},
			"tricks overtricks undertricks insult slam honours rubber unfinished_game unfinished_part ?",
		},
	} {
		got := ""
		for i, v := range tt.got {
			if i > 0 {
				got += " "
			}
			got += v.String()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.of, got, tt.want)
		}
	}
	if got := scoring.NoTrump.Letter() + scoring.Spades.Letter() + scoring.NoStrain.Letter() + scoring.Strain(9).Letter(); got != "NTS?" {
		t.Errorf("letters = %q, want NTS?", got)
	}
	junk := scoring.Deal{Contract: scoring.Contract{Level: 200, Strain: 200, Doubling: 200}, Side: 200, Declarer: 200, Tricks: 200, Claimed: 200}
	_ = junk.String() // must not panic
}

// TestTable shows who sits where.
func TestTable(t *testing.T) {
	for _, tt := range []struct {
		seat scoring.Seat
		side scoring.Side
	}{
		{scoring.North, scoring.NS},
		{scoring.East, scoring.EW},
		{scoring.South, scoring.NS},
		{scoring.West, scoring.EW},
		{scoring.NoSeat, scoring.NoSide},
	} {
		if tt.seat.Side() != tt.side {
			t.Errorf("%q: Side %v, want %v", tt.seat, tt.seat.Side(), tt.side)
		}
	}
	for _, side := range scoring.Sides() {
		if side.Other().Other() != side || side.Other() == side {
			t.Errorf("%v.Other() = %v", side, side.Other())
		}
		for _, seat := range side.Seats() {
			if seat.Side() != side {
				t.Errorf("%v of %v.Seats() plays for %v", seat, side, seat.Side())
			}
		}
	}
	if got := scoring.NoSide.Other(); got != scoring.NoSide {
		t.Errorf("NoSide.Other() = %v", got)
	}
	if got := scoring.Seats(); got != [4]scoring.Seat{scoring.North, scoring.East, scoring.South, scoring.West} {
		t.Errorf("Seats() = %v, want clockwise from North", got)
	}
}

func TestParseSeat(t *testing.T) {
	for text, want := range map[string]scoring.Seat{"N": scoring.North, "e": scoring.East, "S": scoring.South, "w": scoring.West} {
		if got, ok := scoring.ParseSeat(text); !ok || got != want {
			t.Errorf("ParseSeat(%q) = %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "NS", "North", "x", " N"} {
		if got, ok := scoring.ParseSeat(text); ok {
			t.Errorf("ParseSeat(%q) = %v, want none", text, got)
		}
	}
}

func TestTally(t *testing.T) {
	type tally = scoring.Tally
	for _, tt := range []struct {
		t      tally
		only   scoring.Side
		leader scoring.Side
		margin int
	}{
		{tally{}, scoring.NoSide, scoring.NoSide, 0},
		{tally{NS: 60}, scoring.NS, scoring.NS, 60},
		{tally{EW: 40}, scoring.EW, scoring.EW, 40},
		{tally{60, 40}, scoring.NoSide, scoring.NS, 20},
		{tally{40, 60}, scoring.NoSide, scoring.EW, 20},
		{tally{60, 60}, scoring.NoSide, scoring.NoSide, 0},
	} {
		side, margin := tt.t.Leader()
		if tt.t.Only() != tt.only || side != tt.leader || margin != tt.margin {
			t.Errorf("%v: Only %v, Leader %v by %d, want %v, %v by %d", tt.t, tt.t.Only(), side, margin, tt.only, tt.leader, tt.margin)
		}
	}
	sum := tally{1, 2}.Plus(scoring.NS, 10).Plus(scoring.EW, 20).Plus(scoring.NoSide, 99).Sum(tally{100, 200})
	if sum != (tally{111, 222}) || sum.Of(scoring.NS) != 111 || sum.Of(scoring.EW) != 222 || sum.Of(scoring.NoSide) != 0 {
		t.Errorf("Plus and Sum = %v, want {111 222}", sum)
	}
}

// TestDealResult is a deal seen as tricks above or below its contract.
func TestDealResult(t *testing.T) {
	for _, tt := range []struct {
		text   string
		result int
		made   bool
	}{
		{"4S =", 0, true}, {"4S +3", 3, true}, {"4S -1", -1, false}, {"7NT -13", -13, false}, {"pass", 0, false},
	} {
		d := mustRead(tt.text)
		if d.Result() != tt.result || d.Made() != tt.made {
			t.Errorf("%s: Result %d, Made %v, want %d, %v", tt.text, d.Result(), d.Made(), tt.result, tt.made)
		}
	}
	for c := range everyContract {
		if c.Slam() != (c.Tricks() >= 12) || c.Doubling.Factor() != []int{1, 2, 4}[c.Doubling] {
			t.Errorf("%v: Slam %v, Factor %d", c, c.Slam(), c.Doubling.Factor())
		}
	}
}

// TestContractText shows a contract with and without its doubling.
func TestContractText(t *testing.T) {
	for text, want := range map[string][2]string{"3NT XX =": {"3NTXX", "3NT"}, "4S X =": {"4♠X", "4♠"}, "1C =": {"1♣", "1♣"}, "pass": {"", ""}} {
		c := mustRead(text).Contract
		if c.String() != want[0] || c.Bid() != want[1] {
			t.Errorf("%s: String %q, Bid %q, want %q", text, c.String(), c.Bid(), want)
		}
	}
}

// TestCheck has a row for everything that makes a deal impossible by itself, and its neighbours that are possible.
func TestCheck(t *testing.T) {
	good := mustRead("N 4S =")
	change := func(f func(*scoring.Deal)) scoring.Deal {
		d := good
		f(&d)
		return d
	}
	for _, tt := range []struct {
		name string
		deal scoring.Deal
		want error
	}{
		{"whole", good, nil},
		{"passed out", scoring.Deal{}, nil},
		{"no declarer yet", mustRead("4S ="), nil},
		{"only the side", mustRead("NS 4S ="), nil},
		{"passed out by North", scoring.Deal{Declarer: scoring.North, Side: scoring.NS}, scoring.ErrPassedOutWithMore},
		{"passed out with tricks", scoring.Deal{Tricks: 7}, scoring.ErrPassedOutWithMore},
		{"passed out, vulnerable", scoring.Deal{Claimed: scoring.Vulnerable}, scoring.ErrPassedOutWithMore},
		{"level 0", change(func(d *scoring.Deal) { d.Contract.Level = 0 }), scoring.ErrContract},
		{"level 8", change(func(d *scoring.Deal) { d.Contract.Level = 8 }), scoring.ErrContract},
		{"no strain", change(func(d *scoring.Deal) { d.Contract.Strain = scoring.NoStrain }), scoring.ErrContract},
		{"strain 6", change(func(d *scoring.Deal) { d.Contract.Strain = 6 }), scoring.ErrContract},
		{"tripled", change(func(d *scoring.Deal) { d.Contract.Doubling = 3 }), scoring.ErrContract},
		{"no trick", change(func(d *scoring.Deal) { d.Tricks = 0 }), nil},
		{"13 tricks", change(func(d *scoring.Deal) { d.Tricks = 13 }), nil},
		{"14 tricks", change(func(d *scoring.Deal) { d.Tricks = 14 }), scoring.ErrTricks},
		{"North for East–West", change(func(d *scoring.Deal) { d.Side = scoring.EW }), scoring.ErrSide},
		{"North for nobody", change(func(d *scoring.Deal) { d.Side = scoring.NoSide }), scoring.ErrSide},
		{"fifth seat", change(func(d *scoring.Deal) { d.Declarer, d.Side = 5, scoring.NoSide }), scoring.ErrSide},
		{"third side", change(func(d *scoring.Deal) { d.Declarer, d.Side = scoring.NoSeat, 3 }), scoring.ErrSide},
		{"third vulnerability", change(func(d *scoring.Deal) { d.Claimed = 3 }), scoring.ErrSide},
		{"honours 100", mustRead("N 4S = hon 100"), nil},
		{"honours 90", change(func(d *scoring.Deal) { d.Honours.Points = 90 }), scoring.ErrHonours},
		{"honours of nothing", change(func(d *scoring.Deal) { d.Honours.Side = scoring.NS }), scoring.ErrHonours},
		{"honours in a fifth seat", change(func(d *scoring.Deal) { d.Honours = scoring.Honours{Points: 100, Seat: 5} }), scoring.ErrSide},
		{"honours of a third side", change(func(d *scoring.Deal) { d.Honours = scoring.Honours{Points: 100, Side: 3} }), scoring.ErrSide},
		{"East's honours for North–South", change(func(d *scoring.Deal) {
			d.Honours = scoring.Honours{Points: 100, Seat: scoring.East, Side: scoring.NS}
		}), scoring.ErrSide},
		{"100 at no-trump", change(func(d *scoring.Deal) {
			d.Contract.Strain, d.Honours.Points = scoring.NoTrump, 100
		}), scoring.ErrHonoursNoTrump},
		{"150 at no-trump", mustRead("N 3NT = hon 150"), nil},
	} {
		if got := tt.deal.Check(); !errors.Is(got, tt.want) {
			t.Errorf("%s: Check() = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestTextOfValues: what MarshalText writes UnmarshalText reads, and nothing else.
func TestTextOfValues(t *testing.T) {
	type values struct {
		Deal scoring.Deal
		Side scoring.Side
		Kind scoring.Kind
	}
	v := values{mustRead("n 4sx-1"), scoring.EW, scoring.UnfinishedPart}
	text, err := json.Marshal(v)
	if want := `{"Deal":"N 4♠X −1","Side":"EW","Kind":"unfinished_part"}`; err != nil || string(text) != want {
		t.Fatalf("Marshal = %s, %v, want %s", text, err, want)
	}
	var back values
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, back); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	for _, wrong := range []string{`{"Deal":"4Z ="}`, `{"Side":"ns"}`, `{"Side":"?"}`, `{"Kind":"trick"}`, `{"Kind":""}`} {
		before := back
		if err := json.Unmarshal([]byte(wrong), &back); err == nil || back != before {
			t.Errorf("Unmarshal(%s) = %v, and changed the value: %v", wrong, err, back != before)
		}
	}
	err = json.Unmarshal([]byte(`{"Deal":"4Z ="}`), &back)
	if e, ok := errors.AsType[*scoring.ParseError](err); !ok || e.At != 1 {
		t.Errorf("Unmarshal of a bad deal: %v, want a ParseError at 1", err)
	}
}

// TestSingle prices deals away from a rubber as a rubber prices them, without a premium for game or rubber.
func TestSingle(t *testing.T) {
	rules := scoring.Laws()
	for _, tt := range []struct {
		text string
		vul  bool
		want []scoring.Entry
	}{
		{"N 4S =", false, []scoring.Entry{{Side: scoring.NS, Kind: scoring.Tricks, Points: 120}}},
		{"N 4S X -1 hon E 100", true, []scoring.Entry{
			{Side: scoring.EW, Kind: scoring.Undertricks, Points: 200}, {Side: scoring.EW, Kind: scoring.HonoursHeld, Points: 100},
		}},
		{"pass", false, nil},
	} {
		line := rules.Single(mustRead(tt.text), tt.vul)
		if diff := cmp.Diff(tt.want, line.Entries); diff != "" || line.N != 1 || line.Vulnerable != tt.vul {
			t.Errorf("Single(%s, %v) = deal %d, vulnerable %v, entries (-want +got):\n%s", tt.text, tt.vul, line.N, line.Vulnerable, diff)
		}
	}
}

func TestPreset(t *testing.T) {
	for _, name := range []string{"", "laws"} {
		if r, err := scoring.Preset(name); err != nil || r != scoring.Laws() {
			t.Errorf("Preset(%q) = %+v, %v, want the Laws", name, r, err)
		}
	}
	for _, name := range []string{"Laws", "house", "pre1994"} {
		if r, err := scoring.Preset(name); err == nil || r != (scoring.Rules{}) {
			t.Errorf("Preset(%q) = %+v, %v, want an error", name, r, err)
		}
	}
}
