package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestComplete(t *testing.T) {
	for _, row := range []struct {
		why, line string
		want      []string
	}{
		{"everything", "", []string{"as ", "in ", "click ", "help", "quit", "/deal ", "/undo ", "/rubber ", "/rubber start ", "/rubber end "}},
		{"the console's words", "cl", []string{"click "}},
		{"commands", "/d", []string{"/deal "}},
		{"subcommands", "/rubber ", []string{"/rubber start ", "/rubber end "}},
		{"a subcommand", "/rubber s", []string{"/rubber start "}},
		{"options", "/deal ", []string{"/deal result:", "/deal by:"}},
		{"an option begun", "/deal 4S = b", []string{"/deal 4S = by:"}},
		{"an option that is there isn't offered again", "/deal by:N ", []string{"/deal by:N result:"}},
		{"choices", "/deal 4S = by:", []string{"/deal 4S = by:N", "/deal 4S = by:EW"}},
		{"a choice that is there in full", "/deal 4S = by:N", nil},
		{"a subcommand's options", "/rubber start north:Anna Maria ea", []string{"/rubber start north:Anna Maria east:"}},
		{"an option without choices", "/rubber start north:A", nil},
		{"no options", "/undo ", nil},
		{"no such command", "/nope x", nil},
		{"a slash is needed", "deal ", nil},
	} {
		if diff := cmp.Diff(row.want, complete(row.line, someCommands())); diff != "" {
			t.Errorf("%s: complete(%q): want - got +\n%s", row.why, row.line, diff)
		}
	}
}

// Neither a pipe, nor a file, nor a device that is none is a terminal.
func TestIsTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	for _, s := range []streams{{in: in, out: out}, {in: null, out: out}} {
		if isTerminal(s) {
			t.Errorf("isTerminal(%s, %s) = true", s.in.Name(), s.out.Name())
		}
	}
}
