package storage_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
	"pgregory.net/rapid"
)

// model is what a table should be, in the plainest way: every state that it was in, whole. Undo goes back to the state
// before, redo to the one after.
type model struct {
	past, future []snapshot // the last of past is now
	revision     uint64
}

// snapshot is all rubbers, and the change that led here.
type snapshot struct {
	rubbers []storage.Rubber
	by      *storage.Change
}

func newModel() *model { return &model{past: make([]snapshot, 1)} }

func (m *model) now() snapshot { return m.past[len(m.past)-1] }

// do makes a move, and says whether it can be made.
func (m *model) do(act storage.Act, move storage.Move) (storage.Change, bool) {
	c := storage.Change{Act: act, Move: move, Number: m.revision + 1}
	switch move.What {
	case storage.Undone:
		if len(m.past) == 1 {
			return c, false
		}
		c.Of = m.now().by
		m.past, m.future = m.past[:len(m.past)-1], append(m.future, m.now())
		c.Rubber = c.Of.Rubber
	case storage.Redone:
		if len(m.future) == 0 {
			return c, false
		}
		next := m.future[len(m.future)-1]
		c.Of = next.by
		m.past, m.future = append(m.past, next), m.future[:len(m.future)-1]
		c.Rubber = c.Of.Rubber
	default:
		next, ok := m.now().next(&c)
		if !ok {
			return c, false
		}
		m.past, m.future = append(m.past, next), nil
	}
	m.revision++
	return c, true
}

// next is the state after a move, which copies everything, so that no two states share anything.
func (s snapshot) next(c *storage.Change) (snapshot, bool) {
	next := snapshot{by: c}
	for _, r := range s.rubbers {
		r.Deals = slices.Clone(r.Deals)
		next.rubbers = append(next.rubbers, r)
	}
	n := len(next.rubbers)
	if c.What == storage.Started {
		if n > 0 {
			if sheet := sheetOf(next.rubbers[n-1]); !sheet.Over() {
				return s, false
			}
		}
		c.Rubber = n + 1
		r := storage.Rubber{Number: c.Rubber, Started: c.At, Players: c.Players, Rules: c.Rules}
		next.rubbers = append(next.rubbers, r)
		return next, true
	}
	if n == 0 {
		return s, false
	}
	r := &next.rubbers[n-1]
	sheet := sheetOf(*r)
	c.Rubber = n
	if c.What == storage.Ended {
		r.Ended = true
		return next, !sheet.Over()
	}
	r.Deals = append(r.Deals, c.Deal)
	c.N = len(r.Deals)
	return next, sheet.Takes(c.Deal) == nil
}

func sheetOf(r storage.Rubber) scoring.Sheet {
	sheet, err := scoring.Fold(scoring.Laws(), r.Deals)
	if err == nil && r.Ended {
		sheet, err = sheet.End()
	}
	if err != nil {
		panic(err)
	}
	return sheet
}

func (m *model) table(id string) storage.Table {
	t := storage.Table{ID: id, Revision: m.revision, Last: m.now().by}
	if n := len(m.now().rubbers); n > 0 {
		t.Rubber = m.now().rubbers[n-1]
		t.Sheet = sheetOf(t.Rubber)
	}
	if n := len(m.future); n > 0 {
		t.Undone = m.future[n-1].by
	}
	return t
}

// copied is m for trying moves that may fail halfway. States are never changed, so only the lists are copied.
func (m *model) copied() *model {
	return &model{past: slices.Clone(m.past), future: slices.Clone(m.future), revision: m.revision}
}

// machine drives a store and a model of each table.
type machine struct {
	*evening
	models   map[string]*model
	journals map[string][]storage.Change
}

var tableNames = rapid.SampledFrom([]string{"c1", "c2"})

func (m *machine) change(t *rapid.T, moves ...storage.Move) {
	table := tableNames.Draw(t, "table")
	tried := m.models[table].copied()
	m.n++
	act := request(m.n)
	var want []storage.Change
	for _, move := range moves {
		c, ok := tried.do(act, move)
		if !ok {
			if _, err := m.Change(table, act, steps(moves...)); err == nil {
				t.Fatalf("%v was allowed at %s", moves, table)
			}
			return
		}
		want = append(want, c)
	}
	out, err := m.Change(table, act, steps(moves...))
	if err != nil {
		t.Fatalf("Change(%s, %v): %v", table, moves, err)
	}
	m.models[table] = tried
	m.journals[table] = append(m.journals[table], want...)
	m.done = append(m.done, answered{act, out})
	equal(t, "changes", out.Changes, want)
	equal(t, "outcome", out.Table, tried.table(table))
}

// check compares every table with its model.
func (m *machine) check(t *rapid.T) {
	for table, model := range m.models {
		got, err := m.Table(table)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "table", got, model.table(table))
	}
}

