package twin_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/coder/websocket"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// frame is what the gateway sends.
type frame struct {
	Op   int             `json:"op"`
	Seq  int64           `json:"s"`
	Type string          `json:"t"`
	Data json.RawMessage `json:"d"`
}

// wire is a client that does only what a test tells it.
type wire struct {
	t    *testing.T
	conn *websocket.Conn
}

func dial(t *testing.T, tw *twin.Twin, query string) *wire {
	t.Helper()
	conn, _, err := websocket.Dial(ctx(t), "ws"+strings.TrimPrefix(tw.URL(), "http")+"/"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &wire{t, conn}
}

func (w *wire) say(text string) {
	w.t.Helper()
	if err := w.conn.Write(ctx(w.t), websocket.MessageText, []byte(text)); err != nil {
		w.t.Fatal(err)
	}
}

// hear reads a frame and checks what it is: op, or for events the type.
func (w *wire) hear(op int, event string) frame {
	w.t.Helper()
	_, data, err := w.conn.Read(ctx(w.t))
	if err != nil {
		w.t.Fatalf("waiting for op %d %s: %v", op, event, err)
	}
	var f frame
	if err := json.Unmarshal(data, &f); err != nil {
		w.t.Fatal(err)
	}
	if f.Op != op || f.Type != event {
		w.t.Fatalf("got op %d %s, want op %d %s", f.Op, f.Type, op, event)
	}
	return f
}

// closed reads until the connection ends, and returns the close code.
func (w *wire) closed() int {
	w.t.Helper()
	for {
		if _, _, err := w.conn.Read(ctx(w.t)); err != nil {
			return int(websocket.CloseStatus(err))
		}
	}
}

func identify(tw *twin.Twin, intents string) string {
	return `{"op":2,"d":{"token":"` + tw.Token() + `","intents":` + intents + `,"properties":{}}}`
}

func resume(tw *twin.Twin, session, seq string) string {
	return `{"op":6,"d":{"token":"Bot ` + tw.Token() + `","session_id":"` + session + `","seq":` + seq + `}}`
}

func session(t *testing.T, ready frame) string {
	t.Helper()
	var d struct {
		ID     string `json:"session_id"`
		Resume string `json:"resume_gateway_url"`
		App    struct {
			ID string `json:"id"`
		} `json:"application"`
	}
	if err := json.Unmarshal(ready.Data, &d); err != nil || d.ID == "" || d.App.ID == "" || !strings.HasPrefix(d.Resume, "ws://127.0.0.1:") {
		t.Fatalf("READY = %s, %v", ready.Data, err)
	}
	return d.ID
}

func TestHelloReadyHeartbeat(t *testing.T) {
	tw := start(t, twin.Config{})
	w := dial(t, tw, "?v=10&encoding=json")
	if f := w.hear(10, ""); string(f.Data) != `{"heartbeat_interval":41250}` {
		t.Errorf("hello = %s", f.Data)
	}
	w.say(`{"op":1,"d":null}`)
	w.hear(11, "")
	w.say(identify(tw, "1"))
	if f := w.hear(0, "READY"); f.Seq != 1 {
		t.Errorf("READY has number %d, want 1", f.Seq)
	}
	if f := w.hear(0, "GUILD_CREATE"); f.Seq != 2 {
		t.Errorf("GUILD_CREATE has number %d, want 2", f.Seq)
	}
	if err := tw.AskHeartbeat(); err != nil {
		t.Fatal(err)
	}
	w.hear(1, "")
	tw.Silence(true)
	w.say(`{"op":1,"d":2}`)
	if err := tw.Reconnect(); err != nil {
		t.Fatal(err)
	}
	w.hear(7, "") // and no op 11 before it
	none(t, tw)
}

// TestResume misses an interaction and gets it again, with those that were
// sent meanwhile.
func TestResume(t *testing.T) {
	tw := start(t, twin.Config{})
	register(t, tw, client(t, tw))
	command := func() *twin.Interaction {
		in, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x"))
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	w := dial(t, tw, "")
	w.hear(10, "")
	w.say(identify(tw, "0"))
	id := session(t, w.hear(0, "READY"))
	first := command()
	w.hear(0, "INTERACTION_CREATE")
	tw.Drop(4000)
	if code := w.closed(); code != 4000 {
		t.Errorf("close code %d, want 4000", code)
	}
	if err := tw.Disconnected(ctx(t)); err != nil {
		t.Fatal(err)
	}
	second := command()

	w = dial(t, tw, "")
	w.hear(10, "")
	w.say(resume(tw, id, "1"))
	if f := w.hear(0, "INTERACTION_CREATE"); !strings.Contains(string(f.Data), first.ID) || f.Seq != 2 {
		t.Errorf("replayed %d: %s, want the first interaction", f.Seq, f.Data)
	}
	w.hear(0, "RESUMED")
	if f := w.hear(0, "INTERACTION_CREATE"); !strings.Contains(string(f.Data), second.ID) {
		t.Errorf("got %s, want the second interaction", f.Data)
	}
	none(t, tw)
}

func TestRefusals(t *testing.T) {
	tw := start(t, twin.Config{})
	for _, row := range []struct {
		why   string
		query string
		say   []string
		want  int
	}{
		{"wrong token", "", []string{`{"op":2,"d":{"token":"x","intents":0}}`}, 4004},
		{"no intents", "", []string{`{"op":2,"d":{"token":"x"}}`}, 4002},
		{"no JSON", "", []string{`{`}, 4002},
		{"unknown op", "", []string{`{"op":77}`}, 4001},
		{"presence first", "", []string{`{"op":3}`}, 4003},
		{"twice", "", []string{identify(tw, "0"), identify(tw, "0")}, 4005},
		{"future sequence", "", []string{identify(tw, "0"), "RESUME"}, 4007},
		{"privileged intent", "", []string{identify(tw, "2")}, 4014},
		{"unknown intent", "", []string{identify(tw, "67108864")}, 4013},
		{"old version", "?v=8", nil, 4012},
		{"version 9", "?v=9", []string{`{`}, 4002},
		{"no such version", "?v=11", nil, 4012},
		{"4096 bytes are taken", "", []string{`{"op":1,"d":null}` + strings.Repeat(" ", 4096-17), `{`}, 4002},
		{"4097 bytes", "", []string{`{"op":1,"d":null}` + strings.Repeat(" ", 4097-17)}, 4002},
		{"121 frames", "", strings.Split(strings.Repeat(`{"op":1}`+"\n", 121), "\n")[:121], 4008},
	} {
		w := dial(t, tw, row.query)
		for _, text := range row.say {
			if text == "RESUME" {
				w.hear(10, "")
				id := session(t, w.hear(0, "READY"))
				w = dial(t, tw, "")
				text = resume(tw, id, "99")
			}
			w.say(text)
		}
		if got := w.closed(); got != row.want {
			t.Errorf("%s: close code %d, want %d", row.why, got, row.want)
		}
	}
}

func TestInvalidSession(t *testing.T) {
	tw := start(t, twin.Config{})
	w := dial(t, tw, "")
	w.hear(10, "")
	w.say(resume(tw, "123", "4"))
	if f := w.hear(9, ""); string(f.Data) != "false" {
		t.Errorf("op 9 says %s, want false", f.Data)
	}
	w.say(identify(tw, "0"))
	first := session(t, w.hear(0, "READY"))
	if err := tw.InvalidSession(); err != nil {
		t.Fatal(err)
	}
	w.hear(9, "")
	w.say(identify(tw, "0"))
	if second := session(t, w.hear(0, "READY")); second == first {
		t.Error("the session is the old one")
	}
	if n := tw.Identifies(); n != 2 {
		t.Errorf("Identifies = %d, want 2", n)
	}
}

func TestForgetSessions(t *testing.T) {
	tw := start(t, twin.Config{})
	w := dial(t, tw, "")
	w.hear(10, "")
	w.say(identify(tw, "0"))
	id := session(t, w.hear(0, "READY"))
	tw.Drop(0)
	if code := w.closed(); code != -1 {
		t.Errorf("close code %d where the line was to be cut", code)
	}
	if err := tw.Disconnected(ctx(t)); err != nil {
		t.Fatal(err)
	}
	tw.ForgetSessions()
	w = dial(t, tw, "")
	w.hear(10, "")
	w.say(resume(tw, id, "1"))
	w.hear(9, "")
}

func TestIdentifyEvery(t *testing.T) {
	tw := start(t, twin.Config{IdentifyEvery: time.Hour})
	for _, op := range []int{0, 9} {
		w := dial(t, tw, "")
		w.hear(10, "")
		w.say(identify(tw, "0"))
		w.hear(op, map[int]string{0: "READY"}[op])
	}
}

// TestNormalCloseEndsTheSession: after 1000 there is nothing to resume.
func TestNormalCloseEndsTheSession(t *testing.T) {
	tw := start(t, twin.Config{})
	w := dial(t, tw, "")
	w.hear(10, "")
	w.say(identify(tw, "0"))
	id := session(t, w.hear(0, "READY"))
	_ = w.conn.Close(websocket.StatusNormalClosure, "")
	if err := tw.Disconnected(ctx(t)); err != nil {
		t.Fatal(err)
	}
	w = dial(t, tw, "")
	w.hear(10, "")
	w.say(resume(tw, id, "1"))
	w.hear(9, "")
}

func TestGreetings(t *testing.T) {
	tw := start(t, twin.Config{})
	tw.Greet(twin.GreetReconnect, twin.GreetAck, twin.GreetInvalid, twin.GreetMute)
	w := dial(t, tw, "")
	w.hear(10, "")
	w.say(identify(tw, "0"))
	w.hear(7, "")

	w = dial(t, tw, "")
	w.hear(10, "")
	w.say(identify(tw, "0"))
	w.hear(11, "")
	w.hear(0, "READY")

	w = dial(t, tw, "")
	w.hear(10, "")
	w.say(identify(tw, "0"))
	w.hear(9, "")
	w.say(identify(tw, "0"))
	w.hear(0, "READY")

	w = dial(t, tw, "")
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, data, err := w.conn.Read(short); err == nil {
		t.Errorf("a mute server says %s", data)
	}
}

func TestZombie(t *testing.T) {
	tw := start(t, twin.Config{Heartbeat: time.Millisecond})
	w := dial(t, tw, "")
	w.hear(10, "")
	if code := w.closed(); code != 4009 {
		t.Errorf("without heartbeats: close code %d, want 4009", code)
	}
}

// TestQueue: with Queue a bot that starts gets what was typed before, and has
// the whole time for it; without, it is lost.
func TestQueue(t *testing.T) {
	for _, queue := range []bool{true, false} {
		tw := start(t, twin.Config{Queue: queue, AnswerWithin: 200 * time.Millisecond})
		register(t, tw, client(t, tw))
		in, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x"))
		if err != nil {
			t.Fatal(err)
		}
		if queue {
			time.Sleep(250 * time.Millisecond)
		}
		open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			_ = s.InteractionRespond(i.Interaction, respond("here", 0))
		})
		if _, err := in.Answer(ctx(t)); queue != (err == nil) {
			t.Errorf("Queue %v: Answer = %v", queue, err)
		}
	}
}

