package twin_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// leaving are the clients that discordgo has yet to let go of: it sleeps for a
// second in Close.
var leaving sync.WaitGroup

func TestMain(m *testing.M) {
	code := m.Run()
	leaving.Wait()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// rewrite sends every request to the twin, whatever host it names.
type rewrite struct {
	to   *url.URL
	base *http.Transport
}

func (r *rewrite) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host, req.Host = r.to.Scheme, r.to.Host, r.to.Host
	return r.base.RoundTrip(req)
}

// start runs a twin that must have seen no violation at the end unless the
// test takes them.
func start(t *testing.T, cfg twin.Config) *twin.Twin {
	t.Helper()
	tw, err := twin.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tw.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return tw
}

// client is a real discordgo session that points at the twin.
func client(t *testing.T, tw *twin.Twin) *discordgo.Session {
	t.Helper()
	s, err := discordgo.New("Bot " + tw.Token())
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.Parse(tw.URL())
	if err != nil {
		t.Fatal(err)
	}
	base := &http.Transport{MaxIdleConnsPerHost: 16}
	s.Client = &http.Client{Transport: &rewrite{to, base}}
	s.Identify.Intents = discordgo.IntentsNone
	s.StateEnabled, s.ShouldReconnectOnError = false, false
	s.MaxRestRetries = 0
	s.LogLevel = -1
	t.Cleanup(base.CloseIdleConnections)
	return s
}

// open connects a client and waits until it is ready.
func open(t *testing.T, tw *twin.Twin, handle func(*discordgo.Session, *discordgo.InteractionCreate)) *discordgo.Session {
	t.Helper()
	s := client(t, tw)
	s.AddHandler(handle)
	leaving.Add(1)
	s.AddHandlerOnce(func(*discordgo.Session, *discordgo.Disconnect) { leaving.Done() })
	if err := s.Open(); err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { tw.Drop(0) })
	if err := tw.Connected(t.Context()); err != nil {
		t.Fatalf("Connected: %v", err)
	}
	return s
}

// ctx ends long before the test binary does.
func ctx(t *testing.T) context.Context {
	c, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return c
}

var deal = []*discordgo.ApplicationCommand{{
	Name: "deal", Description: "Record a deal",
	Options: []*discordgo.ApplicationCommandOption{
		{Type: discordgo.ApplicationCommandOptionString, Name: "result", Description: "What happened", Required: true, MaxLength: 40},
		{
			Type: discordgo.ApplicationCommandOptionString, Name: "by", Description: "Declarer",
			Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "North", Value: "N"}, {Name: "South", Value: "S"}},
		},
		{Type: discordgo.ApplicationCommandOptionUser, Name: "who", Description: "Somebody"},
		{Type: discordgo.ApplicationCommandOptionInteger, Name: "table", Description: "Number", Autocomplete: true},
	},
}, {
	Name: "rubber", Description: "Rubbers",
	Options: []*discordgo.ApplicationCommandOption{
		{Type: discordgo.ApplicationCommandOptionSubCommand, Name: "end", Description: "End it"},
		{Type: discordgo.ApplicationCommandOptionSubCommand, Name: "start", Description: "Start one", Options: []*discordgo.ApplicationCommandOption{
			{Type: discordgo.ApplicationCommandOptionString, Name: "north", Description: "North's name", Required: true},
		}},
	},
}}

// register puts the commands of these tests up.
func register(t *testing.T, tw *twin.Twin, s *discordgo.Session) {
	t.Helper()
	if _, err := s.ApplicationCommandBulkOverwrite(tw.ApplicationID(), "", deal); err != nil {
		t.Fatalf("register: %v", err)
	}
}

// respond answers with a message.
func respond(text string, flags discordgo.MessageFlags, rows ...discordgo.MessageComponent) *discordgo.InteractionResponse {
	return &discordgo.InteractionResponse{
		Type: discordgo.InteractionResponseChannelMessageWithSource,
		Data: &discordgo.InteractionResponseData{Content: text, Flags: flags, Components: rows},
	}
}

func buttons(list ...discordgo.MessageComponent) discordgo.MessageComponent {
	return discordgo.ActionsRow{Components: list}
}

func result(text string) []twin.Option { return []twin.Option{{Name: "result", Value: text}} }

// restCode is the code of discordgo's REST error, -1 for another error.
func restCode(err error) int {
	var e *discordgo.RESTError
	if errors.As(err, &e) && e.Message != nil {
		return e.Message.Code
	}
	return -1
}

