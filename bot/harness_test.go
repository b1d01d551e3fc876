package bot_test

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rubberbot/rubberbot/bot"
	"github.com/rubberbot/rubberbot/bot/gateway"
	"github.com/rubberbot/rubberbot/bot/twin"
	"github.com/rubberbot/rubberbot/storage"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// club is a Discord on loopback with the real bot in it, over the real discordgo session, and a real store.
type club struct {
	t       rapid.TB
	discord *twin.Twin
	path    string
	store   *storage.Store
	stop    func()
	table   *twin.Channel
	clock   *clock
	// provoked says that the test makes the bot do what Discord refuses.
	provoked bool
	prepare  func(*bot.Bot)
	lost     losses
	within   time.Duration // how long Discord waits for an answer; 0 is what it does in truth
}

// losses counts the replies that the bot's log calls lost.
type losses struct {
	slog.Handler
	n *atomic.Int64
}

func (l losses) Enabled(context.Context, slog.Level) bool { return true }

func (l losses) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "a reply was lost" {
		l.n.Add(1)
	}
	return nil
}

// clock is the bot's own, which a test can put forward.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// open starts a club, and at the test's end holds all that was sent against Discord's limits.
func open(t testing.TB) *club {
	t.Helper()
	return openWith(t, twin.Config{}, func(*bot.Bot) {})
}

