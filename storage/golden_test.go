package storage_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"
)

const golden = "testdata/schema1.golden.json"

// smallEvening has a record of every kind, and every field of each.
func smallEvening(t testing.TB) *evening {
	e := newEvening(t)
	e.do("c1", start())
	e.do("c1", deal("N 3♥ +1"))
	e.do("c1", deal("E 4♠X −1 nv hon W 100"))
	e.do("c1", undo())
	e.do("c1", redo())
	e.do("c1", end(), start(), deal("NS 1NT = hon 150"))
	e.do("c2", start())
	e.do("c2", deal("pass"))
	e.shown("c1", 1, 2, 3, 4)
	e.do("c1", undo())
	return e
}

// What is on disk changes only on purpose: with a new schema and its migration, never by a change of this file alone.
func TestRecordsOnDisk(t *testing.T) {
	e := smallEvening(t)
	e.Close()
	got, err := json.MarshalIndent(dump(t, e.path), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		write(t, golden, append(got, '\n'))
	}
	if diff := cmp.Diff(strings.TrimSpace(string(read(t, golden))), string(got)); diff != "" {
		t.Errorf("the records differ from %s (-golden +got):\n%s", golden, diff)
	}
}

func TestRecordsOfSchema1AreRead(t *testing.T) {
	want := smallEvening(t)
	e := &evening{t: t, path: filepath.Join(t.TempDir(), "old.db"), done: want.done, n: want.n}
	var buckets map[string]any
	if err := json.Unmarshal(read(t, golden), &buckets); err != nil {
		t.Fatal(err)
	}
	boltFile(t, e.path, func(tx *bolt.Tx) error { return fill(tx, buckets) })
	e.open()
	defer e.Close()
	for _, table := range []string{"c1", "c2"} {
		same(t, "table", e.table(table), want.table(table))
		same(t, "journal", e.journal(table), want.journal(table))
	}
	e.repeats()
	same(t, "what goes on from there", e.do("c1", redo()), want.do("c1", redo()))
}

// container is a transaction or a bucket.
type container interface {
	Bucket([]byte) *bolt.Bucket
	CreateBucketIfNotExists([]byte) (*bolt.Bucket, error)
}

// dump is a bbolt file as JSON: buckets are objects, 8-byte keys "#" and their number, and values that are JSON stand
// as they are.
func dump(t testing.TB, path string) map[string]any {
	all := map[string]any{}
	boltFile(t, path, func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			all[string(name)] = dumpBucket(t, b)
			return nil
		})
	})
	return all
}

func dumpBucket(t testing.TB, b *bolt.Bucket) map[string]any {
	all := map[string]any{}
	err := b.ForEach(func(k, v []byte) error {
		name := string(k)
		if len(k) == 8 && k[0] == 0 {
			name = fmt.Sprint("#", binary.BigEndian.Uint64(k))
		}
		if v == nil {
			all[name] = dumpBucket(t, b.Bucket(k))
		} else {
			all[name] = json.RawMessage(append([]byte(nil), v...))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// fill makes a dump into buckets again. An object stands for a bucket where the layout has one at that depth.
func fill(tx *bolt.Tx, buckets map[string]any) error {
	for name, content := range buckets {
		depth := 1
		if name == "tables" {
			depth = 3
		}
		if err := fillBucket(tx, name, content.(map[string]any), depth); err != nil {
			return err
		}
	}
	return nil
}

func fillBucket(parent container, name string, content map[string]any, depth int) error {
	b, err := parent.CreateBucketIfNotExists([]byte(name))
	if err != nil {
		return err
	}
	for k, v := range content {
		if sub, ok := v.(map[string]any); ok && depth > 1 && k != "state" {
			if err := fillBucket(b, k, sub, depth-1); err != nil {
				return err
			}
			continue
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if err := b.Put(keyOf(k), data); err != nil {
			return err
		}
	}
	return nil
}

func keyOf(name string) []byte {
	if number, ok := strings.CutPrefix(name, "#"); ok {
		if n, err := strconv.ParseUint(number, 10, 64); err == nil {
			return binary.BigEndian.AppendUint64(nil, n)
		}
	}
	return []byte(name)
}
