package storage

import (
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/rubberbot/rubberbot/scoring"
	bolt "go.etcd.io/bbolt"
)

// The records are types of their own, so that what is on disk changes only on purpose.

type stateRecord struct {
	Revision uint64   `json:"revision"`
	Rubber   int      `json:"rubber"`
	Top      uint64   `json:"top"`
	Redo     []uint64 `json:"redo,omitempty"`
	Unshown  []uint64 `json:"unshown,omitempty"`
}

type playersRecord struct {
	North Player `json:"N"`
	East  Player `json:"E"`
	South Player `json:"S"`
	West  Player `json:"W"`
}

type rubberRecord struct {
	Started time.Time      `json:"started"`
	Players playersRecord  `json:"players"`
	Rules   string         `json:"rules"`
	Deals   []scoring.Deal `json:"deals,omitempty"`
	Ended   bool           `json:"ended,omitempty"`
}

type changeRecord struct {
	At          time.Time      `json:"at"`
	By          Person         `json:"by"`
	Interaction string         `json:"interaction"`
	What        What           `json:"what"`
	Rubber      int            `json:"rubber"`
	N           int            `json:"n,omitempty"`
	Deal        *scoring.Deal  `json:"deal,omitempty"`
	Players     *playersRecord `json:"players,omitempty"`
	Rules       string         `json:"rules,omitempty"`
	Of          uint64         `json:"of,omitempty"`
	Before      uint64         `json:"before,omitempty"`
}

type interactionRecord struct {
	Table string `json:"table"`
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
}

func (c *Change) record() changeRecord {
	r := changeRecord{
		At: c.At, By: c.By, Interaction: c.Interaction, What: c.What, Rubber: c.Rubber, N: c.N, Before: c.before,
	}
	switch c.What {
	case Started:
		players := playersRecord(c.Players)
		r.Players, r.Rules = &players, c.Rules
	case Recorded:
		r.Deal = &c.Deal
	case Undone, Redone:
		r.Of = c.Of.Number
	}
	return r
}

// check says what in r, the change of that number, this program can't have written.
func (r *changeRecord) check(number uint64) error {
	undoing := r.What == Undone || r.What == Redone
	switch {
	case r.Rubber < 1,
		r.Before >= number,
		undoing != (r.Of > 0) || r.Of >= number,
		(r.What == Started) != (r.Players != nil),
		(r.What == Recorded) != (r.Deal != nil),
		!undoing && r.What != Started && r.What != Recorded && r.What != Ended:
		return damaged("change %d is no change: %+v", number, *r)
	default:
		return nil
	}
}

func (r *changeRecord) change(number uint64) *Change {
	c := &Change{
		Act:    Act{Interaction: r.Interaction, By: r.By, At: r.At},
		Move:   Move{What: r.What, Rules: r.Rules},
		Number: number, Rubber: r.Rubber, N: r.N, before: r.Before,
	}
	if r.Players != nil {
		c.Players = Players(*r.Players)
	}
	if r.Deal != nil {
		c.Deal = *r.Deal
	}
	return c
}

func (r *Rubber) record() rubberRecord {
	return rubberRecord{
		Started: r.Started, Players: playersRecord(r.Players), Rules: r.Rules, Deals: r.Deals, Ended: r.Ended,
	}
}

func (r *rubberRecord) rubber(number int) *Rubber {
	return &Rubber{
		Number: number, Started: r.Started, Players: Players(r.Players), Rules: r.Rules, Deals: r.Deals, Ended: r.Ended,
	}
}

func key(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// put writes v as JSON.
func put(b *bolt.Bucket, key []byte, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return b.Put(key, data)
}

// get reads JSON into v; false where there is none.
func get(b *bolt.Bucket, key []byte, v any) (bool, error) {
	if b == nil {
		return false, nil
	}
	data := b.Get(key)
	if data == nil {
		return false, nil
	}
	if err := json.Unmarshal(data, v); err != nil {
		return false, damaged("%q: %v", key, err)
	}
	return true, nil
}

// need is get for a numbered record that must be there.
func need(b *bolt.Bucket, number uint64, v any) error {
	found, err := get(b, key(number), v)
	if err == nil && !found {
		return damaged("record %d is missing", number)
	}
	return err
}
