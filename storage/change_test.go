package storage_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

// game is a deal that wins a game, from either side.
func game(by string) storage.Move { return deal(by + " 4♠ =") }

func TestChangeRecordsARubber(t *testing.T) {
	e := newEvening(t)
	out := e.do("c1", start())
	if got := out.Table; got.Rubber.Number != 1 || got.Rubber.Players != four || got.Rubber.Started != out.Changes[0].At || !got.Open() {
		t.Errorf("after the start: %+v", got.Rubber)
	}
	for i, text := range []string{"N 3♥ +1", "pass", "E 2♣X −1 nv", "NS 1NT = hon S 150", "W 5♦XX +1 nv"} {
		out := e.do("c1", deal(text))
		c := out.Changes[0]
		if c.N != i+1 || c.Deal.String() != text || c.Rubber != 1 || c.Number != uint64(i+2) {
			t.Errorf("recorded %q as change %d, rubber %d, deal %d: %v", text, c.Number, c.Rubber, c.N, c.Deal)
		}
		if n := len(out.Table.Sheet.Lines); n != i+1 {
			t.Errorf("the sheet has %d lines after deal %d", n, i+1)
		}
	}
	out = e.do("c1", game("E"))
	if !out.Table.Sheet.Finished() || out.Table.Open() {
		t.Error("the second game didn't end the rubber")
	}
	if out := e.do("c1", start()); out.Table.Rubber.Number != 2 || len(out.Table.Rubber.Deals) != 0 {
		t.Errorf("the next rubber is %+v", out.Table.Rubber)
	}
	e.repeats()
}

func TestChangeRefuses(t *testing.T) {
	e := newEvening(t)
	e.refuses("c1", storage.ErrNoRubber, deal("N 1NT ="))
	e.refuses("c1", storage.ErrNoRubber, end())
	e.refuses("c1", storage.ErrNothingToUndo, undo())
	e.refuses("c1", storage.ErrNothingToRedo, redo())
	e.do("c1", start())
	e.refuses("c1", storage.ErrRubberOpen, start())
	e.refuses("c1", storage.ErrNothingToRedo, redo())
	e.refuses("c1", scoring.ErrNoDeclarer, deal("1NT ="))
	e.refuses("c1", scoring.ErrTricks, storage.Move{What: storage.Recorded, Deal: scoring.Deal{
		Contract: scoring.Contract{Level: 1, Strain: scoring.Clubs}, Side: scoring.NS, Tricks: 14,
	}})
	e.refuses("c2", storage.ErrNothingToUndo, undo()) // the other table's change isn't this one's

	e.do("c1", deal("N 1NT ="))
	e.do("c1", undo())
	e.do("c1", deal("N 2NT ="))
	e.refuses("c1", storage.ErrNothingToRedo, redo())

	e.do("c1", end())
	e.refuses("c1", scoring.ErrClosed, deal("N 1NT ="))
	e.refuses("c1", scoring.ErrClosed, end())
	e.do("c1", start())
	e.do("c1", game("N"))
	e.do("c1", game("N"))
	e.refuses("c1", scoring.ErrOver, deal("N 1NT ="))
	e.refuses("c1", scoring.ErrOver, end())
	e.repeats()
}

func TestChangeRefusesWhatIsNoMove(t *testing.T) {
	e := newEvening(t)
	e.do("c1", start())
	for name, change := range map[string]func() error{
		"a move of no kind": func() error {
			_, err := e.Change("c1", request(50), steps(storage.Move{What: "dealt"}))
			return err
		},
		"rules that there aren't": func() error {
			_, err := e.Change("c2", request(51), steps(storage.Move{What: storage.Started, Rules: "house"}))
			return err
		},
		"an interaction without a number": func() error {
			_, err := e.Change("c1", storage.Act{At: clock}, steps(deal("N 1NT =")))
			return err
		},
		"a table without a name": func() error {
			_, err := e.Change("", request(52), steps(start()))
			return err
		},
		"a time that can't be written": func() error {
			_, err := e.Change("c1", storage.Act{Interaction: "i53", At: clock.AddDate(9000, 0, 0)}, steps(deal("N 1NT =")))
			return err
		},
	} {
		before := e.table("c1")
		err := change()
		if err == nil || errors.Is(err, storage.ErrDamaged) {
			t.Errorf("%s: error = %v, want one that doesn't blame the file", name, err)
		}
		same(t, "table", e.table("c1"), before)
		same(t, "journal", len(e.journal("c1")), 1)
		same(t, "other journal", len(e.journal("c2")), 0)
	}
}

type claim struct{ text string }

