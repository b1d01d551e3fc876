package storage

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/rubberbot/rubberbot/scoring"
	bolt "go.etcd.io/bbolt"
)

// page is a table within a transaction: what has been read of it and what is changed, written by save.
type page struct {
	id       string
	bucket   *bolt.Bucket // nil where the table was never used
	state    stateRecord
	rubbers  map[int]*Rubber    // those read or made
	changed  map[int]bool       // those to be written, or deleted where rubbers has them no more
	journal  map[uint64]*Change // those read or made
	appended []*Change          // those to be written
}

func load(tx *bolt.Tx, id string) (*page, error) {
	p := &page{
		id: id, bucket: tx.Bucket(bucketTables).Bucket([]byte(id)),
		rubbers: map[int]*Rubber{}, changed: map[int]bool{}, journal: map[uint64]*Change{},
	}
	if p.bucket == nil {
		return p, nil
	}
	if _, err := get(p.bucket, keyState, &p.state); err != nil {
		return nil, err
	}
	return p, p.intact()
}

// intact compares the state with the end of the journal, so that a damaged state never lets a change be written over.
func (p *page) intact() error {
	var end []byte
	if journal := p.sub(bucketJournal); journal != nil {
		end, _ = journal.Cursor().Last()
	}
	if !bytes.Equal(end, key(p.state.Revision)) {
		return damaged("the table is at change %d, and its journal ends at %x", p.state.Revision, end)
	}
	last, err := p.change(p.state.Revision)
	if err == nil && last.top() != p.state.Top {
		return damaged("change %d stands, by the journal change %d", p.state.Top, last.top())
	}
	return err
}

// table is the table as the page has it now. Its rubber shares nothing with the page.
func (p *page) table() (Table, error) {
	t := Table{ID: p.id, Revision: p.state.Revision}
	if p.state.Rubber > 0 {
		r, sheet, err := p.fold(p.state.Rubber)
		if err != nil {
			return Table{}, err
		}
		t.Rubber, t.Sheet = *r, sheet
		t.Rubber.Deals = slices.Clone(r.Deals)
	}
	var err error
	if p.state.Top > 0 {
		if t.Last, err = p.change(p.state.Top); err != nil {
			return Table{}, err
		}
	}
	if n := len(p.state.Redo); n > 0 {
		t.Undone, err = p.change(p.state.Redo[n-1])
	}
	return t, err
}

func (p *page) rubber(n int) (*Rubber, error) {
	if r := p.rubbers[n]; r != nil {
		return r, nil
	}
	var record rubberRecord
	if err := need(p.sub(bucketRubbers), uint64(n), &record); err != nil {
		return nil, err
	}
	p.rubbers[n] = record.rubber(n)
	return p.rubbers[n], nil
}

// fold is a rubber with its sheet.
func (p *page) fold(n int) (*Rubber, scoring.Sheet, error) {
	r, err := p.rubber(n)
	if err != nil {
		return nil, scoring.Sheet{}, err
	}
	sheet, err := r.Sheet()
	if err != nil {
		return nil, scoring.Sheet{}, damaged("rubber %d: %v", n, err)
	}
	return r, sheet, nil
}

// change is an entry of the journal, with the one that it took or brought back.
func (p *page) change(n uint64) (*Change, error) {
	if c := p.journal[n]; c != nil {
		return c, nil
	}
	var record changeRecord
	if err := need(p.sub(bucketJournal), n, &record); err != nil {
		return nil, err
	}
	if err := record.check(n); err != nil {
		return nil, err
	}
	c := record.change(n)
	if record.Of > 0 {
		of, err := p.change(record.Of)
		if err != nil {
			return nil, err
		}
		if of.Of != nil {
			return nil, damaged("change %d takes back or brings back %d, which does so itself", n, of.Number)
		}
		c.Of = of
	}
	p.journal[n] = c
	return c, nil
}

// A step sees what was done in the last five minutes, and no more than 32 changes: enough to tell what is typed twice.
const (
	recentWithin = 5 * time.Minute
	recentMost   = 32
)