func none(t *testing.T, tw *twin.Twin) {
	t.Helper()
	if v := tw.Violations(); len(v) != 0 {
		t.Errorf("Violations = %v, want none", v)
	}
}

func TestCommandAnswerMessages(t *testing.T) {
	tw := start(t, twin.Config{})
	s := open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		d := i.ApplicationCommandData()
		text := "got " + d.Options[0].StringValue()
		if err := s.InteractionRespond(i.Interaction, respond(text, 0)); err != nil {
			t.Errorf("respond: %v", err)
		}
	})
	register(t, tw, s)
	nello, table := tw.User("Nello"), tw.Channel("table")
	in, err := tw.Command(ctx(t), nello, table, "deal", result("4S ="))
	if err != nil {
		t.Fatal(err)
	}
	a, err := in.Answer(ctx(t))
	if err != nil {
		t.Fatal(err)
	}
	if a.Kind != twin.AnswerMessage || a.Message.Content != "got 4S =" || a.Message.For != nello {
		t.Errorf("Answer = %v %q for %v, want the message for Nello", a.Kind, a.Message.Content, a.Message.For)
	}
	if list := tw.Messages(table, nil); len(list) != 1 || list[0].ID != a.Message.ID {
		t.Errorf("Messages = %v, want the answer", list)
	}
	none(t, tw)
}

// TestInteractionShape looks at the event through the client's eyes.
func TestInteractionShape(t *testing.T) {
	tw := start(t, twin.Config{})
	got := make(chan *discordgo.InteractionCreate, 1)
	s := open(t, tw, func(_ *discordgo.Session, i *discordgo.InteractionCreate) { got <- i })
	register(t, tw, s)
	nello, olga, table := tw.User("Nello"), tw.User("Olga"), tw.Channel("table")
	tw.Nick(nello, "Nel")
	before := time.Now().Add(-time.Second)

	in, err := tw.Command(ctx(t), nello, table, "deal", []twin.Option{
		{Name: "result", Value: "by " + olga.Mention()}, {Name: "who", Value: olga},
	})
	if err != nil {
		t.Fatal(err)
	}
	i := <-got
	if i.Member == nil || i.User != nil || i.Member.User.GlobalName != "Nello" || i.Member.Nick != "Nel" {
		t.Errorf("member = %+v, user = %v; want Nello's membership alone", i.Member, i.User)
	}
	if i.ID != in.ID || i.AppID != tw.ApplicationID() || i.GuildID != tw.GuildID() || i.ChannelID != table.ID || i.Version != 1 {
		t.Errorf("event = %+v", i.Interaction)
	}
	if at, ok := twin.SnowflakeTime(i.ID); !ok || at.Before(before) || at.After(time.Now().Add(time.Second)) {
		t.Errorf("SnowflakeTime = %v, want now", at)
	}
	d := i.ApplicationCommandData()
	if d.ID == "" || d.Resolved == nil || len(d.Resolved.Users) != 1 || d.Resolved.Users[olga.ID] == nil || d.Resolved.Members[olga.ID] == nil {
		t.Errorf("resolved = %+v, want Olga for the user option", d.Resolved)
	}

	_, err = tw.Command(ctx(t), nello, tw.DM(nello), "deal", result(olga.Mention()))
	if err != nil {
		t.Fatal(err)
	}
	i = <-got
	if i.Member != nil || i.User == nil || i.GuildID != "" || i.Context != discordgo.InteractionContextBotDM {
		t.Errorf("in a DM: member = %v, user = %v, guild = %q", i.Member, i.User, i.GuildID)
	}
	if i.ApplicationCommandData().Resolved != nil {
		t.Error("a mention in a text was resolved")
	}
}

