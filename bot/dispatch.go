package bot

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/rubberbot/rubberbot/bot/gateway"
)

// patience is how long a command may run before its people are told to wait: Discord gives up after three seconds.
const patience = 2300 * time.Millisecond

// handler runs a command or a press.
type handler func(context.Context, *Bot, *Request) (Reply, error)

// handle answers one interaction. It is called in a goroutine of its own, may be called twice for the same one, and
// always answers.
func (b *Bot) handle(ctx context.Context, in *discordgo.Interaction) {
	if in.Type == discordgo.InteractionApplicationCommandAutocomplete {
		return // no option is registered with it
	}
	reply := b.recent.do(in.ID, func() Reply { return b.inTime(ctx, in) })
	b.send(ctx, in, reply)
}

// inTime is the reply, or, where that takes too long, a word that it does. What the command then still changes, the next
// reply shows.
func (b *Bot) inTime(ctx context.Context, in *discordgo.Interaction) Reply {
	answer := make(chan Reply, 1)
	go func() { answer <- b.answer(ctx, in) }()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case reply := <-answer:
		return reply
	case <-timer.C:
		b.log.Warn("a command takes long", "interaction", in.ID, "table", in.ChannelID)
		go func() { <-answer; b.recent.lose(in.ID) }()
		return Reply{Private: true, Body: b.words().Say("error.slow")}
	}
}

// answer runs a command or a press. Whatever goes wrong is a reply too.
func (b *Bot) answer(ctx context.Context, in *discordgo.Interaction) (reply Reply) {
	defer func() {
		if p := recover(); p != nil {
			b.log.Error("panic in a command", "panic", p, "stack", string(debug.Stack()))
			b.recent.lose(in.ID)
			reply = b.explain(b.words(), "", errors.New("panic"))
		}
	}()
	r, err := b.decode(in)
	if err != nil {
		return b.explain(b.words(), "", err)
	}
	run, err := b.find(r)
	if err != nil {
		return b.explain(r.Words, r.Command, err)
	}
	reply, err = run(ctx, b, r)
	if err == nil {
		return reply
	}
	if !isRefusal(err) { // a commit that failed may have been kept all the same; if so, the next reply shows it
		b.recent.lose(in.ID)
	}
	return b.explain(r.Words, r.Command, err)
}

// find is the code of the command or button that a request is for.
func (b *Bot) find(r *Request) (handler, error) {
	if r.Press != "" {
		p, err := parsePress(r.Press)
		if err != nil {
			return nil, err
		}
		if run := b.buttons[p.kind]; run != nil {
			return run, nil
		}
		return nil, refuse("press.unknown")
	}
	for _, c := range b.commands {
		if run := c.find(r.Command); run != nil {
			return run, nil
		}
	}
	return nil, refuse("error.unknown_command")
}

// send is the one place from which replies go out. What a public reply shows is noted; one that is lost, or that had to
// be replaced by a private one, leaves its change to the next public reply.
func (b *Bot) send(ctx context.Context, in *discordgo.Interaction, reply Reply) {
	err := b.discord.Respond(ctx, in, reply.response())
	if e := (*gateway.APIError)(nil); errors.As(err, &e) && e.Status == http.StatusBadRequest && !errors.Is(err, gateway.ErrAnswered) {
		b.log.Error("Discord refused a reply", "interaction", in.ID, "table", in.ChannelID, "error", err)
		b.recent.lose(in.ID)
		reply = Reply{Private: true, Body: b.words().Say("error.reply_refused")}
		err = b.discord.Respond(ctx, in, reply.response())
	}
	if errors.Is(err, gateway.ErrAnswered) {
		b.recent.again(in.ID)
		return
	}
	if err != nil {
		b.recent.lose(in.ID)
		b.log.Warn("a reply was lost", "interaction", in.ID, "table", in.ChannelID, "error", err)
		return
	}
	if len(reply.Shown) == 0 {
		return
	}
	if err := b.store.Shown(in.ChannelID, reply.Shown...); err != nil {
		b.log.Error("could not note what was shown", "table", in.ChannelID, "error", err)
	}
}
