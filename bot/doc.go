// Package bot is rubberbot at Discord's edge: a request comes in, a reply goes out.
//
// In reading order:
//
//   - [Bot] (bot.go): what it is made of, [Bot.Run].
//   - dispatch.go: an interaction is decoded, run once, answered in one place, whatever happens.
//   - request.go, reply.go: what a command gets and gives, free of Discord's shapes.
//   - command.go: the list of commands and buttons. Each has a file: deal.go, undo.go, rubber.go, show.go, score.go,
//     help.go, with its definition and its code together.
//   - press.go: buttons carry their whole meaning, so that they work after a restart, and go stale by the table's revision.
//   - refusal.go: every error becomes words here, or is logged; caret.go quotes what can't be read.
//   - post.go, prose.go: a table as an embed, a deal in a sentence.
//   - recent.go: the newest interactions, for repeats and lost replies. sync.go: commands are registered where they changed.
//
// A command is a function from a [Request] to a [Reply]; it changes a table by one call of storage.Change, whose step is
// pure. It never sends: dispatch.go does, after the change is on disk. What people read stands in bot/lang.
//
// A reply that is lost on its way leaves its change "unshown" in storage; the next public reply at the table shows it.
package bot
