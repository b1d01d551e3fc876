package scoring

import (
	"errors"
	"fmt"
)

// What makes a deal impossible by itself.
var (
	ErrContract          = errors.New("no such contract: level 1 to 7 in clubs, diamonds, hearts, spades or no-trump")
	ErrTricks            = errors.New("a deal has 13 tricks")
	ErrSide              = errors.New("no such seat or side, or a seat of the other side")
	ErrHonours           = errors.New("honours are 100 or 150")
	ErrHonoursNoTrump    = errors.New("at no-trump honours are four aces in one hand: 150, never 100")
	ErrPassedOutWithMore = errors.New("a passed-out deal has no declarer, no result and no honours")
)

// What keeps a deal off a sheet.
var (
	ErrNoDeclarer = errors.New("who declared? Put N, E, S or W before the contract, or a side, NS or EW")
	ErrOver       = errors.New("the rubber is over")
	ErrClosed     = errors.New("the rubber has been ended")
)

// ClaimError is a text that says "vul" or "nv" where the sheet says otherwise.
type ClaimError struct {
	Side       Side // the declaring side
	Vulnerable bool // what the sheet says
}

// Error says what is wrong, in English.
func (e *ClaimError) Error() string {
	if e.Vulnerable {
		return fmt.Sprintf("%v are vulnerable: they have won a game", e.Side)
	}
	return fmt.Sprintf("%v are not vulnerable: they have not won a game yet", e.Side)
}

// DealError says which deal of a list can't stand, and why.
type DealError struct {
	N   int // from 1
	Err error
}

// Error says what is wrong, in English.
func (e *DealError) Error() string { return fmt.Sprintf("deal %d: %v", e.N, e.Err) }

// Unwrap is the reason.
func (e *DealError) Unwrap() error { return e.Err }
