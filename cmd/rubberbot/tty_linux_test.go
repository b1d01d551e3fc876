package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// keyboard is a person at a terminal in which rubberbot local runs.
type keyboard struct {
	*testing.T
	cmd    *exec.Cmd
	screen *logbook
	master *os.File
	seen   int // what of the screen was waited for
	done   chan error
}

// sit starts rubberbot local at a terminal of its own, in a folder that keeps database and history.
func sit(t *testing.T, dir string) *keyboard {
	t.Helper()
	master, slave := openTerminalPair(t)
	k := &keyboard{T: t, cmd: exec.Command("rubberbot", "local"), screen: &logbook{}, master: master, done: make(chan error, 1)}
	k.cmd.Dir = dir
	k.cmd.Env = append(os.Environ(), "TERM=xterm", "XDG_CACHE_HOME="+dir)
	k.cmd.Stdin, k.cmd.Stdout, k.cmd.Stderr = slave, slave, slave
	k.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			_, _ = k.screen.Write(buffer[:n])
			if err != nil { // the other end is closed
				k.done <- k.cmd.Wait()
				return
			}
		}
	}()
	t.Cleanup(func() { _ = k.cmd.Process.Kill(); master.Close() })
	return k
}

func openTerminalPair(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 120})
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	return master, slave
}

// expect waits until something new on the screen has this text.
func (k *keyboard) expect(text string) {
	k.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		screen := k.screen.String()
		if at := strings.Index(screen[k.seen:], text); at >= 0 {
			k.seen += at + len(text)
			return
		}
		if time.Now().After(end) {
			k.Fatalf("%q isn't on the screen after:\n%q", text, screen)
		}
	}
}

func (k *keyboard) press(keys string) {
	k.Helper()
	if _, err := k.master.WriteString(keys); err != nil {
		k.Fatal(err)
	}
}

func (k *keyboard) end() string {
	k.Helper()
	select {
	case err := <-k.done:
		return exitStatus(err)
	case <-time.After(patience):
		k.Fatalf("doesn't end:\n%q", k.screen)
		return ""
	}
}

// Keys as a terminal sends them.
const (
	enter, tab, up = "\r", "\t", "\x1b[A"
	ctrlC, ctrlD   = "\x03", "\x04"
)

func TestAtTerminal(t *testing.T) {
	dir := t.TempDir()
	k := sit(t, dir)
	k.expect("Try /help")
	k.expect("You in #table> ")
	k.press("/ru" + tab + "st" + tab + "no" + tab + "Nello" + enter)
	k.expect("N Nello        │ East")
	k.expect("You in #table> ")
	k.press("/deal 4S = b" + tab + "N" + enter)
	k.expect("4♠ by Nello (North), made")
	k.expect("You in #table> ")
	k.press("as Olga" + enter)
	k.expect("Olga in #table> ")
	k.press("foo" + enter)
	k.expect(`"foo" is no command here`)
	k.expect("Olga in #table> ")
	k.press(ctrlD)
	if got := k.end(); got != "1" { // foo
		t.Errorf("after Ctrl-D: status %s, want 1", got)
	}

	// The second run knows what was typed in the first. Ctrl-C leaves, and nothing that was half typed is done.
	if info, err := os.Stat(filepath.Join(dir, "rubberbot", "history")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the history: %v, %v, want a file with mode 0600", info, err)
	}
	k = sit(t, dir)
	k.expect("You in #table> ")
	k.press(up + up)
	k.expect("as Olga")
	k.press(up)
	k.expect("/deal 4S = by:N")
	k.press(enter)
	k.expect("Deal 1, which You recorded a moment ago, was just this")
	k.expect("You in #table> ")
	k.press("/undo" + ctrlC)
	if got := k.end(); got != "0" {
		t.Errorf("after Ctrl-C: status %s, want 0", got)
	}
	k = sit(t, dir)
	k.expect("You in #table> ")
	k.press("/sheet" + enter)
	k.expect("deal 1")
	k.expect("You in #table> ")

	// A signal ends it at the prompt too.
	if err := k.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := k.end(); got != "0" {
		t.Errorf("after SIGTERM: status %s, want 0", got)
	}
}

// Also where it waits for a pipe.
func TestSignalAtPipe(t *testing.T) {
	c := exec.Command("rubberbot", "local", "--db", filepath.Join(t.TempDir(), "x.db"))
	out := &logbook{}
	c.Stdout = out
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill() }()
	if _, err := fmt.Fprintln(in, "help"); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); !strings.Contains(out.String(), "as NAME"); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no help: %q", out)
		}
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if got := exitStatus(err); got != "0" {
			t.Errorf("after SIGINT: status %s, want 0", got)
		}
	case <-time.After(patience):
		t.Fatal("doesn't end at SIGINT")
	}
}
