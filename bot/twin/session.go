package twin

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// identifyJSON is the part of an identify that matters here.
type identifyJSON struct {
	Token   string `json:"token"`
	Intents *int   `json:"intents"`
}

// resumeJSON is a client's wish to go on with a session.
type resumeJSON struct {
	Token   string `json:"token"`
	Session string `json:"session_id"`
	Seq     int64  `json:"seq"`
}

// identify begins a session; false ends the connection.
func (c *conn) identify(data []byte) bool {
	var id identifyJSON
	if json.Unmarshal(data, &id) != nil || id.Intents == nil {
		c.wrong(closeDecodeError, "Error while decoding payload.")
		return false
	}
	if code, reason := c.refuse(id); code != 0 {
		c.wrong(code, reason)
		return false
	}
	if !c.t.gate.mayIdentify(c.t.cfg.Now(), c.t.cfg.IdentifyEvery) {
		c.t.violate("gateway", "", "9", "Identify more often than allowed.")
		c.send([]byte(`{"op":9,"d":false}`))
		return true
	}
	if !c.greet() {
		return true
	}
	c.begin(&session{id: c.t.id(), intents: *id.Intents})
	return true
}

// refuse returns why an identify can't be, as close code and reason.
func (c *conn) refuse(id identifyJSON) (int, string) {
	switch {
	case c.session.Load() != nil:
		return closeIdentified, "Already authenticated."
	case !c.t.isToken(id.Token):
		return closeBadToken, "Authentication failed."
	case *id.Intents&^intentsKnown != 0:
		return closeInvalidIntents, "Invalid intent(s)."
	case *id.Intents&intentPrivileged != 0:
		return closeDisallowed, "Disallowed intent(s)."
	}
	return 0, ""
}

// isToken takes the token with and without its scheme.
func (t *Twin) isToken(s string) bool {
	return strings.TrimPrefix(s, "Bot ") == t.cfg.Token
}

// mayIdentify counts an identify against the day's and the shortest time.
func (g *gate) mayIdentify(now time.Time, every time.Duration) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.identifies = slices.DeleteFunc(g.identifies, func(at time.Time) bool { return now.Sub(at) >= 24*time.Hour })
	n := len(g.identifies)
	if n >= maxIdentifies || n > 0 && now.Sub(g.identifies[n-1]) < every {
		return false
	}
	g.identifies = append(g.identifies, now)
	return true
}

// greet sends what a test wants sent first; false where READY or RESUMED
// doesn't follow.
func (c *conn) greet() bool {
	g := c.greeting
	c.greeting = GreetReady
	switch g {
	case GreetReconnect:
		c.send([]byte(`{"op":7,"d":null}`))
	case GreetInvalid:
		c.send([]byte(`{"op":9,"d":false}`))
	case GreetAck:
		c.send([]byte(`{"op":11}`))
		return true
	case GreetSilent:
	default:
		return true
	}
	return false
}

// begin sends READY and makes s the session that interactions go to. It is
// that before READY is written, so that a client that has read READY can be
// sent to; what is sent waits for s.mu.
func (c *conn) begin(s *session) {
	ready, guild := c.t.ready(s), c.t.guildCreate()
	s.mu.Lock()
	waiting := c.attach(s, c.t.cfg.Queue)
	s.event(c, "READY", ready)
	if s.intents&intentGuilds != 0 {
		s.event(c, "GUILD_CREATE", guild)
	}
	s.mu.Unlock()
	c.t.flush(waiting)
}

// attach gives a session this connection, and returns what waits for one.
func (c *conn) attach(s *session, keep bool) []*Interaction {
	c.session.Store(s)
	s.conn.Store(c)
	return c.t.gate.join(s, keep)
}

// join adds a session, or does nothing where it is there already, and returns
// the interactions that wait. Where keep is false they are lost.
func (g *gate) join(s *session, keep bool) []*Interaction {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.sessions, s) {
		g.sessions = append(g.sessions, s)
		if len(g.sessions) > maxSessionsKept {
			g.sessions = slices.Delete(g.sessions, 0, 1)
		}
	}
	waiting := g.pending
	g.pending = nil
	if !keep {
		return nil
	}
	return waiting
}

// flush wakes those who wait for a session and delivers what waited for one.
func (t *Twin) flush(waiting []*Interaction) {
	t.mu.Lock()
	t.touch()
	t.mu.Unlock()
	for _, in := range waiting {
		t.dispatch(in)
	}
}

// event numbers, keeps and sends an event. Call it with s.mu held; c may be
// nil, and then the event waits for a resume.
func (s *session) event(c *conn, name string, data []byte) {
	s.seq++
	frame := dispatch(name, s.seq, data)
	s.log = append(s.log, sent{s.seq, frame})
	if len(s.log) > 2*maxReplayed {
		s.log = slices.Clone(s.log[len(s.log)-maxReplayed:])
	}
	if c != nil {
		c.send(frame)
	}
}

