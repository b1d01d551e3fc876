package bot

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/rubberbot/rubberbot/bot/gateway"
	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/bot/sheet"
	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

// The kinds of buttons that end and start rubbers.
const (
	pressEnd  = "end"
	pressNext = "next"
)

// nameLength is the most that Discord lets people type as a name.
const nameLength = 100

// memberTimeout is how long Discord may take to say who was mentioned.
const memberTimeout = time.Second

// seatOptions are the options of /rubber start.
var seatOptions = []struct {
	name string
	seat scoring.Seat
}{
	{"north", scoring.North},
	{"east", scoring.East},
	{"south", scoring.South},
	{"west", scoring.West},
}

func rubberCommand() command {
	start := command{name: "start", run: startRubber}
	for _, o := range seatOptions {
		start.options = append(start.options, option{name: o.name, max: nameLength})
	}
	return command{name: "rubber", subs: []command{
		start,
		{name: "next", run: nextRubber},
		{name: "end", run: confirmEnd},
	}}
}

func startRubber(ctx context.Context, b *Bot, r *Request) (Reply, error) {
	players, err := b.players(ctx, r)
	if err != nil {
		return Reply{}, err
	}
	return b.start(r, func(storage.Table) (storage.Players, error) { return players, nil })
}

// nextRubber starts a rubber with the players of the one before.
func nextRubber(_ context.Context, b *Bot, r *Request) (Reply, error) {
	return b.start(r, samePlayersAgain)
}

func samePlayersAgain(t storage.Table) (storage.Players, error) {
	if t.Rubber.Number == 0 {
		return storage.Players{}, storage.ErrNoRubber
	}
	return t.Rubber.Players, nil
}

// nextByPress is nextRubber by the button under a finished rubber.
func nextByPress(_ context.Context, b *Bot, r *Request) (Reply, error) {
	p, err := parsePress(r.Press)
	if err != nil {
		return Reply{}, err
	}
	return b.start(r, func(t storage.Table) (storage.Players, error) {
		if err := p.fresh(t); err != nil {
			return storage.Players{}, err
		}
		return samePlayersAgain(t)
	})
}

// start starts a rubber. One in progress isn't touched: its sheet is shown, with what can be done.
func (b *Bot) start(r *Request, players func(storage.Table) (storage.Players, error)) (Reply, error) {
	var open storage.Table
	out, err := b.store.Change(r.Table, r.act(), func(t storage.Table) ([]storage.Move, error) {
		p, err := players(t)
		switch {
		case err != nil:
			return nil, err
		case t.Open():
			open = t
			return nil, storage.ErrRubberOpen
		}
		return []storage.Move{{What: storage.Started, Players: p, Rules: scoring.Laws().Name}}, nil
	})
	switch {
	case errors.Is(err, storage.ErrRubberOpen):
		return alreadyOpen(r.Words, &open), nil
	case err != nil:
		return Reply{}, err
	}
	return b.post(r, out, r.Words.Say("rubber.started")), nil
}

func alreadyOpen(w *lang.Words, t *storage.Table) Reply {
	body := append([]string{w.Say("rubber.open")}, standing(w, t)...)
	return Reply{Private: true, Title: title(w, t), Body: strings.Join(body, "\n")}
}

// players reads the four seats. A mention is looked up where Discord didn't send its name along.
func (b *Bot) players(ctx context.Context, r *Request) (storage.Players, error) {
	ctx, cancel := context.WithTimeout(ctx, memberTimeout)
	defer cancel()
	var players storage.Players
	seen := map[string]scoring.Seat{}
	for _, o := range seatOptions {
		p, err := b.player(ctx, r, r.Options[o.name])
		if err != nil {
			return players, err
		}
		key := p.Account
		if key == "" {
			key = strings.ToLower(p.Name)
		}
		if other, twice := seen[key]; twice && key != "" {
			return players, refuse("rubber.twice", lang.Values{
				"name": person(r.Words, p.Name), "seat": seatName(r.Words, other), "other": seatName(r.Words, o.seat),
			})
		}
		seen[key] = o.seat
		players.Sit(o.seat, p)
	}
	return players, nil
}

func (b *Bot) player(ctx context.Context, r *Request, text string) (storage.Player, error) {
	text = strings.TrimSpace(text)
	account := mentioned(text)
	switch {
	case text == "":
		return storage.Player{}, nil
	case account == "":
		if sheet.Clean(text) == "" {
			return storage.Player{}, refuse("rubber.bad_name")
		}
		return storage.Player{Name: sheet.Clean(text)}, nil
	}
	name, err := b.accountName(ctx, r, account)
	return storage.Player{Name: name, Account: account}, err
}

// accountName is the name of an account that was mentioned.
func (b *Bot) accountName(ctx context.Context, r *Request, account string) (string, error) {
	if name := r.names[account]; name != "" {
		return name, nil
	}
	if r.Guild == "" {
		return "", refuse("rubber.no_member")
	}
	m, err := b.discord.Member(ctx, r.Guild, account)
	switch {
	case errors.Is(err, gateway.ErrNotFound):
		return "", refuse("rubber.no_member")
	case err != nil:
		b.log.Warn("could not look up a member", "guild", r.Guild, "error", err)
		return "", refuse("rubber.unknown_member")
	}
	return nameOf(m, m.User), nil
}

// confirmEnd asks before a rubber is ended early.
func confirmEnd(_ context.Context, b *Bot, r *Request) (Reply, error) {
	t, err := b.store.Table(r.Table)
	if err != nil {
		return Reply{}, err
	}
	if err := canEnd(t); err != nil {
		return Reply{}, err
	}
	e := refuse("rubber.end_sure", lang.Values{"rubber": t.Rubber.Number})
	e.buttons = []Button{{Label: r.Words.Say("button.end"), ID: pressAt(pressEnd, t, "", "").id(), Danger: true}}
	return Reply{}, e
}

func canEnd(t storage.Table) error {
	switch {
	case t.Rubber.Number == 0:
		return storage.ErrNoRubber
	case !t.Open():
		return scoring.ErrOver
	default:
		return nil
	}
}

// endRubber ends a rubber early, once that was confirmed.
func endRubber(_ context.Context, b *Bot, r *Request) (Reply, error) {
	p, err := parsePress(r.Press)
	if err != nil {
		return Reply{}, err
	}
	out, err := b.store.Change(r.Table, r.act(), func(t storage.Table) ([]storage.Move, error) {
		if err := p.fresh(t); err != nil {
			return nil, err
		}
		if err := canEnd(t); err != nil {
			return nil, err
		}
		return []storage.Move{{What: storage.Ended}}, nil
	})
	if err != nil {
		return Reply{}, err
	}
	return b.post(r, out), nil
}
