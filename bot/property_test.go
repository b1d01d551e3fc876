package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rubberbot/rubberbot/bot/twin"
	"github.com/rubberbot/rubberbot/scoring"
	"pgregory.net/rapid"
)

// state is what a table should hold: its latest rubber, as a list of what was played.
type state struct {
	rubber int
	deals  []scoring.Deal
	ended  bool
}

func (s state) sheet(t *rapid.T) scoring.Sheet {
	sheet, err := scoring.Fold(scoring.Laws(), s.deals)
	if err == nil && s.ended {
		sheet, err = sheet.End()
	}
	if err != nil {
		t.Fatal(err)
	}
	return sheet
}

// model is a table in the simplest way: every state that it went through, and those that were taken back.
type model struct {
	channel  *twin.Channel
	past     []state // the last is what stands
	future   []state
	revision int
	asked    []question
	safe     []*twin.Interaction // that may come again and change nothing, whatever happened since
}

// question is a private message with buttons, and the table's revision at which it was asked.
type question struct {
	who      string
	message  twin.Message
	revision int
}

func (m *model) now() state { return m.past[len(m.past)-1] }

func (m *model) push(s state) {
	m.past, m.future, m.revision = append(m.past, s), nil, m.revision+1
}

func (m *model) open(t *rapid.T) bool {
	sheet := m.now().sheet(t)
	return m.now().rubber > 0 && !sheet.Over()
}

func (m *model) record(d scoring.Deal) {
	s := m.now()
	s.deals = append(slices.Clone(s.deals), d)
	m.push(s)
}

// evening is a run of random commands by several people at two tables.
type evening struct {
	*club
	t   *rapid.T
	m   *model
	who string
}

// command types a command, holds the reply to be public where something changes, and keeps the interaction for a repeat.
func (e *evening) command(changes bool, command string, pairs ...string) twin.Message {
	in := e.send(e.who, command, pairs...)
	return e.answered(in, changes)
}

func (e *evening) answered(in *twin.Interaction, changes bool) twin.Message {
	reply := e.reply(in)
	if reply.Private == changes {
		e.t.Fatalf("changes %t, private %t:\n%s", changes, reply.Private, text(reply))
	}
	if changes {
		e.m.safe = append(e.m.safe, in)
	}
	return reply
}

// click presses the button whose label begins so.
func (e *evening) click(q twin.Message, label string, changes bool) {
	in, err := e.discord.Press(e.t.Context(), e.discord.User(e.who), q, e.button(q, label).CustomID)
	if err != nil {
		e.t.Fatal(err)
	}
	e.answered(in, changes)
}

// ask keeps a question, and says whether to answer it at once.
func (e *evening) ask(q twin.Message) bool {
	e.m.asked = append(e.m.asked, question{e.who, q, e.m.revision})
	return rapid.Bool().Draw(e.t, "answer at once")
}

func (e *evening) start() {
	open := e.m.open(e.t)
	e.command(!open, "rubber start", "north", "Nello", "east", "東南西北", "south", e.discord.User(e.who).Mention())
	if !open {
		e.m.push(state{rubber: e.m.now().rubber + 1})
	}
}

func (e *evening) next() {
	can := !e.m.open(e.t) && e.m.now().rubber > 0
	e.command(can, "rubber next")
	if can {
		e.m.push(state{rubber: e.m.now().rubber + 1})
	}
}

// drawDeal is a deal as people type it, without its declarer.
func (e *evening) drawDeal() string {
	return rapid.SampledFrom([]string{
		"4S =", "3NT +1", "2H =", "1C +2", "6NT X =", "5D -1", "4H X -3", "7C XX -2", "2S = hon 100", "1NT = hon 150", "pass",
	}).Draw(e.t, "deal")
}

func (e *evening) drawSeat() string {
	return rapid.SampledFrom([]string{"N", "E", "S", "W"}).Draw(e.t, "seat")
}

func (e *evening) parse(text string) scoring.Deal {
	d, err := scoring.English().Parse(text)
	if err != nil {
		e.t.Fatal(err)
	}
	return d
}

