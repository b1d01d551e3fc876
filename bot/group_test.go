package bot_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rubberbot/rubberbot/bot"
	"github.com/rubberbot/rubberbot/bot/twin"
)

// What a group gets, each promise a test.

func TestStartNames(t *testing.T) {
	c := open(t)
	sandra := c.discord.User("Sandra")
	c.discord.Nick(sandra, "Sandra *the* Great")
	m := c.do("Nello", "rubber start", "north", "Nello Rossi", "south", sandra.Mention(), "west", c.discord.User("Nello").Mention())
	public(t, m)
	says(t, m, "# Rubber 1", "N Nello Rossi  │ East", "S Sandra *the… │ W Nello", "Nobody is vulnerable.", "For game North–South need 100, East–West 100.")
	says(t, c.deal("S 3H +1"), `**3♥ by Sandra \*the\* Great (South), one overtrick**`)
}

func TestStartRefuses(t *testing.T) {
	c := open(t)
	c.provoked = true // members who aren't there
	left, gone := c.discord.User("Left"), c.discord.User("Gone")
	c.discord.Leave(left)
	c.discord.Delete(gone)
	for _, row := range []struct {
		why   string
		pairs []string
		want  string
	}{
		{"somebody who left", []string{"north", left.Mention()}, "Somebody was mentioned who isn't a member here"},
		{"an account that is gone", []string{"north", gone.Mention()}, "Somebody was mentioned who isn't a member here"},
		{"nobody's number", []string{"north", "<@123>"}, "Somebody was mentioned who isn't a member here"},
		{"one guest in two seats", []string{"north", "Nello", "west", "nello "}, "nello can't sit both North and West."},
		{"a name of nothing that shows", []string{"north", "\u200b\u2067 "}, "no letter that can be shown"},
	} {
		t.Run(row.why, func(t *testing.T) {
			m := c.do("Nello", "rubber start", row.pairs...)
			private(t, m)
			says(t, m, row.want, "No rubber was started")
			says(t, c.do("Nello", "sheet"), "No rubber was played here yet")
		})
	}
}

// Discord has a second to say who was mentioned; then the one who typed is told, in time.
func TestStartWhenDiscordIsSlow(t *testing.T) {
	c := open(t)
	c.provoked = true
	somebody := c.discord.User("Somebody")
	for range 30 { // more than are tried
		c.discord.Fail(twin.Fault{Method: http.MethodGet, Prefix: "/guilds", Status: http.StatusBadGateway})
	}
	start := time.Now()
	m := c.do("Nello", "rubber start", "north", somebody.Mention())
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("answered after %v", took)
	}
	private(t, m)
	says(t, m, "Discord didn't say who was mentioned", "No rubber was started")
}

func TestStartWhileOneIsOpen(t *testing.T) {
	c := open(t)
	c.four()
	c.deal("N 3H +1")
	for _, command := range []string{"rubber start", "rubber next"} {
		m := c.do("Olga", command)
		private(t, m)
		says(t, m, "A rubber is in progress here; nothing was changed", "`/rubber end`", "3♥ +1       90 │")
	}
	c.holds("N 3♥ +1")
}

func TestDeclarer(t *testing.T) {
	for _, row := range []struct{ text, by, want string }{
		{"4S =", "N", "N 4♠ ="},
		{"N 4S =", "N", "N 4♠ ="},
		{"NS 4S =", "N", "N 4♠ ="}, // the option says more
		{"N 4S =", "NS", "N 4♠ ="}, // the text says more
		{"4S =", "EW", "EW 4♠ ="},
	} {
		c := open(t)
		c.four()
		public(t, c.do("Nello", "deal", "result", row.text, "by", row.by))
		c.holds(row.want)
	}
	c := open(t)
	c.four()
	for _, row := range []struct{ text, by, want string }{
		{"S 4S =", "N", "The text says South, the option says North."},
		{"S 4S =", "EW", "The text says South, the option says East–West."},
		{"pass", "N", "Nobody declares a passed-out deal."},
	} {
		m := c.do("Nello", "deal", "result", row.text, "by", row.by)
		private(t, m)
		says(t, m, row.want)
	}
	c.holds()
}

