package storage_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
	bolt "go.etcd.io/bbolt"
)

// place is a record: the buckets down to it, and its key.
type place []string

func (p place) String() string { return strings.Join(p, "/") }

func (p place) in(tx *bolt.Tx) *bolt.Bucket {
	b := tx.Bucket([]byte(p[0]))
	for _, name := range p[1 : len(p)-1] {
		b = b.Bucket([]byte(name))
	}
	return b
}

func (p place) key() []byte { return keyOf(p[len(p)-1]) }

func (p place) get(tx *bolt.Tx) []byte { return p.in(tx).Get(p.key()) }

// set writes a record, or takes it or the bucket of that name away where there is no value.
func (p place) set(tx *bolt.Tx, value []byte) error {
	switch b := p.in(tx); {
	case value != nil:
		return b.Put(p.key(), value)
	case b.Bucket(p.key()) != nil:
		return b.DeleteBucket(p.key())
	default:
		return b.Delete(p.key())
	}
}

func journalEntry(n int) place { return place{"tables", "c1", "journal", fmt.Sprint("#", n)} }

var (
	state       = place{"tables", "c1", "state"}
	firstRubber = place{"tables", "c1", "rubbers", "#1"}
	lastRubber  = place{"tables", "c1", "rubbers", "#2"}
)

// calls is everything that can be asked of the table c1 of smallEvening.
func calls(s *storage.Store) map[string]func() error {
	change := func(act storage.Act, moves ...storage.Move) func() error {
		return func() error {
			_, err := s.Change("c1", act, steps(moves...))
			return err
		}
	}
	all := map[string]func() error{
		"Table":      func() error { _, err := s.Table("c1"); return err },
		"Journal":    func() error { _, err := s.Journal("c1"); return err },
		"Shown":      func() error { return s.Shown("c1", 3) },
		"record":     change(request(80), down(1)),
		"undo":       change(request(81), undo()),
		"undo all":   change(request(82), undo(), undo(), undo(), undo(), undo()),
		"redo":       change(request(83), redo()),
		"end, start": change(request(84), end(), start()),
	}
	for n := 1; n <= 9; n++ {
		all[fmt.Sprint("repeat ", n)] = change(request(n))
	}
	return all
}

