package scoring

import "slices"

// Kind is what an entry was given for.
type Kind uint8

// The kinds, in the order in which a deal's entries stand.
const (
	Tricks Kind = iota
	Overtricks
	Undertricks
	Insult
	Slam
	HonoursHeld
	RubberWon
	UnfinishedGame
	UnfinishedPart
)

var kinds = [...]string{
	"tricks", "overtricks", "undertricks", "insult", "slam", "honours", "rubber", "unfinished_game", "unfinished_part",
}

// String is the kind's name in files: "tricks", "unfinished_part".
func (k Kind) String() string { return nameOf(kinds[:], k) }

// MarshalText is String.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (k *Kind) UnmarshalText(text []byte) error { return unmarshal(k, kinds[:], text, "kind of entry") }

// Below says that entries of this kind stand below the line and count towards game; all others stand above it.
func (k Kind) Below() bool { return k == Tricks }

// Entry is one figure on the sheet. It is never zero.
type Entry struct {
	Side   Side
	Kind   Kind
	Game   uint8 // the game of the rubber that it fell in, from 1
	Points int
}

// Line is a deal as it stands on a sheet.
type Line struct {
	N          int // from 1, passed-out deals counted
	Deal       Deal
	Vulnerable bool    // the declaring side, when the deal was played
	Entries    []Entry // in the order of Kind, one a kind
}

// Standing is how a rubber stands after some deals. It is small and comparable, and the zero Standing is a new rubber.
type Standing struct {
	Games     Tally // games won
	PartScore Tally // below the line in the open game
	Below     Tally // all points below the line, those of games won included
	Above     Tally
	Won       Side // who won the rubber, two games; none while it goes on
}

// Vulnerable says whether a side has won a game. After the end it is as the last deal left it.
func (s *Standing) Vulnerable(side Side) bool { return s.Games.Of(side) > 0 }

// Total is all points of both sides.
func (s *Standing) Total() Tally { return s.Below.Sum(s.Above) }

// NeedsForGame is what a side still needs below the line to win the open game; it means nothing once the rubber is won.
func (s *Standing) NeedsForGame(side Side) int { return GamePoints - s.PartScore.Of(side) }

// Game is the number of the open game, from 1; of the last one where the rubber is won.
func (s *Standing) Game() int {
	n := s.Games.NS + s.Games.EW
	if s.Won == NoSide {
		n++
	}
	return n
}

// Sheet is a rubber's score sheet: what its deals mean by its rules.
type Sheet struct {
	Standing
	Rules   Rules
	Lines   []Line
	Closing []Entry // the premiums of a rubber that was ended before two games were won
	Closed  bool    // ended early
}

// Finished says that a side has won two games.
func (s *Sheet) Finished() bool { return s.Won != NoSide }

// Over says that no deal can be added: the rubber is finished or was ended early.
func (s *Sheet) Over() bool { return s.Finished() || s.Closed }

// Leader is the side with the larger total, and the margin; that side wins even where the other won two games (Law 74).
func (s *Sheet) Leader() (Side, int) { return s.Total().Leader() }

// Fold makes the sheet of a rubber from its deals. It fails at the first deal that is impossible or that comes after the
// end, with a [DealError] that says which. What the texts claimed of vulnerability is not looked at: [Sheet.Takes] checks
// a claim when its deal is entered, and a deal changed before it may have made it untrue since.
func Fold(r Rules, deals []Deal) (Sheet, error) {
	s := Sheet{Rules: r, Lines: make([]Line, 0, len(deals))}
	pool := make([]Entry, 0, 3*len(deals)+4)
	for _, d := range deals {
		if err := s.admits(d); err != nil {
			return Sheet{}, &DealError{N: len(s.Lines) + 1, Err: err}
		}
		from := len(pool)
		pool = s.enter(pool, d)
		if len(pool) > from {
			s.Lines[len(s.Lines)-1].Entries = pool[from:len(pool):len(pool)]
		}
	}
	return s, nil
}

// Takes says whether d could be added as the next deal: it fails where d is impossible or lacks its declarer, where the
// rubber is over, and with a [ClaimError] where the text of d claims a vulnerability that isn't so.
func (s *Sheet) Takes(d Deal) error {
	if err := s.admits(d); err != nil {
		return err
	}
	if v := s.Vulnerable(d.Side); d.Claimed != Unsaid && v != (d.Claimed == Vulnerable) {
		return &ClaimError{Side: d.Side, Vulnerable: v}
	}
	return nil
}

// Add is the sheet with one more deal, which [Sheet.Takes] must allow; s stays as it was.
func (s *Sheet) Add(d Deal) (Sheet, error) {
	next := *s
	next.Lines = slices.Clone(s.Lines)
	if err := next.push(d); err != nil {
		return Sheet{}, err
	}
	return next, nil
}

