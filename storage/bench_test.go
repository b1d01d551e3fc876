package storage_test

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rubberbot/rubberbot/storage"
	bolt "go.etcd.io/bbolt"
)

// twenty is a store with a rubber of 20 deals.
func twenty(b *testing.B) *storage.Store {
	e := newEvening(b)
	moves := []storage.Move{start()}
	for n := range 20 {
		moves = append(moves, down(n))
	}
	out := e.do("c1", moves...)
	var all []uint64
	for _, c := range out.Changes {
		all = append(all, c.Number)
	}
	e.shown("c1", all...)
	return e.Store
}

// BenchmarkChange puts the recording of a deal, the 21st of its rubber, beside a bare bbolt update that writes as many
// bytes to as many keys: nearly all of either is the disk.
func BenchmarkChange(b *testing.B) {
	b.Run("record", func(b *testing.B) {
		s := twenty(b)
		n := 1000
		for b.Loop() {
			n++
			if _, err := s.Change("c1", request(n), steps(down(n))); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			n++
			if _, err := s.Change("c1", request(n), steps(undo())); err != nil {
				b.Fatal(err)
			}
			if err := s.Shown("c1", uint64(n-980), uint64(n-979)); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
	b.Run("bare", func(b *testing.B) {
		db, err := bolt.Open(filepath.Join(b.TempDir(), "bare.db"), 0o600, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { db.Close() })
		n := 1000
		for b.Loop() {
			bare(b, db, n+1)
			b.StopTimer()
			bare(b, db, n+2)
			bare(b, db, n+2)
			b.StartTimer()
			n += 2
		}
	})
	b.Run("repeat", func(b *testing.B) {
		s := twenty(b)
		if _, err := s.Change("c1", request(999), steps(down(1))); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := s.Change("c1", request(999), never); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// bare writes what recording a deal writes, as bytes.
func bare(b *testing.B, db *bolt.DB, n int) {
	number := binary.BigEndian.AppendUint64(nil, uint64(n))
	err := db.Update(func(tx *bolt.Tx) error {
		puts := []struct {
			path  []string
			key   []byte
			bytes int
		}{
			{[]string{"tables", "c1"}, []byte("state"), 60},
			{[]string{"tables", "c1", "rubbers"}, []byte("00000001"), 620},
			{[]string{"tables", "c1", "journal"}, number, 170},
			{[]string{"interactions"}, fmt.Append(nil, "i", n), 40},
		}
		for _, p := range puts {
			var at container = tx
			for _, name := range p.path {
				next, err := at.CreateBucketIfNotExists([]byte(name))
				if err != nil {
					return err
				}
				at = next
			}
			if err := at.(*bolt.Bucket).Put(p.key, make([]byte, p.bytes)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkTable(b *testing.B) {
	s := twenty(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Table("c1"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOldRepeat is the dearest question: a repeat of the first of a thousand changes.
func BenchmarkOldRepeat(b *testing.B) {
	e := newEvening(b)
	e.do("c1", start())
	for n := range 500 {
		if _, err := e.Change("c1", request(1000+n), steps(down(1), undo())); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, err := e.Change("c1", request(1), never); err != nil {
			b.Fatal(err)
		}
	}
}
