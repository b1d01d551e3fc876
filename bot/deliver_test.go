package bot_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// again delivers an interaction once more and waits until the bot has answered it.
func (c *club) again(in *twin.Interaction) {
	c.t.Helper()
	refused, seen := len(c.discord.Violations()), len(c.discord.History(in.Channel))
	if err := c.discord.Deliver(in); err != nil {
		c.t.Fatal(err)
	}
	c.await("the answer to a repeat", func() bool {
		return len(c.discord.Violations()) > refused || len(c.discord.History(in.Channel)) > seen
	})
}

// settle waits until what was delivered before has been answered: a private question is answered after it.
func (c *club) settle() {
	c.t.Helper()
	time.Sleep(50 * time.Millisecond)
	c.do("Nobody", "help")
}

// seen is what everybody sees at the table.
func (c *club) seen() []string {
	var all []string
	for _, m := range c.discord.Messages(c.table, nil) {
		all = append(all, text(m))
	}
	return all
}

func TestInteractionDeliveredTwice(t *testing.T) {
	for _, row := range []struct {
		why     string
		between func(*club)
	}{
		{"at once", func(*club) {}},
		{"after other changes", func(c *club) { c.do("Olga", "deal", "result", "W 2H ="); c.do("Olga", "undo") }},
		{"after it was undone", func(c *club) { c.do("Olga", "undo") }},
		{"after a restart", func(c *club) { c.restart() }},
		{"after changes and a restart", func(c *club) { c.do("Olga", "deal", "result", "W 2H ="); c.restart() }},
	} {
		t.Run(row.why, func(t *testing.T) {
			c := open(t)
			c.provoked = true // the second answer is a 40060
			c.four()
			in := c.send("Nello", "deal", "result", "N 4S =")
			c.reply(in)
			row.between(c)
			before, said := c.deals(), c.seen()
			c.again(in)
			c.holds(before...)
			if got := c.seen(); !slices.Equal(got, said) {
				t.Errorf("the channel shows\n%s\nand showed\n%s", strings.Join(got, "\n"), strings.Join(said, "\n"))
			}
		})
	}
}

// A repeat whose first answer was lost is answered as the first time would have been.
func TestRepeatIsAnsweredTheSame(t *testing.T) {
	for _, restart := range []bool{false, true} {
		c := open(t)
		c.provoked = true
		c.four()
		want := text(c.deal("N 4S ="))
		c.do("Nello", "undo")
		var in *twin.Interaction
		c.losing(func() { in = c.send("Nello", "deal", "result", "N 4S =") })
		if restart {
			c.restart()
		}
		c.again(in)
		got := c.seen()
		if last := got[len(got)-1]; last != want {
			t.Errorf("restart %t: the repeat is answered\n%s\nwant\n%s", restart, last, want)
		}
		c.holds("N 4♠ =")
	}
}

// A refused interaction that is delivered twice stays refused, even where it would be allowed by now.
func TestRefusedTwice(t *testing.T) {
	c := open(t)
	c.provoked = true
	c.four()
	c.deal("N 4S =")
	c.do("Nello", "undo")
	c.do("Nello", "undo")
	in := c.send("Nello", "undo")
	says(t, c.reply(in), "nothing to take back")
	c.four()
	c.again(in)
	says(t, c.do("Nello", "sheet"), "Rubber 1")
}

func TestPressDeliveredTwice(t *testing.T) {
	c := open(t)
	c.provoked = true
	c.four()
	ask := c.deal("4S =")
	in, err := c.discord.Press(t.Context(), c.discord.User("Nello"), ask, c.button(ask, "N").CustomID)
	if err != nil {
		t.Fatal(err)
	}
	public(t, c.reply(in))
	c.again(in)
	c.holds("N 4♠ =")
	// A second press is another interaction: it is told that it comes too late.
	late := c.press("Nello", ask, "S")
	private(t, late)
	says(t, late, "before the table's last change")
	c.holds("N 4♠ =")
}