func TestAskingForTheDeclarer(t *testing.T) {
	c := open(t)
	c.four()
	ask := c.deal("4S X -1 nv hon 100")
	private(t, ask)
	says(t, ask, "**4♠X, one down, honours 100** – who declared?", "[N · Nello]\n[E · Enrico]\n[S · Sandra]\n[W · Olga]")
	c.holds()
	c.restart()
	m := c.press("Nello", ask, "S")
	public(t, m)
	says(t, m, "**4♠X by Sandra (South), one down, honours 100**", "4♠ doubled, one down, not vulnerable: 100 for honours to North–South; 100 to East–West")
	c.holds("S 4♠X −1 nv hon 100")
	says(t, c.press("Nello", ask, "N"), "before the table's last change")
}

func TestClaims(t *testing.T) {
	c := open(t)
	c.four()
	m := c.deal("N 4S X -1 vul")
	private(t, m)
	says(t, m, "North–South have not won a game yet", "Nothing was recorded")
	public(t, c.deal("N 4S = nv"))
	says(t, c.deal("N 4S -1 nv"), "North–South are vulnerable: they have won a game")
	public(t, c.deal("E 2H -1 nv"))
	says(t, c.deal("N 4S X -1 vul"), "4♠ doubled, one down, vulnerable: 200 to East–West")
	c.holds("N 4♠ = nv", "E 2♥ −1 nv", "N 4♠X −1 vul")
}

// In a table's first deal nobody is vulnerable: a text that says otherwise is told so before a rubber is offered, or at the
// press where the declarer is asked for first. Nothing is started then.
func TestClaimWithNoRubberOpen(t *testing.T) {
	const why = "The text says `vul`, but North–South have not won a game yet."
	c := open(t)
	m := c.deal("N 4S = vul")
	private(t, m)
	says(t, m, why)
	if len(m.Components) > 0 {
		t.Errorf("a rubber is offered for a deal that can't be its first:\n%s", text(m))
	}
	says(t, c.press("Nello", c.deal("4S = vul"), "South"), why)
	says(t, c.do("Nello", "sheet"), "No rubber was played here yet")
	says(t, c.press("Nello", c.deal("N 4S = nv"), "Start"), "Rubber 1 · deal 1")
	c.deal("N 4S +1")                   // the rubber is over
	says(t, c.deal("N 4S +2 vul"), why) // nor can it be the next one's
	c.holds("N 4♠ = nv", "N 4♠ +1")
}

func TestPassHonoursAndSlams(t *testing.T) {
	c := open(t)
	c.four()
	says(t, c.deal("pass"), "**Passed out**", "A passed-out deal scores nothing.", "deal 1")
	says(t, c.deal("N 2H -1 hon E 100"), "2♥, one down, not vulnerable: 50 for the undertrick and 100 for honours to East–West, 150 in all")
	says(t, c.deal("N 2H +2 hon 150"), "2♥, 2 overtricks: 60 below the line, 60 for overtricks and 150 for honours to North–South", "North–South have a part-score of 60.", "North–South need 40")
	says(t, c.deal("W 6NT XX ="), "6NT redoubled, made, not vulnerable: 760 below the line, 100 for the insult and 500 for the slam to East–West",
		"Game to East–West", "East–West are vulnerable.", "6NT slam   500")
	says(t, c.deal("N 3NT = hon 100"), "never 100")
}

// Errors quote the text with a caret under the spot, are seen by one, and change nothing.
func TestErrors(t *testing.T) {
	c := open(t)
	c.four()
	long := strings.Repeat("4S ", 33)
	for _, row := range []struct{ text, quoted, want string }{
		{"4SX X", "4SX X\n    ^\n", "Did you mean `/deal 4SXX =`?"},
		{"4S by N", "4S by N\n       ^\n", "expected a result"},
		{"N3S=", "N3S=\n", "• `/deal N 3♠ =`"},
		{"4S 9", "4S 9\n   ^\n", "Did you mean `/deal 4S 9 tricks`?"},
		{"8S =", "8S =\n^\n", "A level is 1 to 7."},
		{"4S ``` @everyone", "4S ''' @everyone\n   ^\n", "Here I expected"},
		{"4S 田中 =", "4S 田中 =\n   ^\n", "Here I expected"},
		{"田中 4S", "田中 4S\n^\n", "Here I expected"},
		{"4S = אבג", "\u202d4S = אבג\u202c\n     ^\n", "Here I expected"},
		{"pass N", "pass N\n     ^\n", "Did you mean `/deal pass`?"},
		{long, "", "a second contract"},
	} {
		t.Run(row.text, func(t *testing.T) {
			m := c.deal(row.text)
			private(t, m)
			says(t, m, "```\n"+row.quoted, row.want, "othing was recorded")
			block(t, m)
		})
	}
	c.holds()
	says(t, c.do("Nello", "score", "result", "4SX X"), "`/score 4SXX =`")
}

