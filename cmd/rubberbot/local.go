package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"syscall"
	"time"

	"github.com/rubberbot/rubberbot/bot"
	"github.com/rubberbot/rubberbot/bot/gateway"
	"github.com/rubberbot/rubberbot/bot/twin"
	"github.com/rubberbot/rubberbot/storage"
)

type localCommand struct {
	DB  string `name:"db" default:"rubber.db" placeholder:"FILE" help:"Where the tables are kept between runs (default: ${default})."`
	Log bool   `help:"Also print the bot's log, to standard error."`
}

// startTimeout is how long the bot may take to connect to the twin.
const startTimeout = 15 * time.Second

// Run plays a small Discord on loopback: the real bot is connected to it, and the lines of standard input are what its
// people type. It fails where a line could not be understood as a command at all.
func (c localCommand) Run(s streams) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	store, err := storage.Open(c.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	discord, err := twin.Start(twin.Config{RequestLimit: -1})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, discord.Close()) }()
	stopBot, err := startBot(ctx, store, discord, c.logger(s.err))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopBot()) }()
	return newConsole(discord, s).read(ctx, s)
}

func (c localCommand) logger(w io.Writer) *slog.Logger {
	if !c.Log {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

// startBot connects the real bot to the twin and waits until its commands are there. stop ends it and says how it ended.
func startBot(ctx context.Context, store *storage.Store, discord *twin.Twin, log *slog.Logger) (stop func() error, err error) {
	b, err := bot.New(bot.Config{
		Token: gateway.Secret(discord.Token()), URL: discord.URL(), Store: store, Logger: log,
		Timing: gateway.Timing{Identify: time.Millisecond},
	})
	if err != nil {
		return nil, err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- b.Run(running) }()
	stop = func() error { cancel(); return <-ended }
	select {
	case <-b.Synced():
		return stop, nil
	case err := <-ended:
		cancel()
		return nil, fmt.Errorf("the bot stopped: %w", err)
	case <-ctx.Done():
	case <-time.After(startTimeout):
	}
	return nil, errors.Join(errors.New("the bot did not connect to the Discord on loopback"), stop())
}
