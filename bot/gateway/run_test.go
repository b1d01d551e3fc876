package gateway_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/rubberbot/rubberbot/bot/gateway"
)

func TestRun(t *testing.T) {
	t.Parallel()
	identify, query, closed := make(chan string, 1), make(chan string, 1), make(chan string, 1)
	b := start(t, newDiscord(t, func(p *peer) {
		query <- p.query
		p.greet(quick)
		identify <- string(p.last)
		p.send(readyMsg)
		p.stay()
		closed <- string(p.last)
	}).serve())

	if q, _ := url.ParseQuery(<-query); q.Get("v") != "10" || q.Get("encoding") != "json" {
		t.Errorf("the gateway was asked for %v, want version 10 and json", q)
	}
	for _, want := range []string{`"token":"Bot ` + token + `"`, `"intents":0`, `"compress":false`} {
		if got := <-identify; !strings.Contains(got, want) {
			t.Errorf("identify = %s, want %s in it", got, want)
		} else {
			identify <- got
		}
	}
	<-b.Ready()
	want := gateway.Identity{ApplicationID: "43", User: &discordgo.User{ID: "42", Username: "rubber"}}
	if diff := cmp.Diff(want, b.Identity()); diff != "" {
		t.Errorf("Identity() (-want +got):\n%s", diff)
	}
	eventually(t, "a heartbeat's latency", func() bool { return b.Status().Latency > 0 })
	if s := b.Status(); !s.Connected || s.Since.IsZero() || s.Reconnects != 0 || s.LastError != nil {
		t.Errorf("Status() = %+v, want connected, no reconnects, no error", s)
	}
	b.cancel()
	if err := b.end(); err != nil {
		t.Errorf("Run = %v, want nil after its context ended", err)
	}
	if got := <-closed; !strings.Contains(got, "1000") && !strings.Contains(got, "StatusNormalClosure") {
		t.Errorf("the gateway saw %q, want a close frame", got)
	}
	if b.Status().Connected {
		t.Error("Status().Connected = true after the end")
	}
	if err := b.Run(t.Context()); err == nil {
		t.Error("a second Run = nil, want an error")
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 500 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("no %s in 5 s", what)
}

// Each row's gateway does something wrong on its first connection, which is enough to hang, kill or mislead a bare discordgo
// session. The client must come through, and handle the command that a healthy session brings.
func TestRunSurvives(t *testing.T) {
	t.Parallel()
	const short = 400 * time.Millisecond // for those that wait for a timeout
	tests := []struct {
		name  string
		fault func(p *peer)
		conns int32 // connections until all is well
		open  time.Duration
	}{
		{"no Hello ever", func(p *peer) { p.stay() }, 2, short},
		{"no READY ever", func(p *peer) { p.greet(slow); p.stay() }, 2, short},
		{"READY never, heartbeats asked for", func(p *peer) { p.greet(slow); p.send(`{"op":1}`); p.stay() }, 2, short},
		{"op 7 instead of Hello", func(p *peer) { p.send(`{"op":7}`); p.stay() }, 2, 0},
		{"op 7 first after identify", func(p *peer) { p.greet(slow); p.send(`{"op":7,"d":null}`); p.stay() }, 2, 0},
		{"op 7 later", func(p *peer) { p.ready(slow); p.send(`{"op":7,"d":null}`); p.stay() }, 2, 0},
		{"op 11 first after identify", func(p *peer) { p.greet(slow); p.send(`{"op":11}`); p.send(readyMsg); p.send(command("good")); p.stay() }, 1, 0},
		{"op 11 instead of Hello", func(p *peer) { p.send(`{"op":11}`); p.healthy() }, 1, 0},
		{"op 1 first after identify", func(p *peer) { p.greet(slow); p.send(`{"op":1}`); p.send(readyMsg); p.send(command("good")); p.stay() }, 1, 0},
		{"op 9 first after identify", func(p *peer) { p.greet(slow); p.send(`{"op":9,"d":false}`); p.stay() }, 2, 0},
		{"op 9 later", func(p *peer) { p.ready(slow); p.send(`{"op":9,"d":true}`); p.stay() }, 2, 0},
		{"a command before READY", func(p *peer) { p.greet(slow); p.send(command("good")); p.send(readyMsg); p.stay() }, 1, 0},
		{"READY twice", func(p *peer) { p.ready(slow); p.send(readyMsg); p.send(readyMsg); p.send(command("good")); p.stay() }, 1, 0},
		{"Hello without an interval", func(p *peer) { p.send(`{"op":10,"d":{}}`); p.stay() }, 2, 0},
		{"Hello with interval -1", func(p *peer) { p.hello(-1); p.stay() }, 2, 0},
		{"Hello with an interval of years", func(p *peer) { p.hello(1 << 50); p.stay() }, 2, 0},
		{"null", func(p *peer) { p.send(`null`); p.ready(slow); p.send(`null`); p.send(command("good")); p.stay() }, 1, 0},
		{"no JSON", func(p *peer) {
			p.ready(slow)
			p.send(`<html>`)
			p.send(`[]`)
			p.send(`{"op":"x"}`)
			p.send(command("good"))
			p.stay()
		}, 1, 0},
		{"ops and events unknown or without body", func(p *peer) {
			p.ready(slow)
			p.send(`{"op":99}`)
			p.send(`{"op":0,"t":"GUILD_CREATE","d":null}`)
			p.send(`{"op":0,"t":"VOICE_SERVER_UPDATE","d":{}}`)
			p.send(`{"op":0,"t":"INTERACTION_CREATE","d":null}`)
			p.send(command("good"))
			p.stay()
		}, 1, 0},
		{"binary", func(p *peer) {
			p.ready(slow)
			_ = p.conn.Write(context.Background(), websocket.MessageBinary, []byte("x\x9c"))
			p.send(command("good"))
			p.stay()
		}, 1, 0},
		{"close 4000", func(p *peer) { p.ready(slow); p.conn.Close(4000, "") }, 2, 0},
		{"close 4009 before READY", func(p *peer) { p.greet(slow); p.conn.Close(4009, "") }, 2, 0},
		{"close 1000", func(p *peer) { p.ready(slow); p.conn.Close(1000, "") }, 2, 0},
		{"cut before READY", func(p *peer) { p.greet(slow); p.conn.CloseNow() }, 2, 0},
		{"cut", func(p *peer) { p.ready(slow); p.conn.CloseNow() }, 2, 0},
		{"heartbeats never acknowledged, found by the wire", func(p *peer) { p.deaf(2 * quick) }, 2, 0},
		{"heartbeats never acknowledged, found by discordgo", func(p *peer) { p.deaf(quick / 2) }, 2, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDiscord(t, func(p *peer) {
				if p.n == 1 {
					tt.fault(p)
					return
				}
				p.healthy()
			}).serve()
			b := start(t, d, open(tt.open))
			for b.next().ID != "good" {
			}
			if got := d.conns.Load(); got != tt.conns {
				t.Errorf("%d connections, want %d; log:\n%s", got, tt.conns, b.log)
			}
			<-b.Ready()
			b.cancel()
			if err := b.end(); err != nil {
				t.Errorf("Run = %v, want nil", err)
			}
		})
	}
}

