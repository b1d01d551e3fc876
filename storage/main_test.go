package storage_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The test binary is also the second process that some tests need: these name what it is to do, and with which file.
const (
	childJob  = "RUBBERBOT_STORAGE_CHILD"
	childFile = "RUBBERBOT_STORAGE_FILE"
)

func TestMain(m *testing.M) {
	switch os.Getenv(childJob) {
	case "hold":
		holdFile(os.Getenv(childFile))
	case "record":
		recordForEver(os.Getenv(childFile))
	default:
		os.Exit(m.Run())
	}
}

var (
	clock = time.Date(2026, 3, 14, 20, 0, 0, 0, time.UTC)
	four  = storage.Players{
		North: storage.Player{Name: "Nello", Account: "100"}, East: storage.Player{Name: "Enrico"},
		South: storage.Player{Name: "Sandra <@&7> \u202e"}, West: storage.Player{},
	}
)

func start() storage.Move { return storage.Move{What: storage.Started, Players: four, Rules: "laws"} }
func end() storage.Move   { return storage.Move{What: storage.Ended} }
func undo() storage.Move  { return storage.Move{What: storage.Undone} }
func redo() storage.Move  { return storage.Move{What: storage.Redone} }

// deal is the recording of a deal: "N 3♥ +1".
func deal(text string) storage.Move {
	d, err := scoring.English().Parse(text)
	if err != nil {
		panic(err)
	}
	return storage.Move{What: storage.Recorded, Deal: d}
}

// steps is a step that does these moves wherever the table stands.
func steps(moves ...storage.Move) func(storage.Table) ([]storage.Move, error) {
	return func(storage.Table) ([]storage.Move, error) { return moves, nil }
}

func never(storage.Table) ([]storage.Move, error) {
	panic("the step of a repeated interaction was run")
}

// request is act number n of an evening: each a minute later, by one of four people.
func request(n int) storage.Act {
	return storage.Act{
		Interaction: fmt.Sprintf("i%d", n),
		By:          storage.Person{ID: fmt.Sprint(100 + n%4), Name: [...]string{"Olga", "Nello", "Enrico", "Sandra"}[n%4]},
		At:          clock.Add(time.Duration(n) * time.Minute),
	}
}

// evening is a store with all that was done to it so far. Each of its methods checks the store against that.
type evening struct {
	t    testing.TB
	path string
	*storage.Store
	n    int
	done []answered
}

type answered struct {
	act storage.Act
	out storage.Outcome
}

func newEvening(t testing.TB) *evening {
	t.Helper()
	e := &evening{t: t, path: filepath.Join(t.TempDir(), "rubber.db")}
	e.open()
	t.Cleanup(func() { e.Close() })
	return e
}

func (e *evening) open() {
	e.t.Helper()
	var err error
	if e.Store, err = storage.Open(e.path); err != nil {
		e.t.Fatalf("Open: %v", err)
	}
}

func (e *evening) reopen() {
	e.t.Helper()
	if err := e.Close(); err != nil {
		e.t.Fatalf("Close: %v", err)
	}
	e.open()
}

// do makes moves at a table in one action, and checks that what is answered is what is there.
func (e *evening) do(table string, moves ...storage.Move) storage.Outcome {
	e.t.Helper()
	before := e.journal(table)
	e.n++
	act := request(e.n)
	out, err := e.Change(table, act, steps(moves...))
	if err != nil {
		e.t.Fatalf("Change(%s, %v): %v", table, moves, err)
	}
	if len(out.Changes) != len(moves) || out.Repeated {
		e.t.Fatalf("Change(%s, %v) made %d changes, repeated %v", table, moves, len(out.Changes), out.Repeated)
	}
	same(e.t, "journal", e.journal(table), append(before, out.Changes...))
	same(e.t, "table", e.table(table), out.Table)
	e.done = append(e.done, answered{act, out})
	return out
}

// refuses tries moves and checks the error, and that nothing changed.
func (e *evening) refuses(table string, want error, moves ...storage.Move) {
	e.t.Helper()
	journal, before := e.journal(table), e.table(table)
	e.n++
	out, err := e.Change(table, request(e.n), steps(moves...))
	wantError(e.t, err, want)
	same(e.t, "outcome of a refusal", out, storage.Outcome{})
	same(e.t, "journal after a refusal", e.journal(table), journal)
	same(e.t, "table after a refusal", e.table(table), before)
}

// repeats asks again for everything that was done, and checks that the answers are the same and nothing changes.
func (e *evening) repeats() {
	e.t.Helper()
	for _, was := range e.done {
		table := was.out.Table.ID
		journal, before := e.journal(table), e.table(table)
		again, err := e.Change(table, was.act, never)
		if err != nil {
			e.t.Fatalf("repeat of %s: %v", was.act.Interaction, err)
		}
		want := was.out
		want.Repeated, want.Unshown = true, nil
		same(e.t, "repeat of "+was.act.Interaction, again, want)
		same(e.t, "journal after a repeat", e.journal(table), journal)
		same(e.t, "table after a repeat", e.table(table), before)
	}
}

func (e *evening) table(id string) storage.Table {
	e.t.Helper()
	table, err := e.Table(id)
	if err != nil {
		e.t.Fatalf("Table(%s): %v", id, err)
	}
	return table
}

func (e *evening) journal(id string) []storage.Change {
	e.t.Helper()
	journal, err := e.Journal(id)
	if err != nil {
		e.t.Fatalf("Journal(%s): %v", id, err)
	}
	return journal
}

// same compares to the last unexported field: DeepEqual decides, cmp only shows.
func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s (-got +want):\n%s", what, cmp.Diff(got, want, ignoreBefore))
	}
}

// ignoreBefore leaves out what only undo needs, and what the model doesn't have.
var ignoreBefore = cmpopts.IgnoreUnexported(storage.Change{})

func wantError(t testing.TB, got, want error) {
	t.Helper()
	if !isError(got, want) {
		t.Fatalf("error = %v, want %v", got, want)
	}
}
