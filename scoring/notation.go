package scoring

import (
	"sync"
	"unicode"
)

// Part is a part of the notation that a text is made of.
type Part uint8

// The parts. A deal has one contract (level and strain), one result, and at most one of each other.
const (
	PartContract Part = iota
	PartStrain        // after a level
	PartDoubling
	PartResult
	PartDeclarer
	PartVulnerability
	PartHonours
	PartPass
	PartNumber // the figure that a sign or a word of a result calls for
	PartTricks // the word after a number of tricks
	PartSeat   // the seat after "by"
	PartPoints // the figure after "hon"
	PartLevel  // after a strain
	partMade   // "made"
	partMaking // "making", before odd tricks
	partDown   // "down", before undertricks
	partBy     // "by", before the declarer
)

// Parts is a set of them.
type Parts uint32

// Has says whether p is in the set.
func (ps Parts) Has(p Part) bool { return ps&(1<<p) != 0 }

func (ps Parts) with(p Part) Parts { return ps | 1<<p }

// Vocabulary is the letters and words of one language, which the notation takes as a value. Letters may touch each
// other ("3NS="); words may touch figures and signs, never letters. Lower case; a space stands for any run of spaces.
type Vocabulary struct {
	Strains       [NoTrump + 1]Terms
	Seats         [West + 1]Terms
	Sides         [EW + 1]Terms
	Doublings     [Redoubled + 1]Terms
	Vulnerable    Terms
	NotVulnerable Terms
	Honours       Terms
	Made          Terms
	Making        Terms
	Down          Terms
	Tricks        Terms
	By            Terms
	PassedOut     Terms
}

// Terms are the ways to write one thing.
type Terms struct{ Letters, Words []string }

// word is the word by which the language is written to a player; "" for none.
func (t Terms) word() string {
	if len(t.Words) == 0 {
		return ""
	}
	return t.Words[0]
}

// EnglishVocabulary is the letters and words of English.
func EnglishVocabulary() Vocabulary {
	words := func(w ...string) Terms { return Terms{Words: w} }
	return Vocabulary{
		Strains: [...]Terms{
			Clubs:    {[]string{"c"}, []string{"club", "clubs"}},
			Diamonds: {[]string{"d"}, []string{"diamond", "diamonds"}},
			Hearts:   {[]string{"h"}, []string{"heart", "hearts"}},
			Spades:   {[]string{"s"}, []string{"spade", "spades"}},
			NoTrump: {
				[]string{"n", "nt", "sa", "st"},
				[]string{"notrump", "notrumps", "no trump", "no trumps", "no-trump", "no-trumps"},
			},
		},
		Seats: [...]Terms{
			North: {[]string{"n"}, []string{"north"}},
			East:  {[]string{"e"}, []string{"east"}},
			South: {[]string{"s"}, []string{"south"}},
			West:  {[]string{"w"}, []string{"west"}},
		},
		Sides: [...]Terms{NS: {Letters: []string{"ns"}}, EW: {Letters: []string{"ew"}}},
		Doublings: [...]Terms{
			Doubled:   {[]string{"x"}, []string{"dbl", "doubled"}},
			Redoubled: {[]string{"xx"}, []string{"rdbl", "redoubled"}},
		},
		Vulnerable:    words("vul", "vulnerable"),
		NotVulnerable: words("nv", "not vul", "not vulnerable"),
		Honours:       words("hon", "hons", "honours", "honors"),
		Made:          words("made"),
		Making:        words("making"),
		Down:          words("down"),
		Tricks:        words("tricks", "trick"),
		By:            words("by"),
		PassedOut:     words("pass", "passed out"),
	}
}

// term is one way to write one thing.
type term struct {
	text []rune
	word bool // may not touch letters
	part Part

	// What it means, by its part.
	strain   Strain
	doubling Doubling
	claimed  Vulnerability
	seat     Seat
	side     Side // with seat, or alone
}