// TestNewestSession: of two sessions the newer one gets the interactions, and
// the older one again when the newer is gone.
func TestNewestSession(t *testing.T) {
	tw := start(t, twin.Config{})
	register(t, tw, client(t, tw))
	older, newer := dial(t, tw, ""), dial(t, tw, "")
	for _, w := range []*wire{older, newer} {
		w.hear(10, "")
		w.say(identify(tw, "0"))
		w.hear(0, "READY")
	}
	if _, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x")); err != nil {
		t.Fatal(err)
	}
	newer.hear(0, "INTERACTION_CREATE")
	_ = newer.conn.Close(4000, "")
	for tw.Connections() > 1 {
		time.Sleep(time.Millisecond)
	}
	if err := tw.SendRaw("GUILD_DELETE", json.RawMessage(`{"unavailable":true}`)); err != nil {
		t.Fatal(err)
	}
	older.hear(0, "GUILD_DELETE")
}

// TestRealClientResumes: discordgo itself leaves after op 7 and comes back to
// the same session.
func TestRealClientResumes(t *testing.T) {
	tw := start(t, twin.Config{})
	s := client(t, tw)
	gone, resumed := make(chan struct{}, 2), make(chan struct{}, 1)
	s.AddHandler(func(*discordgo.Session, *discordgo.Resumed) { resumed <- struct{}{} })
	s.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { gone <- struct{}{} })
	open := func(beats int) {
		t.Helper()
		if err := s.Open(); err != nil {
			t.Fatal(err)
		}
		for tw.Heartbeats() < beats { // discordgo takes its first heartbeat badly while it closes
			time.Sleep(time.Millisecond)
		}
	}
	open(1)
	if err := tw.Reconnect(); err != nil {
		t.Fatal(err)
	}
	<-gone
	open(2)
	select {
	case <-resumed:
	case <-ctx(t).Done():
		t.Error("discordgo didn't resume")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if n := tw.Identifies(); n != 1 {
		t.Errorf("Identifies = %d, want 1", n)
	}
}

