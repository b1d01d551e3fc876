package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rubberbot/rubberbot/bot"
	"github.com/rubberbot/rubberbot/bot/twin"
)

// However an answer gets lost, the deal is on disk and the next public reply shows it, once.
func TestWaysToLoseAReply(t *testing.T) {
	for _, row := range []struct {
		why   string
		spoil func(*twin.Twin)
	}{
		{"Discord knows nothing of it", func(d *twin.Twin) { d.FailNext("", "/interactions", 404, `{"code":10062}`) }},
		{"the line is cut at every attempt", func(d *twin.Twin) { d.Fail(twin.Fault{Prefix: "/interactions", Times: 12}) }},
		{"Discord is broken", func(d *twin.Twin) { d.Fail(twin.Fault{Prefix: "/interactions", Status: 503, Times: 12}) }},
		{"Discord forbids it", func(d *twin.Twin) { d.FailNext("", "/interactions", 403, `{"code":50001}`) }},
		{"the answer is under way for too long", func(d *twin.Twin) { d.Delay(700 * time.Millisecond) }},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			c := openWith(t, twin.Config{AnswerWithin: 500 * time.Millisecond}, func(*bot.Bot) {})
			c.four()
			c.provoked = true
			row.spoil(c.discord)
			before := c.lost.n.Load()
			c.send("Nello", "deal", "result", "N 3H +1")
			c.await("a lost reply", func() bool { return c.lost.n.Load() > before })
			c.discord.Delay(0)
			c.holds("N 3♥ +1")
			c.await("the end of the trouble", func() bool {
				_, err := c.send("Olga", "help").Reply(t.Context())
				return err == nil
			})
			m := c.do("Olga", "deal", "result", "W 2S -1")
			says(t, m, "*Not shown before:* deal 1: 3♥ by Nello (North), one overtrick (by Nello)")
			if m := c.do("Olga", "sheet"); contains(m, "Not shown") {
				t.Errorf("shown twice:\n%s", text(m))
			}
		})
	}
}

// A reply that would have shown a lost deal is lost too: then the next shows both.
func TestLossOfAReplyThatShowsALoss(t *testing.T) {
	c := open(t)
	c.four()
	for i := range 7 {
		c.lose(fmt.Sprintf("N %dC -1", i+1))
	}
	m := c.do("Olga", "sheet")
	says(t, m, "*Not shown before:* 2 earlier changes\n", "*Not shown before:* deal 3: 3♣", "*Not shown before:* deal 7: 7♣")
	if n := strings.Count(text(m), "Not shown before"); n != 6 {
		t.Errorf("%d lines of what was missed, want 6:\n%s", n, text(m))
	}
	if m := c.do("Olga", "sheet"); contains(m, "Not shown") {
		t.Errorf("shown twice:\n%s", text(m))
	}
}

// The end of a rubber whose reply was lost is told in the next rubber without its players' names: they are others.
func TestLossOfTheEndOfARubber(t *testing.T) {
	c := open(t)
	c.four()
	c.deal("N 4S =")
	c.lose("S 3NT =")
	m := c.do("Olga", "rubber start", "north", "Ann", "south", "Ben")
	says(t, m, "# Rubber 2\n", "*Not shown before:* rubber 1, deal 2: 3NT by South, made (by Nello)")
	if contains(m, "Ben (South)") {
		t.Errorf("a deal by somebody who didn't sit there:\n%s", text(m))
	}
}

// Where undo leaves no rubber there is a public reply too, and it shows what was lost.
func TestLossOfAStartThatIsUndone(t *testing.T) {
	c := open(t)
	c.losing(func() { c.send("Nello", "rubber start") })
	m := c.do("Olga", "undo")
	public(t, m)
	says(t, m, "# No rubber\n", "*Not shown before:* the start of rubber 1 (by Nello)", "**Taken back** – the start of rubber 1 (by Nello).", "No rubber is open now.")
	if m := c.do("Olga", "rubber start"); contains(m, "Not shown") {
		t.Errorf("shown twice:\n%s", text(m))
	}
}

