package bot_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubberbot/rubberbot/bot"
	"github.com/rubberbot/rubberbot/bot/twin"
	"github.com/rubberbot/rubberbot/storage"
)

// A command that fails in a way that nobody thought of is answered without a word of the reason, and the bot lives on.
func TestCommandThatBreaks(t *testing.T) {
	for _, row := range []struct {
		why string
		run func(context.Context, *bot.Bot, *bot.Request) (bot.Reply, error)
	}{
		{"a panic", func(context.Context, *bot.Bot, *bot.Request) (bot.Reply, error) { panic("secret") }},
		{"an unknown error", func(context.Context, *bot.Bot, *bot.Request) (bot.Reply, error) {
			return bot.Reply{}, errors.New("secret")
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			c := openWith(t, twin.Config{}, func(b *bot.Bot) { b.SetHelp(row.run) })
			m := c.do("Nello", "help")
			private(t, m)
			if got, want := text(m), "(private)\nSomething went wrong in the bot, and it was noted in its log. Look at `/sheet` before you try again."; got != want {
				t.Errorf("answered\n%s\nwant\n%s", got, want)
			}
			public(t, c.four())
		})
	}
}

// A command that takes long is answered in time; what it does in the end is on disk and shown by the next reply.
func TestCommandThatTakesLong(t *testing.T) {
	t.Parallel()
	var slow atomic.Bool
	finished := make(chan struct{})
	undo := bot.Undo(storage.Undone)
	c := openWith(t, twin.Config{}, func(b *bot.Bot) {
		b.SetHelp(func(ctx context.Context, b *bot.Bot, r *bot.Request) (bot.Reply, error) {
			defer close(finished)
			time.Sleep(2600 * time.Millisecond)
			slow.Store(true)
			return undo(ctx, b, r)
		})
	})
	c.four()
	c.lose("N 3H +1") // a deal that nobody was shown, which the slow reply would have been the first to show
	start := time.Now()
	m := c.do("Olga", "help")
	if took := time.Since(start); took > 2900*time.Millisecond {
		t.Errorf("answered after %v, Discord gives up after 3 s", took)
	}
	private(t, m)
	says(t, m, "This takes longer than it should.")
	if slow.Load() {
		t.Fatal("the command wasn't slow")
	}
	<-finished
	time.Sleep(50 * time.Millisecond)
	c.holds()
	says(t, c.do("Nello", "sheet"),
		"*Not shown before:* deal 1: 3♥ by Nello (North), one overtrick (by Nello)",
		"*Not shown before:* taken back: deal 1: 3♥ by Nello (North), one overtrick (by Olga)")
	if m := c.do("Nello", "sheet"); contains(m, "Not shown") {
		t.Errorf("shown twice:\n%s", text(m))
	}
}

// A commit that is reported as failed may have been kept: the next reply shows what is there.
func TestFailureThatWasKept(t *testing.T) {
	undo := bot.Undo(storage.Undone)
	c := openWith(t, twin.Config{}, func(b *bot.Bot) {
		b.SetHelp(func(ctx context.Context, b *bot.Bot, r *bot.Request) (bot.Reply, error) {
			if _, err := undo(ctx, b, r); err != nil {
				return bot.Reply{}, err
			}
			return bot.Reply{}, errors.New("the disk says no")
		})
	})
	c.four()
	c.deal("N 3H +1")
	m := c.do("Olga", "help")
	private(t, m)
	says(t, m, "Something went wrong in the bot")
	says(t, c.do("Nello", "sheet"), "*Not shown before:* taken back: deal 1: 3♥ by Nello (North), one overtrick (by Olga)")
}
