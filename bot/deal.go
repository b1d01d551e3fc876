package bot

import (
	"cmp"
	"context"
	"time"

	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/bot/sheet"
	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

// The kinds of buttons that record a deal.
const (
	pressBy    = "by"    // declared by the seat in arg
	pressAgain = "again" // although it is like the one before
	pressFirst = "first" // after starting a rubber, with the players that arg says
)

// Who sits at a rubber that a deal starts.
const (
	unnamedPlayers = "new"
	samePlayers    = "same"
)

// deal is the name of the command that records one.
const deal = "deal"

// againWithin is how soon after the last deal the same one is asked about: it may be the same deal typed twice, because
// the first reply was lost.
const againWithin = 2 * time.Minute

// textLength is the most that Discord lets people type as a deal.
const textLength = 100

func dealCommand() command {
	return command{
		name: deal,
		options: []option{
			{name: "result", required: true, max: textLength},
			{name: "by", choices: []string{"N", "E", "S", "W", "NS", "EW"}},
		},
		run: recordDeal,
	}
}

func recordDeal(_ context.Context, b *Bot, r *Request) (Reply, error) {
	d, err := b.notation.Parse(r.Options["result"])
	if err != nil {
		return Reply{}, err
	}
	if d, err = declaredBy(r.Words, d, r.Options["by"]); err != nil {
		return Reply{}, err
	}
	return b.record(r, d, func(t storage.Table) error { return askedFirst(r, t, d) })
}

// declaredBy gives a deal the declarer of the option; a text that names another is refused.
func declaredBy(w *lang.Words, d scoring.Deal, by string) (scoring.Deal, error) {
	if by == "" {
		return d, nil
	}
	if d.PassedOut() {
		return d, refuse("deal.passed_by")
	}
	declared, err := declare(d, by)
	if err != nil {
		return d, err
	}
	said, option := handName(w, d), handName(w, declared)
	switch {
	case d.Side == scoring.NoSide, d == declared:
		return declared, nil
	case d.Side == declared.Side && declared.Declarer == scoring.NoSeat:
		return d, nil // the text says more
	case d.Side == declared.Side && d.Declarer == scoring.NoSeat:
		return declared, nil // the option says more
	default:
		return d, refuse("deal.two_declarers", lang.Values{"text": said, "by": option})
	}
}

// declare is a deal declared by a seat or side in letters.
func declare(d scoring.Deal, by string) (scoring.Deal, error) {
	if d.PassedOut() {
		return d, refuse("press.unknown")
	}
	if s, ok := scoring.ParseSeat(by); ok {
		return d.By(s), nil
	}
	var side scoring.Side
	if err := side.UnmarshalText([]byte(by)); err != nil || side == scoring.NoSide {
		return d, refuse("press.unknown")
	}
	return d.BySide(side), nil
}

// handName is the declarer's seat, or the side where only that is known.
func handName(w *lang.Words, d scoring.Deal) string {
	if d.Declarer != scoring.NoSeat {
		return seatName(w, d.Declarer)
	}
	return sideName(w, d.Side)
}

// canRecord says what stands in the way of a deal, where something does.
func canRecord(r *Request, t storage.Table, d scoring.Deal) error {
	w := r.Words
	switch {
	case !t.Open():
		return offerRubber(w, t, d, sameDeal(t, d, r.At) != nil)
	case !d.PassedOut() && d.Side == scoring.NoSide:
		return askDeclarer(w, t, d)
	default:
		return t.Sheet.Takes(d)
	}
}

// askedFirst is canRecord, but asks about a deal like one of a moment ago. It asks before it looks at claims: the one
// before may have won the game that makes them untrue.
func askedFirst(r *Request, t storage.Table, d scoring.Deal) error {
	if before := sameDeal(t, d, r.At); before != nil && t.Open() {
		return askAgain(r.Words, t, d.Unclaimed(), before)
	}
	return canRecord(r, t, d)
}

// record records a deal where allowed lets it.
func (b *Bot) record(r *Request, d scoring.Deal, allowed func(storage.Table) error) (Reply, error) {
	out, err := b.store.Change(r.Table, r.act(), func(t storage.Table) ([]storage.Move, error) {
		if err := allowed(t); err != nil {
			return nil, err
		}
		return []storage.Move{{What: storage.Recorded, Deal: d}}, nil
	})
	if err != nil {
		return Reply{}, err
	}
	return b.post(r, out, dealHeads(r.Words, &out.Table)...), nil
}

// dealHeads say what the last deal of a table was and what it brought.
func dealHeads(w *lang.Words, t *storage.Table) []string {
	if len(t.Sheet.Lines) == 0 {
		return nil
	}
	line := &t.Sheet.Lines[len(t.Sheet.Lines)-1]
	heads := []string{bold(spelled(w, line.Deal, &t.Rubber.Players)), scored(w, line, sideName)}
	if line.Deal.Made() && !t.Sheet.Over() && t.Sheet.PartScore == (scoring.Tally{}) {
		heads = append(heads, w.Say("deal.game", lang.Values{"side": sideName(w, line.Deal.Side)}))
	}
	return heads
}

// sameDeal is a change a moment ago that recorded just this deal; nil where there is none.
func sameDeal(t storage.Table, d scoring.Deal, now time.Time) *storage.Change {
	for i := range t.Recent {
		c := &t.Recent[i]
		if c.What == storage.Recorded && c.Rubber == t.Rubber.Number && c.Deal.Unclaimed() == d.Unclaimed() &&
			now.Sub(c.At).Abs() < againWithin {
			return c
		}
	}
	return nil
}

func askAgain(w *lang.Words, t storage.Table, d scoring.Deal, before *storage.Change) error {
	e := refuse("deal.again", lang.Values{
		"deal": spelled(w, d, &t.Rubber.Players), "by": person(w, before.By.Name), "n": before.N,
	})
	e.buttons = []Button{{Label: w.Say("button.again"), ID: pressAt(pressAgain, t, "", d.String()).id()}}
	return e
}

func askDeclarer(w *lang.Words, t storage.Table, d scoring.Deal) error {
	e := refuse("deal.who", lang.Values{"deal": undeclared(w, d, &t.Rubber.Players)})
	for _, s := range scoring.Seats() {
		e.buttons = append(e.buttons, Button{
			Label: seatLabel(w, s, &t.Rubber.Players), ID: pressAt(pressBy, t, s.String(), d.String()).id(),
		})
	}
	return e
}

// labelCells is how much of a name a button shows.
const labelCells = 20

// seatLabel is a seat on a button: "N · Nello".
func seatLabel(w *lang.Words, s scoring.Seat, p *storage.Players) string {
	name := sheet.Fit(p.At(s).Name, labelCells)
	if name == "" {
		return seatName(w, s)
	}
	return w.Say("button.seat", lang.Values{"seat": w.Say("letter." + s.String()), "name": sheet.Isolate(name)})
}

// offerRubber refuses a deal where no rubber is open, and, unless it can't be a rubber's first, offers to start one and
// record the deal in it: with unnamed seats, or with the players of the rubber before. Where the declarer isn't known
// there is a button for each seat. A repeat is a deal like one of a moment ago, which may have been typed twice.
func offerRubber(w *lang.Words, t storage.Table, d scoring.Deal, repeat bool) error {
	id := "deal.no_rubber"
	switch {
	case repeat:
		id = "deal.again_over"
	case t.Rubber.Number > 0:
		id = "deal.rubber_over"
	}
	if d.PassedOut() || d.Side != scoring.NoSide {
		if fresh := (scoring.Sheet{Rules: scoring.Laws()}); fresh.Takes(d) != nil {
			return fresh.Takes(d)
		}
		e := refuse(id, lang.Values{"deal": spelled(w, d, &t.Rubber.Players), "rubber": t.Rubber.Number + 1})
		e.buttons = firstButtons(w, t, d)
		return e
	}
	e := refuse(id+"_who", lang.Values{"deal": undeclared(w, d, &t.Rubber.Players), "rubber": t.Rubber.Number + 1})
	for _, s := range scoring.Seats() {
		e.buttons = append(e.buttons, Button{
			Label: seatLabel(w, s, &t.Rubber.Players), ID: pressAt(pressFirst, t, whoSits(t), d.By(s).String()).id(),
		})
	}
	return e
}

func firstButtons(w *lang.Words, t storage.Table, d scoring.Deal) []Button {
	button := func(id, players string) Button {
		return Button{Label: w.Say(id), ID: pressAt(pressFirst, t, players, d.String()).id()}
	}
	if t.Rubber.Players == (storage.Players{}) {
		return []Button{button("button.first", unnamedPlayers)}
	}
	return []Button{button("button.first_same", samePlayers), button("button.first_new", unnamedPlayers)}
}

func whoSits(t storage.Table) string {
	if t.Rubber.Number == 0 {
		return unnamedPlayers
	}
	return samePlayers
}

// pressedDeal is the press and the deal that a button carries.
func (b *Bot) pressedDeal(r *Request) (press, scoring.Deal, error) {
	p, err := parsePress(r.Press)
	if err != nil {
		return p, scoring.Deal{}, err
	}
	d, err := b.notation.Parse(p.text)
	if err != nil {
		return p, d, refuse("press.unknown")
	}
	return p, d, nil
}

// recordBy records a deal whose declarer was asked for.
func recordBy(_ context.Context, b *Bot, r *Request) (Reply, error) {
	p, d, err := b.pressedDeal(r)
	if err != nil {
		return Reply{}, err
	}
	if d, err = declare(d, p.arg); err != nil {
		return Reply{}, err
	}
	return b.record(r, d, func(t storage.Table) error { return cmp.Or(p.fresh(t), askedFirst(r, t, d)) })
}

// recordAgain records a deal that is like the one before.
func recordAgain(_ context.Context, b *Bot, r *Request) (Reply, error) {
	p, d, err := b.pressedDeal(r)
	if err != nil {
		return Reply{}, err
	}
	return b.record(r, d, func(t storage.Table) error { return cmp.Or(p.fresh(t), canRecord(r, t, d)) })
}

// startAndRecord starts a rubber and records its first deal.
func startAndRecord(_ context.Context, b *Bot, r *Request) (Reply, error) {
	p, d, err := b.pressedDeal(r)
	if err != nil {
		return Reply{}, err
	}
	out, err := b.store.Change(r.Table, r.act(), func(t storage.Table) ([]storage.Move, error) {
		if err := p.fresh(t); err != nil {
			return nil, err
		}
		start := storage.Move{What: storage.Started, Rules: scoring.Laws().Name}
		if p.arg == samePlayers {
			start.Players = t.Rubber.Players
		}
		return []storage.Move{start, {What: storage.Recorded, Deal: d}}, nil
	})
	if err != nil {
		return Reply{}, err
	}
	return b.post(r, out, dealHeads(r.Words, &out.Table)...), nil
}
