package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rubberbot/rubberbot/bot/twin"
	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

// patience is how long anything here may take.
const patience = 20 * time.Second

// bench is a Discord, and what a bot that runs against it as a process of its own needs.
type bench struct {
	*testing.T
	ctx     context.Context
	discord *twin.Twin
	token   string
	config  string // the file
	db      string
	nello   *twin.User
	table   *twin.Channel
}

func newBench(t *testing.T) *bench {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
	t.Cleanup(cancel)
	discord, err := twin.Start(twin.Config{Token: marker + ".token", RequestLimit: -1})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, ctx: ctx, discord: discord, token: discord.Token()}
	t.Cleanup(func() {
		if err := discord.Close(); err != nil {
			t.Error(err)
		}
		for _, v := range discord.Violations() {
			if b.token != discord.Token() {
				break // that is refused, as it should be
			}
			t.Errorf("Discord would refuse: %v", v)
		}
	})
	dir := t.TempDir()
	b.config, b.db = filepath.Join(dir, "config.yaml"), filepath.Join(dir, "tables.db")
	b.nello, b.table = discord.User("Nello"), discord.Channel("table")
	b.configure(discord.URL())
	return b
}

func (b *bench) configure(url string) {
	b.Helper()
	write(b.T, b.config, fmt.Sprintf("database: %s\ndiscord:\n  url: %s\nlog:\n  level: debug\n", b.db, url))
}

// process is a running rubberbot.
type process struct {
	*bench
	cmd  *exec.Cmd
	log  *logbook
	done chan struct{} // closed at its end
	err  error         // how it ended
}

// logbook is what a process writes, as it does.
type logbook struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// launch starts the program. Nothing that it writes may have the token.
func (b *bench) launch() *process {
	b.Helper()
	p := &process{bench: b, cmd: exec.Command("rubberbot", "run", "--config", b.config), log: &logbook{}, done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), "DISCORD_TOKEN="+b.token)
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := p.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	go func() {
		defer close(p.done)
		p.err = p.cmd.Wait()
	}()
	b.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.done
		if strings.Contains(p.log.String(), marker) {
			b.Errorf("the token is printed:\n%s", p.log)
		}
		if b.Failed() {
			b.Logf("what the bot logged:\n%s", p.log)
		}
	})
	return p
}

// connected launches the program and waits until it has registered its commands.
func (b *bench) connected() *process {
	b.Helper()
	p := b.launch()
	if err := b.discord.Connected(b.ctx); err != nil {
		b.Fatalf("connected: %v\n%s", err, p.log)
	}
	p.waitLog("the commands")
	return p
}

func (p *process) waitLog(text string) {
	p.Helper()
	for end := time.Now().Add(patience); !strings.Contains(p.log.String(), text); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			p.Fatalf("%q isn't logged in:\n%s", text, p.log)
		}
	}
}

// end waits for the end and returns the exit status.
func (p *process) end() string {
	p.Helper()
	select {
	case <-p.done:
		return exitStatus(p.err)
	case <-time.After(patience):
		p.Fatalf("doesn't end:\n%s", p.log)
		return ""
	}
}

func (p *process) signal(s os.Signal) {
	p.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.Fatal(err)
	}
}

// kill ends the process as kill -9 does, and waits until Discord knows.
func (p *process) kill() {
	p.Helper()
	_ = p.cmd.Process.Kill() // it may be dead already
	p.end()
	if err := p.discord.Disconnected(p.ctx); err != nil {
		p.Fatal(err)
	}
}

func (b *bench) start() {
	b.Helper()
	b.reply("rubber", twin.Option{Name: "start"})
}

func deal(text string) twin.Option { return twin.Option{Name: "result", Value: text} }

// reply types a command and waits for what the channel shows.
func (b *bench) reply(name string, options ...twin.Option) string {
	b.Helper()
	in, err := b.discord.Command(b.ctx, b.nello, b.table, name, options)
	if err != nil {
		b.Fatal(err)
	}
	m, err := in.Reply(b.ctx)
	if err != nil {
		b.Fatalf("%s %v: %v", name, options, err)
	}
	return text(m)
}