// openWith is open at a Discord of its own kind, with bots that are changed before they start.
func openWith(t testing.TB, config twin.Config, prepare func(*bot.Bot)) *club {
	t.Helper()
	config.RequestLimit = -1
	discord, err := twin.Start(config)
	if err != nil {
		t.Fatal(err)
	}
	c := &club{
		t: t, discord: discord, path: filepath.Join(t.TempDir(), "rubber.db"), table: discord.Channel("table"), clock: &clock{},
		prepare: prepare, within: config.AnswerWithin, lost: losses{slog.DiscardHandler, &atomic.Int64{}},
	}
	c.start()
	t.Cleanup(func() {
		c.stop()
		c.inspect()
		if err := discord.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// start opens the store and connects a bot to it.
func (c *club) start() {
	c.t.Helper()
	store, err := storage.Open(c.path)
	if err != nil {
		c.t.Fatal(err)
	}
	b, err := bot.New(bot.Config{
		Token: gateway.Secret(c.discord.Token()), URL: c.discord.URL(), Store: store, Now: c.clock.now,
		Logger: slog.New(c.lost),
		Timing: gateway.Timing{Identify: time.Millisecond, Answer: c.within},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	c.prepare(b)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	c.store = store
	c.stop = sync.OnceFunc(func() {
		cancel()
		if err := errors.Join(<-ended, store.Close()); err != nil {
			c.t.Error(err)
		}
	})
	select {
	case <-b.Synced():
	case <-time.After(10 * time.Second):
		c.t.Fatal("the bot did not connect")
	}
}

// restart stops the bot and starts another on the same file.
func (c *club) restart() {
	c.t.Helper()
	c.stop()
	c.start()
}

// await waits for something that comes in a moment.
func (c *club) await(what string, is func() bool) {
	c.t.Helper()
	for start := time.Now(); !is(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 5*time.Second {
			c.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// losing makes the bot's next answer go astray, which is the same to people as a bot killed after its commit, and waits
// until the bot knows.
func (c *club) losing(act func()) {
	c.t.Helper()
	c.provoked = true
	c.discord.Fail(twin.Fault{Prefix: "/interactions", Status: http.StatusNotFound, Body: `{"code":10062,"message":"Unknown interaction"}`})
	before := c.lost.n.Load()
	act()
	c.await("a lost reply", func() bool { return c.lost.n.Load() > before })
}

// bareID is what a message that isn't there is shown as.
var bareID = regexp.MustCompile(`\b(seat|letter|side|title|deal|points|stand|end|rubber|change|missed|undo|redo|button|press|claim|error|fault|twice|part|offer|choice|command)\.[a-z_]`)

// inspect looks at all that the bot ever sent.
func (c *club) inspect() {
	for _, v := range c.discord.Violations() {
		if !c.provoked {
			c.t.Errorf("Discord refuses: %v", v)
		}
	}
	for _, m := range c.discord.History(c.table) {
		c.look(m)
	}
}

// look looks at one message; whatever is waited for passes here, in any channel.
func (c *club) look(m twin.Message) {
	c.t.Helper()
	if len(m.Pings) > 0 {
		c.t.Errorf("a reply pings %v: %s", m.Pings, text(m))
	}
	if s := text(m); strings.Contains(s, "<no value>") || bareID.MatchString(s) {
		c.t.Errorf("a value or a message is missing in %q", s)
	}
}

// options are what somebody gives to a command: name, value, name, value.
func options(pairs []string) []twin.Option {
	var all []twin.Option
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, twin.Option{Name: pairs[i], Value: pairs[i+1]})
	}
	return all
}

// send types a command, "rubber start", without waiting for the answer.
func (c *club) send(who, command string, pairs ...string) *twin.Interaction {
	c.t.Helper()
	name, sub, nested := strings.Cut(command, " ")
	given := options(pairs)
	if nested {
		given = []twin.Option{{Name: sub, Options: given}}
	}
	in, err := c.discord.Command(context.Background(), c.discord.User(who), c.table, name, given)
	if err != nil {
		c.t.Fatalf("/%s %v: %v", command, pairs, err)
	}
	return in
}

// do types a command and waits for the reply.
func (c *club) do(who, command string, pairs ...string) twin.Message {
	c.t.Helper()
	return c.reply(c.send(who, command, pairs...))
}

// deal is Nello's /deal.
func (c *club) deal(result string) twin.Message {
	c.t.Helper()
	return c.do("Nello", "deal", "result", result)
}

func (c *club) reply(in *twin.Interaction) twin.Message {
	c.t.Helper()
	m, err := in.Reply(context.Background())
	if err != nil {
		c.t.Fatalf("no reply: %v", err)
	}
	c.look(m)
	return m
}

// press presses the button whose label begins so and waits for the reply.
func (c *club) press(who string, m twin.Message, label string) twin.Message {
	c.t.Helper()
	in, err := c.discord.Press(context.Background(), c.discord.User(who), m, c.button(m, label).CustomID)
	if err != nil {
		c.t.Fatalf("press %q: %v", label, err)
	}
	return c.reply(in)
}

// button is the button whose label begins so.
func (c *club) button(m twin.Message, label string) twin.Component {
	c.t.Helper()
	for _, row := range m.Components {
		for _, b := range row.Components {
			if strings.HasPrefix(b.Label, label) {
				return b
			}
		}
	}
	c.t.Fatalf("no button %q under:\n%s", label, text(m))
	return twin.Component{}
}

// four starts a rubber with the four of the published rubber.
func (c *club) four() twin.Message {
	c.t.Helper()
	return c.do("Nello", "rubber start", "north", "Nello", "south", "Sandra", "east", "Enrico", "west", "Olga")
}

// text is all that a message says, a line each; of buttons the label.
func text(m twin.Message) string {
	var lines []string
	if m.Private {
		lines = append(lines, "(private)")
	}
	if m.Content != "" {
		lines = append(lines, m.Content)
	}
	for _, e := range m.Embeds {
		lines = append(lines, "# "+e.Title, e.Description)
	}
	for _, row := range m.Components {
		for _, b := range row.Components {
			lines = append(lines, "["+b.Label+"]")
		}
	}
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(strings.Join(lines, "\n"))
}

// says fails unless a message has all these texts.
func says(t rapid.TB, m twin.Message, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text(m), want) {
			t.Errorf("the reply lacks %q:\n%s", want, text(m))
		}
	}
}

// private fails unless a message is seen by one person only.
func private(t rapid.TB, m twin.Message) {
	t.Helper()
	if !m.Private {
		t.Errorf("this should be private:\n%s", text(m))
	}
}

// public fails unless everybody sees a message.
func public(t rapid.TB, m twin.Message) {
	t.Helper()
	if m.Private {
		t.Errorf("this should be public:\n%s", text(m))
	}
}

// deals are the table's deals as they are on disk.
func (c *club) deals() []string {
	c.t.Helper()
	table, err := c.store.Table(c.table.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	all := []string{}
	for _, d := range table.Rubber.Deals {
		all = append(all, d.String())
	}
	return all
}

// holds fails unless the table's rubber has just these deals.
func (c *club) holds(want ...string) {
	c.t.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, c.deals()); diff != "" {
		c.t.Errorf("deals on disk (-want +got):\n%s", diff)
	}
}

// golden compares a text with a file of testdata, which -update rewrites.
func golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func contains(m twin.Message, part string) bool { return strings.Contains(text(m), part) }