func (e *evening) deal() {
	text := e.drawDeal()
	if text != "pass" {
		text = e.drawSeat() + " " + text
	}
	e.dealAs(text)
}

func (e *evening) dealAs(text string) {
	open := e.m.open(e.t)
	reply := e.command(open, "deal", "result", text)
	if !open {
		e.first(reply, e.parse(text), "Start", "Yes, same")
		return
	}
	e.m.record(e.parse(text))
}

// first answers the offer of a rubber.
func (e *evening) first(offer twin.Message, d scoring.Deal, unnamed, same string) {
	if !e.ask(offer) {
		return
	}
	label := unnamed
	if contains(offer, "["+same) { // where anybody has a name
		label = same
	}
	e.click(offer, label, true)
	e.m.push(state{rubber: e.m.now().rubber + 1})
	e.m.record(d)
}

func (e *evening) dealWithoutDeclarer() {
	text := e.drawDeal()
	if text == "pass" {
		return
	}
	open := e.m.open(e.t)
	reply := e.command(false, "deal", "result", text)
	seat := e.drawSeat()
	label := map[string]string{"N": "N", "E": "E", "S": "S", "W": "W"}[seat]
	d := e.parse(seat + " " + text)
	if !open {
		e.first(reply, d, label, label)
		return
	}
	if e.ask(reply) {
		e.click(reply, label, true)
		e.m.record(d)
	}
}

// twice types a deal, and at once somebody else does so again.
func (e *evening) twice() {
	if !e.m.open(e.t) {
		return
	}
	e.dealAs("E 2H =")
	e.who = "Sandra"
	reply := e.command(false, "deal", "result", "2h=", "by", "E")
	if e.m.open(e.t) && e.ask(reply) {
		e.click(reply, "Yes", true)
		e.m.record(e.parse("E 2H ="))
	}
}

func (e *evening) undo() {
	n := len(e.m.past) - 1
	e.command(n > 0, "undo")
	if n > 0 {
		e.m.past, e.m.future, e.m.revision = e.m.past[:n:n], append(e.m.future, e.m.past[n]), e.m.revision+1
	}
}

func (e *evening) redo() {
	n := len(e.m.future) - 1
	e.command(n >= 0, "redo")
	if n >= 0 {
		e.m.past, e.m.future, e.m.revision = append(e.m.past, e.m.future[n]), e.m.future[:n:n], e.m.revision+1
	}
}

func (e *evening) end() {
	sure := e.command(false, "rubber end")
	if e.m.open(e.t) && e.ask(sure) {
		e.click(sure, "End", true)
		s := e.m.now()
		s.ended = true
		e.m.push(s)
	}
}

func (e *evening) nonsense() {
	for _, text := range []string{"4S", "8S =", "N4S= S", "```", "4S = by N by S"} {
		e.command(false, "deal", "result", text)
	}
	e.command(false, "score", "result", "4S =")
	e.command(false, "help")
}

// sheet shows the sheet, whose totals are the model's.
func (e *evening) sheet() {
	reply := e.do(e.who, "sheet")
	if e.m.now().rubber == 0 {
		if !reply.Private {
			e.t.Fatalf("a sheet without a rubber:\n%s", text(reply))
		}
		return
	}
	want := e.m.now().sheet(e.t)
	total := want.Total()
	if row := fmt.Sprintf("Total%9d │ Total%9d", total.NS, total.EW); !contains(reply, row) {
		e.t.Fatalf("the sheet lacks %q:\n%s", row, text(reply))
	}
	if title := fmt.Sprintf("# Rubber %d", e.m.now().rubber); !contains(reply, title) || contains(reply, "Not shown") {
		e.t.Fatalf("want %q and nothing unshown:\n%s", title, text(reply))
	}
}

