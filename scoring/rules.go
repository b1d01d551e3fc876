package scoring

import "fmt"

// Rules are the figures by which a rubber is scored: data, so that a variant is another value and not another branch.
type Rules struct {
	Name            string // the preset's
	Undertricks     Scale
	InsultDoubled   int // for making a doubled contract
	InsultRedoubled int
	RubberTwo       int // for winning the rubber by two games to none
	RubberThree     int // for winning it by two games to one
	UnfinishedGame  int // for the only game of a rubber that is not finished
	UnfinishedPart  int // for the only part-score in its open game
}

// Laws are the rules of the Laws of Contract Bridge of 1993, whose figures those of 2014 kept.
func Laws() Rules {
	return Rules{
		Name:            "laws",
		Undertricks:     ScaleLaws,
		InsultDoubled:   50,
		InsultRedoubled: 100,
		RubberTwo:       700,
		RubberThree:     500,
		UnfinishedGame:  300,
		UnfinishedPart:  100,
	}
}

// Preset is the rules of that name; "" is laws.
func Preset(name string) (Rules, error) {
	switch name {
	case "", "laws":
		return Laws(), nil
	default:
		return Rules{}, fmt.Errorf("no rules %q: laws is what there is", name)
	}
}

// Scale is a table of penalties for undertricks.
type Scale uint8

// The scales.
const (
	// ScaleLaws is the scale of 1993, by which the fourth undertrick doubled, not vulnerable, costs 300 and not 200. In
	// duplicate bridge it was so from 1987.
	ScaleLaws Scale = iota
)

// penalties are what undertricks cost by their number, 0 to 13; redoubled is twice doubled.
type penalties struct{ undoubled, doubled [14]int }

// undertricks is what undertricks cost by scale and vulnerability (Law 81).
var undertricks = [...][2]penalties{
	ScaleLaws: {
		{
			undoubled: [...]int{0, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650},
			doubled:   [...]int{0, 100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500},
		},
		{
			undoubled: [...]int{0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300},
			doubled:   [...]int{0, 200, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500, 3800},
		},
	},
}

// GamePoints are what a side needs below the line for game.
const GamePoints = 100

// trickValue is what a trick in each strain counts, undoubled (Law 81); no-trump's first counts firstNoTrump more.
var trickValue = [...]int{Clubs: 20, Diamonds: 20, Hearts: 30, Spades: 30, NoTrump: 30}

const firstNoTrump = 10

// Overtricks doubled, and slams bid and made, by vulnerability (Law 81).
var (
	doubledOvertrick = [2]int{100, 200}
	smallSlam        = [2]int{500, 750}
	grandSlam        = [2]int{1000, 1500}
)

// Score is what one contract brings: the first four to the declaring side, Undertricks to the other.
type Score struct {
	Tricks      int // below the line: tricks bid and made
	Overtricks  int
	Insult      int // for making a contract that was doubled
	Slam        int
	Undertricks int
}

// Score prices a contract: c is valid, tricks are the 0 to 13 that the declaring side took.
func (r *Rules) Score(c Contract, tricks int, vulnerable bool) Score {
	v := 0
	if vulnerable {
		v = 1
	}
	over := tricks - c.Tricks()
	if over < 0 {
		return Score{Undertricks: r.penalty(-over, c.Doubling, v)}
	}
	s := Score{Tricks: c.trickScore(), Overtricks: over * trickValue[c.Strain]}
	switch c.Doubling {
	case Doubled:
		s.Overtricks, s.Insult = over*doubledOvertrick[v], r.InsultDoubled
	case Redoubled:
		s.Overtricks, s.Insult = over*2*doubledOvertrick[v], r.InsultRedoubled
	}
	switch c.Level {
	case 6:
		s.Slam = smallSlam[v]
	case 7:
		s.Slam = grandSlam[v]
	}
	return s
}

// trickScore is what the contract counts below the line when it is made.
func (c Contract) trickScore() int {
	points := int(c.Level) * trickValue[c.Strain]
	if c.Strain == NoTrump {
		points += firstNoTrump
	}
	return points * c.Doubling.Factor()
}

// penalty is what n undertricks cost.
func (r *Rules) penalty(n int, d Doubling, vulnerable int) int {
	scale := &undertricks[r.Undertricks][vulnerable]
	switch d {
	case Undoubled:
		return scale.undoubled[n]
	case Doubled:
		return scale.doubled[n]
	default:
		return 2 * scale.doubled[n]
	}
}