// recent are the changes that stand and are not long past, newest first.
func (p *page) recent(now time.Time) ([]Change, error) {
	var all []Change
	for n := p.state.Top; n > 0 && len(all) < recentMost; {
		c, err := p.change(n)
		if err != nil {
			return nil, err
		}
		if now.Sub(c.At) > recentWithin {
			break
		}
		all, n = append(all, *c), c.before
	}
	return all, nil
}

func (p *page) changes(numbers []uint64) ([]Change, error) {
	var out []Change
	for _, n := range numbers {
		c, err := p.change(n)
		if err != nil {
			return nil, err
		}
		out = append(out, *c)
	}
	return out, nil
}

// sub is a bucket of the table; nil where it was never used.
func (p *page) sub(name []byte) *bolt.Bucket {
	if p.bucket == nil {
		return nil
	}
	return p.bucket.Bucket(name)
}

// do makes one move and adds it to the journal.
func (p *page) do(act Act, m Move) error {
	c := &Change{Act: act, Move: m, Number: p.state.Revision + 1, Rubber: p.state.Rubber}
	var err error
	switch m.What {
	case Undone:
		err = p.undo(c)
	case Redone:
		err = p.redo(c)
	default:
		err = p.fresh(c)
	}
	if err != nil {
		return err
	}
	p.state.Revision, p.state.Top = c.Number, c.top()
	p.state.Unshown = append(p.state.Unshown, c.Number)
	p.journal[c.Number] = c
	p.appended = append(p.appended, c)
	return nil
}

// fresh makes a move that is neither undo nor redo, after which nothing can be redone.
func (p *page) fresh(c *Change) error {
	if c.What == Started {
		c.Rubber++
	}
	c.before, p.state.Redo = p.state.Top, nil
	return p.apply(c)
}

func (p *page) undo(c *Change) (err error) {
	if p.state.Top == 0 {
		return ErrNothingToUndo
	}
	if c.Of, err = p.change(p.state.Top); err != nil {
		return err
	}
	p.state.Redo = append(p.state.Redo, c.Of.Number)
	return p.revert(c.Of)
}

func (p *page) redo(c *Change) (err error) {
	n := len(p.state.Redo)
	if n == 0 {
		return ErrNothingToRedo
	}
	if c.Of, err = p.change(p.state.Redo[n-1]); err != nil {
		return err
	}
	if c.Of.before != p.state.Top {
		return damaged("change %d came after %d, and %d stands", c.Of.Number, c.Of.before, p.state.Top)
	}
	c.Rubber, p.state.Redo = c.Of.Rubber, p.state.Redo[:n-1]
	if err := p.apply(c.Of); err != nil {
		return damaged("change %d can't be made again: %v", c.Of.Number, err)
	}
	return nil
}

// apply makes what c says true; it also fills in what c leaves open.
func (p *page) apply(c *Change) error {
	if c.What == Started {
		return p.start(c)
	}
	if p.state.Rubber == 0 {
		return ErrNoRubber
	}
	r, sheet, err := p.fold(c.Rubber)
	if err != nil {
		return err
	}
	switch c.What {
	case Recorded:
		if err := sheet.Takes(c.Deal); err != nil {
			return err
		}
		r.Deals = append(r.Deals, c.Deal)
		c.N = len(r.Deals)
	case Ended:
		if _, err := sheet.End(); err != nil {
			return err
		}
		r.Ended = true
	default:
		return fmt.Errorf("no such change: %q", c.What)
	}
	p.changed[c.Rubber] = true
	return nil
}

// start begins a rubber, with the number that c gives it.
func (p *page) start(c *Change) error {
	if _, err := scoring.Preset(c.Rules); err != nil {
		return err
	}
	if p.state.Rubber > 0 {
		_, sheet, err := p.fold(p.state.Rubber)
		if err != nil {
			return err
		}
		if !sheet.Over() {
			return ErrRubberOpen
		}
	}
	p.rubbers[c.Rubber] = &Rubber{Number: c.Rubber, Started: c.At, Players: c.Players, Rules: c.Rules}
	p.changed[c.Rubber] = true
	p.state.Rubber = c.Rubber
	return nil
}

