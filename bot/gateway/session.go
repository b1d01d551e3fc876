package gateway

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// A session is one discordgo.Session, from dialing to its loss. It is never opened again.
type session struct {
	c     *Client
	dg    *discordgo.Session
	ctx   context.Context // ends with the session, and closes its connection; not when Run is asked to stop
	ready chan Identity
	proxy *url.URL             // what the gateway is reached through, nil for nothing
	wire  atomic.Pointer[wire] // set while Open dials
}

// session holds one session. It returns how long it was ready, whether it came to an identify, and what ended it: nil where the
// context did.
func (c *Client) session(ctx context.Context) (lasted time.Duration, identified bool, err error) {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s := newSession(own, c)
	id, err := s.open(ctx)
	if err != nil {
		w := s.wire.Load()
		return 0, w != nil && w.greeted(), err
	}
	start, w := time.Now(), s.wire.Load()
	c.connected(w, id)
	c.cfg.Logger.Info("connected", "application", id.ApplicationID, "user", id.User.Username)
	select {
	case <-w.gone:
		err = w.cause
	case <-ctx.Done():
		s.close(w)
	}
	return time.Since(start), true, err
}

func newSession(ctx context.Context, c *Client) *session {
	s := &session{c: c, ctx: ctx, ready: make(chan Identity, 1)}
	s.dg, _ = discordgo.New("Bot " + string(c.cfg.Token)) // its error is always nil
	s.dg.Identify.Intents = discordgo.IntentsNone
	s.dg.Identify.Compress = false // or the wire couldn't read it
	s.dg.Compress = false
	s.dg.StateEnabled = false
	s.dg.ShouldReconnectOnError = false
	s.dg.ShouldRetryOnRateLimit = false // it would sleep without a context
	s.dg.MaxRestRetries = 0
	s.dg.LogLevel = -1     // nothing at all: see doc.go
	s.dg.SyncEvents = true // the handler below is quick, and starts goroutines that are counted
	s.dg.UserAgent = userAgent
	s.dg.Client = &http.Client{Transport: s, Timeout: c.cfg.Timing.Open}
	s.dg.Dialer = &websocket.Dialer{
		HandshakeTimeout:  c.cfg.Timing.Open,
		Proxy:             s.prepare,
		NetDialContext:    s.dial,
		NetDialTLSContext: s.dialTLS,
	}
	s.dg.AddHandler(s.event)
	return s
}

// open returns when READY has come. Every wait inside discordgo's Open ends when s.ctx does, which the caller sees to.
func (s *session) open(ctx context.Context) (Identity, error) {
	opened := make(chan error, 1)
	go func() { opened <- s.dg.Open() }()
	timer := time.NewTimer(s.c.cfg.Timing.Open)
	defer timer.Stop()
	select {
	case err := <-opened:
		if err != nil {
			return Identity{}, s.failure(err)
		}
	case <-timer.C:
		return Identity{}, errNoReady
	case <-ctx.Done():
		return Identity{}, ctx.Err()
	}
	select {
	case id := <-s.ready:
		return id, nil
	case <-s.wire.Load().gone:
		return Identity{}, s.wire.Load().cause
	case <-timer.C:
		return Identity{}, errNoReady
	case <-ctx.Done():
		return Identity{}, ctx.Err()
	}
}

// failure tells why Open failed: the wire knows better than discordgo, which loses the cause here and there.
func (s *session) failure(err error) error {
	if w := s.wire.Load(); w != nil && w.lost() != nil {
		return w.cause
	}
	if e, ok := errors.AsType[*discordgo.RESTError](err); ok {
		if e.Response.StatusCode == http.StatusUnauthorized {
			return refused(&APIError{Status: http.StatusUnauthorized})
		}
		return fmt.Errorf("ask for the gateway: %w", &APIError{Status: e.Response.StatusCode})
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // its address is discordgo's, not the one that was asked
	}
	return fmt.Errorf("open a session: %w", err)
}

// closeWait is for the gateway's answer to our close frame; nothing is lost without it.
const closeWait = 500 * time.Millisecond