func text(m twin.Message) string {
	text := m.Content
	for _, e := range m.Embeds {
		text += e.Title + "\n" + e.Description
	}
	return text
}

// deals are the deals on disk, which no process may hold.
func (b *bench) deals() []scoring.Deal {
	b.Helper()
	store, err := storage.Open(b.db)
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	t, err := store.Table(b.table.ID)
	if err != nil {
		b.Fatal(err)
	}
	return t.Rubber.Deals
}

func TestRun(t *testing.T) {
	b := newBench(t)
	p := b.connected()
	if n := len(b.discord.Commands()); n < 5 {
		t.Fatalf("%d commands are registered", n)
	}
	b.start()
	if got := b.reply("deal", deal("N 4S =")); !strings.Contains(got, "deal 1") {
		t.Errorf("/deal N 4S = is answered %q, want deal 1", got)
	}
	p.signal(syscall.SIGTERM)
	if got := p.end(); got != "0" {
		t.Errorf("after SIGTERM: status %s, want 0", got)
	}
	if !strings.Contains(p.log.String(), "msg=stopped") {
		t.Errorf("after SIGTERM the log doesn't say stopped:\n%s", p.log)
	}

	// The commands stand: a second start leaves them alone.
	puts := b.discord.CommandPuts()
	p = b.connected()
	if got := b.reply("sheet"); !strings.Contains(got, "deal 1") {
		t.Errorf("/sheet after a restart: %q, want deal 1", got)
	}
	if got := b.discord.CommandPuts(); got != puts {
		t.Errorf("the commands were registered %d times, want %d", got, puts)
	}
	p.signal(syscall.SIGINT)
	if got := p.end(); got != "0" {
		t.Errorf("after SIGINT: status %s, want 0", got)
	}
}

// What is under way when the end is asked for is answered first.
func TestEndAnswersFirst(t *testing.T) {
	b := newBench(t)
	p := b.connected()
	b.start()
	release := b.discord.Hold()
	in, err := b.discord.Command(b.ctx, b.nello, b.table, "deal", []twin.Option{deal("N 4S =")})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // until it is on its way; sooner is no fault either
	p.signal(syscall.SIGTERM)
	time.Sleep(100 * time.Millisecond)
	release()
	if m, err := in.Reply(b.ctx); err != nil || !strings.Contains(text(m), "deal 1") {
		t.Errorf("the reply under way: %q, %v, want deal 1", text(m), err)
	}
	if got := p.end(); got != "0" {
		t.Errorf("status %s, want 0", got)
	}
	if n := len(b.deals()); n != 1 {
		t.Errorf("%d deals on disk, want 1", n)
	}
}

// A deal that was answered is on disk, once, whenever the process is killed after that; the next process goes on from it.
func TestKilledAfterReply(t *testing.T) {
	b := newBench(t)
	p := b.connected()
	b.start()
	for n := 1; n <= 4; n++ {
		if got := b.reply("deal", deal(fmt.Sprintf("N %dH -1", n))); !strings.Contains(got, fmt.Sprintf("deal %d\n", n)) {
			t.Fatalf("deal %d is answered %q", n, got)
		}
		p.kill()
		if got := len(b.deals()); got != n {
			t.Fatalf("%d deals on disk after %d replies", got, n)
		}
		p = b.connected()
	}
	if got := b.reply("sheet"); !strings.Contains(got, "deal 4\n") || strings.Count(got, "−1") != 4 {
		t.Errorf("the sheet in the end: %q, want four deals one down", got)
	}
}

// Killed at any moment: what was answered is there exactly once, what wasn't at most once, in the order of typing.
func TestKilledAtAnyMoment(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	b := newBench(t)
	p := b.connected()
	b.start()
	kept := 0 // deals that are known to be on disk
	for round := range rounds {
		moment := time.Duration(random.Int64N(int64(25 * time.Millisecond)))
		time.AfterFunc(moment, func() { _ = p.cmd.Process.Kill() })
		typed, answered := b.typeUntilDead(p, round)
		p.kill()
		found := b.deals()[kept:]
		for _, text := range answered {
			if count(found, text) != 1 {
				t.Fatalf("round %d, killed after %v: %q was answered and is there %d times in %v", round, moment, text, count(found, text), found)
			}
		}
		if !inOrder(found, typed) {
			t.Fatalf("round %d, killed after %v: on disk %v, typed %q", round, moment, found, typed)
		}
		kept += len(found)
		p = b.connected()
		if got := b.reply("sheet"); !strings.Contains(got, fmt.Sprintf("deal %d\n", kept)) && kept > 0 {
			t.Fatalf("round %d: /sheet after the restart is %q, want deal %d", round, got, kept)
		}
	}
	t.Logf("%d deals in %d rounds", kept, rounds)
}