func TestPrivateMessages(t *testing.T) {
	tw := start(t, twin.Config{})
	s := open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		if i.Type == discordgo.InteractionMessageComponent {
			if i.Message.Flags&discordgo.MessageFlagsEphemeral == 0 {
				t.Error("a press on a private message comes without flag 64")
			}
			_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
				Type: discordgo.InteractionResponseUpdateMessage,
				Data: &discordgo.InteractionResponseData{Content: "done", Components: []discordgo.MessageComponent{}},
			})
			return
		}
		b := discordgo.Button{Label: "North", Style: discordgo.PrimaryButton, CustomID: "n"}
		off := discordgo.Button{Label: "South", Style: discordgo.PrimaryButton, CustomID: "s", Disabled: true}
		_ = s.InteractionRespond(i.Interaction, respond("secret", discordgo.MessageFlagsEphemeral, buttons(b, off)))
	})
	register(t, tw, s)
	nello, olga, table := tw.User("Nello"), tw.User("Olga"), tw.Channel("table")
	in, err := tw.Command(ctx(t), nello, table, "deal", result("x"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := in.Reply(ctx(t))
	if err != nil || !m.Private {
		t.Fatalf("Reply = %+v, %v; want a private message", m, err)
	}
	for _, see := range []struct {
		who  *twin.User
		want int
	}{{nello, 1}, {olga, 0}, {nil, 0}} {
		if got := len(tw.Messages(table, see.who)); got != see.want {
			t.Errorf("%v sees %d messages, want %d", see.who, got, see.want)
		}
	}
	if _, err := s.ChannelMessage(table.ID, m.ID); restCode(err) != 10008 {
		t.Errorf("reading a private message by its channel: %v, want 10008", err)
	}
	for name, try := range map[string]func() error{
		"somebody else's": func() error { _, err := tw.Press(ctx(t), olga, m, "n"); return err },
		"disabled":        func() error { _, err := tw.Press(ctx(t), nello, m, "s"); return err },
		"unknown":         func() error { _, err := tw.Press(ctx(t), nello, m, "x"); return err },
	} {
		if err := try(); !errors.Is(err, twin.ErrNoMessage) && !errors.Is(err, twin.ErrNoComponent) {
			t.Errorf("%s: %v, want a refusal", name, err)
		}
	}
	in, err = tw.Press(ctx(t), nello, m, "n")
	if err != nil {
		t.Fatal(err)
	}
	a, err := in.Answer(ctx(t))
	if err != nil || a.Kind != twin.AnswerUpdate || a.Message.Content != "done" || len(a.Message.Components) != 0 || a.Message.ID != m.ID {
		t.Errorf("Answer = %+v, %v; want the update", a, err)
	}
	none(t, tw)
}

func TestSecondAnswerAndReplay(t *testing.T) {
	tw := start(t, twin.Config{})
	errs := make(chan error, 2)
	s := open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		errs <- s.InteractionRespond(i.Interaction, respond("once", 0))
	})
	register(t, tw, s)
	in, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x"))
	if err != nil {
		t.Fatal(err)
	}
	if err := <-errs; err != nil {
		t.Fatal(err)
	}
	if err := tw.Deliver(in); err != nil {
		t.Fatal(err)
	}
	if err := <-errs; restCode(err) != 40060 {
		t.Errorf("second answer: %v, want 40060", err)
	}
	if v := tw.Violations(); len(v) != 1 || v[0].Code != "40060" {
		t.Errorf("Violations = %v, want 40060", v)
	}
	if n := len(tw.Messages(tw.Channel("table"), nil)); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
}

func TestLateAnswer(t *testing.T) {
	var skip atomic.Int64
	tw := start(t, twin.Config{Now: func() time.Time { return time.Now().Add(time.Duration(skip.Load())) }})
	errs, late := make(chan error, 1), atomic.Int64{}
	s := open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		skip.Add(late.Load())
		errs <- s.InteractionRespond(i.Interaction, respond("late", 0))
	})
	register(t, tw, s)
	for _, row := range []struct {
		late time.Duration
		want int
	}{{2900 * time.Millisecond, 0}, {3001 * time.Millisecond, 10062}} {
		late.Store(int64(row.late))
		in, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x"))
		if err != nil {
			t.Fatal(err)
		}
		if err := <-errs; (row.want == 0) != (err == nil) || err != nil && restCode(err) != row.want {
			t.Errorf("answer after %v: %v, want code %d", row.late, err, row.want)
		}
		if _, err := in.Answer(ctx(t)); (row.want == 0) != (err == nil) || err != nil && !errors.Is(err, twin.ErrNoAnswer) {
			t.Errorf("Answer after %v: %v", row.late, err)
		}
	}
}

func TestNoAnswer(t *testing.T) {
	tw := start(t, twin.Config{AnswerWithin: 30 * time.Millisecond})
	s := open(t, tw, func(*discordgo.Session, *discordgo.InteractionCreate) {})
	register(t, tw, s)
	in, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Answer(ctx(t)); !errors.Is(err, twin.ErrNoAnswer) {
		t.Errorf("Answer: %v, want ErrNoAnswer", err)
	}
}