// block checks the code block of a message and returns its lines: one fence at each end, no line wider than a phone.
func block(t *testing.T, m twin.Message) []string {
	t.Helper()
	parts := strings.Split(text(m), "```")
	if len(parts) != 3 {
		t.Fatalf("%d fences in:\n%s", len(parts)-1, text(m))
	}
	lines := strings.Split(strings.Trim(parts[1], "\n"), "\n")
	for _, line := range lines {
		if w := wide(line); w > 32 {
			t.Errorf("%d cells: %q", w, line)
		}
	}
	return lines
}

// wide counts cells by hand: two for what East Asian fonts and emoji draw wide, none for marks.
func wide(line string) (n int) {
	for _, r := range line {
		switch {
		case r == '\u202d', r == '\u202c', 0x300 <= r && r <= 0x36f, r == '\u200d', r == '\ufe0f':
		case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xff01 && r <= 0xff60, r >= 0x1f300:
			n += 2
		default:
			n++
		}
	}
	return n
}

// The caret stays under its spot where only a window of a long text is quoted.
func TestCaretInALongText(t *testing.T) {
	c := open(t)
	c.four()
	m := c.deal("4 spades doubled down 2 by South vulnerable hon EW 100 and more that nobody can read")
	lines := block(t, m)
	if len(lines) != 2 {
		t.Fatalf("lines %q", lines)
	}
	at := utf8.RuneCountInString(lines[1]) - 1
	if got := string([]rune(lines[0])[at : at+3]); got != "and" {
		t.Errorf("the caret stands under %q:\n%s", got, strings.Join(lines, "\n"))
	}
}

func TestNoRubberOpen(t *testing.T) {
	c := open(t)
	offer := c.deal("N 4S =")
	private(t, offer)
	says(t, offer, "No rubber is open here.", "**4♠ by North, made**", "[Start a rubber and record this]")
	m := c.press("Nello", offer, "Start")
	public(t, m)
	says(t, m, "Rubber 1 · deal 1", "North          │ East")
	c.holds("N 4♠ =")
	says(t, c.press("Nello", offer, "Start"), "before the table's last change")
	says(t, c.do("Nello", "undo"), "Taken back** – deal 1", "Rubber 1")
	says(t, c.do("Nello", "undo"), "the start of rubber 1", "No rubber is open now")
	// Without a declarer there is a button for each seat.
	who := c.deal("4S =")
	says(t, who, "Who declared?", "[North]\n[East]\n[South]\n[West]")
	says(t, c.press("Nello", who, "West"), "**4♠ by West, made**")
	c.holds("W 4♠ =")
}

func TestAfterTheRubberIsOver(t *testing.T) {
	c := open(t)
	c.four()
	c.deal("N 4S =")
	over := c.deal("S 4S =")
	says(t, over, "North–South win the rubber, 2 games to 0.", "700 for the rubber", "win on points by 940, 940 to 0", "[Next rubber, same players]")
	offer := c.deal("E 3NT -1")
	private(t, offer)
	says(t, offer, "The last rubber is over.", "rubber 2", "[Yes, same players]\n[Yes, unnamed seats]")
	same := c.press("Olga", c.do("Olga", "deal", "result", "E 3NT -1"), "Yes, same")
	says(t, same, "Rubber 2 · deal 1", "3NT by Enrico (East)")
	says(t, c.press("Olga", over, "Next"), "before the table's last change")
	c.do("Olga", "undo")
	c.do("Olga", "undo")
	says(t, c.do("Olga", "sheet"), "Rubber 1 · deal 2", "North–South win the rubber")
	says(t, c.do("Olga", "rubber next"), "# Rubber 2", "N Nello        │ E Enrico")
}

