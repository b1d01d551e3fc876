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
			"change": changeWords(r.Words, c.Of, &out.Table), "by": person(r.Words, c.Of.By.Name),
		})
		return b.post(r, out, head), nil
	}
}
