package gateway

import (
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
)

// A Client is one bot at Discord. Its methods may be called from many goroutines at once.
type Client struct {
	cfg   Config
	base  *url.URL
	rest  *rest
	gate  gate
	tasks tasks

	running atomic.Bool
	ready   chan struct{} // closed at the first READY

	mu       sync.Mutex // guards what follows
	identity Identity
	status   Status
	wire     *wire // of the session that is ready, else nil
}

// Identity is what the first READY tells about the bot.
type Identity struct {
	ApplicationID string
	User          *discordgo.User
}

// Status is how the connection does, for people who look after the bot.
type Status struct {
	Connected   bool
	Since       time.Time     // when Connected last changed; zero before the first connection
	Latency     time.Duration // of the last heartbeat that was acknowledged; 0 before
	Reconnects  int           // sessions made after the first
	LastError   error         // what ended the last session or attempt; nil where nothing did
	LastErrorAt time.Time
}

// New checks a configuration and makes a client of it. Nothing is sent before [Client.Run].
func New(cfg Config) (*Client, error) {
	cfg, base, err := cfg.check()
	if err != nil {
		return nil, err
	}
	return &Client{
		cfg:   cfg,
		base:  base,
		rest:  newREST(base, cfg.Token, cfg.Timing),
		gate:  newGate(cfg.Timing.Identify),
		ready: make(chan struct{}),
	}, nil
}

// Ready is closed when Discord has said for the first time who the bot is; [Client.Identity] has it from then on.
func (c *Client) Ready() <-chan struct{} { return c.ready }

// Identity returns who the bot is, zero before [Client.Ready].
func (c *Client) Identity() Identity {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.identity
}

// Status returns how the connection does now.
func (c *Client) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.status
	if c.wire != nil {
		s.Latency = c.wire.latency()
	}
	return s
}

// connected notes a session that Discord has greeted with READY.
func (c *Client) connected(w *wire, id Identity) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.identity == (Identity{}) {
		close(c.ready)
	} else {
		c.status.Reconnects++
	}
	c.identity, c.wire = id, w
	c.status.Connected, c.status.Since = true, time.Now()
}

// disconnected notes the end of a session, or of an attempt at one.
func (c *Client) disconnected(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wire != nil {
		c.status.Latency = c.wire.latency()
		c.status.Connected, c.status.Since = false, time.Now()
		c.wire = nil
	}
	if err != nil {
		c.status.LastError, c.status.LastErrorAt = err, time.Now()
	}
}
