package twin_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// menus posts a message with a select, a user select and buttons, and returns
// it with the events that follow.
func menus(t *testing.T, tw *twin.Twin) (twin.Message, chan *discordgo.InteractionCreate) {
	t.Helper()
	got := make(chan *discordgo.InteractionCreate, 1)
	s := open(t, tw, func(_ *discordgo.Session, i *discordgo.InteractionCreate) { got <- i })
	two := 2
	sent, err := s.ChannelMessageSendComplex(tw.Channel("table").ID, &discordgo.MessageSend{Content: "c", Components: []discordgo.MessageComponent{
		buttons(discordgo.SelectMenu{CustomID: "s", MinValues: &two, MaxValues: 3, Options: []discordgo.SelectMenuOption{
			{Label: "A", Value: "a"}, {Label: "B", Value: "b"}, {Label: "C", Value: "c"}, {Label: "D", Value: "d"},
		}}),
		buttons(discordgo.SelectMenu{MenuType: discordgo.UserSelectMenu, CustomID: "u"}),
		buttons(discordgo.Button{Label: "Go", CustomID: "go", Style: discordgo.PrimaryButton}, discordgo.Button{Label: "Site", URL: "https://x.org", Style: discordgo.LinkButton}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	m, ok := tw.Message(sent.ID)
	if !ok {
		t.Fatal("the message isn't there")
	}
	return m, got
}

func TestChoose(t *testing.T) {
	tw := start(t, twin.Config{})
	m, got := menus(t, tw)
	nello, olga := tw.User("Nello"), tw.User("Olga")
	for _, values := range [][]string{{"a"}, {"a", "b", "c", "d"}, {"a", "a"}, {"a", "z"}, nil} {
		if _, err := tw.Choose(ctx(t), nello, m, "s", values...); !errors.Is(err, twin.ErrNoComponent) {
			t.Errorf("Choose(%v): %v, want ErrNoComponent", values, err)
		}
	}
	if _, err := tw.Choose(ctx(t), nello, m, "go", "a"); !errors.Is(err, twin.ErrNoComponent) {
		t.Errorf("choosing in a button: %v", err)
	}
	if _, err := tw.Press(ctx(t), nello, m, "s"); !errors.Is(err, twin.ErrNoComponent) {
		t.Errorf("pressing a select: %v", err)
	}
	if _, err := tw.Choose(ctx(t), nello, m, "s", "b", "a"); err != nil {
		t.Fatal(err)
	}
	if d := (<-got).MessageComponentData(); d.CustomID != "s" || fmt.Sprint(d.Values) != "[b a]" || d.ComponentType != discordgo.SelectMenuComponent {
		t.Errorf("data = %+v", d)
	}
	if _, err := tw.Choose(ctx(t), nello, m, "u", olga.ID); err != nil {
		t.Fatal(err)
	}
	i := <-got
	if d := i.MessageComponentData(); d.Resolved.Users[olga.ID] == nil || i.Message.ID != m.ID || len(i.Message.Components) != 3 {
		t.Errorf("data = %+v, message = %+v", d, i.Message)
	}
}

func TestLabelled(t *testing.T) {
	tw := start(t, twin.Config{})
	m, _ := menus(t, tw)
	if c, ok := m.Labelled("Go"); !ok || c.CustomID != "go" {
		t.Errorf("Labelled(Go) = %+v, %v", c, ok)
	}
	if c, ok := m.Labelled("Stop"); ok {
		t.Errorf("Labelled(Stop) = %+v", c)
	}
}

// TestForge sends what Discord's client would not.
func TestForge(t *testing.T) {
	tw := start(t, twin.Config{})
	m, got := menus(t, tw)
	nello, other := tw.User("Nello"), tw.Channel("other")
	in, err := tw.Forge(ctx(t), nello, other, m, "nowhere")
	if err != nil {
		t.Fatal(err)
	}
	i := <-got
	if i.ID != in.ID || i.ChannelID != other.ID || i.MessageComponentData().CustomID != "nowhere" || i.Message.ID != m.ID {
		t.Errorf("event = %+v", i.Interaction)
	}
	if _, err := tw.Forge(ctx(t), nello, other, twin.Message{ID: "5"}, "x"); err != nil {
		t.Fatal(err)
	}
	if i := <-got; i.Message.ID != "5" {
		t.Errorf("message = %+v", i.Message)
	}
}

// TestNotThere: nobody acts where they aren't.
func TestNotThere(t *testing.T) {
	tw := start(t, twin.Config{})
	register(t, tw, client(t, tw))
	nello, olga, table := tw.User("Nello"), tw.User("Olga"), tw.Channel("table")
	run := func(u *twin.User, c *twin.Channel) error {
		_, err := tw.Command(ctx(t), u, c, "deal", result("x"))
		return err
	}
	tw.Leave(olga)
	if err := run(olga, table); !errors.Is(err, twin.ErrNotThere) {
		t.Errorf("after leaving: %v", err)
	}
	if err := run(olga, tw.DM(olga)); err != nil {
		t.Errorf("in her own DM: %v", err)
	}
	if err := run(nello, tw.DM(olga)); !errors.Is(err, twin.ErrNotThere) {
		t.Errorf("in somebody else's DM: %v", err)
	}
	tw.Join(olga)
	if err := run(olga, table); err != nil {
		t.Errorf("after joining again: %v", err)
	}
}

func TestThreadRenameUpload(t *testing.T) {
	tw := start(t, twin.Config{})
	got := make(chan *discordgo.InteractionCreate, 1)
	s := open(t, tw, func(_ *discordgo.Session, i *discordgo.InteractionCreate) { got <- i })
	_, err := s.ApplicationCommandBulkOverwrite(tw.ApplicationID(), tw.GuildID(), []*discordgo.ApplicationCommand{{
		Name: "load", Description: "d", Options: []*discordgo.ApplicationCommandOption{
			{Type: discordgo.ApplicationCommandOptionAttachment, Name: "file", Description: "d", Required: true},
			{Type: discordgo.ApplicationCommandOptionChannel, Name: "where", Description: "d"},
			{Type: discordgo.ApplicationCommandOptionBoolean, Name: "now", Description: "d"},
			{Type: discordgo.ApplicationCommandOptionMentionable, Name: "who", Description: "d"},
			{Type: discordgo.ApplicationCommandOptionRole, Name: "role", Description: "d"},
			{Type: discordgo.ApplicationCommandOptionNumber, Name: "stake", Description: "d", MaxValue: 2.5},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	nello, table := tw.User("Nello"), tw.Channel("table")
	thread := tw.Thread(table, "late")
	tw.Rename(nello, "Antonello")
	_, err = tw.Command(ctx(t), nello, thread, "load", []twin.Option{
		{Name: "file", Value: twin.Upload{Name: "r.txt", ContentType: "text/plain", Data: []byte("N 4S =")}},
		{Name: "where", Value: table},
		{Name: "now", Value: true},
		{Name: "who", Value: nello},
		{Name: "role", Value: tw.GuildID()},
		{Name: "stake", Value: 2.5},
	})
	if err != nil {
		t.Fatal(err)
	}
	i := <-got
	d := i.ApplicationCommandData()
	if i.ChannelID != thread.ID || i.Member.User.GlobalName != "Antonello" {
		t.Errorf("event = %+v", i.Interaction)
	}
	a := d.Resolved.Attachments[d.Options[0].Value.(string)]
	if a == nil || a.Filename != "r.txt" || a.Size != 6 {
		t.Errorf("attachment = %+v", a)
	}
	if d.Resolved.Channels[table.ID] == nil || d.Resolved.Users[nello.ID] == nil || d.Resolved.Roles[tw.GuildID()] == nil || d.Options[5].FloatValue() != 2.5 {
		t.Errorf("resolved = %+v", d.Resolved)
	}
	if c, err := s.Channel(thread.ID); err != nil || c.ParentID != table.ID || !c.IsThread() {
		t.Errorf("Channel = %+v, %v", c, err)
	}
	if tw.Thread(table, "late") != thread || tw.Channel("table") != table || tw.User("Nello") != nello {
		t.Error("asking again makes another one")
	}
}

func TestAwaitAndDelay(t *testing.T) {
	tw := start(t, twin.Config{})
	s := open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(i.Interaction, respond("here", 0))
	})
	register(t, tw, s)
	tw.Delay(20 * time.Millisecond)
	begin := time.Now()
	in, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := tw.Await(ctx(t), tw.Channel("table"), nil, func(m twin.Message) bool { return m.Content == "here" })
	if err != nil || m.Interaction != in.ID {
		t.Errorf("Await = %+v, %v", m, err)
	}
	if d := time.Since(begin); d < 20*time.Millisecond {
		t.Errorf("the answer took %v, want 20 ms", d)
	}
}

// TestKeep: what is forgotten can't be answered or edited, the rest can.
func TestKeep(t *testing.T) {
	tw := start(t, twin.Config{Keep: 4})
	s := open(t, tw, func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(i.Interaction, respond("here", 0))
	})
	register(t, tw, s)
	for range 20 {
		in, err := tw.Command(ctx(t), tw.User("Nello"), tw.Channel("table"), "deal", result("x"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Answer(ctx(t)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(tw.History(tw.Channel("table"))); n < 4 || n > 8 {
		t.Errorf("%d messages are kept, want 4 to 8", n)
	}
	none(t, tw)
}

// TestCreations: 200 new commands a day, and changes don't count.
func TestCreations(t *testing.T) {
	now := time.Now()
	tw := start(t, twin.Config{RequestLimit: -1, Now: func() time.Time { return now }})
	r := &rig{t, tw}
	put := func(from, n int) int {
		status, _ := r.ask("PUT", "/applications/"+tw.ApplicationID()+"/commands", many(n, func(i int) any {
			return obj{"name": fmt.Sprint("c", from+i), "description": "d"}
		}))
		return status
	}
	for _, row := range []struct{ from, n, want int }{{0, 100, 200}, {0, 100, 200}, {100, 100, 200}, {100, 100, 200}, {200, 1, 429}} {
		if got := put(row.from, row.n); got != row.want {
			t.Errorf("commands %d to %d: %d, want %d", row.from, row.from+row.n-1, got, row.want)
		}
	}
	now = now.Add(24 * time.Hour)
	if got := put(200, 1); got != 200 {
		t.Errorf("the day after: %d", got)
	}
}

// TestViolationText is read when a test fails.
func TestViolationText(t *testing.T) {
	v := twin.Violation{Request: "POST /x", Path: "content", Code: "C", Message: "Too long."}
	if got, want := v.String(), "POST /x: content: Too long. (C)"; got != want {
		t.Errorf("String = %q, want %q", got, want)
	}
	for k := twin.AnswerMessage; k <= twin.AnswerModal; k++ {
		if strings.HasPrefix(k.String(), "answer") {
			t.Errorf("AnswerKind %d has no name", int(k))
		}
	}
}

// TestRawEvents: malformed data reaches the client as it is.
func TestRawEvents(t *testing.T) {
	tw := start(t, twin.Config{})
	got := make(chan *discordgo.InteractionCreate, 1)
	open(t, tw, func(_ *discordgo.Session, i *discordgo.InteractionCreate) { got <- i })
	if err := tw.SendRaw("INTERACTION_CREATE", json.RawMessage(`{"id":7,"type":"x"}`)); err != nil {
		t.Fatal(err)
	}
	if i := <-got; i.Interaction != nil && i.ID != "" {
		t.Errorf("event = %+v, want nothing that can be read", i.Interaction)
	}
}

// What a bot keeps is about ids: they must mean the same people and places in the next run.
func TestIDsComeFromNames(t *testing.T) {
	ids := func() []string {
		tw, err := twin.Start(twin.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer tw.Close()
		channel := tw.Channel("table")
		return []string{
			tw.GuildID(), tw.ApplicationID(), tw.User("Nello").ID, tw.User("Olga").ID, channel.ID,
			tw.Channel("other").ID, tw.Thread(channel, "late").ID, tw.DM(tw.User("Nello")).ID,
		}
	}
	first := ids()
	if diff := cmp.Diff(first, ids()); diff != "" {
		t.Errorf("ids of a second run (-first +second):\n%s", diff)
	}
	seen := map[string]bool{}
	for _, id := range first {
		if _, ok := twin.SnowflakeTime(id); !ok || seen[id] {
			t.Errorf("id %s: no snowflake, or there twice", id)
		}
		seen[id] = true
	}
}
