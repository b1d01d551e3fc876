package scoring_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubberbot/rubberbot/scoring"
)

// This file scores a second time, from the text of the Laws alone: by counting trick for trick what each is worth, where
// the package multiplies and looks up. It shares no figure and no helper with the package.

// bookkeeper is what one contract brings, by kind.
type bookkeeper struct{ below, over, insult, slam, penalty int }

// countTricks turns the tricks of a contract over one by one and writes down what each brings.
func countTricks(c scoring.Contract, taken int, vulnerable bool) (b bookkeeper) {
	needed := 6 + int(c.Level)
	for trick := 1; trick <= max(taken, needed); trick++ {
		switch {
		case trick <= 6: // the book counts for nothing, whoever takes it: what is lost of it is lost below
		case taken >= needed && trick <= needed:
			b.below += oddTrick(trick-6, c)
		case taken >= needed:
			b.over += overtrick(c, vulnerable)
		}
	}
	for lost := 1; lost <= needed-taken; lost++ {
		b.penalty += undertrick(lost, c.Doubling, vulnerable)
	}
	if taken >= needed {
		b.insult = map[scoring.Doubling]int{scoring.Doubled: 50, scoring.Redoubled: 100}[c.Doubling]
		b.slam = map[string]int{"12nv": 500, "12v": 750, "13nv": 1000, "13v": 1500}[slamKey(needed, vulnerable)]
	}
	return b
}

func slamKey(needed int, vulnerable bool) string {
	key := map[int]string{12: "12", 13: "13"}[needed]
	if vulnerable {
		return key + "v"
	}
	return key + "nv"
}

// oddTrick is what the n-th odd trick of those bid counts towards game.
func oddTrick(n int, c scoring.Contract) int {
	worth := 0
	switch c.Strain {
	case scoring.Clubs, scoring.Diamonds:
		worth = 20
	case scoring.Hearts, scoring.Spades:
		worth = 30
	case scoring.NoTrump:
		worth = 30
		if n == 1 {
			worth = 40
		}
	}
	switch c.Doubling {
	case scoring.Doubled:
		return worth + worth
	case scoring.Redoubled:
		return worth + worth + worth + worth
	}
	return worth
}

// overtrick is what a trick beyond the contract brings above the line.
func overtrick(c scoring.Contract, vulnerable bool) int {
	switch {
	case c.Doubling == scoring.Doubled && vulnerable:
		return 200
	case c.Doubling == scoring.Doubled:
		return 100
	case c.Doubling == scoring.Redoubled && vulnerable:
		return 400
	case c.Doubling == scoring.Redoubled:
		return 200
	case c.Strain == scoring.Clubs || c.Strain == scoring.Diamonds:
		return 20
	default:
		return 30
	}
}

// undertrick is what the n-th trick short costs.
func undertrick(n int, d scoring.Doubling, vulnerable bool) int {
	cost := 0
	switch {
	case d == scoring.Undoubled && vulnerable:
		return 100
	case d == scoring.Undoubled:
		return 50
	case vulnerable && n == 1:
		cost = 200
	case vulnerable:
		cost = 300
	case n == 1:
		cost = 100
	case n <= 3:
		cost = 200
	default:
		cost = 300
	}
	if d == scoring.Redoubled {
		cost += cost
	}
	return cost
}

// TestSecondWayOfScoring compares both ways for every level, strain, doubling, vulnerability and number of tricks.
func TestSecondWayOfScoring(t *testing.T) {
	rules, compared := scoring.Laws(), 0
	for _, p := range everyPrice() {
		s := rules.Score(p.c, p.tricks, p.vulnerable)
		got := bookkeeper{s.Tricks, s.Overtricks, s.Insult, s.Slam, s.Undertricks}
		if want := countTricks(p.c, p.tricks, p.vulnerable); got != want {
			t.Errorf("Score(%v, %d, %v) = %+v, counted %+v", p.c, p.tricks, p.vulnerable, got, want)
		}
		compared++
	}
	if want := 7 * 5 * 3 * 2 * 14; compared != want {
		t.Errorf("compared %d prices, want %d", compared, want)
	}
}

// paper is a rubber kept as on paper: two columns of figures above the line and, below it, a list of games, each with two
// columns. Nothing is carried along but the figures themselves; all else is read off them again.
type paper struct {
	above map[scoring.Side][]int
	games []map[scoring.Side][]int
}

func newPaper() *paper {
	return &paper{above: map[scoring.Side][]int{}, games: []map[scoring.Side][]int{{}}}
}

func sum(points []int) (total int) {
	for _, p := range points {
		total += p
	}
	return total
}

// won is how many of the ruled-off games a side has won.
func (p *paper) won(side scoring.Side) (n int) {
	for _, g := range p.games {
		if sum(g[side]) >= 100 {
			n++
		}
	}
	return n
}

func (p *paper) over() bool { return p.won(scoring.NS) == 2 || p.won(scoring.EW) == 2 }