// push adds d in place.
func (s *Sheet) push(d Deal) error {
	if err := s.Takes(d); err != nil {
		return err
	}
	entries := s.enter(nil, d)
	s.Lines[len(s.Lines)-1].Entries = entries
	return nil
}

// End is the sheet of a rubber that stops here: 300 for the only game, and 100 for the only part-score in the open game,
// each by itself (Law 80). It fails where the rubber is over.
func (s *Sheet) End() (Sheet, error) {
	if err := s.open(); err != nil {
		return Sheet{}, err
	}
	next := *s
	next.Closed = true
	next.Closing = s.Rules.closing(s.Standing)
	for _, e := range next.Closing {
		next.count(e)
	}
	return next, nil
}

// closing is what a rubber that stops at s brings.
func (r *Rules) closing(s Standing) []Entry {
	var entries []Entry
	give := func(side Side, k Kind, points int) {
		if side != NoSide && points != 0 {
			entries = append(entries, Entry{Side: side, Kind: k, Game: uint8(s.Game()), Points: points})
		}
	}
	give(s.Games.Only(), UnfinishedGame, r.UnfinishedGame)
	give(s.PartScore.Only(), UnfinishedPart, r.UnfinishedPart)
	return entries
}

// open fails where the rubber is over.
func (s *Sheet) open() error {
	switch {
	case s.Finished():
		return ErrOver
	case s.Closed:
		return ErrClosed
	default:
		return nil
	}
}

// admits is [Sheet.Takes] without a look at what the text claims.
func (s *Sheet) admits(d Deal) error {
	if err := s.open(); err != nil {
		return err
	}
	if err := d.Check(); err != nil {
		return err
	}
	if !d.PassedOut() && d.Side == NoSide {
		return ErrNoDeclarer
	}
	return nil
}

// enter adds a line for d, whose entries it appends to pool and returns. At 100 below the line d wins a game.
func (s *Sheet) enter(pool []Entry, d Deal) []Entry {
	line := Line{N: len(s.Lines) + 1, Deal: d.Unclaimed(), Vulnerable: s.Vulnerable(d.Side)}
	s.Lines = append(s.Lines, line)
	game, from := uint8(s.Game()), len(pool)
	pool = s.Rules.price(pool, d, line.Vulnerable)
	for i := from; i < len(pool); i++ {
		pool[i].Game = game
		s.count(pool[i])
	}
	if s.PartScore.Of(d.Side) < GamePoints {
		return pool
	}
	s.winGame(d.Side)
	if bonus := s.rubberBonus(); bonus != 0 {
		pool = append(pool, Entry{Side: d.Side, Kind: RubberWon, Game: game, Points: bonus})
		s.count(pool[len(pool)-1])
	}
	return pool
}

// count adds an entry to what stands below or above the line.
func (s *Standing) count(e Entry) {
	if !e.Kind.Below() {
		s.Above = s.Above.Plus(e.Side, e.Points)
		return
	}
	s.Below = s.Below.Plus(e.Side, e.Points)
	s.PartScore = s.PartScore.Plus(e.Side, e.Points)
}

// winGame gives side a game: both part-scores drop out of play, and the second game wins the rubber (Laws 73 and 74).
func (s *Standing) winGame(side Side) {
	s.Games = s.Games.Plus(side, 1)
	s.PartScore = Tally{}
	if s.Games.Of(side) == 2 {
		s.Won = side
	}
}

// rubberBonus is what winning the rubber brings; 0 while it goes on.
func (s *Sheet) rubberBonus() int {
	switch {
	case s.Won == NoSide:
		return 0
	case s.Games.Of(s.Won.Other()) > 0:
		return s.Rules.RubberThree
	default:
		return s.Rules.RubberTwo
	}
}

// Single is one deal away from any rubber: what it brings by itself, the declaring side vulnerable or not.
func (r *Rules) Single(d Deal, vulnerable bool) Line {
	return Line{N: 1, Deal: d.Unclaimed(), Vulnerable: vulnerable, Entries: r.price(nil, d, vulnerable)}
}

// price appends what a deal brings by itself, in the order of Kind.
func (r *Rules) price(pool []Entry, d Deal, vulnerable bool) []Entry {
	if d.PassedOut() {
		return pool
	}
	p := r.Score(d.Contract, int(d.Tricks), vulnerable)
	give := func(side Side, k Kind, points int) {
		if points != 0 {
			pool = append(pool, Entry{Side: side, Kind: k, Points: points})
		}
	}
	give(d.Side, Tricks, p.Tricks)
	give(d.Side, Overtricks, p.Overtricks)
	give(d.Side.Other(), Undertricks, p.Undertricks)
	give(d.Side, Insult, p.Insult)
	give(d.Side, Slam, p.Slam)
	give(d.honoursSide(), HonoursHeld, int(d.Honours.Points))
	return pool
}
