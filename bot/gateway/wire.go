package gateway

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A wire is the connection beneath a discordgo session. It hands on what the server sends frame by frame, and only frames that
// discordgo can take; it knows why the connection ended; and it never waits without a deadline.
//
// Only unfragmented messages are looked into, which is all that Discord sends; a fragmented one passes unseen.
type wire struct {
	net.Conn // HTTP and WebSocket, TLS already taken off
	log      *slog.Logger
	hello    time.Time // deadline for everything until READY

	// The reader's own.
	in, out  []byte // read and not yet looked at; looked at and not yet handed on
	scratch  [4096]byte
	upgraded bool  // the server's answer to the HTTP request is through
	refused  bool  // and isn't yes: what follows is no frames
	failed   error // to be returned once out is empty

	interval atomic.Int64 // between heartbeats, a Duration; 0 before Hello
	acked    atomic.Int64 // when the last heartbeat was acknowledged, Unix nanoseconds; 0 before READY
	wrote    atomic.Int64 // when something was last written, likewise; after identify that is heartbeats only
	took     atomic.Int64 // from the last heartbeat to its acknowledgement, a Duration
	ending   atomic.Bool  // no frame passes any more but close

	once  sync.Once
	gone  chan struct{} // closed when the connection is of no more use
	cause error         // why; set before gone is closed
}

const (
	writeWait   = 10 * time.Second       // for one frame
	beats       = 2                      // heartbeats that may go by without an acknowledgement
	leeway      = 250 * time.Millisecond // for the last of them to arrive
	unknownBeat = 45 * time.Second       // where Hello went unseen
	maxBeat     = 10 * time.Minute       // a longer interval makes no sense
	maxFrame    = 16 << 20               // bytes
	maxHead     = 64 << 10               // bytes of the answer to the HTTP request
)

// Why a wire ends a session by itself.
var (
	errReconnect  = errors.New("reconnect asked for by Discord (op 7)")
	errInvalid    = errors.New("session called invalid by Discord (op 9)")
	errHello      = errors.New("the gateway's Hello has no usable heartbeat interval")
	errFrame      = errors.New("the gateway sent a frame that no server sends")
	errHeartbeats = errors.New("the gateway no longer acknowledges heartbeats")
	errClosed     = errors.New("discordgo closed the session")
	errNoReady    = errors.New("the gateway didn't get as far as READY in time")
)

func newWire(conn net.Conn, open time.Duration, log *slog.Logger) *wire {
	return &wire{Conn: conn, log: log, hello: time.Now().Add(open), gone: make(chan struct{})}
}

// lose notes why the connection ended; the first reason stays.
func (w *wire) lose(err error) {
	w.once.Do(func() {
		w.cause = err
		close(w.gone)
	})
}

// lost returns why the connection ended, nil while it hasn't.
func (w *wire) lost() error {
	select {
	case <-w.gone:
		return w.cause
	default:
		return nil
	}
}

// greeted tells whether Hello came, after which discordgo identifies.
func (w *wire) greeted() bool { return w.interval.Load() != 0 }

// ready notes READY: from now on acknowledged heartbeats keep the connection.
func (w *wire) ready() { w.acked.Store(time.Now().UnixNano()) }

func (w *wire) latency() time.Duration { return time.Duration(w.took.Load()) }

// Write implements [net.Conn], with a deadline of its own.
func (w *wire) Write(p []byte) (int, error) {
	w.wrote.Store(time.Now().UnixNano())
	_ = w.SetWriteDeadline(time.Now().Add(writeWait)) // fails on a closed connection only, as Write does then
	n, err := w.Conn.Write(p)
	if err != nil {
		w.ending.Store(true)
		w.lose(err)
	}
	return n, err
}

// Close implements [net.Conn]. discordgo closes by itself when it misses heartbeats, and its reader may then leave without
// reading to the end: nobody else would notice.
func (w *wire) Close() error {
	w.lose(errClosed)
	return w.Conn.Close()
}

// Read implements [net.Conn]. What arrived before an error is handed on before it.
func (w *wire) Read(p []byte) (int, error) {
	for len(w.out) == 0 {
		if w.failed != nil {
			return 0, w.failed
		}
		w.failed = w.fill()
	}
	n := copy(p, w.out)
	w.out = w.out[n:]
	return n, nil
}

// fill reads once from the network.
func (w *wire) fill() error {
	_ = w.SetReadDeadline(w.deadline()) // fails on a closed connection only, as Read does then
	n, err := w.Conn.Read(w.scratch[:])
	w.in = append(w.in, w.scratch[:n]...)
	if bad := w.sift(); bad != nil {
		err = bad
	} else if errors.Is(err, os.ErrDeadlineExceeded) {
		err = w.overdue()
	}
	if err != nil {
		w.lose(err)
	}
	return err
}

// deadline is when the server is to be given up. Only an acknowledgement puts it off once the session is ready, as Discord's
// documentation asks: a server that still sends events but hears no heartbeat is a zombie.
func (w *wire) deadline() time.Time {
	acked := w.acked.Load()
	if acked == 0 {
		return w.hello
	}
	interval := time.Duration(w.interval.Load())
	if interval == 0 {
		interval = unknownBeat
	}
	return time.Unix(0, acked).Add(beats*interval + leeway)
}

