package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rubberbot/rubberbot/storage"
)

var update = flag.Bool("update", false, "write what the commands print into testdata")

// noNap keeps the race detector from holding each process up for a second at its end.
const noNap = "atexit_sleep_ms=0"

// TestMain puts the program, as a command of its own, in the PATH of scripts and tests.
func TestMain(m *testing.M) {
	_ = os.Setenv("GORACE", os.Getenv("GORACE")+" "+noNap)
	testscript.Main(m, map[string]func(){"rubberbot": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: *update,
		WorkdirRoot:   t.TempDir(), // its own is left behind where only some scripts are run
		Setup: func(env *testscript.Env) error {
			env.Setenv("DISCORD_TOKEN", "")
			env.Setenv("GORACE", noNap)
			data, err := filepath.Abs("testdata")
			env.Setenv("DATA", data)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"hold": hold, "status": status},
	})
}

// hold FILE has a database open in another process than the commands' until the script ends.
func hold(s *testscript.TestScript, _ bool, args []string) {
	store, err := storage.Open(s.MkAbs(args[0]))
	s.Check(err)
	s.Defer(func() { s.Check(store.Close()) })
}

// status N COMMAND runs a command by the shell, in which a pipe may stand, and wants its exit status.
func status(s *testscript.TestScript, _ bool, args []string) {
	want, command := args[0], args[1]
	if got := exitStatus(s.Exec("sh", "-c", command)); got != want {
		s.Fatalf("%s: status %s, want %s", command, got, want)
	}
}

// exitStatus is the status with which a process ended.
func exitStatus(err error) string {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return strconv.Itoa(e.ExitCode())
	}
	if err != nil {
		return err.Error()
	}
	return "0"
}

// published is a rubber of scoring/testdata/published.
type published struct {
	ID    string
	Deals []struct {
		By, Contract, Doubled string
		Result                int
		Honours               []struct {
			Side   string
			Points int
		}
	}
	Expected struct{ Totals map[string]int }
}

// text is deal n in the notation, with its declaring side.
func (p *published) text(n int) string {
	d := p.Deals[n]
	text := fmt.Sprintf("%s %s %s %+d", d.By, d.Contract, d.Doubled, d.Result)
	for _, h := range d.Honours {
		text += fmt.Sprintf(" hon %s %d", h.Side, h.Points)
	}
	return text
}

func publishedRubbers(t *testing.T) []published {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "scoring", "testdata", "published", "rubbers.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Rubbers []published }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Rubbers
}

// The published rubbers end as they were recomputed from the Laws, scored from a file and typed into a channel. The source
// of seed-000 prints 740 for East-West; it is 760.
func TestPublishedRubbers(t *testing.T) {
	want := map[string][2]int{"seed-000": {1110, 760}, "seed-001": {1690, 880}}
	for _, rubber := range publishedRubbers(t) {
		totals, ok := want[rubber.ID]
		if !ok {
			continue
		}
		delete(want, rubber.ID)
		var file, typed strings.Builder
		typed.WriteString("/rubber start\n")
		for n := range rubber.Deals {
			fmt.Fprintln(&file, rubber.text(n))
			fmt.Fprintln(&typed, "/deal", rubber.text(n))
		}
		t.Run(rubber.ID+"/score", func(t *testing.T) {
			var report struct{ Total map[string]int }
			if err := json.Unmarshal([]byte(rubberbot(t, file.String(), "score", "--json", "-")), &report); err != nil {
				t.Fatal(err)
			}
			if got := [2]int{report.Total["NS"], report.Total["EW"]}; got != totals {
				t.Errorf("score --json: totals %v, want %v", got, totals)
			}
		})
		t.Run(rubber.ID+"/local", func(t *testing.T) {
			got := rubberbot(t, typed.String(), "local", "--db", filepath.Join(t.TempDir(), "x.db"))
			if line := fmt.Sprintf("Total%9d │ Total%9d", totals[0], totals[1]); strings.Count(got, line) != 1 {
				t.Errorf("local: want the line %q once in\n%s", line, got)
			}
		})
	}
	for id := range want {
		t.Errorf("no rubber %s among the published ones", id)
	}
}

// rubberbot runs the program to its end, which must be a good one, and returns what it printed.
func rubberbot(t *testing.T, in string, args ...string) string {
	t.Helper()
	var complaints strings.Builder
	c := exec.CommandContext(t.Context(), "rubberbot", args...)
	c.Stdin, c.Stderr = strings.NewReader(in), &complaints
	out, err := c.Output()
	if err != nil {
		t.Fatalf("rubberbot %v: %v\n%s", args, err, complaints.String())
	}
	return string(out)
}
