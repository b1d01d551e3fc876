package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// Run connects to Discord and stays connected until the context ends; then it closes the session, waits for running handlers
// and returns nil. It returns an error where trying again can't help: one that is [ErrUnauthorized] where Discord refuses
// the token, or a [CloseError] that says what to do. A client runs once.
func (c *Client) Run(ctx context.Context) error {
	if !c.running.CompareAndSwap(false, true) {
		return errors.New("gateway: Run called twice")
	}
	handling, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	c.tasks.open(handling)
	err := c.stay(ctx)
	c.drain(cancel)
	c.rest.close()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// stay holds one session after the other.
func (c *Client) stay(ctx context.Context) error {
	if err := c.preflight(ctx); err != nil {
		return err
	}
	for failures := 0; ; failures++ {
		if err := c.gate.wait(ctx); err != nil {
			return err
		}
		lasted, identified, err := c.session(ctx)
		if !identified {
			c.gate.refund()
		}
		c.disconnected(err)
		if ctx.Err() != nil || hopeless(err) {
			return err
		}
		if lasted > c.cfg.Timing.BackoffMax {
			failures = 0
		}
		pause := backoff(failures, c.cfg.Timing.BackoffMin, c.cfg.Timing.BackoffMax)
		c.cfg.Logger.Warn("session lost", "error", c.scrub(err), "lasted", lasted.Round(time.Millisecond), "pause", pause.Round(time.Millisecond))
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// hopeless tells the errors that come again whatever one does.
func hopeless(err error) bool {
	if e, ok := errors.AsType[*CloseError](err); ok {
		_, ok = fatal(e.Code)
		return ok
	}
	return errors.Is(err, ErrUnauthorized)
}

// preflight asks Discord, before the first identify, whether the token is good and how many identifies are left today: who uses
// up all of them, say in a restart loop, has the token reset by Discord. No other failure counts: the session will meet it again.
func (c *Client) preflight(ctx context.Context) error {
	var bot struct {
		Shards int
		Limit  struct {
			Remaining  *int
			ResetAfter float64 `json:"reset_after"` // milliseconds
		} `json:"session_start_limit"`
	}
	err := c.rest.do(ctx, request{what: "ask for the gateway", method: http.MethodGet, path: "/gateway/bot", out: &bot, once: true})
	if errors.Is(err, ErrUnauthorized) {
		c.disconnected(err)
		return refused(err)
	}
	if err != nil {
		c.cfg.Logger.Warn("no word on the gateway, going on", "error", err)
		return nil
	}
	if bot.Shards > 1 {
		c.cfg.Logger.Warn("Discord would like shards, which this bot doesn't have", "shards", bot.Shards)
	}
	if left := bot.Limit.Remaining; left != nil && *left <= 0 {
		pause := seconds(bot.Limit.ResetAfter / 1000)
		c.cfg.Logger.Error("no sessions left for today, waiting", "pause", pause)
		return sleep(ctx, pause)
	}
	return nil
}

// refused says what a person can do about status 401.
func refused(err error) error {
	return fmt.Errorf("token refused by Discord: check DISCORD_TOKEN: %w", err)
}

// backoff is the pause after that many failures in a row: from half to the whole of least, 2·least, 4·least, … most. After none
// it is short, since every interaction in between is lost, but not nothing: other bots were cut off in the same instant.
func backoff(failures int, least, most time.Duration) time.Duration {
	if failures == 0 {
		return rand.N(least/4 + 1)
	}
	whole := most
	if shift := failures - 1; shift < 16 {
		whole = min(most, least<<shift)
	}
	return whole/2 + rand.N(whole/2+1)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A gate spaces identifies: one each interval, and over the day fewer than the 1000 that Discord allows, however often the
// session breaks. It is used by one goroutine.
type gate struct {
	every  time.Duration
	next   time.Time // the earliest moment for another identify
	spare  float64   // identifies saved up
	filled time.Time // when spare was last reckoned
}

const (
	gateSpare  = 50               // at most this many saved up,
	gateRefill = 96 * time.Second // and one more each: 900 a day
)

func newGate(every time.Duration) gate { return gate{every: every, spare: gateSpare} }

// wait returns when another identify is allowed, and counts it.
func (g *gate) wait(ctx context.Context) error {
	if err := sleep(ctx, g.delay(time.Now())); err != nil {
		return err
	}
	now := time.Now()
	g.refill(now)
	g.spare--
	g.next = now.Add(g.every)
	return nil
}

// refund takes back what wait counted, where no identify was sent.
func (g *gate) refund() {
	g.spare++
	g.next = time.Time{}
}

func (g *gate) delay(now time.Time) time.Duration {
	g.refill(now)
	delay := g.next.Sub(now)
	if g.spare < 1 {
		delay = max(delay, time.Duration((1-g.spare)*float64(gateRefill))+time.Millisecond)
	}
	return max(0, delay)
}

func (g *gate) refill(now time.Time) {
	if !g.filled.IsZero() {
		g.spare = min(gateSpare, g.spare+float64(now.Sub(g.filled))/float64(gateRefill))
	}
	g.filled = now
}

// drain waits for handlers that still run; those that don't end in time have their context ended, and a little time more.
func (c *Client) drain(cancel context.CancelFunc) {
	done := c.tasks.shut()
	if waitFor(done, c.cfg.Timing.Drain) {
		return
	}
	c.cfg.Logger.Warn("handlers still run at the end, stopping them")
	cancel()
	if !waitFor(done, c.cfg.Timing.Drain/5) {
		c.cfg.Logger.Error("handlers didn't stop, leaving them")
	}
}

func waitFor(done <-chan struct{}, d time.Duration) bool {
	select {
	case <-done:
		return true
	case <-time.After(d):
		return false
	}
}

// tasks counts running handlers, and takes no more once it is shut. It is shut when made.
type tasks struct {
	mu  sync.Mutex
	ctx context.Context // nil: takes none
	wg  sync.WaitGroup
}

func (t *tasks) open(ctx context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ctx = ctx
}

// start runs f in a goroutine of its own, unless shut.
func (t *tasks) start(f func(context.Context)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx == nil {
		return false
	}
	ctx := t.ctx
	t.wg.Go(func() { f(ctx) })
	return true
}

// shut returns a channel that is closed when the last task has ended.
func (t *tasks) shut() <-chan struct{} {
	t.mu.Lock()
	t.ctx = nil
	t.mu.Unlock()
	done := make(chan struct{})
	go func() {
		t.wg.Wait()
		close(done)
	}()
	return done
}

// scrub makes an error of somebody else's fit for the log.
func (c *Client) scrub(err error) slog.Value {
	return slog.StringValue(scrub(err.Error(), string(c.cfg.Token)))
}
