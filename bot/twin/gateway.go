package twin

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// Gateway opcodes that are compared or built from values; frames that never
// vary (ops 0, 7, 9 and 11) are written out where they are sent.
const (
	opHeartbeat      = 1
	opIdentify       = 2
	opPresence       = 3
	opVoiceState     = 4
	opResume         = 6
	opRequestMembers = 8
	opHello          = 10
)

// Gateway intents that matter here.
const (
	intentGuilds     = 1 << 0
	intentPrivileged = 1<<1 | 1<<8 | 1<<15
	intentsKnown     = 1<<26 - 1
)

// Close codes of the gateway.
const (
	closeUnknown        = 4000
	closeUnknownOpcode  = 4001
	closeDecodeError    = 4002
	closeNotIdentified  = 4003
	closeBadToken       = 4004
	closeIdentified     = 4005
	closeBadSequence    = 4007
	closeRateLimited    = 4008
	closeTimedOut       = 4009
	closeInvalidVersion = 4012
	closeInvalidIntents = 4013
	closeDisallowed     = 4014
)

// connKey finds the raw connection in a request's context, so that it can be
// cut without the WebSocket's farewell.
type connKey struct{}

// gate holds the sessions of the gateway.
type gate struct {
	mu         sync.Mutex
	conns      map[*conn]bool
	sessions   []*session // oldest first
	pending    []*Interaction
	identifies []time.Time
}

// session is what a resume takes up again. Its connection may come and go.
type session struct {
	id      string
	intents int
	conn    atomic.Pointer[conn]
	dead    atomic.Bool

	mu  sync.Mutex // orders numbers and writes
	seq int64
	log []sent
}

// sent is an event kept for a resume.
type sent struct {
	seq   int64
	frame []byte
}

// conn is one WebSocket.
type conn struct {
	t        *Twin
	ws       *websocket.Conn
	raw      net.Conn
	ctx      context.Context
	session  atomic.Pointer[session] // set once, by the reader
	greeting Greeting
	timer    *time.Timer
	frames   []time.Time
}

// packet is what a client sends.
type packet struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
}

// serveGateway speaks with one client until it goes.
func (t *Twin) serveGateway(w http.ResponseWriter, r *http.Request) {
	raw, _ := r.Context().Value(connKey{}).(net.Conn)
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return
	}
	ws.SetReadLimit(1 << 20)
	c := &conn{t: t, ws: ws, raw: raw, ctx: context.Background()}
	defer c.end()
	if !t.gate.add(c) || t.isClosed() {
		return
	}
	if v := r.URL.Query().Get("v"); v != "" {
		if n, err := strconv.Atoi(v); err != nil || n < minAPIVersion || n > maxAPIVersion {
			c.wrong(closeInvalidVersion, "Invalid API version.")
			return
		}
	}
	c.run()
}

func (t *Twin) isClosed() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// run says hello and answers packets until the connection ends.
func (c *conn) run() {
	if c.greeting = c.t.nextGreeting(); c.greeting == GreetMute {
		c.drain()
		return
	}
	limit := 2*c.t.cfg.Heartbeat + time.Second
	c.timer = time.AfterFunc(limit, func() { c.kill(closeTimedOut, "Session timed out") })
	defer c.timer.Stop()
	c.send(control(opHello, map[string]any{"heartbeat_interval": c.t.cfg.Heartbeat.Milliseconds()}))
	for {
		_, data, err := c.ws.Read(c.ctx)
		if err != nil {
			c.left(err)
			return
		}
		p, ok := c.decode(data)
		if !ok {
			return
		}
		if p.Op == opHeartbeat {
			c.t.beats.Add(1)
			c.timer.Reset(limit)
		}
		if !c.take(p) {
			return
		}
	}
}

// decode reads a packet within the limits; false ends the connection.
func (c *conn) decode(data []byte) (p packet, ok bool) {
	if !c.fits(data) {
		return p, false
	}
	if json.Unmarshal(data, &p) != nil {
		c.wrong(closeDecodeError, "Error while decoding payload.")
		return p, false
	}
	return p, true
}

// drain reads until the client gives up.
func (c *conn) drain() {
	for {
		if _, _, err := c.ws.Read(c.ctx); err != nil {
			return
		}
	}
}

