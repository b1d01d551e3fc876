package storage_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubberbot/rubberbot/storage"
	bolt "go.etcd.io/bbolt"
)

func isError(got, want error) bool { return want != nil && errors.Is(got, want) }

func TestOpenMakesAFileAndKeepsIt(t *testing.T) {
	e := newEvening(t)
	same(t, "an unused table", e.table("c1"), storage.Table{ID: "c1"})
	same(t, "an unused journal", e.journal("c1"), []storage.Change(nil))
	e.do("c1", start())
	e.do("c1", deal("N 3♥ +1"))
	table, journal := e.table("c1"), e.journal("c1")
	e.reopen()
	same(t, "table", e.table("c1"), table)
	same(t, "journal", e.journal("c1"), journal)

	info, err := os.Stat(e.path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("Stat = %v, %v, want a file that only its owner can read", info.Mode(), err)
	}
}

func TestOpeningWritesNothing(t *testing.T) {
	e := newEvening(t)
	e.do("c1", start())
	e.Close()
	before := read(t, e.path)
	e.open()
	e.table("c1")
	e.Close()
	if !bytes.Equal(read(t, e.path), before) {
		t.Error("a file was changed by opening and reading it")
	}
}

// A process that is killed between making the file and its first page leaves it empty.
func TestOpenTakesAnEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rubber.db")
	write(t, path, nil)
	s, err := storage.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}

// One killed after bbolt's first pages and before ours leaves a bbolt file without any bucket.
func TestOpenTakesABboltFileWithoutBuckets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rubber.db")
	boltFile(t, path, func(*bolt.Tx) error { return nil })
	s, err := storage.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}

func TestOpenRefuses(t *testing.T) {
	bucket := func(tx *bolt.Tx, name string) *bolt.Bucket {
		b, err := tx.CreateBucketIfNotExists([]byte(name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	schema := func(value string, buckets ...string) func(string) {
		return func(path string) {
			boltFile(t, path, func(tx *bolt.Tx) error {
				for _, name := range buckets {
					bucket(tx, name)
				}
				return bucket(tx, "meta").Put([]byte("schema"), []byte(value))
			})
		}
	}
	cut := func(size int64) func(string) {
		return func(path string) {
			s, err := storage.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			for n := range 40 { // so that the file has more pages than it begins with
				if _, err := s.Change(fmt.Sprint("c", n), request(n), steps(start())); err != nil {
					t.Fatal(err)
				}
			}
			s.Close()
			if err := os.Truncate(path, size); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name string
		make func(path string)
		want error
		says string // what to do
	}{
		{"a word", func(p string) { write(t, p, []byte("N")) }, storage.ErrNotOurs, "another file"},
		{"a page of text", func(p string) { write(t, p, bytes.Repeat([]byte("N 3H +1\n"), 2000)) }, storage.ErrNotOurs, "another file"},
		{"zeros", func(p string) { write(t, p, make([]byte, 1<<16)) }, storage.ErrNotOurs, "another file"},
		{"another program's bbolt file", func(p string) {
			boltFile(t, p, func(tx *bolt.Tx) error { return bucket(tx, "users").Put([]byte("a"), []byte("b")) })
		}, storage.ErrNotOurs, "another file"},
		{"another program's, with a meta of its own", schema("two", "users"), storage.ErrNotOurs, "another file"},
		{"another program's, with a schema of its own", schema("1", "users"), storage.ErrNotOurs, "another file"},
		{"another program's, that keeps no free list", func(p string) {
			db, err := bolt.Open(p, 0o600, &bolt.Options{NoFreelistSync: true})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if err := db.Update(func(tx *bolt.Tx) error { bucket(tx, "users"); return nil }); err != nil {
				t.Fatal(err)
			}
		}, storage.ErrNotOurs, "another file"},
		{"schema zero", schema("0", "tables", "interactions"), storage.ErrNotOurs, "another file"},
		{"a later schema", schema("2", "tables", "interactions"), storage.ErrNewer, "run that one"},
		{"a later schema that has other buckets", schema("12", "clubs"), storage.ErrNewer, "run that one"},
		{"cut within the first page", cut(100), storage.ErrNotOurs, "another file"},
		{"cut after the first page", cut(4096), storage.ErrNotOurs, "another file"},
		{"cut after the third page", cut(3 * 4096), storage.ErrDamaged, "go back to a copy"},
		{"cut after the tenth page", cut(10 * 4096), storage.ErrDamaged, "go back to a copy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "evening.db")
			c.make(path)
			before := read(t, path)
			for range 2 { // a refused file isn't left locked
				s, err := storage.Open(path)
				if s != nil {
					t.Fatal("a store with an error")
				}
				wantError(t, err, c.want)
				wantText(t, err, path, c.says)
			}
			if !bytes.Equal(read(t, path), before) {
				t.Error("the refused file was written to")
			}
		})
	}
}

func TestOpenRefusesAPlaceWithoutAFile(t *testing.T) {
	folder := t.TempDir()
	_, err := storage.Open(folder)
	wantText(t, err, folder, "name a file in it")

	missing := filepath.Join(folder, "missing", "rubber.db")
	_, err = storage.Open(missing)
	wantError(t, err, fs.ErrNotExist)
	wantText(t, err, missing, "make its folder first")

	write(t, filepath.Join(folder, "file"), nil)
	within := filepath.Join(folder, "file", "rubber.db")
	_, err = storage.Open(within)
	wantText(t, err, within)

	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v, want only what was there", entries, err)
	}
}

func TestOpenRefusesAHeldFile(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.do("c1", start())
	wantHeld(t, e.path)
	e.do("c1", deal("N 1NT ="))
	e.reopen()
}

func TestOpenRefusesAFileHeldByAnotherProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rubber.db")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childJob+"=hold", childFile+"="+path)
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	wantHeld(t, path)
	stdin.Close()
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	s, err := storage.Open(path)
	if err != nil {
		t.Fatalf("Open once the other process is gone: %v", err)
	}
	s.Close()
}

// A restart is often started before the old process is quite gone.
func TestOpenWaitsForAFileLetGoSoon(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	time.AfterFunc(200*time.Millisecond, func() { e.Close() })
	s, err := storage.Open(e.path)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}

func TestClosedStore(t *testing.T) {
	e := newEvening(t)
	e.do("c1", start())
	e.Close()
	if err := e.Close(); err != nil {
		t.Errorf("Close again = %v", err)
	}
	_, err := e.Change("c1", request(9), steps(deal("N 1NT =")))
	wantText(t, err, "c1", "not open")
	_, err = e.Table("c1")
	wantText(t, err, "c1", "not open")
	_, err = e.Journal("c1")
	wantText(t, err, "c1", "not open")
	wantText(t, e.Shown("c1", 1), "c1", "not open")
}

// holdFile is the child process that has a file open until its standard input ends.
func holdFile(path string) {
	s, err := storage.Open(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("held")
	os.Stdin.Read(make([]byte, 1))
	s.Close()
}

func wantHeld(t *testing.T, path string) {
	t.Helper()
	began := time.Now()
	_, err := storage.Open(path)
	wantError(t, err, storage.ErrHeld)
	wantText(t, err, path, "stop the other rubberbot")
	if took := time.Since(began); took > 1500*time.Millisecond {
		t.Errorf("a held file was refused after %v, want 1.5 s at most", took)
	}
}

func wantText(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error = %q, want %q in it", err, part)
		}
	}
}

func boltFile(t testing.TB, path string, f func(*bolt.Tx) error) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(f); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
