package storage

import (
	"errors"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// Schema is the number of the layout that this program writes.
const Schema = 1

var (
	bucketMeta         = []byte("meta")
	bucketInteractions = []byte("interactions")
	bucketTables       = []byte("tables")
	bucketRubbers      = []byte("rubbers")
	bucketJournal      = []byte("journal")
	keySchema          = []byte("schema")
	keyState           = []byte("state")
)

// Store is an open database.
type Store struct{ db *bolt.DB }

// Close waits for transactions under way and closes the file.
func (s *Store) Close() error { return s.db.Close() }

// Outcome is what a change came to.
type Outcome struct {
	Changes  []Change // made by the interaction, in order
	Table    Table    // after them
	Unshown  []Change // made earlier, by other interactions, and never yet shown to the table
	Repeated bool     // the interaction was here before, and nothing changed now
}

// Change runs one action on a table, in one transaction: step gets the table and says what is to be done, or fails, and
// then nothing is changed. It must be pure, and must not call the Store. An interaction that has changed something
// before is not run again: its outcome then is what it was, whatever happened since. When Change returns, the outcome is
// on disk.
func (s *Store) Change(table string, act Act, step func(Table) ([]Move, error)) (Outcome, error) {
	var out Outcome
	err := s.db.Update(func(tx *bolt.Tx) (err error) {
		out, err = answer(tx, table, act, step)
		if err == nil && (out.Repeated || len(out.Changes) == 0) {
			return errUnchanged
		}
		return err
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return Outcome{}, about(table, err)
	}
	return out, nil
}

// errUnchanged ends a transaction that has nothing to write, and so nothing to wait for.
var errUnchanged = errors.New("unchanged")

// about is err with the table that it is about.
func about(table string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("table %s: %w", table, err)
}

// answer is what an interaction came to when it was here before, and else what it comes to now.
func answer(tx *bolt.Tx, table string, act Act, step func(Table) ([]Move, error)) (Outcome, error) {
	var done interactionRecord
	repeated, err := get(tx.Bucket(bucketInteractions), []byte(act.Interaction), &done)
	switch {
	case err != nil:
		return Outcome{}, err
	case !repeated:
		return change(tx, table, act, step)
	}
	out, err := outcome(tx, act.Interaction, done)
	out.Repeated = true
	return out, err
}

// change runs step, and makes and saves what it says is to be done.
func change(tx *bolt.Tx, table string, act Act, step func(Table) ([]Move, error)) (Outcome, error) {
	p, err := load(tx, table)
	if err != nil {
		return Outcome{}, err
	}
	before, err := p.table()
	if err != nil {
		return Outcome{}, err
	}
	if before.Recent, err = p.recent(act.At); err != nil {
		return Outcome{}, err
	}
	unshown, err := p.changes(p.state.Unshown)
	if err != nil {
		return Outcome{}, err
	}
	moves, err := step(before)
	if err != nil {
		return Outcome{}, err
	}
	if len(moves) == 0 {
		before.Recent = nil
		return Outcome{Table: before, Unshown: unshown}, nil
	}
	act.At = act.At.UTC()
	for _, m := range moves {
		if err := p.do(act, m); err != nil {
			return Outcome{}, err
		}
	}
	done, err := p.save(tx, act.Interaction)
	if err != nil {
		return Outcome{}, err
	}
	out, err := outcome(tx, act.Interaction, done)
	out.Unshown = unshown
	return out, err
}

// outcome is what an interaction came to: its changes, and the table as it was after them. It is read from the records
// also the first time, so that a repeat is answered with the same.
func outcome(tx *bolt.Tx, interaction string, r interactionRecord) (Outcome, error) {
	if r.First < 1 || r.First > r.Last {
		return Outcome{}, damaged("interaction %s made changes %d to %d", interaction, r.First, r.Last)
	}
	p, err := load(tx, r.Table)
	if err != nil {
		return Outcome{}, err
	}
	if err := p.rewind(r.Last); err != nil {
		return Outcome{}, err
	}
	var out Outcome
	for n := r.First; n <= r.Last; n++ {
		c, err := p.change(n)
		switch {
		case err != nil:
			return Outcome{}, err
		case c.Interaction != interaction:
			return Outcome{}, damaged("change %d was made by interaction %s, not by %s", n, c.Interaction, interaction)
		}
		out.Changes = append(out.Changes, *c)
	}
	out.Table, err = p.table()
	return out, err
}

// Table is a table as it stands. One that was never used is empty.
func (s *Store) Table(id string) (Table, error) {
	var t Table
	err := s.view(id, func(p *page) (err error) {
		t, err = p.table()
		return err
	})
	return t, err
}

// Journal is all that happened at a table, oldest first.
func (s *Store) Journal(id string) ([]Change, error) {
	var all []Change
	err := s.view(id, func(p *page) error {
		for n := range p.state.Revision {
			c, err := p.change(n + 1)
			if err != nil {
				return err
			}
			all = append(all, *c)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func (s *Store) view(table string, read func(*page) error) error {
	return about(table, s.db.View(func(tx *bolt.Tx) error {
		p, err := load(tx, table)
		if err != nil {
			return err
		}
		return read(p)
	}))
}

// Shown notes that the people at a table have seen these changes. Until then each later outcome lists them.
func (s *Store) Shown(table string, numbers ...uint64) error {
	return about(table, s.db.Update(func(tx *bolt.Tx) error {
		p, err := load(tx, table)
		if err != nil || p.bucket == nil {
			return err
		}
		p.state.Unshown = slices.DeleteFunc(p.state.Unshown, func(n uint64) bool { return slices.Contains(numbers, n) })
		return put(p.bucket, keyState, p.state)
	}))
}
