package storage

import (
	"time"

	"github.com/rubberbot/rubberbot/scoring"
)

// Player is who sits in a seat: an account, a guest who is only a name, or nobody in particular.
type Player struct {
	Name    string `json:"name,omitempty"`
	Account string `json:"account,omitempty"`
}

// Players are the four at a table.
type Players struct{ North, East, South, West Player }

// At is the player in a seat.
func (p *Players) At(s scoring.Seat) Player {
	if seat := p.seat(s); seat != nil {
		return *seat
	}
	return Player{}
}

// Sit puts a player in a seat.
func (p *Players) Sit(s scoring.Seat, who Player) {
	if seat := p.seat(s); seat != nil {
		*seat = who
	}
}

func (p *Players) seat(s scoring.Seat) *Player {
	switch s {
	case scoring.North:
		return &p.North
	case scoring.East:
		return &p.East
	case scoring.South:
		return &p.South
	case scoring.West:
		return &p.West
	default:
		return nil
	}
}

// Rubber is a rubber as it was played: who sat where, by which rules, and the deals.
type Rubber struct {
	Number  int // from 1 at its table; 0 is no rubber
	Started time.Time
	Players Players
	Rules   string // the preset's name
	Deals   []scoring.Deal
	Ended   bool // stopped before two games were won
}

// Sheet is what the deals mean.
func (r *Rubber) Sheet() (scoring.Sheet, error) {
	rules, err := scoring.Preset(r.Rules)
	if err != nil {
		return scoring.Sheet{}, err
	}
	sheet, err := scoring.Fold(rules, r.Deals)
	if err == nil && r.Ended {
		return sheet.End()
	}
	return sheet, err
}

// Table is a table as it stands after one of its changes.
type Table struct {
	ID       string
	Revision uint64 // the number of the newest change; 0 where nothing happened yet
	Rubber   Rubber // the latest; its Number is 0 where none was started
	Sheet    scoring.Sheet
	Last     *Change  // what undo would take back; nil where nothing is
	Recent   []Change // for a step: what was done in the last minutes and stands, newest first
	Undone   *Change  // what redo would bring back; nil where nothing is
}

// Open says that a rubber is in progress.
func (t *Table) Open() bool { return t.Rubber.Number > 0 && !t.Sheet.Over() }

// What is the kind of a change.
type What string

// The kinds of change.
const (
	Started  What = "started"  // a rubber
	Recorded What = "recorded" // a deal
	Ended    What = "ended"    // a rubber, early
	Undone   What = "undone"   // an earlier change
	Redone   What = "redone"   // a change undone before
)

// Move is what a step wants done: one of the kinds with what that kind needs.
type Move struct {
	What    What
	Players Players      // Started
	Rules   string       // Started: a preset's name
	Deal    scoring.Deal // Recorded: with its declarer, or at least the side
}

// Person is who did something.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Act is who asks for a change, when, and by which interaction.
type Act struct {
	Interaction string
	By          Person
	At          time.Time
}

// Change is an entry of a table's journal.
type Change struct {
	Act
	Move
	Number uint64  // from 1 at its table: the revision that it made
	Rubber int     // the rubber that it is about
	N      int     // Recorded: the deal's number in the rubber
	Of     *Change // Undone, Redone: the change taken back or brought back
	before uint64  // the newest change that stood before this one, and stands once it is undone; 0 for Undone and Redone
}

// top is the newest change that stands once c is made; 0 for none.
func (c *Change) top() uint64 {
	switch c.What {
	case Undone:
		return c.Of.before
	case Redone:
		return c.Of.Number
	default:
		return c.Number
	}
}

// Base is the change itself, or the one that it took or brought back.
func (c *Change) Base() *Change {
	if c.Of != nil {
		return c.Of
	}
	return c
}