func TestRunGivesUp(t *testing.T) {
	t.Parallel()
	closing := func(code websocket.StatusCode, ready bool) func(p *peer) {
		return func(p *peer) {
			if p.greet(slow); ready {
				p.send(readyMsg)
			}
			p.conn.Close(code, "whatever")
		}
	}
	tests := []struct {
		name         string
		script       func(p *peer)
		want         string
		unauthorized bool
	}{
		{"4004", closing(4004, false), "Discord refused the token (close code 4004): check DISCORD_TOKEN", true},
		{"4004 later", closing(4004, true), "Discord refused the token (close code 4004): check DISCORD_TOKEN", true},
		{"4010", closing(4010, false), "close code 4010", false},
		{"4011", closing(4011, false), "too many guilds", false},
		{"4012", closing(4012, false), "newer release", false},
		{"4013", closing(4013, false), "intents", false},
		{"4014", closing(4014, false), "intents", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDiscord(t, tt.script).serve()
			b := start(t, d)
			err := b.end()
			if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, gateway.ErrUnauthorized) != tt.unauthorized {
				t.Errorf("Run = %v, want %q in it, unauthorized %v", err, tt.want, tt.unauthorized)
			}
			if got := d.conns.Load(); got != 1 {
				t.Errorf("%d connections, want 1", got)
			}
			if b.Status().LastError == nil {
				t.Error("Status().LastError = nil, want what Run returned")
			}
		})
	}
}