// typeUntilDead types one deal after the other until the process is gone. No two of all rounds are the same, since the bot
// asks about a deal like one of a moment ago.
func (b *bench) typeUntilDead(p *process, round int) (typed, answered []string) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	go func() {
		<-p.done
		time.AfterFunc(20*time.Millisecond, cancel) // an answer that is on its way arrives by then
	}()
	for n := range 3 * 5 * 7 {
		strain, down, doubling := []string{"♣", "♦", "♥", "♠", "NT"}[n%5], 1+n/5%7, []string{"", "X", "XX"}[n/35]
		text := fmt.Sprintf("%c %d%s%s −%d", "NESW"[round/7], 1+round%7, strain, doubling, down)
		in, err := b.discord.Command(b.ctx, b.nello, b.table, "deal", []twin.Option{deal(text)})
		if errors.Is(err, twin.ErrNotConnected) {
			return typed, answered
		}
		if err != nil {
			b.Fatal(err)
		}
		typed = append(typed, text)
		if _, err := in.Reply(ctx); err != nil {
			return typed, answered
		}
		answered = append(answered, text)
	}
	<-p.done
	return typed, answered
}

func count(deals []scoring.Deal, text string) (n int) {
	for _, d := range deals {
		if d.String() == text {
			n++
		}
	}
	return n
}

// inOrder says that the deals are some of those typed, each at most once, in their order.
func inOrder(deals []scoring.Deal, typed []string) bool {
	for _, d := range deals {
		for {
			if len(typed) == 0 {
				return false
			}
			first := typed[0]
			typed = typed[1:]
			if d.String() == first {
				break
			}
		}
	}
	return true
}

// Errors that no trying again helps are told at once, with what to do, and are status 1.
func TestRunRefused(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*bench)
		want  []string
	}{
		"a wrong token": {
			func(b *bench) { b.token = marker + ".wrong" },
			[]string{"rubberbot: ", "refused", "check DISCORD_TOKEN"},
		},
		"a wrong token that only the gateway refuses": {
			func(b *bench) {
				b.token = marker + ".wrong"
				b.discord.FailNext("GET", "/gateway/bot", 500, "")
			},
			[]string{"rubberbot: ", "refused", "4004", "check DISCORD_TOKEN"},
		},
		"no token": {
			func(b *bench) { b.token = "" },
			[]string{"rubberbot: no token: set DISCORD_TOKEN"},
		},
		"a token with a space in it": {
			func(b *bench) { b.token = marker + " " + marker },
			[]string{"rubberbot: ", "token has a character that no token has"},
		},
		"a database that is held": {
			func(b *bench) {
				store, err := storage.Open(b.db)
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { _ = store.Close() })
			},
			[]string{"rubberbot: ", "tables.db: another process has the database open"},
		},
		"a config with a fault": {
			func(b *bench) { write(b.T, b.config, "token: "+marker+"\n") },
			[]string{"rubberbot: ", "config.yaml:1:1: the token doesn't go here"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			test.spoil(b)
			p := b.launch()
			if got := p.end(); got != "1" {
				t.Errorf("status %s, want 1", got)
			}
			for _, want := range test.want {
				if !strings.Contains(p.log.String(), want) {
					t.Errorf("printed %q, want %q in it", p.log, want)
				}
			}
		})
	}
}

// Where Discord can't be reached, the bot says so and goes on trying.
func TestRunUnreachable(t *testing.T) {
	b := newBench(t)
	b.configure("http://127.0.0.1:1")
	p := b.launch()
	p.waitLog("session lost")
	p.signal(syscall.SIGTERM)
	if got := p.end(); got != "0" {
		t.Errorf("after SIGTERM: status %s, want 0", got)
	}
}
