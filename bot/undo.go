package bot

import (
	"context"

	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/storage"
)

func undoCommand() command { return command{name: "undo", run: takeBack(storage.Undone)} }

func redoCommand() command { return command{name: "redo", run: takeBack(storage.Redone)} }

// takeBack takes the last change back, or brings back the one taken back last.
func takeBack(what storage.What) handler {
	return func(_ context.Context, b *Bot, r *Request) (Reply, error) {
		out, err := b.store.Change(r.Table, r.act(), func(storage.Table) ([]storage.Move, error) {
			return []storage.Move{{What: what}}, nil
		})
		if err != nil {
			return Reply{}, err
		}
		c := &out.Changes[0]
		head := r.Words.Say(string(what)+".head", lang.Values{
			"change": changeWords(r.Words, c.Of, &out.Table.Rubber.Players), "by": person(c.Of.By.Name),
		})
		if out.Table.Rubber.Number == 0 {
			reply := Reply{Title: r.Words.Say("title.none"), Shown: []uint64{c.Number}}
			reply.Body = head + "\n" + r.Words.Say("undo.none_left")
			return reply, nil
		}
		return b.post(r, out, head), nil
	}
}