// Notation reads deals in one language. It is made once, by [NewNotation], and safe for concurrent use.
type Notation struct {
	ascii [128][]term // by first rune
	other map[rune][]term

	vocabulary Vocabulary // for what is offered
}

// English is the notation in English.
var English = sync.OnceValue(func() *Notation { return NewNotation(EnglishVocabulary()) })

// NewNotation makes the notation of a language. Suit symbols and signs are the same in all.
func NewNotation(v Vocabulary) *Notation {
	n := &Notation{other: map[rune][]term{}, vocabulary: v}
	for s, terms := range v.Strains {
		n.add(terms, term{part: PartStrain, strain: Strain(s)})
	}
	for s, terms := range v.Seats {
		n.add(terms, term{part: PartDeclarer, seat: Seat(s), side: Seat(s).Side()})
	}
	for s, terms := range v.Sides {
		n.add(terms, term{part: PartDeclarer, side: Side(s)})
	}
	for d, terms := range v.Doublings {
		n.add(terms, term{part: PartDoubling, doubling: Doubling(d)})
	}
	n.add(v.Vulnerable, term{part: PartVulnerability, claimed: Vulnerable})
	n.add(v.NotVulnerable, term{part: PartVulnerability, claimed: NotVulnerable})
	n.add(v.Honours, term{part: PartHonours})
	n.add(v.Made, term{part: partMade})
	n.add(v.Making, term{part: partMaking})
	n.add(v.Down, term{part: partDown})
	n.add(v.Tricks, term{part: PartTricks})
	n.add(v.By, term{part: partBy})
	n.add(v.PassedOut, term{part: PartPass})
	for suit, symbols := range [...]string{Clubs: "♣♧", Diamonds: "♦♢", Hearts: "♥♡❤", Spades: "♠♤"} {
		for _, r := range symbols {
			n.add(Terms{Letters: []string{string(r)}}, term{part: PartStrain, strain: Strain(suit)})
		}
	}
	return n
}

// add puts in every way to write what t means.
func (n *Notation) add(terms Terms, t term) {
	put := func(text string, word bool) {
		t.text, t.word = []rune(text), word
		if r := t.text[0]; r < 128 {
			n.ascii[r] = append(n.ascii[r], t)
		} else {
			n.other[r] = append(n.other[r], t)
		}
	}
	for _, text := range terms.Letters {
		put(text, false)
	}
	for _, text := range terms.Words {
		put(text, true)
	}
}

// terms are the ways to write something that begin with r.
func (n *Notation) terms(r rune) []term {
	if r < 128 {
		return n.ascii[r]
	}
	return n.other[r]
}

// plain folds what typists and phones make of the same sign: case, full-width forms, typographic signs, odd spaces.
// ok is false for what a text may hold without meaning, such as a variation selector.
func plain(r rune) (_ rune, ok bool) {
	switch {
	case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == ' ':
		return r, true
	case 'A' <= r && r <= 'Z':
		return r + ('a' - 'A'), true
	case '\t' <= r && r <= '\r': // tab and line ends
		return ' ', true
	case r < 128:
		return r, true
	case 0xFF01 <= r && r <= 0xFF5E: // full-width forms
		return plain(r - 0xFEE0)
	}
	return plainBeyondASCII(r)
}

func plainBeyondASCII(r rune) (rune, bool) {
	switch r {
	case '−', '–', '—', '‐', '‑', '‒', '﹣':
		return '-', true
	case '﹢', '➕':
		return '+', true
	case '\ufe0e', '\ufe0f', '\u200b', '\u200e', '\u200f', '\u2060', '\ufeff',
		'\u2066', '\u2067', '\u2068', '\u2069': // variation selectors, joiners, marks of direction
		return 0, false
	}
	if unicode.IsSpace(r) {
		return ' ', true
	}
	return unicode.ToLower(r), true
}
