package twin

import "errors"

// Errors of the player's side.
var (
	// ErrClosed: the Twin was closed meanwhile.
	ErrClosed = errors.New("twin: closed")

	// ErrNoAnswer: the bot didn't answer in time. The words are what Discord
	// shows to whoever typed.
	//
	//lint:ignore ST1005 quoted from Discord, capital and all
	ErrNoAnswer = errors.New("The application did not respond")

	// ErrNotConnected: no session to send this to.
	ErrNotConnected = errors.New("twin: no session is connected")

	// ErrNoCommand: no command of that name is offered in this place.
	ErrNoCommand = errors.New("no such command")

	// ErrNotThere: who acts isn't in that place: left the guild, or it is
	// somebody else's direct messages.
	ErrNotThere = errors.New("not in this place")

	// ErrOption: the options aren't what the command asks for, so Discord's
	// client wouldn't send them.
	ErrOption = errors.New("bad option")

	// ErrNoMessage: the message isn't there for whoever acts.
	ErrNoMessage = errors.New("no such message")

	// ErrNoComponent: the message has no such button or select, or it is
	// disabled.
	ErrNoComponent = errors.New("no such component")

	// ErrInput: what was typed into a modal isn't what it asks for.
	ErrInput = errors.New("bad input")
)
