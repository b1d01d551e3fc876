package bot

import (
	"context"

	"github.com/rubberbot/rubberbot/storage"
)

func sheetCommand() command { return command{name: "sheet", run: showSheet} }

// showSheet posts the sheet as it stands. It changes nothing, but it shows what nobody has seen.
func showSheet(_ context.Context, b *Bot, r *Request) (Reply, error) {
	out, err := b.look(r)
	if err != nil {
		return Reply{}, err
	}
	if out.Table.Rubber.Number == 0 {
		return Reply{}, refuse("sheet_command.none")
	}
	return b.post(r, out), nil
}

// look is the table as it stands, with what nobody has seen of it.
func (b *Bot) look(r *Request) (storage.Outcome, error) {
	return b.store.Change(r.Table, r.act(), func(storage.Table) ([]storage.Move, error) { return nil, nil })
}
