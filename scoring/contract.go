package scoring

import "strconv"

// Strain is a suit or no-trump. The zero Strain is none.
type Strain uint8

// The strains, in the order of the bidding.
const (
	NoStrain Strain = iota
	Clubs
	Diamonds
	Hearts
	Spades
	NoTrump
)

// String is the strain's symbol: ♣ ♦ ♥ ♠, or NT; "" for none.
func (s Strain) String() string { return nameOf(strainSymbols[:], s) }

var strainSymbols = [...]string{"", "♣", "♦", "♥", "♠", "NT"}

// Letter is the strain in plain letters: C D H S or NT; "" for none.
func (s Strain) Letter() string { return nameOf(strainLetters[:], s) }

var strainLetters = [...]string{"", "C", "D", "H", "S", "NT"}

// Valid says that s is one of the five strains.
func (s Strain) Valid() bool { return Clubs <= s && s <= NoTrump }

// Doubling is undoubled (zero), doubled or redoubled.
type Doubling uint8

// The doublings.
const (
	Undoubled Doubling = iota
	Doubled
	Redoubled
)

// String is "", X or XX.
func (d Doubling) String() string { return nameOf(doublings[:], d) }

var doublings = [...]string{"", "X", "XX"}

// nameOf is the name of a small value, "?" where the value is out of range.
func nameOf[T ~uint8](names []string, v T) string {
	if int(v) >= len(names) {
		return "?"
	}
	return names[v]
}

// Factor is what a doubling multiplies trick score by (Law 81): 1, 2 or 4.
func (d Doubling) Factor() int { return 1 << d }

// Contract is what the auction came to. The zero Contract is none: the deal was passed out.
type Contract struct {
	Level    uint8 // odd tricks bid, 1 to 7
	Strain   Strain
	Doubling Doubling
}

// Book is the number of tricks that count for nothing: the first six.
const Book = 6

// Tricks is how many of the thirteen tricks fulfil the contract.
func (c Contract) Tricks() int { return Book + int(c.Level) }

// Slam says whether the contract is for twelve tricks (small) or thirteen (grand).
func (c Contract) Slam() bool { return c.Level >= 6 }

// Valid says that level, strain and doubling are all in range.
func (c Contract) Valid() bool {
	return 1 <= c.Level && c.Level <= 7 && c.Strain.Valid() && c.Doubling <= Redoubled
}

// Bid is the contract without its doubling: 4♠, 3NT.
func (c Contract) Bid() string {
	c.Doubling = Undoubled
	return c.String()
}

// String is the contract with its symbol and doubling: 4♠, 3NTXX; "" for none.
func (c Contract) String() string { return string(c.append(nil)) }

func (c Contract) append(b []byte) []byte {
	if c == (Contract{}) {
		return b
	}
	b = strconv.AppendUint(b, uint64(c.Level), 10)
	b = append(b, c.Strain.String()...)
	return append(b, c.Doubling.String()...)
}
