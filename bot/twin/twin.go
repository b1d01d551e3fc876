package twin

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Config says how a Twin behaves. The zero value is Discord as it is.
type Config struct {
	Addr          string           // where to listen; default 127.0.0.1:0, a free port
	Token         string           // the bot's token; default made up
	ApplicationID string           // default made up
	Now           func() time.Time // the clock of ids and deadlines; default time.Now
	AnswerWithin  time.Duration    // time for the first answer; default 3 s
	TokenLives    time.Duration    // time for edits and follow-ups; default 15 min
	Heartbeat     time.Duration    // what hello asks for; default 41.25 s
	Queue         bool             // keep interactions while no bot is connected; their time starts when they are delivered
	Keep          int              // forget all but so many of the newest messages of a channel, and interactions; default none
	RequestLimit  int              // REST requests a second; default 50, negative for none
	IdentifyEvery time.Duration    // least time between two identifies; Discord has 5 s, the default here is none
}

// Twin is a running Discord. All methods may be called at any time, from any
// goroutine.
type Twin struct {
	cfg     Config
	ids     snowflakes
	server  *http.Server
	mux     *http.ServeMux
	url     string
	guild   string
	bot     *account
	founded time.Time
	beats   atomic.Int64
	done    chan struct{}  // closed by Close
	running sync.WaitGroup // every goroutine and request

	mu           sync.Mutex
	closed       bool
	changed      chan struct{} // closed at the next change; nil where nobody waits
	accounts     map[string]*account
	names        map[string]*account
	channels     map[string]*Channel
	places       map[string]*Channel // by kind and name
	messages     map[string][]*record
	byID         map[string]*record
	files        map[string]*file
	interactions map[string]*Interaction // by token
	recent       []*Interaction          // oldest first, where Config.Keep is set
	commands     registry
	violations   []Violation
	faults       faults
	gate         gate
	window       []time.Time // of the last second's requests
	badAnswers   int
}

// Violation is a thing the bot did that Discord refuses.
type Violation struct {
	At      time.Time
	Request string // method and path, or "gateway"
	Path    string // the place in the body, joined by dots; empty where it isn't one field
	Code    string // Discord's name or number of the error
	Message string
}

// String has all that helps to find the fault.
func (v Violation) String() string {
	return fmt.Sprintf("%s: %s: %s (%s)", v.Request, v.Path, v.Message, v.Code)
}

// Start runs a Twin on loopback until Close.
func Start(cfg Config) (*Twin, error) {
	cfg = cfg.withDefaults()
	listener, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("twin: listen: %w", err)
	}
	t := newTwin(cfg)
	t.url = "http://" + listener.Addr().String()
	t.mux = t.routes()
	t.server = &http.Server{
		Handler:     http.HandlerFunc(t.serve),
		ConnState:   t.track,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
	}
	t.running.Go(func() { _ = t.server.Serve(listener) })
	return t, nil
}

// track makes Close wait for the server's connections too. New ones are seen
// while Serve runs, which Close waits for as well; hijacked ones go on within
// their handler.
func (t *Twin) track(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		t.running.Add(1)
	case http.StateClosed, http.StateHijacked:
		t.running.Done()
	}
}

func (c Config) withDefaults() Config {
	c.Addr = cmp.Or(c.Addr, "127.0.0.1:0")
	c.Token = cmp.Or(c.Token, "twin.token")
	c.AnswerWithin = cmp.Or(c.AnswerWithin, 3*time.Second)
	c.TokenLives = cmp.Or(c.TokenLives, 15*time.Minute)
	c.Heartbeat = cmp.Or(c.Heartbeat, 41250*time.Millisecond)
	c.RequestLimit = cmp.Or(c.RequestLimit, maxRequestsPerSec)
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

func newTwin(cfg Config) *Twin {
	t := &Twin{
		cfg:          cfg,
		done:         make(chan struct{}),
		founded:      cfg.Now(),
		accounts:     map[string]*account{},
		names:        map[string]*account{},
		channels:     map[string]*Channel{},
		places:       map[string]*Channel{},
		messages:     map[string][]*record{},
		byID:         map[string]*record{},
		files:        map[string]*file{},
		interactions: map[string]*Interaction{},
		commands:     registry{scopes: map[string][]Command{}, created: map[string]int{}},
	}
	t.guild = named("guild", "")
	t.cfg.ApplicationID = cmp.Or(cfg.ApplicationID, named("application", ""))
	t.bot = &account{id: t.cfg.ApplicationID, username: "rubberbot", name: "rubberbot", bot: true}
	t.accounts[t.bot.id] = t.bot
	return t
}

// Close ends every connection and waits until nothing of the Twin runs.
func (t *Twin) Close() error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return nil
	}
	t.closed = true
	close(t.done)
	t.mu.Unlock()
	t.gate.killAll()
	err := t.server.Close()
	t.running.Wait()
	return err
}

// start runs f as one of the things that Close waits for; false where the
// Twin is closed already.
func (t *Twin) start(f func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.running.Go(f)
	return true
}

// URL is the address that the bot takes for https://discord.com.
func (t *Twin) URL() string { return t.url }

// Token is the bot's token, without "Bot ".
func (t *Twin) Token() string { return t.cfg.Token }

// ApplicationID is the id of the application and of its bot's account.
func (t *Twin) ApplicationID() string { return t.cfg.ApplicationID }

// GuildID is the id of the one guild, and of its @everyone role.
func (t *Twin) GuildID() string { return t.guild }

// Violations lists what the bot did that Discord refuses, oldest first.
func (t *Twin) Violations() []Violation {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.violations)
}

// BadAnswers counts the answers with 401, 403 and 429, of which Discord bears
// 10,000 in ten minutes.
func (t *Twin) BadAnswers() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.badAnswers
}

// violate records a violation.
func (t *Twin) violate(request, path, code, message string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.violations) < maxRememberedWrong {
		t.violations = append(t.violations, Violation{t.cfg.Now(), request, path, code, message})
	}
}

// id makes a new id of this moment.
func (t *Twin) id() string { return t.ids.next(t.cfg.Now()) }

// touch wakes those who wait for a change. Call it with mu held.
func (t *Twin) touch() {
	if t.changed != nil {
		close(t.changed)
		t.changed = nil
	}
}

// await calls ready with mu held, at once and after each change, until it
// returns true.
func (t *Twin) await(ctx context.Context, ready func() bool) error {
	for {
		t.mu.Lock()
		if ready() {
			t.mu.Unlock()
			return nil
		}
		if t.changed == nil {
			t.changed = make(chan struct{})
		}
		changed := t.changed
		t.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-t.done:
			return ErrClosed
		}
	}
}
