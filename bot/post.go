package bot

import (
	"strings"

	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/bot/sheet"
	"github.com/rubberbot/rubberbot/storage"
)

// sheetRows is how many entries above the line a message lists: with every other row and the longest words it stays
// inside Discord's 4096 characters.
const sheetRows = 24

// missedRows is how many changes that nobody saw are listed one by one.
const missedRows = 5

// post is the public reply that shows a table after a change: what happened, the sheet, how it stands.
func (b *Bot) post(r *Request, out storage.Outcome, heads ...string) Reply {
	w, t := r.Words, &out.Table
	reply := Reply{Title: title(w, t), Buttons: tableButtons(w, t)}
	body := append(b.missed(r, out, &reply), heads...)
	if t.Rubber.Number == 0 {
		body = append(body, w.Say("undo.none_left"))
	} else {
		body = append(body, standing(w, t)...)
	}
	for _, c := range out.Changes {
		reply.Shown = append(reply.Shown, c.Number)
	}
	reply.Body = strings.Join(body, "\n")
	return reply
}

// missed lists the changes of which no reply came through; those being answered at this moment aren't among them.
func (b *Bot) missed(r *Request, out storage.Outcome, reply *Reply) []string {
	w := r.Words
	var lines []string
	claimed := ""
	for i := range out.Unshown {
		c := &out.Unshown[i]
		if c.Interaction != claimed { // one interaction may have made several changes, one after another
			if !b.recent.claim(c.Interaction, r.ID) {
				continue
			}
			claimed = c.Interaction
		}
		reply.Shown = append(reply.Shown, c.Number)
		lines = append(lines, w.Say("missed.line", lang.Values{
			"change": changeWords(w, c, &out.Table), "by": person(w, c.By.Name),
		}))
	}
	if len(lines) > missedRows {
		older := len(lines) - missedRows
		lines = append([]string{w.Count("missed.more", older)}, lines[older:]...)
	}
	return lines
}

// changeWords says what a change was: "deal 4: 4♠X by Nello (North), one down". A deal of a rubber before the table's, where
// others may have sat, has the seat alone.
func changeWords(w *lang.Words, c *storage.Change, t *storage.Table) string {
	base := c.Base()
	id, v := "change."+string(base.What), lang.Values{"rubber": base.Rubber, "n": base.N}
	switch {
	case base.What != storage.Recorded:
	case base.Rubber == t.Rubber.Number:
		v["deal"] = spelled(w, base.Deal, &t.Rubber.Players)
	default:
		id, v["deal"] = "change.recorded_before", spelled(w, base.Deal, &storage.Players{})
	}
	text := w.Say(id, v)
	if c.Of != nil {
		return w.Say("change."+string(c.What), lang.Values{"change": text})
	}
	return text
}

func title(w *lang.Words, t *storage.Table) string {
	v := lang.Values{"rubber": t.Rubber.Number, "deal": len(t.Rubber.Deals)}
	switch {
	case t.Rubber.Number == 0:
		return w.Say("title.none")
	case len(t.Rubber.Deals) == 0:
		return w.Say("title.rubber", v)
	default:
		return w.Say("title.deal", v)
	}
}

// standing is the sheet and how the rubber stands; how it ended stands first.
func standing(w *lang.Words, t *storage.Table) []string {
	block := "```\n" + sheet.Text(&t.Sheet, names(&t.Rubber.Players), w, sheetRows) + "```"
	summary := sheet.Summary(&t.Sheet, w)
	if !t.Sheet.Over() {
		return append([]string{block}, summary...)
	}
	first, last := 0, len(summary)-1
	summary[first], summary[last] = bold(summary[first]), bold(summary[last])
	return append(summary, block)
}

func bold(text string) string { return "**" + text + "**" }

// tableButtons are the buttons under a sheet.
func tableButtons(w *lang.Words, t *storage.Table) []Button {
	if !t.Sheet.Over() {
		return nil
	}
	return []Button{{Label: w.Say("button.next"), ID: pressAt(pressNext, *t, "", "").id()}}
}