// revert makes what c says untrue again; c is the newest change that stands.
func (p *page) revert(c *Change) error {
	r, err := p.rubber(c.Rubber)
	if err != nil {
		return err
	}
	n := len(r.Deals)
	switch {
	case c.Rubber != p.state.Rubber:
		return damaged("change %d is about rubber %d, and the table is at %d", c.Number, c.Rubber, p.state.Rubber)
	case c.What == Started && n == 0 && !r.Ended:
		delete(p.rubbers, c.Rubber)
		p.state.Rubber--
	case c.What == Recorded && n > 0 && !r.Ended && r.Deals[n-1] == c.Deal:
		r.Deals = r.Deals[:n-1]
	case c.What == Ended && r.Ended:
		r.Ended = false
	default:
		return damaged("change %d is not the latest of rubber %d", c.Number, c.Rubber)
	}
	p.changed[c.Rubber] = true
	return nil
}

// rewind takes the page back to what it was after change n, out of the journal alone. It is for reading: such a page is
// never saved.
func (p *page) rewind(n uint64) error {
	if n >= p.state.Revision {
		return nil
	}
	last, err := p.change(n)
	if err != nil {
		return err
	}
	undone, err := p.undoneAt(n)
	if err != nil {
		return err
	}
	p.state = stateRecord{Revision: n, Top: last.top()}
	if undone > 0 {
		p.state.Redo = []uint64{undone}
	}
	return p.recallRubber()
}

// undoneAt is the change that could be redone after change n, 0 for none: the newest that was taken back and not brought
// back, since something new was recorded.
func (p *page) undoneAt(n uint64) (uint64, error) {
	for redone := 0; n > 0; n-- {
		c, err := p.change(n)
		switch {
		case err != nil:
			return 0, err
		case c.What == Redone:
			redone++
		case c.What == Undone && redone > 0:
			redone--
		case c.What == Undone:
			return c.Of.Number, nil
		default:
			return 0, nil
		}
	}
	return 0, nil
}

// recallRubber makes the latest rubber of the changes that stand, from the newest back to its start.
func (p *page) recallRubber() error {
	var r Rubber
	for n := p.state.Top; n > 0; {
		c, err := p.change(n)
		if err != nil {
			return err
		}
		switch {
		case c.What == Ended && n == p.state.Top:
			r.Ended = true
		case c.What == Recorded:
			r.Deals = append(r.Deals, c.Deal)
		case c.What == Started:
			slices.Reverse(r.Deals)
			r.Number, r.Started, r.Players, r.Rules = c.Rubber, c.At, c.Players, c.Rules
			p.state.Rubber, p.rubbers[r.Number] = r.Number, &r
			return nil
		default:
			return damaged("change %d stands below another", n)
		}
		n = c.before
	}
	if p.state.Top > 0 {
		return damaged("change %d is about a rubber that was never started", p.state.Top)
	}
	return nil
}

// save writes what was changed, and notes it as what an interaction did.
func (p *page) save(tx *bolt.Tx, interaction string) (interactionRecord, error) {
	done := interactionRecord{Table: p.id, First: p.appended[0].Number, Last: p.state.Revision}
	b, err := tx.Bucket(bucketTables).CreateBucketIfNotExists([]byte(p.id))
	if err != nil {
		return done, err
	}
	if err := put(b, keyState, p.state); err != nil {
		return done, err
	}
	if err := p.saveRubbers(b); err != nil {
		return done, err
	}
	if err := p.saveJournal(b); err != nil {
		return done, err
	}
	return done, put(tx.Bucket(bucketInteractions), []byte(interaction), done)
}

func (p *page) saveJournal(table *bolt.Bucket) error {
	b, err := table.CreateBucketIfNotExists(bucketJournal)
	if err != nil {
		return err
	}
	for _, c := range p.appended {
		if err := put(b, key(c.Number), c.record()); err != nil {
			return err
		}
	}
	return nil
}

func (p *page) saveRubbers(table *bolt.Bucket) error {
	b, err := table.CreateBucketIfNotExists(bucketRubbers)
	if err != nil {
		return err
	}
	for n := range p.changed {
		if r := p.rubbers[n]; r == nil {
			err = b.Delete(key(uint64(n)))
		} else {
			err = put(b, key(uint64(n)), r.record())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
