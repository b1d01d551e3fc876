package scoring

import (
	"fmt"
	"strings"
)

// Seat is a player's place at the table. The zero Seat is none.
type Seat uint8

// The seats, clockwise.
const (
	NoSeat Seat = iota
	North
	East
	South
	West
)

// Seats are the four seats, clockwise from North.
func Seats() [4]Seat { return [...]Seat{North, East, South, West} }

// String is N, E, S or W; "" for none.
func (s Seat) String() string { return nameOf(seats[:], s) }

var seats = [...]string{"", "N", "E", "S", "W"}

// ParseSeat reads N, E, S or W in either case.
func ParseSeat(text string) (Seat, bool) {
	for _, s := range Seats() {
		if strings.EqualFold(text, s.String()) {
			return s, true
		}
	}
	return NoSeat, false
}

// Side is the side that s plays for.
func (s Seat) Side() Side {
	switch s {
	case North, South:
		return NS
	case East, West:
		return EW
	default:
		return NoSide
	}
}

// plays says that s, where it is a seat, plays for side, where that is a side; both are in range.
func (s Seat) plays(side Side) bool {
	return s <= West && side <= EW && (s == NoSeat || s.Side() == side)
}

// Side is a partnership. The zero Side is none.
type Side uint8

// The sides.
const (
	NoSide Side = iota
	NS
	EW
)

// Sides are the two sides.
func Sides() [2]Side { return [...]Side{NS, EW} }

var sides = [...]string{"", "NS", "EW"}

// String is NS or EW; "" for none.
func (s Side) String() string { return nameOf(sides[:], s) }

// Other is the side that s plays against.
func (s Side) Other() Side {
	switch s {
	case NS:
		return EW
	case EW:
		return NS
	default:
		return NoSide
	}
}

// Seats are the two seats of the side.
func (s Side) Seats() [2]Seat {
	if s == NS {
		return [...]Seat{North, South}
	}
	return [...]Seat{East, West}
}

// MarshalText is String.
func (s Side) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Side) UnmarshalText(text []byte) error {
	return unmarshal(s, sides[:], text, "side")
}

// unmarshal sets v to the index of text in names: one table for both ways.
func unmarshal[T ~uint8](v *T, names []string, text []byte, what string) error {
	for i, name := range names {
		if name == string(text) {
			*v = T(i)
			return nil
		}
	}
	return fmt.Errorf("scoring: %q is no %s", text, what)
}

// Tally is a number for each side: points, or games.
type Tally struct {
	NS int `json:"NS"`
	EW int `json:"EW"`
}

// Of is the number of one side.
func (t Tally) Of(s Side) int {
	switch s {
	case NS:
		return t.NS
	case EW:
		return t.EW
	default:
		return 0
	}
}

// Plus is t with n more for side s.
func (t Tally) Plus(s Side, n int) Tally {
	switch s {
	case NS:
		t.NS += n
	case EW:
		t.EW += n
	}
	return t
}

// Sum is t and u added side by side.
func (t Tally) Sum(u Tally) Tally { return Tally{t.NS + u.NS, t.EW + u.EW} }

// Only is the one side whose number isn't zero; none where both or neither are.
func (t Tally) Only() Side {
	switch {
	case t.NS != 0 && t.EW == 0:
		return NS
	case t.EW != 0 && t.NS == 0:
		return EW
	default:
		return NoSide
	}
}

// Leader is the side with more, and by how much; none and 0 where they are level.
func (t Tally) Leader() (Side, int) {
	switch {
	case t.NS > t.EW:
		return NS, t.NS - t.EW
	case t.EW > t.NS:
		return EW, t.EW - t.NS
	default:
		return NoSide, 0
	}
}