func TestDeferredFollowUpsAndFiles(t *testing.T) {
	tw := start(t, twin.Config{})
	done := make(chan struct{})
	s := open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		defer close(done)
		must := func(err error) {
			if err != nil {
				t.Errorf("client: %v", err)
			}
		}
		must(s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource}))
		text := "filled in"
		_, err := s.InteractionResponseEdit(i.Interaction, &discordgo.WebhookEdit{
			Content: &text,
			Files:   []*discordgo.File{{Name: "sheet.png", ContentType: "image/png", Reader: strings.NewReader("PNG!")}},
		})
		must(err)
		m, err := s.FollowupMessageCreate(i.Interaction, true, &discordgo.WebhookParams{Content: "more", Flags: discordgo.MessageFlagsEphemeral})
		must(err)
		text = "more still"
		_, err = s.FollowupMessageEdit(i.Interaction, m.ID, &discordgo.WebhookEdit{Content: &text})
		must(err)
		m, err = s.FollowupMessageCreate(i.Interaction, true, &discordgo.WebhookParams{Content: "gone"})
		must(err)
		must(s.FollowupMessageDelete(i.Interaction, m.ID))
		m, err = s.InteractionResponse(i.Interaction)
		must(err)
		if m.Content != "filled in" || len(m.Attachments) != 1 || m.Attachments[0].Size != 4 {
			t.Errorf("@original = %+v", m)
		}
		r, err := http.Get(m.Attachments[0].URL)
		must(err)
		_ = r.Body.Close()
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != "image/png" {
			t.Errorf("the attachment's address answers %v", r.Status)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	register(t, tw, s)
	nello, table := tw.User("Nello"), tw.Channel("table")
	in, err := tw.Command(ctx(t), nello, table, "deal", result("x"))
	if err != nil {
		t.Fatal(err)
	}
	if a, err := in.Answer(ctx(t)); err != nil || a.Kind != twin.AnswerDeferred || !a.Message.Loading {
		t.Errorf("Answer = %+v, %v; want a deferred one", a, err)
	}
	m, err := in.Reply(ctx(t))
	if err != nil || m.Content != "filled in" {
		t.Errorf("Reply = %q, %v", m.Content, err)
	}
	if data, ok := tw.File(m.Attachments[0]); !ok || string(data) != "PNG!" {
		t.Errorf("File = %q, %v", data, ok)
	}
	<-done
	var texts []string
	for _, m := range tw.Messages(table, nello) {
		texts = append(texts, m.Content)
	}
	if diff := cmp.Diff([]string{"filled in", "more still"}, texts); diff != "" {
		t.Errorf("Messages (-want +got):\n%s", diff)
	}
	if n := len(tw.History(table)); n != 3 {
		t.Errorf("History has %d messages, want 3", n)
	}
	none(t, tw)
}

func TestModal(t *testing.T) {
	tw := start(t, twin.Config{})
	second := make(chan error, 1)
	s := open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		modal := &discordgo.InteractionResponse{Type: discordgo.InteractionResponseModal, Data: &discordgo.InteractionResponseData{
			CustomID: "m", Title: "Result", Components: []discordgo.MessageComponent{buttons(
				discordgo.TextInput{CustomID: "text", Label: "What happened", Style: discordgo.TextInputShort, Required: true, MaxLength: 5},
			)},
		}}
		err := s.InteractionRespond(i.Interaction, modal)
		if i.Type != discordgo.InteractionModalSubmit {
			return
		}
		second <- err
		row := i.ModalSubmitData().Components[0].(*discordgo.ActionsRow)
		_ = s.InteractionRespond(i.Interaction, respond(row.Components[0].(*discordgo.TextInput).Value, 0))
	})
	register(t, tw, s)
	in, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := in.Answer(ctx(t))
	if err != nil || a.Kind != twin.AnswerModal || len(a.Modal.Inputs) != 1 {
		t.Fatalf("Answer = %+v, %v; want a modal", a, err)
	}
	for _, bad := range []map[string]string{{"text": "too long"}, {"text": ""}, {"text": "4S =", "other": "x"}} {
		if _, err := tw.Submit(ctx(t), a.Modal, bad); !errors.Is(err, twin.ErrInput) {
			t.Errorf("Submit(%v): %v, want ErrInput", bad, err)
		}
	}
	in, err = tw.Submit(ctx(t), a.Modal, map[string]string{"text": "4S ="})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := in.Reply(ctx(t)); err != nil || m.Content != "4S =" {
		t.Errorf("Reply = %q, %v", m.Content, err)
	}
	if err := <-second; restCode(err) != 50035 {
		t.Errorf("a modal in answer to a modal: %v, want 50035", err)
	}
}

