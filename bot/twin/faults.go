package twin

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Greeting is what a client gets after hello and identify or resume.
type Greeting int

// Greetings. All but GreetReady are faults that have been seen or feared.
const (
	GreetReady     Greeting = iota // READY or RESUMED, as it should be
	GreetReconnect                 // op 7 first, and nothing more
	GreetAck                       // op 11 first, then READY
	GreetInvalid                   // op 9 first; an identify is then answered
	GreetSilent                    // never READY
	GreetMute                      // never even hello
)

// Fault spoils REST requests.
type Fault struct {
	Method string // empty: any
	Prefix string // of the path after /api/v10; empty: any
	Status int    // the answer's status; 0 cuts the connection instead
	Body   string // the answer's body
	Header http.Header
	After  bool // the request is carried out first, so that only its answer is lost
	Times  int  // how often; 0 is once
}

// faults is what a test asked to go wrong, guarded by Twin.mu.
type faults struct {
	silent    bool
	greetings []Greeting
	hold      chan struct{} // nil, or closed when callbacks go on
	delay     time.Duration
	rest      []*Fault
}

// Greet makes the next connections begin with these greetings, one each.
func (t *Twin) Greet(list ...Greeting) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults.greetings = append(t.faults.greetings, list...)
}

func (t *Twin) nextGreeting() Greeting {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.faults.greetings) == 0 {
		return GreetReady
	}
	g := t.faults.greetings[0]
	t.faults.greetings = t.faults.greetings[1:]
	return g
}

// Silence stops acknowledging heartbeats, or starts again.
func (t *Twin) Silence(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults.silent = on
}

func (t *Twin) silenced() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.faults.silent
}

// Hold keeps interaction callbacks waiting until release is called: they are
// received, and carried out and answered only then.
func (t *Twin) Hold() (release func()) {
	hold := make(chan struct{})
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults.hold = hold
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.faults.hold == hold {
			t.faults.hold = nil
			close(hold)
		}
	}
}

// Delay makes each interaction callback take that long to arrive.
func (t *Twin) Delay(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults.delay = d
}

// wait keeps a callback as Hold and Delay ask for; false where the request is
// gone meanwhile.
func (c *call) wait() bool {
	c.t.mu.Lock()
	hold, delay := c.t.faults.hold, c.t.faults.delay
	c.t.mu.Unlock()
	if hold == nil && delay == 0 {
		return true
	}
	var timer <-chan time.Time
	if delay > 0 {
		timer = time.After(delay)
	}
	for hold != nil || timer != nil {
		select {
		case <-hold:
			hold = nil
		case <-timer:
			timer = nil
		case <-c.r.Context().Done():
			return false
		case <-c.t.done:
			return false
		}
	}
	return true
}

// Fail makes the next matching requests go wrong.
func (t *Twin) Fail(f Fault) {
	if f.Times == 0 {
		f.Times = 1
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults.rest = append(t.faults.rest, &f)
}

// FailNext is Fail for one request that isn't carried out. A status of 0 cuts
// the connection.
func (t *Twin) FailNext(method, prefix string, status int, body string) {
	t.Fail(Fault{Method: method, Prefix: prefix, Status: status, Body: body})
}

// fault returns the fault that this request is to have, nil for none.
func (t *Twin) fault(method, path string) *Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.faults.rest {
		if f.Times > 0 && (f.Method == "" || f.Method == method) && strings.HasPrefix(path, f.Prefix) {
			f.Times--
			return f
		}
	}
	return nil
}

// answer sends the fault's answer, or cuts the connection.
func (f *Fault) answer(w http.ResponseWriter) {
	if f.Status == 0 {
		panic(http.ErrAbortHandler)
	}
	for key, values := range f.Header {
		w.Header()[key] = values
	}
	if json.Valid([]byte(f.Body)) && w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(f.Status)
	_, _ = io.WriteString(w, f.Body)
}

// Deliver sends an interaction's event once more, as a resume or a fault of
// Discord's would.
func (t *Twin) Deliver(in *Interaction) error {
	return t.SendRaw("INTERACTION_CREATE", in.payload)
}

// SendRaw sends an event with any data at all to the newest session.
func (t *Twin) SendRaw(event string, data json.RawMessage) error {
	s := t.gate.current()
	if s == nil {
		return fmt.Errorf("send %s: %w", event, ErrNotConnected)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.event(s.conn.Load(), event, data)
	return nil
}

// SendFrame sends a frame as it is, outside the numbered events.
func (t *Twin) SendFrame(frame string) error {
	s := t.gate.current()
	if s == nil {
		return fmt.Errorf("send a frame: %w", ErrNotConnected)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.conn.Load(); c != nil {
		c.send([]byte(frame))
	}
	return nil
}

// Reconnect asks the bot to connect again (op 7).
func (t *Twin) Reconnect() error { return t.SendFrame(`{"op":7,"d":null}`) }

// AskHeartbeat asks the bot for a heartbeat at once (op 1).
func (t *Twin) AskHeartbeat() error { return t.SendFrame(`{"op":1,"d":null}`) }

// InvalidSession ends the newest session (op 9). The connection stays open and
// takes an identify.
func (t *Twin) InvalidSession() error {
	s := t.gate.current()
	if s == nil {
		return fmt.Errorf("invalid session: %w", ErrNotConnected)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead.Store(true)
	if c := s.conn.Swap(nil); c != nil {
		c.session.Store(nil)
		c.send([]byte(`{"op":9,"d":false}`))
	}
	return nil
}

// Drop ends every connection of the bot with this close code; code 0 cuts the
// line without a word. Sessions can be resumed, save after 1000 and 4009.
func (t *Twin) Drop(code int) {
	t.gate.mu.Lock()
	list := make([]*conn, 0, len(t.gate.conns))
	for c := range t.gate.conns {
		list = append(list, c)
	}
	t.gate.mu.Unlock()
	for _, c := range list {
		c.kill(code, "dropped")
	}
}

// ForgetSessions makes every session without a connection unknown, so that a
// resume is refused.
func (t *Twin) ForgetSessions() {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	for _, s := range t.gate.sessions {
		if s.conn.Load() == nil {
			s.dead.Store(true)
		}
	}
}