func (c *claim) Error() string { return c.text }

func TestChangeReturnsTheErrorOfItsStep(t *testing.T) {
	e := newEvening(t)
	e.do("c1", start())
	e.do("c1", deal("N 1NT ="))
	table, journal := e.table("c1"), e.journal("c1")
	sentinel := errors.New("no")
	_, err := e.Change("c1", request(90), func(got storage.Table) ([]storage.Move, error) {
		same(t, "the table that the step sees", got, table)
		return []storage.Move{deal("N 1NT =")}, fmt.Errorf("%w: %w", sentinel, &claim{"vul"})
	})
	wantError(t, err, sentinel)
	if c, ok := errors.AsType[*claim](err); !ok || c.text != "vul" {
		t.Errorf("error = %v, want a *claim in it", err)
	}
	_, err = e.Change("c1", request(91), steps(deal("N 1NT = vul")))
	if c, ok := errors.AsType[*scoring.ClaimError](err); !ok || c.Side != scoring.NS || c.Vulnerable {
		t.Errorf("error = %v, want a *scoring.ClaimError in it", err)
	}
	same(t, "table", e.table("c1"), table)
	same(t, "journal", e.journal("c1"), journal)

	if out := e.do("c1", deal("N 1NT =")); len(out.Changes) != 1 { // the interaction of a refusal may come again
		t.Error("a change after a refusal failed")
	}
}

func TestChangeSurvivesAPanicOfItsStep(t *testing.T) {
	e := newEvening(t)
	e.do("c1", start())
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		e.Change("c1", request(90), never)
	}()
	e.do("c1", deal("N 1NT ="))
	e.repeats()
}

func TestChangeWithoutMoves(t *testing.T) {
	e := newEvening(t)
	e.do("c1", start())
	before, file := e.table("c1"), read(t, e.path)
	for range 2 {
		out, err := e.Change("c1", request(90), steps())
		if err != nil || len(out.Changes) != 0 || out.Repeated {
			t.Fatalf("Change without moves = %+v, %v", out, err)
		}
		same(t, "table", out.Table, before)
	}
	e.repeats()
	if !bytes.Equal(read(t, e.path), file) {
		t.Error("the file was written to, for nothing")
	}
	// What changed nothing isn't known as done.
	if out, err := e.Change("c1", request(90), steps(deal("N 1NT ="))); err != nil || out.Repeated {
		t.Errorf("Change = %+v, %v", out, err)
	}
}

func TestSeveralMovesAreAllOrNothing(t *testing.T) {
	e := newEvening(t)
	out := e.do("c1", start(), deal("N 1NT ="))
	if len(out.Changes) != 2 || out.Table.Revision != 2 || out.Table.Last.What != storage.Recorded {
		t.Errorf("a start with its first deal = %+v", out)
	}
	e.refuses("c1", scoring.ErrNoDeclarer, deal("N 1NT ="), undo(), redo(), deal("2NT ="))
	e.refuses("c1", storage.ErrRubberOpen, deal("N 1NT ="), start())
	e.refuses("c2", storage.ErrNothingToUndo, start(), undo(), undo())
	e.do("c1", undo(), undo(), redo(), redo(), end(), start(), game("S"), undo(), deal("E 2♦ +1"))
	e.do("c1", undo(), undo(), start())
	e.repeats()
}

func TestRepeats(t *testing.T) {
	e := newEvening(t)
	e.do("c1", start())
	e.do("c1", deal("N 3♥ +1"))
	e.do("c2", start(), deal("N 3♥ +1"))
	e.repeats()
	e.do("c1", undo()) // a repeat of what was undone doesn't bring it back
	e.repeats()
	e.do("c1", undo())
	e.repeats()
	e.do("c1", redo())
	e.do("c1", redo())
	e.do("c1", game("N"))
	e.do("c1", game("N"))
	e.do("c1", undo(), undo())
	e.do("c1", redo())
	e.do("c1", deal("pass"))
	e.repeats()
	e.reopen()
	e.repeats()
	e.do("c1", end())
	e.do("c1", start())
	e.do("c1", undo())
	e.do("c1", start(), game("E"))
	for range 4 {
		e.do("c1", undo())
	}
	e.repeats()
}