func (w *wire) overdue() error {
	if w.acked.Load() == 0 {
		return errNoReady
	}
	return errHeartbeats
}

// sift moves what is whole and may pass from in to out.
func (w *wire) sift() error {
	if !w.upgraded {
		return w.upgrade()
	}
	if w.refused {
		w.out, w.in = append(w.out, w.in...), nil
		return nil
	}
	for {
		f, err := parseFrame(w.in)
		if err != nil || f.size == 0 {
			return err
		}
		pass, err := w.look(f)
		if err != nil {
			return err
		}
		if pass {
			w.out = append(w.out, w.in[:f.size]...)
		}
		w.in = w.in[f.size:]
	}
}

// upgrade waits for the server's answer to the HTTP request.
func (w *wire) upgrade() error {
	head, rest, whole := bytes.Cut(w.in, []byte("\r\n\r\n"))
	if !whole {
		if len(head) > maxHead {
			return errFrame
		}
		return nil
	}
	if status, _, _ := bytes.Cut(head, []byte("\r\n")); !bytes.Contains(status, []byte(" 101")) {
		w.refused = true
		w.lose(fmt.Errorf("the gateway refused to speak WebSocket: %q", status))
	}
	w.upgraded = true
	w.out = append(w.out, w.in[:len(w.in)-len(rest)]...)
	w.in = rest
	return w.sift()
}

// Opcodes of RFC 6455, section 5.2.
const (
	frameText   = 1
	frameBinary = 2
	frameClose  = 8
)

// look tells whether a frame may pass. An error ends the session.
func (w *wire) look(f frame) (bool, error) {
	switch {
	case f.opcode == frameClose:
		w.lose(f.closing())
		return true, nil
	case w.ending.Load():
		return false, nil
	case f.opcode == frameBinary:
		return w.drop(f, "compressed, which was not asked for")
	case f.opcode == frameText && f.final:
		return w.message(f)
	}
	return true, nil
}

func (w *wire) drop(f frame, why string) (bool, error) {
	w.log.Warn("dropped a message of the gateway", "why", why, "bytes", len(f.payload))
	return false, nil
}

// message looks at a payload of the gateway. What discordgo has no use for doesn't reach it: it can only do harm there.
func (w *wire) message(f frame) (bool, error) {
	var m *struct {
		Op   int             `json:"op"`
		Type string          `json:"t"`
		Data json.RawMessage `json:"d"`
	}
	if err := json.Unmarshal(f.payload, &m); err != nil || m == nil {
		return w.drop(f, "not a payload")
	}
	switch m.Op {
	case 0:
		return m.Type == eventReady || m.Type == eventInteraction, nil
	case 1:
		return true, nil
	case 7:
		return false, errReconnect
	case 9:
		return false, errInvalid
	case 10:
		return true, w.greet(m.Data)
	case 11:
		return w.acknowledge(), nil
	}
	return false, nil
}

// The two events that a bot of slash commands lives on.
const (
	eventReady       = "READY"
	eventInteraction = "INTERACTION_CREATE"
)

// greet takes the heartbeat interval from Hello. discordgo makes a ticker of it, which panics at nought.
func (w *wire) greet(data []byte) error {
	var hello struct {
		Interval int64 `json:"heartbeat_interval"` // milliseconds
	}
	err := json.Unmarshal(data, &hello)
	if err != nil || hello.Interval <= 0 || hello.Interval > maxBeat.Milliseconds() {
		return errHello
	}
	w.interval.Store(int64(time.Duration(hello.Interval) * time.Millisecond))
	return nil
}

// acknowledge notes op 11, and tells whether discordgo may see it: before READY it would deadlock.
func (w *wire) acknowledge() bool {
	if w.acked.Load() == 0 {
		return false
	}
	now := time.Now().UnixNano()
	w.took.Store(now - w.wrote.Load())
	w.acked.Store(now)
	return true
}

// A frame is one of RFC 6455, from a server: never masked.
type frame struct {
	opcode  byte
	final   bool
	payload []byte
	size    int // of the whole frame; 0 where it isn't whole yet
}

// parseFrame reads the frame at the front of b.
func parseFrame(b []byte) (frame, error) {
	if len(b) < 2 {
		return frame{}, nil
	}
	head, length := 2, uint64(b[1])
	switch {
	case length > 127:
		return frame{}, errFrame
	case length == 126 && len(b) >= 4:
		head, length = 4, uint64(binary.BigEndian.Uint16(b[2:]))
	case length == 127 && len(b) >= 10:
		head, length = 10, binary.BigEndian.Uint64(b[2:])
	case length >= 126:
		return frame{}, nil
	}
	if length > maxFrame {
		return frame{}, errFrame
	}
	size := head + int(length)
	if len(b) < size {
		return frame{}, nil
	}
	return frame{opcode: b[0] & 0x0f, final: b[0]&0x80 != 0, payload: b[head:size], size: size}, nil
}

// closing reads the payload of a close frame.
func (f frame) closing() *CloseError {
	if len(f.payload) < 2 {
		return &CloseError{Code: 1005} // "no status", as RFC 6455 says
	}
	return &CloseError{Code: int(binary.BigEndian.Uint16(f.payload)), Reason: string(f.payload[2:])}
}