func TestRunWithoutAGoodToken(t *testing.T) {
	t.Parallel()
	refuse := func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"message":"401: Unauthorized","code":0}`)
	}
	for name, change := range map[string]func(*discord){
		"gateway/bot": func(d *discord) { d.gatewayBot = refuse },
		"gateway":     func(d *discord) { d.gateway, d.gatewayBot = refuse, http.NotFound },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDiscord(t, (*peer).healthy)
			change(d)
			err := start(t, d.serve()).end()
			if !errors.Is(err, gateway.ErrUnauthorized) || !strings.Contains(err.Error(), "check DISCORD_TOKEN") {
				t.Errorf("Run = %v, want ErrUnauthorized and what to do", err)
			}
			if d.conns.Load() != 0 {
				t.Error("it connected all the same")
			}
		})
	}
}

// A start with no identifies left waits for the day to turn; another identify would cost the token.
func TestRunWaitsForIdentifies(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, (*peer).healthy)
	d.gatewayBot = func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"session_start_limit":{"total":1000,"remaining":0,"reset_after":300}}`)
	}
	begin := time.Now()
	start(t, d.serve()).next()
	if took := time.Since(begin); took < 300*time.Millisecond {
		t.Errorf("connected after %v, want 300 ms at least", took)
	}
}

func TestServerComesBack(t *testing.T) {
	t.Parallel()
	die := make(chan bool)
	d := newDiscord(t, func(p *peer) { p.ready(slow); p.send(command("one")); <-die })
	d.Start()
	addr := d.Listener.Addr().String()
	b := start(t, d)
	b.next()
	d.Listener.Close()
	close(die)
	d.Close()
	eventually(t, "loss", func() bool { return !b.Status().Connected && b.Status().LastError != nil })
	time.Sleep(100 * time.Millisecond) // a few attempts at nobody

	listener, err := net.Listen("tcp", addr)
	if err != nil {
		t.Skip("somebody took the port:", err)
	}
	again := newDiscord(t, (*peer).healthy)
	again.Listener.Close()
	again.Listener = listener
	again.serve()
	if got := b.next().ID; got != "good" {
		t.Errorf("handled %q, want the command of the server that came back", got)
	}
	eventually(t, "reconnect", func() bool { return b.Status().Reconnects == 1 })
}

// The wire sees what is inside TLS: the code of a close frame, long after READY.
func TestTLS(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, func(p *peer) {
		p.ready(slow)
		p.send(command("good"))
		time.Sleep(50 * time.Millisecond)
		p.conn.Close(4004, "")
	})
	d.StartTLS()
	t.Cleanup(d.Close)
	b := &bot{t: t, ended: make(chan error, 1), handled: make(chan *discordgo.Interaction, 1), log: &logbook{}}
	client, err := gateway.New(gateway.Config{Token: token, URL: d.URL, Handle: func(_ context.Context, in *discordgo.Interaction) { b.handled <- in }})
	if err != nil {
		t.Fatal(err)
	}
	client.Trust(d.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs)
	b.Client = client
	b.run()
	b.next()
	if err := b.end(); !errors.Is(err, gateway.ErrUnauthorized) {
		t.Errorf("Run = %v, want ErrUnauthorized for close code 4004", err)
	}
}