// resume goes on with a session; false ends the connection.
func (c *conn) resume(data []byte) bool {
	var r resumeJSON
	if json.Unmarshal(data, &r) != nil {
		c.wrong(closeDecodeError, "Error while decoding payload.")
		return false
	}
	if !c.t.isToken(r.Token) {
		c.wrong(closeBadToken, "Authentication failed.")
		return false
	}
	s := c.t.gate.find(r.Session)
	if s == nil || c.session.Load() != nil {
		c.send([]byte(`{"op":9,"d":false}`))
		return true
	}
	if !c.greet() {
		return true
	}
	if old := s.conn.Swap(nil); old != nil {
		old.kill(closeUnknown, "Resumed elsewhere.")
	}
	return c.takeUp(s, r.Seq)
}

// takeUp replays what came after seq.
func (c *conn) takeUp(s *session, seq int64) bool {
	s.mu.Lock()
	if seq > s.seq || seq < 0 {
		s.mu.Unlock()
		c.wrong(closeBadSequence, "Invalid sequence.")
		return false
	}
	waiting := c.attach(s, true)
	for _, old := range s.log {
		if old.seq > seq {
			c.send(old.frame)
		}
	}
	s.event(c, "RESUMED", []byte(`{"_trace":["twin"]}`))
	s.mu.Unlock()
	c.t.flush(waiting)
	return true
}

// find returns a session that can be resumed.
func (g *gate) find(id string) *session {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.sessions {
		if s.id == id && !s.dead.Load() {
			return s
		}
	}
	return nil
}

// target is the newest session with a connection. Call it with g.mu held.
func (g *gate) target() *session {
	for i := len(g.sessions) - 1; i >= 0; i-- {
		if s := g.sessions[i]; s.conn.Load() != nil && !s.dead.Load() {
			return s
		}
	}
	return nil
}

// current is target for those who don't hold g.mu.
func (g *gate) current() *session {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.target()
}

// dispatch sends an interaction to the newest session, or lets it wait for
// one.
func (t *Twin) dispatch(in *Interaction) {
	t.gate.mu.Lock()
	s := t.gate.target()
	if s == nil {
		t.gate.pending = append(t.gate.pending, in)
		t.gate.mu.Unlock()
		return
	}
	t.gate.mu.Unlock()
	t.mu.Lock()
	in.leaves(t.cfg.Now())
	t.mu.Unlock()
	s.mu.Lock()
	s.event(s.conn.Load(), "INTERACTION_CREATE", in.payload)
	s.mu.Unlock()
}

// Connected waits until a session of the bot is ready.
func (t *Twin) Connected(ctx context.Context) error {
	return t.await(ctx, func() bool { return t.gate.current() != nil })
}

// Disconnected waits until no session of the bot has a connection.
func (t *Twin) Disconnected(ctx context.Context) error {
	return t.await(ctx, func() bool { return t.gate.current() == nil })
}

// Connections counts the bot's connections that are open now, ready or not.
func (t *Twin) Connections() int {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return len(t.gate.conns)
}

// Heartbeats counts the heartbeats that were received.
func (t *Twin) Heartbeats() int { return int(t.beats.Load()) }

// Identifies counts the sessions that were begun in the last day.
func (t *Twin) Identifies() int {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return len(t.gate.identifies)
}

// ready is the data of READY.
func (t *Twin) ready(s *session) []byte {
	data, _ := json.Marshal(map[string]any{
		"v":                  maxAPIVersion,
		"user":               t.bot.json(),
		"guilds":             []any{map[string]any{"id": t.guild, "unavailable": true}},
		"session_id":         s.id,
		"session_type":       "normal",
		"resume_gateway_url": t.gatewayURL(),
		"application":        map[string]any{"id": t.cfg.ApplicationID, "flags": 0},
		"shard":              []int{0, 1},
		"private_channels":   []any{},
		"presences":          []any{},
		"relationships":      []any{},
		"_trace":             []string{"twin"},
	})
	return data
}

func (t *Twin) gatewayURL() string {
	return "ws" + strings.TrimPrefix(t.url, "http")
}

// guildCreate is the data of GUILD_CREATE.
func (t *Twin) guildCreate() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := t.guildJSON()
	var channels []channelJSON
	for _, c := range t.channels {
		if c.Type == ChannelText {
			channels = append(channels, t.channelJSON(c))
		}
	}
	slices.SortFunc(channels, func(a, b channelJSON) int { return strings.Compare(a.ID, b.ID) })
	g["channels"], g["unavailable"], g["joined_at"] = channels, false, t.founded.UTC()
	g["member_count"], g["large"], g["members"] = len(t.accounts), false, []any{}
	data, _ := json.Marshal(g)
	return data
}