// close says goodbye. discordgo's Close sleeps for a second after it has sent the close frame; that isn't waited for.
func (s *session) close(w *wire) {
	w.ending.Store(true)
	go func() { _ = s.dg.Close() }()
	waitFor(w.gone, closeWait)
}

// event gets every event as it came. It is called by discordgo's reader, one at a time.
func (s *session) event(_ *discordgo.Session, e *discordgo.Event) {
	switch e.Type {
	case eventReady:
		s.wire.Load().ready()
		select {
		case s.ready <- parseReady(e.RawData):
		default: // a second READY
		}
	case eventInteraction:
		s.c.dispatch(e.RawData)
	}
}

// parseReady takes from READY who we are. A field that can't be read is left empty.
func parseReady(raw []byte) Identity {
	var head struct {
		User        *discordgo.User
		Application struct{ ID string }
	}
	_ = json.Unmarshal(raw, &head)
	if head.User == nil {
		head.User = &discordgo.User{}
	}
	if head.Application.ID == "" {
		head.Application.ID = head.User.ID // equal in all but the oldest applications
	}
	return Identity{ApplicationID: head.Application.ID, User: head.User}
}

// RoundTrip implements [http.RoundTripper] for discordgo's one request, for the gateway's address: it goes to Config.URL,
// speaks our version of the API, and ends with the session.
func (s *session) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	context.AfterFunc(s.ctx, cancel)
	req = req.Clone(ctx)
	req.URL = s.c.base.JoinPath(apiPath, strings.TrimPrefix(req.URL.Path, "/api/v"+discordgo.APIVersion))
	req.Host = ""
	return s.c.rest.client.Transport.RoundTrip(req)
}

// prepare is called by the dialer before it dials. It is the one place where the request can be changed: discordgo asks for the
// version of the API that it knows. The proxy is dealt with in dial, since the dialer doesn't do TLS through a proxy when we do TLS.
func (s *session) prepare(req *http.Request) (*url.URL, error) {
	query := req.URL.Query()
	query.Set("v", apiVersion)
	req.URL.RawQuery = query.Encode()
	proxy, err := http.ProxyFromEnvironment(req)
	s.proxy = proxy
	return nil, err
}

// dial connects without TLS and puts a wire on top.
func (s *session) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := s.reach(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return s.put(conn), nil
}

// dialTLS connects with TLS and puts a wire on top, which sees what was inside.
func (s *session) dialTLS(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := s.reach(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	config := s.c.rest.tls.Clone()
	config.ServerName, _, _ = net.SplitHostPort(addr)
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return s.put(secure), nil
}

func (s *session) put(conn net.Conn) *wire {
	w := newWire(conn, s.c.cfg.Timing.Open, s.c.cfg.Logger)
	s.wire.Store(w)
	return w
}

// reach connects to an address, through the proxy if there is one. The connection is closed when the session ends.
func (s *session) reach(ctx context.Context, network, addr string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	target := addr
	if s.proxy != nil {
		target = proxyAddr(s.proxy)
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, target)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(s.ctx, func() { _ = conn.Close() })
	if s.proxy == nil {
		return conn, nil
	}
	if err := tunnel(ctx, conn, s.proxy, addr); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

func proxyAddr(proxy *url.URL) string {
	if proxy.Port() == "" {
		return net.JoinHostPort(proxy.Hostname(), "80")
	}
	return proxy.Host
}

// tunnel asks an HTTP proxy for a connection to addr.
func tunnel(ctx context.Context, conn net.Conn, proxy *url.URL, addr string) error {
	if proxy.Scheme != "http" {
		return fmt.Errorf("the gateway can't be reached through a proxy of kind %q, only http", proxy.Scheme)
	}
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: addr}, Host: addr, Header: http.Header{}}
	if user := proxy.User; user != nil {
		password, _ := user.Password()
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
	}
	if err := req.Write(conn); err != nil {
		return fmt.Errorf("ask the proxy: %w", err)
	}
	// The server speaks only after we do, so no byte of it can be in the reader's buffer.
	resp, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		return fmt.Errorf("ask the proxy: %w", err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the proxy refused to connect: %s", resp.Status)
	}
	return conn.SetDeadline(time.Time{})
}
