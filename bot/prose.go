package bot

import (
	"slices"
	"strings"

	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/bot/sheet"
	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

func sideName(w *lang.Words, s scoring.Side) string { return w.Say("side." + s.String()) }

func seatName(w *lang.Words, s scoring.Seat) string { return w.Say("seat." + s.String()) }

// nameCells is how much of a name is shown outside the sheet.
const nameCells = 32

// markdown are the signs that Discord would take for formatting, a mention, a link or an emoji.
var markdown = strings.NewReplacer(
	`\`, `\\`, `*`, `\*`, `_`, `\_`, `~`, `\~`, `|`, `\|`, `[`, `\[`, `]`, `\]`, `(`, `\(`, `)`, `\)`,
	`<`, `\<`, `>`, `\>`, `#`, `\#`, `@`, `\@`, `:`, `\:`, `-`, `\-`,
)

// person is a name as running text can hold it.
func person(w *lang.Words, name string) string {
	name = sheet.Fit(name, nameCells)
	if name == "" {
		return w.Say("person.nameless")
	}
	return sheet.Isolate(markdown.Replace(name))
}

// names are the players' names for the sheet.
func names(p *storage.Players) sheet.Names {
	var n sheet.Names
	for _, s := range scoring.Seats() {
		n[s] = p.At(s).Name
	}
	return n
}

// seated is a seat in full with its player: "Nello (North)"; the seat alone where nobody in particular sits there.
func seated(w *lang.Words, s scoring.Seat, p *storage.Players) string {
	name := p.At(s).Name
	if sheet.Clean(name) == "" {
		return seatName(w, s)
	}
	return w.Say("deal.player", lang.Values{"name": person(w, name), "seat": seatName(w, s)})
}

// spelled is a deal in full: "4♠X by Nello (North), one down, honours 100".
func spelled(w *lang.Words, d scoring.Deal, p *storage.Players) string {
	if d.PassedOut() {
		return w.Say("deal.passed_out")
	}
	by := sideName(w, d.Side)
	if d.Declarer != scoring.NoSeat {
		by = seated(w, d.Declarer, p)
	}
	text := w.Say("deal.spelled", lang.Values{"contract": d.Contract.String(), "by": by, "result": resultWords(w, d)})
	return withHonours(w, text, d.Honours, p)
}

// undeclared is a deal whose declarer isn't known yet.
func undeclared(w *lang.Words, d scoring.Deal, p *storage.Players) string {
	text := w.Say("deal.undeclared", lang.Values{"contract": d.Contract.String(), "result": resultWords(w, d)})
	return withHonours(w, text, d.Honours, p)
}

// withHonours adds a claim for honours to a deal in words.
func withHonours(w *lang.Words, deal string, h scoring.Honours, p *storage.Players) string {
	v := lang.Values{"deal": deal, "points": h.Points}
	switch {
	case h.Points == 0:
		return deal
	case h.Seat != scoring.NoSeat:
		v["whose"] = seated(w, h.Seat, p)
	case h.Side != scoring.NoSide:
		v["whose"] = sideName(w, h.Side)
	default:
		return w.Say("deal.honours", v)
	}
	return w.Say("deal.honours_of", v)
}

// resultWords is a result in words: "made", "one overtrick", "2 down".
func resultWords(w *lang.Words, d scoring.Deal) string {
	switch n := d.Result(); {
	case n == 0:
		return w.Say("deal.made")
	case n > 0:
		return w.Count("deal.over", n)
	default:
		return w.Count("deal.down", -n)
	}
}

// sideNamer is how a side is called: by its seats, or by what it did.
type sideNamer func(*lang.Words, scoring.Side) string

// scored says what a line brought and why: "4♠ doubled, one down, vulnerable: 200 to East–West".
func scored(w *lang.Words, l *scoring.Line, sides sideNamer) string {
	d := l.Deal
	if d.PassedOut() {
		return w.Say("deal.nothing")
	}
	because := []string{contractWords(w, d.Contract), resultWords(w, d)}
	if !d.Made() || d.Contract.Doubling != scoring.Undoubled || d.Contract.Slam() {
		because = append(because, vulnerability(w, l.Vulnerable))
	}
	return w.Say("deal.scored", lang.Values{
		"because": strings.Join(because, ", "), "points": pointsWords(w, l.Entries, d, sides),
	})
}

// worked is what a deal away from any table brings: not vulnerable and vulnerable, or the one that was said.
func worked(w *lang.Words, d scoring.Deal, sides sideNamer) []string {
	if d.PassedOut() {
		return []string{w.Say("deal.nothing")}
	}
	rules := scoring.Laws()
	points := func(vulnerable bool) string { return pointsWords(w, rules.Single(d, vulnerable).Entries, d, sides) }
	line := func(vulnerability, points string) string {
		return w.Say("deal.worked", lang.Values{"vulnerability": vulnerability, "points": points})
	}
	not, vul := points(false), points(true)
	switch {
	case d.Claimed == scoring.NotVulnerable:
		return []string{line(vulnerability(w, false), not)}
	case d.Claimed == scoring.Vulnerable:
		return []string{line(vulnerability(w, true), vul)}
	case not == vul:
		return []string{line(w.Say("deal.either_vulnerability"), not)}
	default:
		return []string{line(vulnerability(w, false), not), line(vulnerability(w, true), vul)}
	}
}

func vulnerability(w *lang.Words, vulnerable bool) string {
	if vulnerable {
		return w.Say("deal.vulnerable")
	}
	return w.Say("deal.not_vulnerable")
}

func contractWords(w *lang.Words, c scoring.Contract) string {
	v := lang.Values{"contract": c.Bid()}
	switch c.Doubling {
	case scoring.Doubled:
		return w.Say("deal.doubled", v)
	case scoring.Redoubled:
		return w.Say("deal.redoubled", v)
	default:
		return c.Bid()
	}
}

// pointsWords are entries, side by side: "90 below the line and 30 for the overtrick to North–South, 120 in all".
func pointsWords(w *lang.Words, entries []scoring.Entry, d scoring.Deal, sides sideNamer) string {
	var all []string
	for _, side := range []scoring.Side{d.Side, d.Side.Other()} {
		ours := slices.DeleteFunc(slices.Clone(entries), func(e scoring.Entry) bool { return e.Side != side })
		if len(ours) > 0 {
			all = append(all, sidePoints(w, ours, d, sides(w, side)))
		}
	}
	return strings.Join(all, "; ")
}

func sidePoints(w *lang.Words, entries []scoring.Entry, d scoring.Deal, side string) string {
	if len(entries) == 1 {
		return w.Say("deal.to", lang.Values{"points": entryWords(w, entries[0], d, "points.undertricks"), "side": side})
	}
	var points []string
	sum := 0
	for _, e := range entries {
		points = append(points, entryWords(w, e, d, "points.undertricks_among"))
		sum += e.Points
	}
	return w.Say("deal.to_sum", lang.Values{"points": and(w, points), "side": side, "sum": sum})
}

// entryWords is an entry and what it is for; of undertricks standing alone that need not be said.
func entryWords(w *lang.Words, e scoring.Entry, d scoring.Deal, undertricks string) string {
	v := lang.Values{"points": e.Points}
	switch e.Kind {
	case scoring.Overtricks:
		return w.Count("points.overtricks", d.Result(), v)
	case scoring.Undertricks:
		return w.Count(undertricks, -d.Result(), v)
	default:
		return w.Say("points."+e.Kind.String(), v)
	}
}

// and joins a list: "a, b and c".
func and(w *lang.Words, items []string) string {
	n := len(items)
	if n == 1 {
		return items[0]
	}
	return w.Say("list.and", lang.Values{"items": strings.Join(items[:n-1], ", "), "last": items[n-1]})
}