// total is all figures of a side.
func (p *paper) total(side scoring.Side) int { return sum(p.above[side]) + p.below(side) }

func (p *paper) below(side scoring.Side) (points int) {
	for _, g := range p.games {
		points += sum(g[side])
	}
	return points
}

// write puts one deal on the paper.
func (p *paper) write(d scoring.Deal) {
	if d.Contract.Level == 0 {
		return
	}
	us, them := scoring.NS, scoring.EW
	if d.Side == scoring.EW {
		us, them = them, us
	}
	b := countTricks(d.Contract, int(d.Tricks), p.won(us) > 0)
	p.above[us] = append(p.above[us], b.over, b.insult, b.slam)
	p.above[them] = append(p.above[them], b.penalty)
	holder := us
	if d.Honours.Side != scoring.NoSide {
		holder = d.Honours.Side
	}
	p.above[holder] = append(p.above[holder], int(d.Honours.Points))
	open := p.games[len(p.games)-1]
	open[us] = append(open[us], b.below)
	if sum(open[us]) < 100 {
		return
	}
	switch {
	case p.won(us) == 2 && p.won(them) == 0:
		p.above[us] = append(p.above[us], 700)
	case p.won(us) == 2:
		p.above[us] = append(p.above[us], 500)
	default:
		p.games = append(p.games, map[scoring.Side][]int{})
	}
}

// stop writes the premiums of an unfinished rubber.
func (p *paper) stop() {
	open := p.games[len(p.games)-1]
	for us, them := range map[scoring.Side]scoring.Side{scoring.NS: scoring.EW, scoring.EW: scoring.NS} {
		if p.won(us) == 1 && p.won(them) == 0 {
			p.above[us] = append(p.above[us], 300)
		}
		if sum(open[us]) > 0 && sum(open[them]) == 0 {
			p.above[us] = append(p.above[us], 100)
		}
	}
}

// TestSecondWayOfKeeping keeps 25,000 rubbers at random both ways, some to the end, some stopped on the way.
func TestSecondWayOfKeeping(t *testing.T) {
	random := rand.New(rand.NewPCG(77, 81))
	ends := map[string]int{}
	for n := range 25_000 {
		deals, p, stopAfter := []scoring.Deal(nil), newPaper(), random.IntN(16)
		for !p.over() && len(deals) < stopAfter {
			d := randomDeal(random)
			p.write(d)
			deals = append(deals, d)
		}
		s := mustFold(deals...)
		if s.Finished() != p.over() {
			t.Fatalf("rubber %d, %v: Finished() = %v, want %v", n, deals, s.Finished(), p.over())
		}
		ends[map[bool]string{true: "won", false: "stopped"}[p.over()]]++
		if !p.over() {
			p.stop()
			s, _ = s.End()
		}
		type figures struct{ Games, Below, Total scoring.Tally }
		got := figures{s.Games, s.Below, s.Total()}
		want := figures{
			scoring.Tally{NS: p.won(scoring.NS), EW: p.won(scoring.EW)},
			scoring.Tally{NS: p.below(scoring.NS), EW: p.below(scoring.EW)},
			scoring.Tally{NS: p.total(scoring.NS), EW: p.total(scoring.EW)},
		}
		if got != want {
			t.Fatalf("rubber %d, %v (-paper +Fold):\n%s", n, deals, cmp.Diff(want, got))
		}
	}
	if ends["won"] < 5_000 || ends["stopped"] < 5_000 {
		t.Errorf("rubbers by their end: %v, want thousands of both", ends)
	}
}

// randomDeal is a deal with a declarer or a declaring side, most often made or nearly made, as at a table.
func randomDeal(r *rand.Rand) scoring.Deal {
	if r.IntN(12) == 0 {
		return scoring.Deal{}
	}
	d := scoring.Deal{Contract: scoring.Contract{
		Level:    uint8(1 + r.IntN(7)),
		Strain:   scoring.Clubs + scoring.Strain(r.IntN(5)),
		Doubling: scoring.Doubling(max(0, r.IntN(6)-3)),
	}}
	d.Tricks = uint8(min(13, max(0, d.Contract.Tricks()+r.IntN(5)-2)))
	if r.IntN(8) == 0 {
		d.Tricks = uint8(r.IntN(14))
	}
	d = d.By(scoring.North + scoring.Seat(r.IntN(4)))
	if r.IntN(3) == 0 {
		d = d.BySide(d.Side)
	}
	if r.IntN(5) == 0 {
		d.Honours = randomHonours(r, d.Contract.Strain)
	}
	return d
}

func randomHonours(r *rand.Rand, trumps scoring.Strain) scoring.Honours {
	h := scoring.Honours{Points: 150}
	if trumps != scoring.NoTrump && r.IntN(2) == 0 {
		h.Points = 100
	}
	switch r.IntN(3) {
	case 0:
		h.Side = scoring.NS + scoring.Side(r.IntN(2))
	case 1:
		h.Seat = scoring.North + scoring.Seat(r.IntN(4))
		h.Side = h.Seat.Side()
	}
	return h
}