func TestAutocomplete(t *testing.T) {
	tw := start(t, twin.Config{})
	s := open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionApplicationCommandAutocompleteResult,
			Data: &discordgo.InteractionResponseData{Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "one", Value: 1}}},
		})
	})
	register(t, tw, s)
	nello, table := tw.User("Nello"), tw.Channel("table")
	in, err := tw.Autocomplete(ctx(t), nello, table, "deal", []twin.Option{{Name: "table", Value: "1", Focused: true}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := in.Answer(ctx(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]twin.Choice{{Name: "one", Value: int64(1)}}, a.Choices); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	if _, err := tw.Autocomplete(ctx(t), nello, table, "deal", result("x")); !errors.Is(err, twin.ErrOption) {
		t.Errorf("autocomplete with nothing focused: %v", err)
	}
	none(t, tw)
}

// TestOptions has what Discord's client would not send.
func TestOptions(t *testing.T) {
	tw := start(t, twin.Config{})
	register(t, tw, client(t, tw))
	nello, table := tw.User("Nello"), tw.Channel("table")
	gone := tw.User("Gone")
	tw.Delete(gone)
	sub := func(name string, o ...twin.Option) twin.Option { return twin.Option{Name: name, Options: o} }
	for _, row := range []struct {
		why     string
		command string
		options []twin.Option
		want    error
	}{
		{"good", "deal", result("4S ="), nil},
		{"at max_length", "deal", result(strings.Repeat("♠", 40)), nil},
		{"over max_length", "deal", result(strings.Repeat("♠", 41)), twin.ErrOption},
		{"empty text", "deal", result(""), twin.ErrOption},
		{"not a text", "deal", []twin.Option{{Name: "result", Value: 4}}, twin.ErrOption},
		{"required one missing", "deal", nil, twin.ErrOption},
		{"unknown option", "deal", append(result("x"), twin.Option{Name: "zz", Value: "x"}), twin.ErrOption},
		{"twice", "deal", append(result("x"), result("y")...), twin.ErrOption},
		{"a choice", "deal", append(result("x"), twin.Option{Name: "by", Value: "N"}), nil},
		{"no choice", "deal", append(result("x"), twin.Option{Name: "by", Value: "W"}), twin.ErrOption},
		{"whole number", "deal", append(result("x"), twin.Option{Name: "table", Value: 3}), nil},
		{"fraction", "deal", append(result("x"), twin.Option{Name: "table", Value: 3.5}), twin.ErrOption},
		{"user by id", "deal", append(result("x"), twin.Option{Name: "who", Value: nello.ID}), nil},
		{"no such user", "deal", append(result("x"), twin.Option{Name: "who", Value: gone}), twin.ErrOption},
		{"unknown command", "deel", nil, twin.ErrNoCommand},
		{"subcommand", "rubber", []twin.Option{sub("end")}, nil},
		{"subcommand with option", "rubber", []twin.Option{sub("start", twin.Option{Name: "north", Value: "N"})}, nil},
		{"subcommand lacks one", "rubber", []twin.Option{sub("start")}, twin.ErrOption},
		{"no subcommand", "rubber", nil, twin.ErrOption},
		{"two subcommands", "rubber", []twin.Option{sub("end"), sub("end")}, twin.ErrOption},
	} {
		if _, err := tw.Command(ctx(t), nello, table, row.command, row.options); !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", row.why, err, row.want)
		}
	}
}

func TestCommands(t *testing.T) {
	tw := start(t, twin.Config{})
	s := client(t, tw)
	register(t, tw, s)
	register(t, tw, s)
	if n := tw.CommandPuts(); n != 2 {
		t.Errorf("CommandPuts = %d, want 2", n)
	}
	list, err := s.ApplicationCommands(tw.ApplicationID(), "")
	if err != nil || len(list) != 2 || list[0].ID == "" || list[0].Version == "" || list[0].Options[1].Choices[1].Value != "S" {
		t.Errorf("ApplicationCommands = %+v, %v", list, err)
	}
	if got := tw.Commands(); len(got) != 2 || got[0].Options[0].Name != "result" || got[1].Options[1].Options[0].Name != "north" {
		t.Errorf("Commands = %+v", got)
	}
	if _, err := s.ApplicationCommandCreate(tw.ApplicationID(), tw.GuildID(), &discordgo.ApplicationCommand{Name: "help", Description: "x"}); err != nil {
		t.Error(err)
	}
	if err := s.ApplicationCommandDelete(tw.ApplicationID(), "", list[1].ID); err != nil {
		t.Error(err)
	}
	if got := tw.Commands(); len(got) != 2 || got[1].Name != "help" {
		t.Errorf("Commands = %+v, want deal and help", got)
	}
	none(t, tw)
}

