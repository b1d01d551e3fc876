package storage_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

// down is a deal that can be recorded for ever: 7NT doubled, 1 to 12 down, so that neighbours differ.
func down(n int) storage.Move {
	c := scoring.Contract{Level: 7, Strain: scoring.NoTrump, Doubling: scoring.Doubled}
	d := scoring.Deal{Contract: c, Tricks: uint8(n % 12)}.By(scoring.South)
	return storage.Move{What: storage.Recorded, Deal: d}
}

// recordForEver is the child process that is killed: it prints each deal's number once Change has returned.
func recordForEver(path string) {
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	s, err := storage.Open(path)
	fail(err)
	table, err := s.Table("c1")
	fail(err)
	if table.Revision == 0 {
		_, err := s.Change("c1", request(0), steps(start()))
		fail(err)
	}
	for n := len(table.Rubber.Deals) + 1; ; n++ {
		_, err := s.Change("c1", request(n), steps(down(n)))
		fail(err)
		fmt.Println(n)
	}
}

func TestKilledProcessLosesNothingAcknowledged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rubber.db")
	total := 0
	for round := range 4 {
		acknowledged := recordAndKill(t, path, total+5+7*round)
		total = checkKilled(t, path, acknowledged)
	}
}

// recordAndKill starts the child, kills it (signal 9) once it has acknowledged deal number limit, and returns the last
// number that it did.
func recordAndKill(t *testing.T, path string, limit int) int {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childJob+"=record", childFile+"="+path)
	child.Stderr = os.Stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	last := 0
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if _, err := fmt.Sscan(lines.Text(), &last); err != nil {
			t.Fatal(err)
		}
		if last == limit {
			child.Process.Kill()
		}
	}
	if err := child.Wait(); err == nil || child.ProcessState.Exited() {
		t.Fatalf("the child ended by itself: %v", err)
	}
	return last
}

// checkKilled checks that the deals acknowledged are there once each, with at most one more, whose answer was cut off.
func checkKilled(t *testing.T, path string, acknowledged int) int {
	t.Helper()
	e := &evening{t: t, path: path}
	e.open()
	defer e.Close()
	deals := e.table("c1").Rubber.Deals
	if n := len(deals); n < acknowledged || n > acknowledged+1 {
		t.Fatalf("%d deals after the kill, %d acknowledged", n, acknowledged)
	}
	for i, d := range deals {
		if d != down(i+1).Deal {
			t.Errorf("deal %d = %v, want %v", i+1, d, down(i+1).Deal)
		}
	}
	journal := e.journal("c1")
	if len(journal) != 1+len(deals) {
		t.Fatalf("%d changes for a start and %d deals", len(journal), len(deals))
	}
	for i, c := range journal {
		if c.Interaction != request(i).Interaction || c.N != i {
			t.Errorf("change %d = deal %d by %s", c.Number, c.N, c.Interaction)
		}
		out, err := e.Change("c1", request(i), never)
		if err != nil || !out.Repeated {
			t.Errorf("interaction %s is not known after the kill: %v", c.Interaction, err)
		}
	}
	return len(deals)
}
