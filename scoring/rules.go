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
	ScaleLaws Scale = iota // since 1987: the fourth doubled undertrick, not vulnerable, costs 300 and not 200
)

// undertricks is what n tricks short cost, by scale, vulnerability and n, undoubled and doubled; redoubled is twice
// doubled (Law 81).
var undertricks = [...][2][14][2]int{
	ScaleLaws: {
		{
			{0, 0},
			{50, 100},
			{100, 300},
			{150, 500},
			{200, 800},
			{250, 1100},
			{300, 1400},
			{350, 1700},
			{400, 2000},
			{450, 2300},
			{500, 2600},
			{550, 2900},
			{600, 3200},
			{650, 3500},
		},
		{
			{0, 0},
			{100, 200},
			{200, 500},
			{300, 800},
			{400, 1100},
			{500, 1400},
			{600, 1700},
			{700, 2000},
			{800, 2300},
			{900, 2600},
			{1000, 2900},
			{1100, 3200},
			{1200, 3500},
			{1300, 3800},
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
	s := Score{Tricks: c.TrickScore(), Overtricks: over * trickValue[c.Strain]}
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

// TrickScore is what the contract counts below the line when it is made.
func (c Contract) TrickScore() int {
	points := int(c.Level) * trickValue[c.Strain]
	if c.Strain == NoTrump {
		points += firstNoTrump
	}
	return points << c.Doubling
}

func (r *Rules) penalty(n int, d Doubling, vulnerable int) int {
	row := &undertricks[r.Undertricks][vulnerable][n]
	switch d {
	case Undoubled:
		return row[0]
	case Doubled:
		return row[1]
	default:
		return 2 * row[1]
	}
}
