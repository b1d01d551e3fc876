package main

import (
	"context"
	"errors"
	"os/signal"
	"syscall"

	"github.com/rubberbot/rubberbot/bot"
	"github.com/rubberbot/rubberbot/storage"
)

type runCommand struct {
	Config string `short:"c" placeholder:"FILE" help:"The config; without it config.yaml in this folder, where there is one."`
}

// Run keeps the score at Discord until it is interrupted.
func (c runCommand) Run(s streams) (err error) {
	config, err := readConfig(c.Config)
	if err != nil {
		return err
	}
	log, err := config.logger(s.err)
	if err != nil {
		return err
	}
	token, err := config.token()
	if err != nil {
		return err
	}
	store, err := storage.Open(config.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	b, err := bot.New(bot.Config{
		Token: token, URL: config.Discord.URL, Store: store, Logger: log,
	})
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	log.Info("starting", "version", version(), "database", config.Database)
	if err := b.Run(ctx); err != nil {
		return err
	}
	log.Info("stopped")
	return nil
}
