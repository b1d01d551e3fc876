package scoring

import (
	"fmt"
	"strconv"
)

// Vulnerability is what a text says of the declaring side. In a rubber it is a claim that the sheet confirms or refutes.
type Vulnerability uint8

// What can be said of vulnerability.
const (
	Unsaid Vulnerability = iota
	NotVulnerable
	Vulnerable
)

// String is "", nv or vul.
func (v Vulnerability) String() string { return nameOf(vulnerabilities[:], v) }

var vulnerabilities = [...]string{"", "nv", "vul"}

// Honours is a claim for honours held in one hand (Law 81): 100 for four of the five top trumps, 150 for all five or
// for the four aces at no-trump. The zero Honours is no claim.
type Honours struct {
	Points uint8 // 100 or 150
	Side   Side  // whose; none means the declaring side
	Seat   Seat  // in whose hand; none where only the side is known
}

// Deal is one deal's result. The zero Deal was passed out. A Deal may be incomplete: read from a text that doesn't say
// who declared, it has no Side.
type Deal struct {
	Contract Contract
	Side     Side  // the declaring side
	Declarer Seat  // none where only the side is known
	Tricks   uint8 // all tricks that the declaring side took, 0 to 13
	Claimed  Vulnerability
	Honours  Honours
}

// PassedOut says that nobody bid.
func (d Deal) PassedOut() bool { return d.Contract == Contract{} }

// Result is the tricks above the contract (positive), below it (negative) or neither (0, also for a passed-out deal).
func (d Deal) Result() int {
	if d.PassedOut() {
		return 0
	}
	return int(d.Tricks) - d.Contract.Tricks()
}

// Made says that the contract was fulfilled.
func (d Deal) Made() bool { return !d.PassedOut() && d.Result() >= 0 }

// By is d declared by seat s.
func (d Deal) By(s Seat) Deal {
	d.Declarer, d.Side = s, s.Side()
	return d
}

// BySide is d declared by one of side s.
func (d Deal) BySide(s Side) Deal {
	d.Declarer, d.Side = NoSeat, s
	return d
}

// Unclaimed is d without what its text said of vulnerability: in a rubber the sheet knows better.
func (d Deal) Unclaimed() Deal {
	d.Claimed = Unsaid
	return d
}

// honoursSide is the side that claims honours: the declaring side where the claim names none.
func (d Deal) honoursSide() Side {
	if d.Honours.Points != 0 && d.Honours.Side == NoSide {
		return d.Side
	}
	return d.Honours.Side
}

// Check says what, if anything, makes d impossible; a missing declarer is no fault here.
func (d Deal) Check() error {
	switch {
	case d.PassedOut() && d != (Deal{}):
		return ErrPassedOutWithMore
	case d.PassedOut():
		return nil
	case !d.Contract.Valid():
		return ErrContract
	case d.Tricks > 13:
		return ErrTricks
	case !d.Declarer.plays(d.Side), d.Claimed > Vulnerable:
		return ErrSide
	default:
		return d.Honours.check(d.Contract.Strain)
	}
}

func (h Honours) check(trumps Strain) error {
	switch {
	case h == Honours{}:
		return nil
	case h.Points != 100 && h.Points != 150:
		return ErrHonours
	case h.Points == 100 && trumps == NoTrump:
		return ErrHonoursNoTrump
	case !h.Seat.plays(h.Side):
		return ErrSide
	default:
		return nil
	}
}

// String is the canonical text of d, which reads back to d: "N 4♠X −1", "EW 2♥ +1 hon EW 100", "pass".
func (d Deal) String() string { return string(d.append(make([]byte, 0, 40))) }

// MarshalText is String.
func (d Deal) MarshalText() ([]byte, error) { return d.append(make([]byte, 0, 40)), nil }

// UnmarshalText reads a text in the English notation.
func (d *Deal) UnmarshalText(text []byte) error {
	read, err := English().Parse(string(text))
	if err != nil {
		return fmt.Errorf("scoring: deal %q: %w", text, err)
	}
	*d = read
	return nil
}

func (d Deal) append(b []byte) []byte {
	if d.PassedOut() {
		return append(b, "pass"...)
	}
	b = appendHand(b, d.Declarer, d.Side)
	b = d.Contract.append(b)
	b = AppendResult(append(b, ' '), d.Result())
	if d.Claimed != Unsaid {
		b = append(append(b, ' '), d.Claimed.String()...)
	}
	if d.Honours.Points != 0 {
		b = appendHand(append(b, " hon "...), d.Honours.Seat, d.Honours.Side)
		b = strconv.AppendUint(b, uint64(d.Honours.Points), 10)
	}
	return b
}

// appendHand writes a seat, or else a side, and a space; nothing where neither is known.
func appendHand(b []byte, seat Seat, side Side) []byte {
	switch {
	case seat != NoSeat:
		return append(append(b, seat.String()...), ' ')
	case side != NoSide:
		return append(append(b, side.String()...), ' ')
	default:
		return b
	}
}

// AppendResult writes a result in tricks as the notation has it: "=", "+1", "−2".
func AppendResult(b []byte, result int) []byte {
	switch {
	case result == 0:
		return append(b, '=')
	case result > 0:
		return strconv.AppendInt(append(b, '+'), int64(result), 10)
	default:
		return strconv.AppendInt(append(b, "−"...), int64(-result), 10)
	}
}
