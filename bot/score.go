package bot

import (
	"context"
	"strings"

	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

func scoreCommand() command {
	return command{name: "score", options: []option{{name: "result", required: true, max: textLength}}, run: workOut}
}

// workOut says what a deal would bring, without recording it. A text that doesn't say whether the side is vulnerable is
// worked out both ways.
func workOut(_ context.Context, b *Bot, r *Request) (Reply, error) {
	d, err := b.notation.Parse(r.Options["result"])
	if err != nil {
		return Reply{}, err
	}
	nobody := &storage.Players{}
	sides, heading := sideName, spelled(r.Words, d, nobody)
	if !d.PassedOut() && d.Side == scoring.NoSide {
		if d.Honours.Side != scoring.NoSide {
			return Reply{}, refuse("score.who")
		}
		sides, heading = anonymous, undeclared(r.Words, d, nobody)
		d = d.BySide(scoring.NS)
	}
	lines := append(worked(r.Words, d, sides), r.Words.Say("score.not_recorded"))
	return Reply{Private: true, Title: heading, Body: strings.Join(lines, "\n")}, nil
}

// anonymous names the sides of a deal whose declarer isn't known: read as North–South's.
func anonymous(w *lang.Words, s scoring.Side) string {
	if s == scoring.NS {
		return w.Say("side.declaring")
	}
	return w.Say("side.defending")
}