// fits checks the limits on what a client sends.
func (c *conn) fits(data []byte) bool {
	if len(data) > maxGatewayPayload {
		c.wrong(closeDecodeError, "Payload is over 4096 bytes.")
		return false
	}
	now := c.t.cfg.Now()
	c.frames = slices.DeleteFunc(c.frames, func(at time.Time) bool { return now.Sub(at) >= time.Minute })
	c.frames = append(c.frames, now)
	if len(c.frames) > maxGatewayPerMin {
		c.wrong(closeRateLimited, "You are being rate limited.")
		return false
	}
	return true
}

// take answers one packet; false ends the connection.
func (c *conn) take(p packet) bool {
	switch p.Op {
	case opHeartbeat:
		if !c.t.silenced() {
			c.send([]byte(`{"op":11}`))
		}
		return true
	case opIdentify:
		return c.identify(p.Data)
	case opResume:
		return c.resume(p.Data)
	case opPresence, opVoiceState, opRequestMembers:
		if c.session.Load() == nil {
			c.wrong(closeNotIdentified, "Not authenticated.")
			return false
		}
		return true
	}
	c.wrong(closeUnknownOpcode, "Unknown opcode.")
	return false
}

// left notes how the client went: a normal farewell ends the session.
func (c *conn) left(err error) {
	code := websocket.CloseStatus(err)
	if s := c.session.Load(); s != nil && (code == websocket.StatusNormalClosure || code == websocket.StatusGoingAway) {
		s.dead.Store(true)
	}
}

// end forgets the connection.
func (c *conn) end() {
	if s := c.session.Load(); s != nil {
		s.conn.CompareAndSwap(c, nil)
	}
	c.t.gate.remove(c)
	_ = c.raw.Close()
	_ = c.ws.CloseNow()
	c.t.mu.Lock()
	c.t.touch()
	c.t.mu.Unlock()
}

// send writes one frame. A failed write shows at the reader; a client that
// doesn't read for ten seconds is lost.
func (c *conn) send(frame []byte) {
	_ = c.raw.SetWriteDeadline(time.Now().Add(10 * time.Second))
	_ = c.ws.Write(c.ctx, websocket.MessageText, frame)
}

// wrong closes the connection for what the client did, and records it.
func (c *conn) wrong(code int, reason string) {
	c.t.violate("gateway", "", strconv.Itoa(code), reason)
	c.farewell(code, reason)
}

// farewell writes a close frame and lets the client read it before the
// connection is cut.
func (c *conn) farewell(code int, reason string) {
	_ = c.raw.SetDeadline(time.Now().Add(2 * time.Second))
	_ = c.ws.Close(websocket.StatusCode(code), reason)
}

// kill closes from outside the reader, without waiting; code 0 cuts the line.
func (c *conn) kill(code int, reason string) {
	if s := c.session.Load(); s != nil {
		s.conn.CompareAndSwap(c, nil)
		if code == closeTimedOut || code == int(websocket.StatusNormalClosure) {
			s.dead.Store(true)
		}
	}
	if code == 0 || !c.t.start(func() { c.farewell(code, reason) }) {
		_ = c.raw.Close()
	}
}

func (g *gate) add(c *conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.raw == nil {
		return false
	}
	if g.conns == nil {
		g.conns = map[*conn]bool{}
	}
	g.conns[c] = true
	return true
}

func (g *gate) remove(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
}

// killAll cuts every line.
func (g *gate) killAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := range g.conns {
		_ = c.raw.Close()
	}
}

// control is a frame outside the numbered events.
func control(op int, data any) []byte {
	frame, _ := json.Marshal(map[string]any{"op": op, "d": data, "s": nil, "t": nil})
	return frame
}

// dispatch is the frame of a numbered event.
func dispatch(event string, seq int64, data []byte) []byte {
	frame := make([]byte, 0, len(data)+len(event)+48)
	frame = append(frame, `{"t":"`...)
	frame = append(frame, event...)
	frame = append(frame, `","s":`...)
	frame = strconv.AppendInt(frame, seq, 10)
	frame = append(frame, `,"op":0,"d":`...)
	frame = append(frame, data...)
	return append(frame, '}')
}
