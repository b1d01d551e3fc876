package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/rubberbot/rubberbot/bot/gateway"
)

// The two secrets of these tests. No log line and no error may hold them.
const (
	token            = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.secret-token-of-the-bot"
	interactionToken = "aW50ZXJhY3Rpb246MTIz-secret-token-of-the-interaction"
)

// TestMain also shows that nothing is left running by the end: discordgo needs up to a second for that.
func TestMain(m *testing.M) {
	code := m.Run()
	if err := leaks(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// leaks gives goroutines that are about to end three seconds for it.
func leaks(options ...goleak.Option) (err error) {
	for range 6 {
		if err = goleak.Find(options...); err == nil {
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return err
}

// A discord is a scripted server on loopback: no more of Discord than a test says.
type discord struct {
	*httptest.Server
	t      *testing.T
	script func(p *peer) // one gateway connection; p.n counts them from 1
	conns  atomic.Int32

	// REST answers by handlers that a test may replace; nil is the usual answer.
	gatewayBot, gateway, callback http.HandlerFunc
	posts                         atomic.Int32
}

func newDiscord(t *testing.T, script func(p *peer)) *discord {
	t.Helper()
	d := &discord{t: t, script: script}
	d.Server = httptest.NewUnstartedServer(d.routes())
	d.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	return d
}

// serve starts the server, and ends it with the test.
func (d *discord) serve() *discord {
	d.Start()
	d.t.Cleanup(d.Close)
	return d
}

func (d *discord) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v10/gateway", d.or(&d.gateway, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"url":%q}`, "ws"+strings.TrimPrefix(d.URL, "http")+"/gw")
	}))
	mux.HandleFunc("GET /api/v10/gateway/bot", d.or(&d.gatewayBot, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"url":"ws://unused","shards":1,"session_start_limit":{"total":1000,"remaining":999,"reset_after":0,"max_concurrency":1}}`)
	}))
	mux.HandleFunc("POST /api/v10/interactions/{id}/{token}/callback", d.or(&d.callback, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	mux.HandleFunc("GET /gw/", d.connect)
	return mux
}

func (d *discord) or(own *http.HandlerFunc, usual http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			d.posts.Add(1)
		}
		if *own != nil {
			(*own)(w, r)
			return
		}
		usual(w, r)
	}
}

func (d *discord) connect(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	conn.SetReadLimit(1 << 20)
	p := &peer{conn: conn, t: d.t, n: int(d.conns.Add(1)), query: r.URL.RawQuery}
	d.script(p)
	conn.CloseNow()
}

// A peer is the server's end of one gateway connection.
type peer struct {
	conn  *websocket.Conn
	t     *testing.T
	n     int
	query string
	last  []byte // what was read last
}

func (p *peer) send(text string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = p.conn.Write(ctx, websocket.MessageText, []byte(text))
}

// read returns the op of the next message, -1 at the end.
func (p *peer) read() int {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, data, err := p.conn.Read(ctx)
	if err != nil {
		p.last = []byte(err.Error())
		return -1
	}
	p.last = data
	var m struct{ Op int }
	_ = json.Unmarshal(data, &m)
	return m.Op
}

const (
	quick    = 50    // milliseconds between heartbeats
	slow     = 60000 // the same where they don't matter
	readyMsg = `{"t":"READY","s":1,"op":0,"d":{"v":10,"session_id":"s","user":{"id":"42","username":"rubber"},"application":{"id":"43"},"guilds":[]}}`
)

func (p *peer) hello(interval int) {
	p.send(fmt.Sprintf(`{"op":10,"d":{"heartbeat_interval":%d}}`, interval))
}

// greet goes as far as the identify.
func (p *peer) greet(interval int) bool {
	p.hello(interval)
	return p.read() == 2
}

// ready goes as far as READY.
func (p *peer) ready(interval int) {
	if p.greet(interval) {
		p.send(readyMsg)
	}
}

// stay acknowledges heartbeats until the connection ends.
func (p *peer) stay() {
	for {
		switch p.read() {
		case 1:
			p.send(`{"op":11}`)
		case -1:
			return
		}
	}
}

// deaf acknowledges no heartbeat, and sends commands all the while: traffic is no sign of life.
func (p *peer) deaf(interval int) {
	p.ready(interval)
	for p.read() != -1 {
		p.send(command("chatter"))
		p.send(command("chatter"))
	}
}

// healthy is a session as it should be, with one command in it.
func (p *peer) healthy() {
	p.ready(slow)
	p.send(command("good"))
	p.stay()
}

// command is the event of a slash command.
func command(id string) string {
	return event(fmt.Sprintf(`{"id":%q,"application_id":"43","type":2,"token":%q,"guild_id":"7","channel_id":"8",
		"member":{"user":{"id":"9","username":"nello"}},"data":{"id":"1","name":"deal","type":1,
		"options":[{"name":"result","type":3,"value":"4S ="}]}}`, id, interactionToken))
}

func event(data string) string {
	return `{"t":"INTERACTION_CREATE","s":2,"op":0,"d":` + data + `}`
}

// A bot is a client that runs, with what it was given to handle and what it logged.
type bot struct {
	*gateway.Client
	t       *testing.T
	cancel  context.CancelFunc
	ended   chan error
	handled chan *discordgo.Interaction
	log     *logbook
}

// start runs a client against a server until the test ends. change may alter its configuration.
func start(t *testing.T, d *discord, change ...func(*gateway.Config)) *bot {
	t.Helper()
	b := &bot{t: t, ended: make(chan error, 1), handled: make(chan *discordgo.Interaction, 100), log: &logbook{}}
	cfg := gateway.Config{
		Token:  token,
		URL:    d.URL,
		Logger: slog.New(slog.NewJSONHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Handle: func(_ context.Context, in *discordgo.Interaction) { b.handled <- in },
		Timing: gateway.Timing{BackoffMin: 10 * time.Millisecond, BackoffMax: 50 * time.Millisecond, Identify: time.Millisecond, Retry: 5 * time.Millisecond},
	}
	for _, f := range change {
		f(&cfg)
	}
	client, err := gateway.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	b.Client = client
	b.run()
	return b
}

func (b *bot) run() {
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	go func() { b.ended <- b.Run(ctx) }()
	b.t.Cleanup(func() {
		cancel()
		if err := b.end(); err != nil && strings.Contains(err.Error(), "secret-token") {
			b.t.Errorf("Run's error holds a token: %v", err)
		}
		b.log.check(b.t)
	})
}

// end returns what Run returned, as often as it is asked.
func (b *bot) end() error {
	select {
	case err := <-b.ended:
		b.ended <- err
		return err
	case <-time.After(10 * time.Second):
		b.t.Error("Run didn't return")
		return errors.New("Run didn't return")
	}
}

// next returns the next interaction that was handled.
func (b *bot) next() *discordgo.Interaction {
	b.t.Helper()
	select {
	case in := <-b.handled:
		return in
	case err := <-b.ended:
		b.ended <- err
		b.t.Fatalf("Run returned %v, want an interaction; log:\n%s", err, b.log)
	case <-time.After(10 * time.Second):
		b.t.Fatalf("no interaction; log:\n%s", b.log)
	}
	return nil
}

func open(d time.Duration) func(*gateway.Config) {
	return func(c *gateway.Config) { c.Timing.Open = d }
}

// A logbook keeps what was logged.
type logbook struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	if os.Getenv("GATEWAY_LOG") != "" {
		os.Stderr.Write(p)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func (l *logbook) check(t *testing.T) {
	t.Helper()
	if text := l.String(); strings.Contains(text, "secret-token") {
		t.Errorf("the log holds a token:\n%s", text)
	}
}

// cut ends a connection without a word, as a network does.
func cut(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
}