func TestUndoAndRedo(t *testing.T) {
	c := open(t)
	says(t, c.do("Nello", "undo"), "nothing to take back")
	c.four()
	c.deal("N 4S =")
	ended := text(c.deal("S 4S ="))
	back := c.do("Olga", "undo")
	public(t, back)
	says(t, back, "**Taken back** – deal 2: 4♠ by Sandra (South), made (by Nello). `/redo` brings it back.", "North–South are vulnerable.", "Total      120")
	says(t, c.do("Olga", "redo"), "**Brought back** – deal 2", "North–South win the rubber")
	if got := text(c.do("Olga", "sheet")); strings.Split(got, "```")[1] != strings.Split(ended, "```")[1] {
		t.Errorf("after undo and redo the sheet is\n%s\nand was\n%s", got, ended)
	}
	c.do("Olga", "undo")
	c.deal("E 1C =")
	m := c.do("Olga", "redo")
	private(t, m)
	says(t, m, "nothing to bring back")
	c.holds("N 4♠ =", "E 1♣ =")
}

func TestEndEarly(t *testing.T) {
	c := open(t)
	says(t, c.do("Nello", "rubber end"), "No rubber was started here yet")
	c.four()
	c.deal("N 4S =")
	c.deal("E 2H =")
	sure := c.do("Nello", "rubber end")
	private(t, sure)
	says(t, sure, "End rubber 1 before it is finished?", "[End the rubber]")
	c.restart()
	m := c.press("Nello", sure, "End")
	public(t, m)
	says(t, m, "300 to North–South for the only game.", "100 to East–West for the only part-score.",
		"North–South win on points by 260, 420 to 160.", "only game  300", "part-score 100", "[Next rubber, same players]")
	says(t, c.do("Nello", "rubber end"), "The rubber is over.")
	says(t, c.do("Nello", "undo"), "the early end of rubber 1", "For game North–South need 100, East–West 40.")
	public(t, c.deal("W 2C ="))
	// The question was for the table as it was.
	says(t, c.press("Nello", sure, "End"), "before the table's last change")
}

func TestLevelOnPoints(t *testing.T) {
	c := open(t)
	c.four()
	says(t, c.press("Nello", c.do("Nello", "rubber end"), "End"), "No premium for an unfinished rubber", "Level on points, 0 each.")
}

func TestScoreAndHelp(t *testing.T) {
	c := open(t)
	for _, row := range []struct{ text, want string }{
		{"4S X -1 vul", "vulnerable: 200 to the defenders"},
		{"N 4S X -1 vul", "vulnerable: 200 to East–West"},
		{"3NT =", "vulnerable or not: 100 below the line to the declaring side"},
		{"7NT XX = vul", "vulnerable: 880 below the line, 100 for the insult and 1500 for the slam to the declaring side"},
		{"pass", "A passed-out deal scores nothing."},
		{"4S = hon E 100", "Say who declared, for example"},
	} {
		m := c.do("Nello", "score", "result", row.text)
		private(t, m)
		says(t, m, row.want)
	}
	help := c.do("Nello", "help")
	private(t, help)
	says(t, help, "/rubber start", "/deal", "/undo", "/redo", "/sheet", "/score", "/rubber end", "hon", "pass")
	says(t, c.do("Nello", "sheet"), "No rubber was played here yet")
}

// Nothing that a name holds can break a sheet, turn it round, ping anybody or format the text.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{
		"```\n@everyone", "**bold** _and_ [link](http://x)", "\u202eright to left\u202c", strings.Repeat("田", 100), strings.Repeat("W", 100),
		"🏆👨‍👩‍👧‍👦🏆🏆🏆🏆🏆", "Z\u0301\u0302\u0303\u0304\u0305\u0306\u0307algo", "<@123>x", "דנה כהן", "| │ |", "a\tb\u2028c", "#channel <#1> <:x:1>",
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t)
			m := c.do(name, "rubber start", "north", name, "south", "Sandra")
			says(t, m, "Rubber 1")
			block(t, m)
			m = c.do(name, "deal", "result", "N 4S =")
			block(t, m)
			ask := c.deal("2S =")
			says(t, ask, "who declared?")
			c.press("Nello", ask, "N")
			c.do(name, "deal", "result", "E 3C =")
			m = c.do("Nello", "undo")
			if n := len(block(t, m)); n < 8 {
				t.Errorf("a sheet of %d lines:\n%s", n, text(m))
			}
			raw := m.Embeds[0].Description
			if strings.Count(raw, "\u2068") != strings.Count(raw, "\u2069") || strings.ContainsAny(raw, "\u202e\u202c\u2028") {
				t.Errorf("marks of direction get out: %q", raw)
			}
		})
	}
}