func TestFailAndHold(t *testing.T) {
	tw := start(t, twin.Config{})
	errs := make(chan error, 1)
	s := open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		errs <- s.InteractionRespond(i.Interaction, respond("x", 0))
	})
	register(t, tw, s)
	command := func() *twin.Interaction {
		in, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x"))
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	tw.FailNext("POST", "/interactions/", 503, `{"message":"down","code":0}`)
	command()
	if err := <-errs; err == nil {
		t.Error("a failed callback succeeded")
	}

	tw.Fail(twin.Fault{Prefix: "/interactions/", After: true}) // carried out, the line cut
	in := command()
	if err := <-errs; err == nil {
		t.Error("a lost answer arrived")
	}
	if a, err := in.Answer(ctx(t)); err != nil || a.Kind != twin.AnswerMessage {
		t.Errorf("Answer = %v, %v; want the message though its reply was lost", a.Kind, err)
	}

	var free atomic.Bool
	release := tw.Hold()
	in = command()
	go func() { free.Store(true); release() }()
	if err := <-errs; err != nil || !free.Load() {
		t.Errorf("a held callback: %v, released %v", err, free.Load())
	}
	if _, err := in.Answer(ctx(t)); err != nil {
		t.Error(err)
	}
	tw.FailNext("", "/users", 429, `{"message":"slow","retry_after":0.001,"global":false}`)
	if u, err := s.User("@me"); err != nil || u.ID != tw.ApplicationID() {
		t.Errorf("after a 429: %v, %v", u, err)
	}
	none(t, tw)
}

