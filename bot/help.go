package bot

import (
	"context"
)

func helpCommand() command { return command{name: "help", run: help} }

func help(_ context.Context, _ *Bot, r *Request) (Reply, error) {
	return Reply{Private: true, Title: r.Words.Say("help.title"), Body: r.Words.Say("help.body")}, nil
}