func TestPeopleAndChannels(t *testing.T) {
	tw := start(t, twin.Config{})
	s := client(t, tw)
	nello, olga := tw.User("Nello Rossi"), tw.User("Olga")
	tw.Leave(olga)
	m, err := s.GuildMember(tw.GuildID(), nello.ID)
	if err != nil || m.User.Username != "nello_rossi" || m.User.GlobalName != "Nello Rossi" || m.Nick != "" {
		t.Errorf("GuildMember = %+v, %v", m, err)
	}
	if _, err := s.GuildMember(tw.GuildID(), olga.ID); restCode(err) != 10007 {
		t.Errorf("a member who left: %v, want 10007", err)
	}
	if u, err := s.User(olga.ID); err != nil || u.Username != "olga" {
		t.Errorf("User = %+v, %v", u, err)
	}
	if u, err := s.User("@me"); err != nil || u.ID != tw.ApplicationID() || !u.Bot {
		t.Errorf("User(@me) = %+v, %v", u, err)
	}
	if g, err := s.Guild(tw.GuildID()); err != nil || g.ID != tw.GuildID() {
		t.Errorf("Guild = %+v, %v", g, err)
	}
	table := tw.Channel("table")
	if c, err := s.Channel(table.ID); err != nil || c.Name != "table" || c.GuildID != tw.GuildID() {
		t.Errorf("Channel = %+v, %v", c, err)
	}
	if c, err := s.UserChannelCreate(nello.ID); err != nil || c.ID != tw.DM(nello).ID {
		t.Errorf("UserChannelCreate = %+v, %v", c, err)
	}
	sent, err := s.ChannelMessageSend(table.ID, "hello")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChannelMessageEdit(table.ID, sent.ID, "bye"); err != nil {
		t.Error(err)
	}
	if list, err := s.ChannelMessages(table.ID, 10, "", "", ""); err != nil || len(list) != 1 || list[0].Content != "bye" || list[0].EditedTimestamp == nil {
		t.Errorf("ChannelMessages = %+v, %v", list, err)
	}
	if err := s.ChannelMessageDelete(table.ID, sent.ID); err != nil {
		t.Error(err)
	}
	if got := tw.Messages(table, nil); len(got) != 0 {
		t.Errorf("Messages = %v, want none", got)
	}
	none(t, tw)
}

func TestPings(t *testing.T) {
	tw := start(t, twin.Config{})
	s := client(t, tw)
	nello, table := tw.User("Nello"), tw.Channel("table")
	text := nello.Mention() + " <@!" + nello.ID + "> <@&5> @everyone @here"
	for _, row := range []struct {
		why     string
		allowed *discordgo.MessageAllowedMentions
		want    []string
	}{
		{"nothing said: all", nil, []string{nello.Mention(), "<@&5>", "@everyone", "@here"}},
		{"nobody", &discordgo.MessageAllowedMentions{}, nil},
		{"users", &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{discordgo.AllowedMentionTypeUsers}}, []string{nello.Mention()}},
		{"one role", &discordgo.MessageAllowedMentions{Roles: []string{"5"}}, []string{"<@&5>"}},
		{"another user", &discordgo.MessageAllowedMentions{Users: []string{"7"}}, nil},
	} {
		m, err := s.ChannelMessageSendComplex(table.ID, &discordgo.MessageSend{Content: text, AllowedMentions: row.allowed})
		if err != nil {
			t.Fatalf("%s: %v", row.why, err)
		}
		got, _ := tw.Message(m.ID)
		if diff := cmp.Diff(row.want, got.Pings); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.why, diff)
		}
	}
}

func TestWrongToken(t *testing.T) {
	tw := start(t, twin.Config{})
	s := client(t, tw)
	s.Token, s.Identify.Token = "Bot nonsense", "Bot nonsense"
	if err := s.Open(); err == nil || !strings.Contains(err.Error(), "4004") {
		t.Errorf("Open = %v, want close code 4004", err)
	}
	if _, err := s.User("@me"); restCode(err) != 0 {
		t.Errorf("User = %v, want 401 with code 0", err)
	}
	if n := tw.BadAnswers(); n != 1 {
		t.Errorf("BadAnswers = %d, want 1", n)
	}
}