// stale presses a button that was offered before the table changed.
func (e *evening) stale() {
	for _, q := range e.m.asked {
		if q.revision == e.m.revision {
			continue
		}
		e.who = q.who
		in, err := e.discord.Press(e.t.Context(), e.discord.User(q.who), q.message, q.message.Components[0].Components[0].CustomID)
		if err != nil {
			e.t.Fatal(err)
		}
		if reply := e.answered(in, false); !contains(reply, "before the table's last change") {
			e.t.Fatalf("a stale press is answered:\n%s", text(reply))
		}
		return
	}
}

// repeat delivers something that was answered before once more.
func (e *evening) repeat() {
	if len(e.m.safe) == 0 {
		return
	}
	in := rapid.SampledFrom(e.m.safe).Draw(e.t, "repeated")
	before := len(e.discord.Violations())
	if err := e.discord.Deliver(in); err != nil {
		e.t.Fatal(err)
	}
	for start := time.Now(); len(e.discord.Violations()) == before; time.Sleep(time.Millisecond) {
		if time.Since(start) > 5*time.Second {
			e.t.Fatal("a repeat isn't answered")
		}
	}
}

func (e *evening) again() { e.restart() }

// agree holds what is on disk against the model.
func (e *evening) agree() {
	table, err := e.store.Table(e.m.channel.ID)
	if err != nil {
		e.t.Fatal(err)
	}
	got := state{rubber: table.Rubber.Number, ended: table.Rubber.Ended}
	for _, d := range table.Rubber.Deals {
		got.deals = append(got.deals, d.Unclaimed())
	}
	want := e.m.now()
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(state{})); diff != "" {
		e.t.Fatalf("%s (-model +disk):\n%s", e.m.channel.Name, diff)
	}
	if sheet := want.sheet(e.t); sheet.Total() != table.Sheet.Total() {
		e.t.Fatalf("totals %v, want %v", table.Sheet.Total(), sheet.Total())
	}
	if table.Revision != uint64(e.m.revision) {
		e.t.Fatalf("revision %d, want %d", table.Revision, e.m.revision)
	}
}

// Whatever several people type and press at two tables, also again, late, and across restarts: each table holds what a
// simple model says, and the other one isn't touched.
func TestEvenings(t *testing.T) {
	c := open(t)
	c.provoked = true // repeats are answered twice
	tables := 0
	rapid.Check(t, func(rt *rapid.T) {
		c.t = rt
		defer func() { c.t = t }()
		var models []*model
		for range 2 {
			tables++
			models = append(models, &model{channel: c.discord.Channel(fmt.Sprintf("table-%d", tables)), past: []state{{}}})
		}
		steps := map[string]func(*evening){
			"start": (*evening).start, "next": (*evening).next, "deal": (*evening).deal, "deal again": (*evening).deal,
			"a third deal": (*evening).deal, "no declarer": (*evening).dealWithoutDeclarer, "twice": (*evening).twice,
			"undo": (*evening).undo, "redo": (*evening).redo, "end": (*evening).end, "nonsense": (*evening).nonsense,
			"sheet": (*evening).sheet, "stale": (*evening).stale, "repeat": (*evening).repeat, "restart": (*evening).again,
		}
		names := make([]string, 0, len(steps))
		for name := range steps {
			names = append(names, name)
		}
		slices.Sort(names)
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			c.clock.forward(3 * time.Minute) // so that only "twice" is soon
			e := &evening{
				club: c, t: rt, m: rapid.SampledFrom(models).Draw(rt, "table"),
				who: rapid.SampledFrom([]string{"Nello", "Enrico", "Olga"}).Draw(rt, "who"),
			}
			c.table = e.m.channel
			steps[rapid.SampledFrom(names).Draw(rt, "step")](e)
			for _, m := range models {
				(&evening{club: c, t: rt, m: m}).agree()
			}
		}
		for _, m := range models {
			c.table = m.channel
			(&evening{club: c, t: rt, m: m, who: "Nello"}).sheet()
		}
	})
	for _, v := range c.discord.Violations() {
		if v.Code != "40060" && !strings.Contains(v.String(), "40060") {
			t.Errorf("Discord refuses more than the repeats: %v", v)
		}
	}
}