// The same interaction arriving many times at once is one change.
func TestInteractionDeliveredManyTimesAtOnce(t *testing.T) {
	c := open(t)
	c.provoked = true
	c.four()
	release := c.discord.Hold()
	in := c.send("Nello", "deal", "result", "N 4S =")
	for range 8 {
		if err := c.discord.Deliver(in); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(50 * time.Millisecond)
	release()
	says(t, c.reply(in), "Rubber 1 · deal 1")
	c.settle()
	c.holds("N 4♠ =")
}

// Two people at once: both deals count, whatever the order, and each reply has the sheet of its moment.
func TestTwoAtOnce(t *testing.T) {
	c := open(t)
	c.four()
	const rounds = 12
	for i := range rounds {
		var wg sync.WaitGroup
		replies := make([]twin.Message, 2)
		for who, result := range []string{fmt.Sprintf("N %dC -%d", i%7+1, i/7+1), fmt.Sprintf("E %dD -%d", i%7+1, i/7+1)} {
			in := c.send([]string{"Nello", "Enrico"}[who], "deal", "result", result)
			wg.Go(func() {
				m, err := in.Reply(context.Background())
				if err != nil {
					t.Error(err)
				}
				replies[who] = m
			})
		}
		wg.Wait()
		titles := []string{replies[0].Embeds[0].Title, replies[1].Embeds[0].Title}
		slices.Sort(titles)
		if want := []string{fmt.Sprintf("Rubber 1 · deal %d", 2*i+1), fmt.Sprintf("Rubber 1 · deal %d", 2*i+2)}; !sameSet(titles, want) {
			t.Errorf("titles %v, want %v", titles, want)
		}
		for _, m := range replies {
			if strings.Contains(text(m), "Not shown before") {
				t.Errorf("a deal that was being answered is called unshown:\n%s", text(m))
			}
		}
	}
	if got := len(c.deals()); got != 2*rounds {
		t.Errorf("%d deals on disk, want %d", got, 2*rounds)
	}
}

func sameSet(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// lose makes the next answer of the bot go astray, which is the same to people as a bot killed after its commit.
func (c *club) lose(result string) {
	c.t.Helper()
	c.losing(func() { c.send("Nello", "deal", "result", result) })
}

func TestLostReplyIsShownByTheNext(t *testing.T) {
	for _, restart := range []bool{false, true} {
		c := open(t)
		c.four()
		c.lose("N 3H +1")
		if restart {
			c.restart()
		}
		c.holds("N 3♥ +1")
		private(t, c.do("Olga", "help"))
		next := c.do("Olga", "deal", "result", "W 2S -1")
		says(t, next, "*Not shown before:* deal 1: 3♥ by Nello (North), one overtrick (by Nello)", "Rubber 1 · deal 2")
		if later := c.do("Olga", "sheet"); strings.Contains(text(later), "Not shown") {
			t.Errorf("shown twice:\n%s", text(later))
		}
		c.holds("N 3♥ +1", "W 2♠ −1")
	}
}

func TestLostUndoIsShownByTheNext(t *testing.T) {
	c := open(t)
	c.four()
	c.deal("N 3H +1")
	c.losing(func() { c.send("Olga", "undo") })
	says(t, c.do("Olga", "sheet"), "*Not shown before:* taken back: deal 1: 3♥ by Nello (North), one overtrick (by Olga)")
}

// A deal whose reply was lost is typed again: whoever does so is asked.
func TestDealTypedAgain(t *testing.T) {
	c := open(t)
	c.four()
	c.lose("N 3H +1")
	ask := c.do("Sandra", "deal", "result", "3h+1", "by", "N")
	private(t, ask)
	says(t, ask, "Deal 1, which Nello recorded a moment ago, was just this: **3♥ by Nello (North), one overtrick**. Another one?")
	c.holds("N 3♥ +1")
	says(t, c.press("Sandra", ask, "Yes"), "Rubber 1 · deal 2", "Not shown before")
	c.holds("N 3♥ +1", "N 3♥ +1")
	c.clock.forward(121 * time.Second)
	public(t, c.deal("N 3H +1"))
	public(t, c.deal("S 3H +1"))
}

// Also where the declarer comes by a press, and where the deal ended the rubber.
func TestDealTypedAgainByOtherWays(t *testing.T) {
	c := open(t)
	c.four()
	c.deal("N 4S =")
	ask := c.deal("4S =")
	says(t, ask, "who declared?")
	again := c.press("Nello", ask, "N")
	private(t, again)
	says(t, again, "Another one?")
	c.press("Nello", again, "Yes")
	c.holds("N 4♠ =", "N 4♠ =")
	after := c.deal("N 4S =")
	private(t, after)
	says(t, after, "Just this deal was recorded a moment ago, in the last rubber: **4♠ by Nello (North), made**. Is it the first deal of rubber 2 too?")
	c.clock.forward(3 * time.Minute)
	says(t, c.deal("N 4S ="), "The last rubber is over.")
}

// An answer that Discord refuses for its form is replaced by a plain one, and the deal stays unshown.
func TestRefusedReplyFallsBack(t *testing.T) {
	c := open(t)
	c.four()
	c.provoked = true
	c.discord.Fail(twin.Fault{Prefix: "/interactions", Status: http.StatusBadRequest, Body: `{"code":50035,"message":"Invalid Form Body"}`})
	m := c.deal("N 3H +1")
	private(t, m)
	says(t, m, "Discord refused the reply")
	says(t, c.do("Olga", "sheet"), "Not shown before")
}

// The answer comes although the first attempts fail; whether Discord had it already or not, there is one message.
func TestRetriedReply(t *testing.T) {
	for _, after := range []bool{false, true} {
		c := open(t)
		c.four()
		c.provoked = true
		c.discord.Fail(twin.Fault{Prefix: "/interactions", Status: http.StatusBadGateway, After: after})
		says(t, c.deal("N 3H +1"), "Rubber 1 · deal 1")
		c.settle()
		if m := c.do("Olga", "sheet"); strings.Contains(text(m), "Not shown") {
			t.Errorf("after %t: shown, and called unshown:\n%s", after, text(m))
		}
		if got := len(c.seen()); got != 3 {
			t.Errorf("after %t: %d public messages, want 3:\n%s", after, got, strings.Join(c.seen(), "\n"))
		}
	}
}
