package bot

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/rubberbot/rubberbot/bot/gateway"
	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/bot/twin"
	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

// with runs the real bot on a Discord on loopback.
func with(t *testing.T) (*twin.Twin, *Bot) {
	t.Helper()
	discord, err := twin.Start(twin.Config{})
	if err != nil {
		t.Fatal(err)
	}
	store, err := storage.Open(filepath.Join(t.TempDir(), "rubber.db"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(Config{
		Token: gateway.Secret(discord.Token()), URL: discord.URL(), Store: store,
		Timing: gateway.Timing{Identify: time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		for _, err := range []error{<-ended, store.Close(), discord.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	select {
	case <-b.Synced():
	case <-time.After(10 * time.Second):
		t.Fatal("the bot did not connect")
	}
	return discord, b
}

func say(t *testing.T, discord *twin.Twin, name string, options ...twin.Option) twin.Message {
	t.Helper()
	in, err := discord.Command(t.Context(), discord.User("Nello"), discord.Channel("table"), name, options)
	if err != nil {
		t.Fatal(err)
	}
	m, err := in.Reply(t.Context())
	if err != nil {
		t.Fatalf("/%s: %v", name, err)
	}
	return m
}

// What Discord might send one day, or a fault of its own, kills nothing.
func TestMalformedInteractions(t *testing.T) {
	discord, _ := with(t)
	for _, raw := range []string{
		`{}`, `null`, `{"id":"1","type":2}`, `{"id":"1","token":"x","type":2,"data":null}`,
		`{"id":"2","token":"x","type":99,"data":{}}`, `{"id":"3","token":"x","type":2,"data":{"name":5},"user":{"id":"7"}}`,
		`{"id":"4","token":"x","type":3,"data":{"custom_id":"by:1:1:N:4S =","component_type":99},"user":{"id":"7"},"channel_id":"1"}`,
		`{"id":"5","token":"x","type":2,"data":{"name":"deal","options":[{"name":"result","type":3,"value":{}}]},"user":{"id":"7"}}`,
		`{"id":"6","token":"x","type":2,"data":{"name":"deal","options":[]},"user":{"id":"7"},"channel_id":"1"}`,
		`{"id":"7","token":"x","type":2,"data":{"name":"nothing"},"user":{"id":"7"},"channel_id":"1"}`,
		`{"id":"8","token":"x","type":5,"data":{"custom_id":"x","components":[]},"user":{"id":"7"},"channel_id":"1"}`,
	} {
		if !json.Valid([]byte(raw)) {
			t.Fatal(raw)
		}
		if err := discord.SendRaw("INTERACTION_CREATE", json.RawMessage(raw)); err != nil {
			t.Fatal(err)
		}
	}
	if m := say(t, discord, "help"); len(m.Embeds) != 1 {
		t.Errorf("then /help is answered %+v", m)
	}
}

// Commands are compared by what people see of them.
func TestSameCommands(t *testing.T) {
	_, b := with(t)
	ours, theirs := b.definitions(), b.definitions()
	theirs[0].ID, theirs[0].Version, theirs[0].ApplicationID = "1", "2", "3"
	if !same(ours, theirs) {
		t.Error("what Discord adds of its own counts as a change")
	}
	theirs[0].Options[0].Description = "another"
	if same(ours, theirs) {
		t.Error("another description of an option doesn't count as a change")
	}
	if same(ours, ours[1:]) {
		t.Error("a missing command doesn't count as a change")
	}
}

func TestPressID(t *testing.T) {
	want := press{kind: "by", rubber: 12, revision: 1<<64 - 1, arg: "N", text: "7NTXX −13 nv hon EW 150: a:b"}
	got, err := parsePress(want.id())
	if err != nil || got != want {
		t.Errorf("parsePress(%q) = %+v, %v, want %+v", want.id(), got, err, want)
	}
	if n := len([]rune(want.id())); n > 100 {
		t.Errorf("%d characters: Discord takes 100", n)
	}
}

// The newest interactions are remembered, the others forgotten.
func TestRecent(t *testing.T) {
	r := newRecent()
	runs := 0
	for range 3 {
		r.do("a", func() Reply { runs++; return Reply{Body: "x"} })
	}
	if runs != 1 {
		t.Errorf("run %d times", runs)
	}
	for i := range 2 * recentLength {
		r.do(string(rune(1000+i)), func() Reply { return Reply{} })
	}
	if n := len(r.replies); n != recentLength {
		t.Errorf("%d remembered, want %d", n, recentLength)
	}
	if r.claim("never seen", "x") != true || r.claim("never seen", "x") != false {
		t.Error("a change is claimed once")
	}
	r.lose("never seen")
	if !r.claim("never seen", "x") {
		t.Error("what was lost can be claimed again")
	}
}

// Every text that the notation refuses, in all the ways that scoring's examples know, is answered in words, with a quotation
// where there is a spot, and within what a message holds.
func TestEveryRefusedText(t *testing.T) {
	data, err := os.ReadFile("../scoring/testdata/notation.txt")
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := lang.Load()
	if err != nil {
		t.Fatal(err)
	}
	words, refused := catalogue.In("en"), 0
	for line := range strings.Lines(string(data)) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			continue // a comment
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatal(err)
		}
		_, err = scoring.English().Parse(text)
		e, ok := errors.AsType[*scoring.ParseError](err)
		if !ok {
			continue
		}
		refused++
		offersCanBeRead(t, e)
		got := explainParse(words, "deal", e)
		why := got
		if e.Fault != scoring.FaultEmpty && e.Fault != scoring.FaultTooLong {
			why = got[strings.LastIndex(got, "```")+3:]
		}
		first, _, _ := strings.Cut(why, "\n")
		if len(strings.Fields(first)) < 4 || strings.Contains(got, "<no value>") || len([]rune(got)) > 2000 {
			t.Errorf("%q is answered:\n%s", text, got)
		}
	}
	if refused < 50 {
		t.Errorf("%d refused texts in the file: does this test still read it?", refused)
	}
}

// What is offered instead can be typed as it stands, also for a text with much space in it.
func TestOffersOfASpacedText(t *testing.T) {
	for _, text := range []string{"N 4S" + strings.Repeat(" ", 80) + "X X =", "N" + strings.Repeat(" ", 70) + "4S"} {
		_, err := scoring.English().Parse(text)
		e, ok := errors.AsType[*scoring.ParseError](err)
		if !ok || len(e.Offers) == 0 {
			t.Fatalf("Parse(%q) = %v, want an error with offers", text, err)
		}
		offersCanBeRead(t, e)
	}
}

// offersCanBeRead fails unless each offer in a reply is one deal.
func offersCanBeRead(t *testing.T, e *scoring.ParseError) {
	t.Helper()
	catalogue, err := lang.Load()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(explainParse(catalogue.In("en"), "deal", e)) {
		_, offer, ok := strings.Cut(line, "`/deal ")
		if !ok {
			continue
		}
		offer, _, _ = strings.Cut(offer, "`")
		if _, err := scoring.English().Parse(offer); err != nil {
			t.Errorf("%q is answered with an offer that can't be read: %v", e.Text, err)
		}
	}
}

// Names that Discord sends along are taken as they are: the nickname in the server, else the name.
func TestDecodeNames(t *testing.T) {
	_, b := with(t)
	in := &discordgo.Interaction{
		ID: "1", ChannelID: "2", GuildID: "3", Member: &discordgo.Member{Nick: "Nello R.", User: &discordgo.User{ID: "7", Username: "nello"}},
		Data: discordgo.ApplicationCommandInteractionData{
			Name: "rubber",
			Resolved: &discordgo.ApplicationCommandInteractionDataResolved{
				Users:   map[string]*discordgo.User{"8": {Username: "sandra", GlobalName: "Sandra"}, "9": {Username: "olga"}, "10": {Username: "e"}},
				Members: map[string]*discordgo.Member{"10": {Nick: "Enrico"}},
			},
			Options: []*discordgo.ApplicationCommandInteractionDataOption{{
				Name: "start", Type: discordgo.ApplicationCommandOptionSubCommand,
				Options: []*discordgo.ApplicationCommandInteractionDataOption{{Name: "north", Value: "<@8>"}, {Name: "east", Value: 5.0}},
			}},
		},
	}
	r, err := b.decode(in)
	if err != nil {
		t.Fatal(err)
	}
	if r.Command != "rubber start" || r.Options["north"] != "<@8>" || r.Options["east"] != "" || r.Who != (storage.Person{ID: "7", Name: "Nello R."}) {
		t.Errorf("decoded %+v", r)
	}
	for id, want := range map[string]string{"7": "Nello R.", "8": "Sandra", "9": "olga", "10": "Enrico", "11": ""} {
		if got := r.names[id]; got != want {
			t.Errorf("the name of %s is %q, want %q", id, got, want)
		}
	}
	for text, want := range map[string]string{"<@8>": "8", "<@!8>": "8", "<@&8>": "", "<@8> x": "", "Nello": "", "<@>": "", "<@a>": ""} {
		if got := mentioned(text); got != want {
			t.Errorf("mentioned(%q) = %q, want %q", text, got, want)
		}
	}
}