func TestDamagedRecords(t *testing.T) {
	good := smallEvening(t)
	good.Close()
	file := read(t, good.path)
	for _, c := range []struct {
		at    place
		value string // "" takes the record away
		finds string // the call that meets it
	}{
		{state, "", "Table"},
		{state, "{", "Table"},
		{state, "null", "Table"},
		{state, `{"revision":"9"}`, "Table"},
		{state, `{"revision":4,"rubber":1,"top":3}`, "record"}, // it would be written over changes 5 to 9
		{state, `{"revision":9,"rubber":3,"top":7}`, "Table"},
		{state, `{"revision":9,"rubber":-1,"top":7}`, "undo"},
		{state, `{"revision":9,"rubber":2,"top":70}`, "Table"},
		{state, `{"revision":9,"rubber":2,"top":4}`, "undo"},
		{state, `{"revision":9,"rubber":2,"top":3}`, "undo"},
		{state, `{"revision":9,"rubber":1,"top":2}`, "undo"},
		{state, `{"revision":9,"rubber":1,"top":3}`, "undo"}, // a deal of a rubber that has ended
		{state, `{"revision":9,"rubber":0,"top":7}`, "undo"},
		{state, `{"revision":9,"rubber":2,"top":8}`, "undo"},
		{state, `{"revision":9,"rubber":2,"top":7,"redo":[80]}`, "Table"},
		{state, `{"revision":9,"rubber":2,"top":7,"redo":[5]}`, "redo"},
		{state, `{"revision":9,"rubber":2,"top":7,"redo":[6]}`, "redo"},
		{state, `{"revision":9,"rubber":2,"top":7,"unshown":[80]}`, "record"},
		{place{"tables", "c1", "rubbers"}, "", "Table"},
		{place{"tables", "c1", "journal"}, "", "Table"},
		{lastRubber, "", "Table"},
		{lastRubber, "[]", "Table"},
		{lastRubber, `{"rules":"house"}`, "Table"},
		{lastRubber, `{"rules":"laws","deals":["4♠"]}`, "Table"},
		{lastRubber, `{"rules":"laws","deals":["4♠ ="]}`, "Table"},
		{lastRubber, `{"rules":"laws","deals":["N 4♠ =","N 4♠ =","N 4♠ ="]}`, "Table"},
		{lastRubber, `{"rules":"laws","deals":["N 4♠ ="]}`, "undo"},
		{lastRubber, `{"rules":"laws","ended":true}`, "undo"},
		{firstRubber, "", "undo all"},
		{firstRubber, `{"rules":"laws","ended":true}`, "undo all"},
		{firstRubber, `{"rules":"laws"}`, "undo all"},
		{firstRubber, `{"rules":"laws","deals":["N 3♥ +1","E 4♠X −1 nv hon W 100"]}`, "undo all"},
		{firstRubber, `{"rules":"laws","deals":["N 3♥ +1","N 1NT ="],"ended":true}`, "undo all"},
		{journalEntry(1), "", "Journal"},
		{journalEntry(3), "", "undo all"},
		{journalEntry(9), "", "Table"},
		{journalEntry(10), `{}`, "Table"},
		{journalEntry(2), `{"what":"recorded","rubber":1,"n":1}`, "Journal"},
		{journalEntry(2), `{"what":"dealt","rubber":1}`, "Journal"},
		{journalEntry(2), `{"what":"ended","rubber":1,"deal":"pass"}`, "Journal"},
		{journalEntry(2), `{"what":"ended","rubber":0}`, "Journal"},
		{journalEntry(2), `{"what":"ended","rubber":1,"before":2}`, "Journal"},
		{journalEntry(2), `{"what":"recorded","rubber":1,"deal":"N 3♥ +1","of":1}`, "Journal"},
		{journalEntry(1), `{"what":"started","rubber":1}`, "Journal"},
		{journalEntry(4), `{"what":"undone","rubber":1}`, "Journal"},
		{journalEntry(4), `{"what":"undone","rubber":1,"of":4}`, "Journal"},
		{journalEntry(4), `{"what":"undone","rubber":1,"of":5}`, "Journal"},
		{journalEntry(5), `{"what":"redone","rubber":1,"of":4}`, "Journal"},
		{journalEntry(8), `{"what":"recorded","rubber":2,"deal":"N 4♠ ="}`, "redo"},
		{journalEntry(8), `{"what":"recorded","rubber":7,"deal":"N 3♥ +1","before":7}`, "redo"},
		{journalEntry(9), `{"what":"undone","rubber":2,"of":2}`, "repeat 1"},
		{journalEntry(9), `{"what":"undone","rubber":2,"of":2}`, "Table"},                // by it change 1 stands, by the state 7
		{journalEntry(2), `{"what":"ended","rubber":1,"before":1}`, "repeat 3"},          // a deal after the end
		{journalEntry(2), `{"what":"recorded","rubber":1,"deal":"N 3♥ +1"}`, "repeat 2"}, // in a rubber that nobody started
		{place{"interactions", "i1"}, "{", "repeat 1"},
		{place{"interactions", "i1"}, "null", "repeat 1"},
		{place{"interactions", "i1"}, `{"table":"c9","first":1,"last":1}`, "repeat 1"},
		{place{"interactions", "i1"}, `{"table":"c1","first":2,"last":2}`, "repeat 1"},
		{place{"interactions", "i1"}, `{"table":"c1","first":1,"last":18446744073709551615}`, "repeat 1"},
		{place{"interactions", "i1"}, `{"table":"c1","first":3,"last":2}`, "repeat 1"},
		{place{"interactions", "i1"}, `{"table":"c1","first":0,"last":0}`, "repeat 1"},
	} {
		t.Run(fmt.Sprint(c.at, " ", c.value), func(t *testing.T) {
			path := damage(t, file, c.at, []byte(c.value))
			before := dump(t, path)
			s, err := storage.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			err = calls(s)[c.finds]()
			wantError(t, err, storage.ErrDamaged)
			wantText(t, err, "table c1: ", "go back to a copy")
			s.Close()
			same(t, "the file", dump(t, path), before)
			s, _ = storage.Open(path)
			callAll(t, s)
			s.Close()
		})
	}
}

// A table that is whole goes on beside a damaged one.
func TestDamageStaysAtItsTable(t *testing.T) {
	good := smallEvening(t)
	good.Close()
	good.path = damage(t, read(t, good.path), state, []byte("{"))
	good.open()
	good.do("c2", deal("N 1NT ="), undo())
}

// damage is a copy of a file with one record changed or, with no value, taken away.
func damage(t testing.TB, file []byte, at place, value []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "damaged.db")
	write(t, path, file)
	if len(value) == 0 {
		value = nil
	}
	boltFile(t, path, func(tx *bolt.Tx) error { return at.set(tx, value) })
	return path
}

// callAll makes every call; none may panic, and an error is of damage or one that the calls may have anyway.
func callAll(t testing.TB, s *storage.Store) {
	t.Helper()
	for name, call := range calls(s) {
		err := call()
		allowed := err == nil
		for _, e := range []error{
			storage.ErrDamaged, storage.ErrNothingToUndo, storage.ErrNothingToRedo, storage.ErrRubberOpen,
			storage.ErrNoRubber, scoring.ErrOver, scoring.ErrClosed,
		} {
			allowed = allowed || errors.Is(err, e)
		}
		if !allowed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzDamage puts any text in the place of any record.
func FuzzDamage(f *testing.F) {
	good := smallEvening(f)
	good.Close()
	file := read(f, good.path)
	places := []place{state, firstRubber, lastRubber, {"interactions", "i6"}, {"interactions", "i1"}}
	for n := 1; n <= 9; n++ {
		places = append(places, journalEntry(n))
	}
	boltFile(f, good.path, func(tx *bolt.Tx) error {
		for i, p := range places {
			f.Add(i, bytes.Clone(p.get(tx)))
		}
		return nil
	})
	f.Fuzz(func(t *testing.T, i int, value []byte) {
		path := damage(t, file, places[uint(i)%uint(len(places))], value)
		s, err := storage.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		callAll(t, s)
		os.Remove(path)
	})
}
