package bot

import (
	"context"
	"log/slog"
	"time"

	"github.com/rubberbot/rubberbot/bot/gateway"
	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

// Config is what a bot needs.
type Config struct {
	Token  gateway.Secret
	URL    string // of Discord; "" is the real one
	Store  *storage.Store
	Logger *slog.Logger     // nil is silence
	Now    func() time.Time // nil is the clock
	Timing gateway.Timing
}

// Bot keeps the score at Discord.
type Bot struct {
	store     *storage.Store
	discord   *gateway.Client
	log       *slog.Logger
	now       func() time.Time
	catalogue *lang.Catalogue
	notation  *scoring.Notation
	commands  []command
	buttons   map[string]handler
	recent    *recent
	synced    chan struct{} // closed when Discord has the commands
}

// New makes a bot; nothing is sent before [Bot.Run].
func New(c Config) (*Bot, error) {
	catalogue, err := lang.Load()
	if err != nil {
		return nil, err
	}
	b := &Bot{
		store: c.Store, log: c.Logger, now: c.Now, catalogue: catalogue, notation: scoring.English(),
		commands: commands(), buttons: buttons(), recent: newRecent(), synced: make(chan struct{}),
	}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	if b.now == nil {
		b.now = time.Now
	}
	b.discord, err = gateway.New(gateway.Config{
		Token: c.Token, URL: c.URL, Logger: b.log, Handle: b.handle, Timing: c.Timing,
	})
	return b, err
}

// Run connects, registers the commands where they changed, and answers until ctx ends; then it waits for what is under
// way. It returns an error where Discord will never take the bot, such as a wrong token.
func (b *Bot) Run(ctx context.Context) error {
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	defer func() { cancel(); <-done }()
	go func() {
		defer close(done)
		b.sync(ctx)
	}()
	return b.discord.Run(ctx)
}

// Synced is closed when Discord knows the commands.
func (b *Bot) Synced() <-chan struct{} { return b.synced }

// words are the messages in the language of a request.
func (b *Bot) words() *lang.Words { return b.catalogue.In("en") }