func TestDrain(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, (*peer).healthy).serve()
	running, finish := make(chan bool), make(chan bool)
	var finished atomic.Bool
	b := start(t, d, func(c *gateway.Config) {
		c.Handle = func(ctx context.Context, _ *discordgo.Interaction) {
			running <- true
			<-finish
			finished.Store(ctx.Err() == nil)
		}
	})
	<-running
	b.cancel()
	select {
	case <-b.ended:
		t.Fatal("Run returned while a handler ran")
	case <-time.After(100 * time.Millisecond):
	}
	close(finish)
	if err := b.end(); err != nil || !finished.Load() {
		t.Errorf("Run = %v with the handler finished in peace: %v, want nil and true", err, finished.Load())
	}
}

func TestDrainIsBounded(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, (*peer).healthy).serve()
	running, told := make(chan bool), make(chan bool, 1)
	b := start(t, d, func(c *gateway.Config) {
		c.Timing.Drain = 50 * time.Millisecond
		c.Handle = func(ctx context.Context, _ *discordgo.Interaction) {
			running <- true
			<-ctx.Done()
			told <- true
		}
	})
	<-running
	b.cancel()
	if err := b.end(); err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
	<-told
}

func TestHandlerPanics(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, func(p *peer) { p.ready(slow); p.send(command("bad")); p.send(command("good")); p.stay() }).serve()
	good := make(chan bool)
	b := start(t, d, func(c *gateway.Config) {
		c.Handle = func(_ context.Context, in *discordgo.Interaction) {
			if in.ID == "bad" {
				panic("at " + in.Token + " of " + token)
			}
			good <- true
		}
	})
	<-good
	eventually(t, "stack in the log", func() bool {
		return strings.Contains(b.log.String(), "a handler panicked") && strings.Contains(b.log.String(), "run_test.go")
	})
}

func TestStopWhileConnecting(t *testing.T) {
	t.Parallel()
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	tests := map[string]func() *discord{
		"no answer to gateway/bot": func() *discord {
			d := newDiscord(t, nil)
			d.gatewayBot = hang
			return d
		},
		"no answer to gateway": func() *discord {
			d := newDiscord(t, nil)
			d.gateway = hang
			return d
		},
		"no Hello": func() *discord { return newDiscord(t, (*peer).stay) },
	}
	for name, setup := range tests {
		t.Run(name, func(t *testing.T) {
			b := start(t, setup().serve())
			time.Sleep(50 * time.Millisecond)
			begin := time.Now()
			b.cancel()
			if err := b.end(); err != nil || time.Since(begin) > time.Second {
				t.Errorf("Run = %v after %v, want nil at once", err, time.Since(begin))
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	handle := func(context.Context, *discordgo.Interaction) {}
	for name, cfg := range map[string]gateway.Config{
		"no token":             {Handle: handle},
		"nothing but Bot":      {Handle: handle, Token: "Bot "},
		"a line break inside":  {Handle: handle, Token: "secret-\ntoken"},
		"no handler":           {Token: token},
		"no scheme":            {Handle: handle, Token: token, URL: "discord.com"},
		"another scheme":       {Handle: handle, Token: token, URL: "ftp://discord.com"},
		"a URL with a control": {Handle: handle, Token: token, URL: "http://me:secret-token@x\x7f"},
		"no host":              {Handle: handle, Token: token, URL: "https:///api"},
	} {
		if _, err := gateway.New(cfg); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("New with %s = %v, want an error without secrets", name, err)
		}
	}
}

// A base URL may have a path, and the token its "Bot ".
func TestURLWithPath(t *testing.T) {
	t.Parallel()
	var auth atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		auth.Store(r.URL.Path + " " + r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	client, err := gateway.New(gateway.Config{Token: "Bot abc", URL: server.URL + "/proxy/", Handle: func(context.Context, *discordgo.Interaction) {}})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Run(t.Context()); !errors.Is(err, gateway.ErrUnauthorized) {
		t.Errorf("Run = %v, want ErrUnauthorized", err)
	}
	if got, want := auth.Load(), "/proxy/api/v10/gateway/bot Bot abc"; got != want {
		t.Errorf("asked for %q, want %q", got, want)
	}
}
