package bot

import "context"

// SetHelp makes /help do something else, in a bot that doesn't run yet.
func (b *Bot) SetHelp(run func(context.Context, *Bot, *Request) (Reply, error)) {
	b.commands[len(b.commands)-1].run = run
}

// DropHelp makes a bot that doesn't run yet one without /help.
func (b *Bot) DropHelp() { b.commands = b.commands[:len(b.commands)-1] }

// Undo is the code of /undo.
var Undo = takeBack

// Caret is the quotation of a text with a caret under a code point of it.
var Caret = caret

// UndoThenPanic is /undo with a fault in it, after its change is on disk.
func UndoThenPanic(ctx context.Context, b *Bot, r *Request) (Reply, error) {
	if _, err := takeBack("undone")(ctx, b, r); err != nil {
		return Reply{}, err
	}
	panic("after the commit")
}