// A press whose reply was lost can't be pressed again, and is shown like any other.
func TestLossOfAPress(t *testing.T) {
	c := open(t)
	offer := c.deal("4S =")
	press := func() {
		if _, err := c.discord.Press(t.Context(), c.discord.User("Nello"), offer, c.button(offer, "North").CustomID); err != nil {
			t.Fatal(err)
		}
	}
	c.losing(press)
	c.holds("N 4♠ =")
	late := c.press("Nello", offer, "North")
	private(t, late)
	says(t, late, "before the table's last change", "`/sheet`")
	c.holds("N 4♠ =")
	says(t, c.do("Nello", "sheet"), "*Not shown before:* the start of rubber 1 (by Nello)\n*Not shown before:* deal 1: 4♠ by North, made (by Nello)")
}

// A deal typed again is asked about within two minutes, and not at their end.
func TestHowSoonADealIsAskedAbout(t *testing.T) {
	for _, row := range []struct {
		after time.Duration
		asked bool
	}{{0, true}, {110 * time.Second, true}, {2 * time.Minute, false}, {time.Hour, false}} {
		c := open(t)
		c.four()
		c.deal("N 3H +1")
		c.clock.forward(row.after)
		if m := c.do("Olga", "deal", "result", "N 3H +1"); m.Private != row.asked {
			t.Errorf("after %v asked %t, want %t:\n%s", row.after, m.Private, row.asked, text(m))
		}
	}
	// What differs in anything but what it says of vulnerability is another deal.
	c := open(t)
	c.four()
	c.deal("N 3H +1")
	private(t, c.deal("N 3H +1 nv"))
	public(t, c.deal("N 3H +1 hon 100"))
	public(t, c.deal("S 3H +1"))
	public(t, c.deal("S 3H ="))
	// What was taken back and is typed again was a mistake put right.
	c.do("Nello", "undo")
	public(t, c.deal("S 3H ="))
}

// A name with nothing that shows is no blank in a reply.
func TestNamelessPerson(t *testing.T) {
	c := open(t)
	blank := c.discord.User("Blank")
	c.discord.Nick(blank, "\u3164")
	says(t, c.do("Blank", "rubber start", "north", blank.Mention()), "North          │ East")
	c.do("Blank", "deal", "result", "N 3H +1")
	says(t, c.do("Olga", "undo"), "deal 1: 3♥ by North, one overtrick (by somebody)")
}

// A panic after the change is on disk: the change is shown by the next reply.
func TestPanicAfterACommit(t *testing.T) {
	c := openWith(t, twin.Config{}, func(b *bot.Bot) { b.SetHelp(bot.UndoThenPanic) })
	c.four()
	c.deal("N 3H +1")
	private(t, c.do("Olga", "help"))
	c.holds()
	says(t, c.do("Nello", "sheet"), "*Not shown before:* taken back: deal 1: 3♥ by Nello (North), one overtrick (by Olga)")
}

// A deal in between hides no repeat.
func TestDealTypedAgainAfterAnother(t *testing.T) {
	c := open(t)
	c.four()
	c.lose("N 3H +1")
	public(t, c.do("Olga", "deal", "result", "W 2S -1"))
	ask := c.do("Sandra", "deal", "result", "N 3H +1")
	private(t, ask)
	says(t, ask, "Deal 1, which Nello recorded a moment ago, was just this")
	c.do("Olga", "undo")
	c.do("Olga", "undo")
	public(t, c.do("Sandra", "deal", "result", "N 3H +1")) // what was taken back doesn't stand
	c.holds("N 3♥ +1")
}

// A deal that made its side vulnerable, typed again with the claim that was true before it: the question comes first.
func TestDealTypedAgainWithItsClaim(t *testing.T) {
	c := open(t)
	c.four()
	c.lose("N 4S = nv")
	ask := c.deal("N 4S = nv")
	private(t, ask)
	says(t, ask, "Deal 1, which Nello recorded a moment ago, was just this")
	says(t, c.press("Nello", ask, "Yes"), "Rubber 1 · deal 2", "North–South win the rubber")
}

// A reply that Discord didn't take, since the interaction had been answered by an earlier process, shows nothing: what it
// would have shown is left to the next.
func TestRepeatShowsNothing(t *testing.T) {
	c := open(t)
	c.four()
	sheet := c.send("Olga", "sheet")
	c.reply(sheet)
	c.lose("N 3H +1")
	c.restart()
	c.again(sheet)
	next := c.do("Olga", "sheet")
	for tries := 0; tries < 20 && !contains(next, "Not shown"); tries++ { // the bot may not have read the refusal yet
		next = c.do("Olga", "sheet")
	}
	says(t, next, "*Not shown before:* deal 1: 3♥ by Nello (North), one overtrick (by Nello)")
}
