package gateway

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// However often the session breaks, a day has no more identifies than Discord allows, and never two within five seconds.
func TestGateOverADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(5 * time.Second)
		begin, last, n := time.Now(), time.Time{}, 0
		for time.Since(begin) < 24*time.Hour {
			if err := g.wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if since := time.Since(last); since < 5*time.Second {
				t.Fatalf("two identifies within %v", since)
			}
			last = time.Now()
			n++
		}
		if n > 1000 || n < 900 {
			t.Errorf("%d identifies a day, want 900 to 1000", n)
		}
	})
}

// Attempts that never get as far as an identify don't count.
func TestGateRefund(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(5 * time.Second)
		begin := time.Now()
		for range 10 * gateSpare {
			if err := g.wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			g.refund()
		}
		if took := time.Since(begin); took != 0 {
			t.Errorf("waited %v, want no time", took)
		}
	})
}

func TestBackoff(t *testing.T) {
	tests := []struct {
		failures    int
		least, most time.Duration
	}{
		{0, 0, 250 * time.Millisecond},
		{1, 500 * time.Millisecond, time.Second},
		{2, time.Second, 2 * time.Second},
		{6, 16 * time.Second, 32 * time.Second},
		{7, 30 * time.Second, time.Minute},
		{1000, 30 * time.Second, time.Minute},
	}
	for _, tt := range tests {
		for range 100 {
			if got := backoff(tt.failures, time.Second, time.Minute); got < tt.least || got > tt.most {
				t.Fatalf("backoff(%d) = %v, want %v to %v", tt.failures, got, tt.least, tt.most)
			}
		}
	}
}

// A readConn is a connection that only reads.
type readConn struct {
	net.Conn
	io.Reader
}

func (c readConn) Read(p []byte) (int, error)      { return c.Reader.Read(p) }
func (c readConn) SetReadDeadline(time.Time) error { return nil }

func text(payload string) []byte {
	switch n := len(payload); {
	case n < 126:
		return append([]byte{0x81, byte(n)}, payload...)
	default:
		return append([]byte{0x81, 126, byte(n >> 8), byte(n)}, payload...)
	}
}

const upgraded = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"

// Frames pass whole or not at all, however the network cuts them.
func TestWireCutsNothing(t *testing.T) {
	hello := text(`{"op":10,"d":{"heartbeat_interval":41250}}`)
	ready := text(`{"op":0,"t":"READY","d":{"pad":"` + strings.Repeat("x", 10000) + `"}}`)
	noise := text(`{"op":0,"t":"TYPING_START","d":{}}`)
	closing := []byte{0x88, 5, 4004 >> 8, 4004 & 0xff, 'b', 'y', 'e'}
	sent := bytes.Join([][]byte{[]byte(upgraded), hello, noise, text("null"), ready, text(`{"op":11}`), closing}, nil)
	want := bytes.Join([][]byte{[]byte(upgraded), hello, ready, closing}, nil)
	for name, r := range map[string]io.Reader{
		"whole": bytes.NewReader(sent), "bytes": iotest.OneByteReader(bytes.NewReader(sent)), "halves": iotest.HalfReader(bytes.NewReader(sent)),
		"with the error": iotest.DataErrReader(bytes.NewReader(sent)),
	} {
		w := newWire(readConn{Reader: r}, time.Second, slog.New(slog.DiscardHandler))
		got, err := io.ReadAll(w)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: read %d bytes, %v, want the %d bytes of Hello, READY and close", name, len(got), err, len(want))
		}
		if e, ok := w.lost().(*CloseError); !ok || e.Code != 4004 || e.Reason != "bye" {
			t.Errorf("%s: lost = %v, want close code 4004, the first cause", name, w.lost())
		}
		if !w.greeted() || time.Duration(w.interval.Load()) != 41250*time.Millisecond {
			t.Errorf("%s: heartbeat interval %v, want 41.25 s", name, time.Duration(w.interval.Load()))
		}
	}
}

// What came before the packet that ends the session is handed on.
func TestWireHandsOnBeforeTheEnd(t *testing.T) {
	command := text(`{"op":0,"t":"INTERACTION_CREATE","d":{}}`)
	sent := bytes.Join([][]byte{[]byte(upgraded), command, text(`{"op":7}`), command}, nil)
	w := newWire(readConn{Reader: bytes.NewReader(sent)}, time.Second, slog.New(slog.DiscardHandler))
	got, err := io.ReadAll(w)
	if want := upgraded + string(command); string(got) != want || err != errReconnect {
		t.Errorf("read %q, %v, want %q and then the end", got, err, want)
	}
}