// TestRateLimit: the 51st request of a second is refused, callbacks apart.
func TestRateLimit(t *testing.T) {
	now := time.Now()
	tw := start(t, twin.Config{Now: func() time.Time { return now }})
	defer http.DefaultClient.CloseIdleConnections()
	for i := 1; i <= 51; i++ {
		r, _ := http.NewRequestWithContext(ctx(t), "GET", tw.URL()+"/api/v10/users/@me", nil)
		r.Header.Set("Authorization", "Bot "+tw.Token())
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if want := map[bool]int{true: 200, false: 429}[i <= 50]; resp.StatusCode != want {
			t.Fatalf("request %d: %v, want %d", i, resp.Status, want)
		}
	}
}

func TestClosed(t *testing.T) {
	tw, err := twin.Start(twin.Config{})
	if err != nil {
		t.Fatal(err)
	}
	register(t, tw, client(t, tw))
	in, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x"))
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = tw.Close() }()
	if _, err := in.Answer(ctx(t)); !errors.Is(err, twin.ErrClosed) {
		t.Errorf("Answer = %v, want ErrClosed", err)
	}
	if err := tw.Connected(ctx(t)); !errors.Is(err, twin.ErrClosed) {
		t.Errorf("Connected = %v, want ErrClosed", err)
	}
	if err := tw.Close(); err != nil {
		t.Error(err)
	}
}