// replay runs the whole journal of a table again from nothing, which must lead to the same table.
func (m *machine) replay(t *rapid.T) {
	for table, want := range m.journals {
		journal, err := m.Journal(table)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "journal", journal, want)
		again := newModel()
		for _, c := range journal {
			made, ok := again.do(c.Act, c.Move)
			if !ok {
				t.Fatalf("change %d can't be replayed", c.Number)
			}
			equal(t, "replayed change", made, c)
		}
		got, err := m.Table(table)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "replayed table", again.table(table), got)
	}
}

func equal(t *rapid.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, ignoreBefore); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// deals draws deals of which most can stand; games are frequent, so that rubbers come to an end.
var deals = rapid.Custom(func(t *rapid.T) scoring.Deal {
	if rapid.IntRange(0, 9).Draw(t, "passed") == 0 {
		return scoring.Deal{}
	}
	d := scoring.Deal{
		Contract: scoring.Contract{
			Level:    rapid.Uint8Range(1, 8).Draw(t, "level"),
			Strain:   rapid.SampledFrom([]scoring.Strain{1, 2, 3, 4, 5}).Draw(t, "strain"),
			Doubling: rapid.SampledFrom([]scoring.Doubling{0, 0, 1, 2}).Draw(t, "doubling"),
		},
		Tricks:  rapid.SampledFrom([]uint8{0, 6, 7, 8, 9, 10, 11, 12, 13, 13, 13, 14}).Draw(t, "tricks"),
		Claimed: rapid.SampledFrom([]scoring.Vulnerability{0, 0, 0, 1, 2}).Draw(t, "claimed"),
	}
	if side := rapid.SampledFrom([]scoring.Side{0, 1, 2}).Draw(t, "side"); rapid.Bool().Draw(t, "side only") {
		d = d.BySide(side)
	} else {
		d = d.By(rapid.SampledFrom([]scoring.Seat{0, 1, 2, 3, 4}).Draw(t, "seat"))
	}
	if rapid.IntRange(0, 4).Draw(t, "honours") == 0 {
		d.Honours.Points = rapid.SampledFrom([]uint8{100, 150, 50}).Draw(t, "points")
		if d.Honours.Seat = rapid.SampledFrom([]scoring.Seat{0, 1, 2, 3, 4}).Draw(t, "hand"); d.Honours.Seat != 0 {
			d.Honours.Side = d.Honours.Seat.Side()
		} else {
			d.Honours.Side = rapid.SampledFrom([]scoring.Side{0, 1, 2}).Draw(t, "honours side")
		}
	}
	return d
})

func recorded(t *rapid.T) storage.Move {
	return storage.Move{What: storage.Recorded, Deal: deals.Draw(t, "deal")}
}

func TestStoreAgreesWithTheModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &machine{
			evening:  newEvening(t),
			models:   map[string]*model{"c1": newModel(), "c2": newModel()},
			journals: map[string][]storage.Change{},
		}
		defer m.Close()
		one := func(move storage.Move) func(*rapid.T) { return func(t *rapid.T) { m.change(t, move) } }
		some := rapid.OneOf(rapid.SampledFrom([]storage.Move{start(), end(), undo(), redo(), game("S"), game("W")}), rapid.Custom(recorded))
		rt.Repeat(map[string]func(*rapid.T){
			"start":  one(start()),
			"end":    one(end()),
			"undo":   one(undo()),
			"undo 2": one(undo()),
			"redo":   one(redo()),
			"redo 2": one(redo()),
			"record": func(t *rapid.T) { m.change(t, recorded(t)) },
			"game":   func(t *rapid.T) { m.change(t, game(rapid.SampledFrom([]string{"N", "E"}).Draw(t, "by"))) },
			"several": func(t *rapid.T) {
				m.change(t, rapid.SliceOfN(some, 2, 5).Draw(t, "moves")...)
			},
			"repeat": func(t *rapid.T) {
				if len(m.done) == 0 {
					t.Skip("nothing yet")
				}
				was := rapid.SampledFrom(m.done).Draw(t, "which")
				again, err := m.Change(was.out.Table.ID, was.act, never)
				if err != nil || !again.Repeated {
					t.Fatalf("repeat = %v, %v", again.Repeated, err)
				}
				equal(t, "repeated changes", again.Changes, was.out.Changes)
				equal(t, "repeated table", again.Table, was.out.Table)
			},
			"reopen": func(*rapid.T) { m.reopen() },
			"":       m.check,
		})
		m.replay(rt)
	})
}

// TestModelMisses proves that the comparison above can fail.
func TestModelMisses(t *testing.T) {
	m := newModel()
	for i, move := range []storage.Move{start(), game("N"), undo()} {
		if _, ok := m.do(request(i), move); !ok {
			t.Fatal(fmt.Sprint("refused: ", move))
		}
	}
	if got := m.table("c1"); len(got.Rubber.Deals) != 0 || got.Undone.What != storage.Recorded || got.Revision != 3 {
		t.Errorf("the model's table = %+v", got)
	}
}