func TestWireRefused(t *testing.T) {
	sent := "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n\x81\x85"
	w := newWire(readConn{Reader: iotest.OneByteReader(strings.NewReader(sent))}, time.Second, slog.New(slog.DiscardHandler))
	got, err := io.ReadAll(w)
	if string(got) != sent || err != nil || !strings.Contains(w.lost().Error(), "503") {
		t.Errorf("read %q, %v, lost %v, want the answer as it was, and the status", got, err, w.lost())
	}
}

func FuzzWire(f *testing.F) {
	f.Add([]byte(upgraded), []byte{0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte(upgraded), text(`{"op":10,"d":{"heartbeat_interval":1e99}}`))
	f.Fuzz(func(t *testing.T, head, frames []byte) {
		w := newWire(readConn{Reader: io.MultiReader(bytes.NewReader(head), bytes.NewReader(frames))}, time.Second, slog.New(slog.DiscardHandler))
		got, _ := io.ReadAll(w)
		if len(got) > len(head)+len(frames) {
			t.Errorf("%d bytes of %d", len(got), len(head)+len(frames))
		}
	})
}

func FuzzParseInteraction(f *testing.F) {
	f.Add([]byte(`{"id":"1","token":"t","type":2,"user":{"id":"9"},"data":{"name":"deal","options":[{"type":3,"name":"o","value":"v"}]}}`))
	f.Add([]byte(`{"id":"1","token":"t","type":3,"user":{"id":"9"},"data":{"custom_id":"c"},"message":{"components":[{"type":99}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		in, err := parseInteraction(raw)
		if err == nil && (in.ID == "" || in.Token == "" || in.Data == nil || !hasUser(in)) {
			t.Errorf("parseInteraction(%s) = %+v, want id, token, data and user", raw, in)
		}
	})
}

// A proxy is asked for the gateway, with its password.
func TestTunnel(t *testing.T) {
	asked := make(chan string, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, _, _ := r.BasicAuth()
		asked <- r.Method + " " + r.RequestURI + " " + r.Header.Get("Proxy-Authorization") + user
		conn, rw, _ := w.(http.Hijacker).Hijack()
		fmt.Fprint(rw, "HTTP/1.1 200 Connection established\r\n\r\n")
		rw.Flush()
		line, _ := bufio.NewReader(conn).ReadString('\n')
		fmt.Fprint(conn, "echo "+line)
		conn.Close()
	}))
	defer proxy.Close()
	u, _ := url.Parse(proxy.URL)
	u.User = url.UserPassword("me", "pw")
	s := &session{ctx: t.Context(), proxy: u}
	conn, err := s.reach(t.Context(), "tcp", "gateway.discord.gg:443")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got, want := <-asked, "CONNECT gateway.discord.gg:443 Basic bWU6cHc="; got != want {
		t.Errorf("the proxy was asked %q, want %q", got, want)
	}
	fmt.Fprint(conn, "hello\n")
	if got, _ := io.ReadAll(conn); string(got) != "echo hello\n" {
		t.Errorf("through the tunnel came %q, want the echo", got)
	}
}

func TestTunnelRefused(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(407) }))
	defer proxy.Close()
	u, _ := url.Parse(proxy.URL)
	for _, p := range []*url.URL{u, {Scheme: "socks5", Host: u.Host}} {
		s := &session{ctx: t.Context(), proxy: p}
		if _, err := s.reach(t.Context(), "tcp", "gateway.discord.gg:443"); err == nil || !strings.Contains(err.Error(), "proxy") {
			t.Errorf("reach through %s = %v, want the proxy's refusal", p, err)
		}
	}
}

func TestSecret(t *testing.T) {
	cfg := Config{Token: "hush"}
	encoded, _ := json.Marshal(map[string]any{"t": cfg.Token})
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "token", cfg.Token)
	for _, got := range []string{fmt.Sprintf("%v %+v %#v %s %q %x", cfg, cfg, cfg, cfg.Token, cfg.Token, cfg.Token), string(encoded), log.String()} {
		if strings.Contains(got, "hush") || strings.Contains(got, "68757368") || !strings.Contains(got, redacted) {
			t.Errorf("printed %s, want %s", got, redacted)
		}
	}
}