// The names that Discord sends are sound, those of other callers may not be: the first answer is what a repeat says.
func TestRepeatOfWhatIsWrittenOtherwise(t *testing.T) {
	e := newEvening(t)
	players := storage.Players{North: storage.Player{Name: "N\xffello\x00"}}
	act := storage.Act{Interaction: "i1", By: storage.Person{Name: "\xf0\x28"}, At: time.Now().In(time.FixedZone("", 7200))}
	step := steps(storage.Move{What: storage.Started, Players: players, Deal: deal("N 1NT =").Deal}, end())
	first, err := e.Change("c1", act, step)
	if err != nil {
		t.Fatal(err)
	}
	if !first.Changes[0].At.Equal(act.At) || first.Changes[0].At.Location() != time.UTC {
		t.Errorf("At = %v, want %v in UTC", first.Changes[0].At, act.At)
	}
	again, err := e.Change("c1", act, never)
	first.Repeated = true
	if err != nil {
		t.Fatal(err)
	}
	same(t, "repeat", again, first)
}

// A gateway that reconnects may deliver an interaction again while the first is under way.
func TestRepeatsAtOnce(t *testing.T) {
	e := newEvening(t)
	e.do("c1", start())
	var wg sync.WaitGroup
	outs := make([]storage.Outcome, 32)
	for i := range outs {
		wg.Go(func() {
			var err error
			if outs[i], err = e.Change("c1", request(90), steps(deal("N 3♥ +1"), deal("S 1♣ −2"))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	fresh := 0
	for _, out := range outs {
		if !out.Repeated {
			fresh++
		}
		same(t, "changes", out.Changes, outs[0].Changes)
		same(t, "table", out.Table, outs[0].Table)
	}
	if n := len(e.journal("c1")); fresh != 1 || n != 3 {
		t.Errorf("%d of the deliveries were the first, and the journal has %d changes, want 1 and 3", fresh, n)
	}
}

func TestUndoAndRedoAnyNumberOfSteps(t *testing.T) {
	moves := []storage.Move{
		start(), deal("N 3♥ +1"), deal("pass"), game("E"), game("W"), // won by two games
		start(), deal("S 1♣ ="), end(), // ended early
		start(), game("N"), end(),
		start(), end(), // ended before a deal
		start(), deal("E 7NTXX −13 hon N 150"),
	}
	e := newEvening(t)
	stood := []storage.Table{e.table("c1")}
	for _, m := range moves {
		stood = append(stood, e.do("c1", m).Table)
	}
	agrees := func(out storage.Outcome, n int, of uint64) {
		t.Helper()
		same(t, "rubber", out.Table.Rubber, stood[n].Rubber)
		same(t, "sheet", out.Table.Sheet, stood[n].Sheet)
		same(t, "last", out.Table.Last, stood[n].Last)
		if c := out.Changes[0]; c.Of == nil || c.Of.Number != of || c.Base() != c.Of {
			t.Errorf("change %d is of %+v, want of %d", c.Number, c.Of, of)
		}
		if n%4 == 0 {
			e.reopen()
		}
	}
	for range 2 {
		for n := len(moves) - 1; n >= 0; n-- {
			agrees(e.do("c1", undo()), n, uint64(n+1))
		}
		e.refuses("c1", storage.ErrNothingToUndo, undo())
		for n := 1; n <= len(moves); n++ {
			agrees(e.do("c1", redo()), n, uint64(n))
		}
		e.refuses("c1", storage.ErrNothingToRedo, redo())
	}
	e.repeats()
	if c := e.done[1].out.Changes[0]; c.Base().Number != 2 {
		t.Errorf("the base of a deal is change %d, want itself", c.Base().Number)
	}
}

func TestUnshown(t *testing.T) {
	e := newEvening(t)
	unshown := func(out storage.Outcome, want ...uint64) {
		t.Helper()
		var got []uint64
		for _, c := range out.Unshown {
			got = append(got, c.Number)
		}
		same(t, "unshown", got, want)
	}
	unshown(e.do("c1", start()))
	unshown(e.do("c1", deal("N 3♥ +1")), 1)
	e.shown("c1", 1, 2)
	unshown(e.do("c1", deal("N 1NT ="), deal("pass")))
	e.do("c2", start()) // another table has its own
	e.reopen()
	out := e.do("c1", undo())
	unshown(out, 3, 4)
	same(t, "unshown change", out.Unshown[0], e.journal("c1")[2])
	e.shown("c1", 4, 77) // in any order, and what is no change doesn't matter
	e.shown("c1", 4)
	e.shown("c1")
	out, err := e.Change("c1", request(90), steps())
	if err != nil {
		t.Fatal(err)
	}
	unshown(out, 3, 5)
	e.shown("c1", 3, 5)
	unshown(e.do("c1", redo()))
	e.shown("c9", 1) // a table that was never used stays so
	same(t, "an unused table", e.table("c9"), storage.Table{ID: "c9"})
	e.repeats()
}

// shown marks changes as shown, which must change nothing else.
func (e *evening) shown(table string, numbers ...uint64) {
	e.t.Helper()
	before, journal := e.table(table), e.journal(table)
	if err := e.Shown(table, numbers...); err != nil {
		e.t.Fatalf("Shown: %v", err)
	}
	same(e.t, "table", e.table(table), before)
	same(e.t, "journal", e.journal(table), journal)
}

func TestManyAtOnce(t *testing.T) {
	const tables, players, deals = 4, 4, 10
	e := newEvening(t)
	for n := range tables {
		e.do(fmt.Sprint("c", n), start())
	}
	var wg sync.WaitGroup
	for n := range tables * players {
		table := fmt.Sprint("c", n%tables)
		wg.Go(func() {
			for i := range deals {
				act := request(1000 + n*deals + i)
				out, err := e.Change(table, act, steps(down(n*deals+i)))
				if err != nil || out.Changes[0].Interaction != act.Interaction {
					t.Errorf("Change = %+v, %v", out.Changes, err)
				}
				if err := e.Shown(table, out.Changes[0].Number); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() { // readers see a table that agrees with itself
			for range deals {
				got, err := e.Table(table)
				if err != nil || len(got.Rubber.Deals)+1 != int(got.Revision) || len(got.Sheet.Lines) != len(got.Rubber.Deals) {
					t.Errorf("Table = %d deals, %d lines, revision %d, %v",
						len(got.Rubber.Deals), len(got.Sheet.Lines), got.Revision, err)
				}
			}
		})
	}
	wg.Wait()
	for n := range tables {
		got, journal := e.table(fmt.Sprint("c", n)), e.journal(fmt.Sprint("c", n))
		seen := map[string]bool{}
		for i, c := range journal[1:] {
			seen[c.Interaction] = true
			if got.Rubber.Deals[i] != c.Deal || c.N != i+1 {
				t.Errorf("deal %d = %v, and the journal says %d, %v", i+1, got.Rubber.Deals[i], c.N, c.Deal)
			}
		}
		if len(seen) != players*deals || len(got.Rubber.Deals) != players*deals {
			t.Errorf("%d interactions and %d deals, want %d", len(seen), len(got.Rubber.Deals), players*deals)
		}
	}
}

func TestPlayersSitDown(t *testing.T) {
	var p storage.Players
	for i, seat := range []scoring.Seat{scoring.North, scoring.East, scoring.South, scoring.West} {
		who := storage.Player{Name: fmt.Sprint("p", i)}
		p.Sit(seat, who)
		if p.At(seat) != who {
			t.Errorf("At(%v) = %v, want %v", seat, p.At(seat), who)
		}
	}
	want := storage.Players{
		North: storage.Player{Name: "p0"}, East: storage.Player{Name: "p1"},
		South: storage.Player{Name: "p2"}, West: storage.Player{Name: "p3"},
	}
	p.Sit(scoring.NoSeat, storage.Player{Name: "nobody"})
	if p != want || p.At(scoring.NoSeat) != (storage.Player{}) {
		t.Errorf("players = %v, want %v", p, want)
	}
}

// A step sees what was done in the last minutes and stands, newest first.
func TestRecent(t *testing.T) {
	s, err := storage.Open(filepath.Join(t.TempDir(), "recent.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	at := time.Date(2026, 12, 1, 20, 0, 0, 0, time.UTC)
	act := func(id string, minutes int) storage.Act {
		return storage.Act{Interaction: id, By: storage.Person{ID: "1", Name: "Nello"}, At: at.Add(time.Duration(minutes) * time.Minute)}
	}
	do := func(a storage.Act, moves ...storage.Move) {
		t.Helper()
		if _, err := s.Change("t", a, func(storage.Table) ([]storage.Move, error) { return moves, nil }); err != nil {
			t.Fatal(err)
		}
	}
	do(act("1", 0), storage.Move{What: storage.Started})
	do(act("2", 4), storage.Move{What: storage.Recorded})
	do(act("3", 5), storage.Move{What: storage.Recorded})
	do(act("4", 5), storage.Move{What: storage.Undone})
	do(act("5", 6), storage.Move{What: storage.Recorded})
	var got []uint64
	_, err = s.Change("t", act("6", 7), func(table storage.Table) ([]storage.Move, error) {
		for _, c := range table.Recent {
			got = append(got, c.Number)
		}
		return nil, nil
	})
	if want := []uint64{5, 2}; err != nil || !slices.Equal(got, want) {
		t.Errorf("recent changes %v, %v, want %v: the start is long past, and change 3 was taken back", got, err, want)
	}
}