func TestForgedPresses(t *testing.T) {
	c := open(t)
	c.four()
	m := c.deal("N 4S =")
	for _, id := range []string{
		"x", "by", "by:1", "by:1:2:N:", "by:1:2:N:nonsense", "by:1:2:Q:4S =", "by:a:b:N:4S =", "by:1:99999999999999999999:N:4S =",
		"first:1:2:same:N 4S =", "again:1:2::4S =", "end:9:2::", "end:1:1::", "next:1:2::", "deal:1:2::4S =",
		"by:1:2:N:pass", "by:1:2::2S =", "by:1:2:NS:S 9S =", "again:1:2::2S =", "first:1:2:new:2S =", "first:1:2::pass", "by:1:2:E:2NT = hon 100", ":::::", "\u202e",
	} {
		in, err := c.discord.Forge(t.Context(), c.discord.User("Mallory"), c.table, m, id)
		if err != nil {
			t.Fatal(err)
		}
		reply := c.reply(in)
		private(t, reply)
		if contains(reply, "Something went wrong") {
			t.Errorf("%q is taken for a fault of the bot", id)
		}
	}
	c.holds("N 4♠ =")
}

// A table is a channel, a thread, or direct messages, where there is no member; none knows of the others.
func TestPlaces(t *testing.T) {
	c := open(t)
	channel := c.table
	c.four()
	c.deal("N 4S =")
	c.table = c.discord.Thread(channel, "second table")
	says(t, c.do("Nello", "sheet"), "No rubber was played here yet")
	c.four()
	says(t, c.deal("E 1C ="), "Rubber 1 · deal 1")
	c.table = c.discord.DM(c.discord.User("Nello"))
	says(t, c.do("Nello", "rubber start", "north", c.discord.User("Nello").Mention()), "N Nello        │ East")
	says(t, c.deal("N 1C ="), "**1♣ by Nello (North), made**")
	private(t, c.do("Nello", "rubber next"))
	c.holds("N 1♣ =")
	c.table = c.discord.DM(c.discord.User("Olga"))
	alone := c.do("Olga", "rubber start", "north", c.discord.User("Nello").Mention())
	private(t, alone)
	says(t, alone, "who isn't a member here")
	c.table = channel
	c.holds("N 4♠ =")
}

// The longest rubber and names stay inside Discord's limits; older entries above the line are summed.
func TestLongRubber(t *testing.T) {
	c := open(t)
	wide := func(letter string) string { return strings.Repeat(letter, 100) }
	c.do("Nello", "rubber start", "north", wide("W"), "south", wide("田"), "east", wide("界"), "west", wide("M"))
	var m twin.Message
	for range 32 {
		c.clock.forward(3 * time.Minute) // or each would be asked about
		c.deal("N 7NT XX -13")
		m = c.deal("E 7NT XX -13")
	}
	says(t, m, "Rubber 1 · deal 64", "earlier")
	block(t, m)
	if n := utf8.RuneCountInString(m.Embeds[0].Description); n > 3500 {
		t.Errorf("%d characters: little room is left of Discord's 4096", n)
	}
}

func TestCommandsAreRegisteredOnce(t *testing.T) {
	c := open(t)
	if got := c.discord.CommandPuts(); got != 1 {
		t.Errorf("%d bulk overwrites at the first start, want 1", got)
	}
	for _, command := range c.discord.Commands() {
		if s := fmt.Sprintf("%+v", command); bareID.MatchString(s) {
			t.Errorf("a message is missing in %s", s)
		}
	}
	c.restart()
	if got := c.discord.CommandPuts(); got != 1 {
		t.Errorf("%d bulk overwrites after a restart with the same commands, want 1", got)
	}
	c.prepare = (*bot.Bot).DropHelp
	for range 2 {
		c.restart()
		if got := c.discord.CommandPuts(); got != 2 {
			t.Errorf("%d bulk overwrites with a command less, want 2", got)
		}
	}
	for _, command := range c.discord.Commands() {
		if command.Name == "help" {
			t.Error("the command that is gone is still offered")
		}
	}
}
