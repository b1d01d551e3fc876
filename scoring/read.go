package scoring

import (
	"iter"
	"unicode"
)

// MaxText is the longest text, in code points, that is read as a deal.
const MaxText = 200

// maxReadings is how many different deals are kept of a text that means several.
const maxReadings = 4

// Parse reads one deal. All complete readings of the text are found: every character used, one contract, one result, at
// most one of each other part. One distinct deal is the answer; none or several are a [ParseError]. The deal may lack
// its declarer, and claims of vulnerability and honours are as written.
func (n *Notation) Parse(text string) (Deal, error) {
	var r reader
	if d, ok := r.run(n, text); ok {
		return d, nil
	}
	err := r.diagnose(text)
	err.Offers = n.offers(err)
	if err.Fault == FaultBareNumber && err.Offers == nil && r.badLevel == r.number {
		err.Fault = FaultLevel // as a number of tricks it reads no better
	}
	return Deal{}, err
}

// reader finds the readings of one text by trying every part at every place, left to right. A text is short and few
// parts fit anywhere, so that the search stays small.
type reader struct {
	n    *Notation
	text [MaxText]rune       // folded to plain signs
	at   [MaxText + 1]uint16 // where each stood in the original
	len  int

	found [maxReadings]Deal
	count int

	trail
}

// draft is a reading so far.
type draft struct {
	deal      Deal
	have      Parts     // without results
	results   [2]result // two may stand where they say the same
	count     int       // of results
	honoursAt int       // where the points stand
}

// result is tricks as written.
type result struct {
	n        int
	relative bool // to the contract; else n is all tricks
	at       int
}

// run is the one deal that text means, and whether there is one.
func (r *reader) run(n *Notation, text string) (Deal, bool) {
	r.n, r.badLevel = n, -1
	if !r.fold(text) {
		r.wrong(FaultTooLong, 0)
		return Deal{}, false
	}
	if r.len == 0 {
		r.wrong(FaultEmpty, 0)
		return Deal{}, false
	}
	r.read(0, &draft{})
	return r.found[0], r.count == 1
}

// fold fills the reader with the plain signs of text, without spaces at the end; false where there are too many.
func (r *reader) fold(text string) bool {
	i, end := 0, 0
	for _, c := range text {
		if p, ok := plain(c); ok {
			if r.len == MaxText {
				return false
			}
			r.text[r.len], r.at[r.len] = p, uint16(i)
			r.len++
			if p != ' ' {
				end = i + 1
			}
		}
		if i++; i > 4*MaxText {
			return false
		}
	}
	for r.len > 0 && r.text[r.len-1] == ' ' {
		r.len--
	}
	r.at[r.len] = uint16(end)
	return true
}

// read goes on from i with every part that can stand there.
func (r *reader) read(i int, d *draft) {
	if i = r.skip(i); i == r.len {
		r.complete(d)
		return
	}
	r.reach(i, d.missing())
	switch c := r.text[i]; {
	case isDigit(c):
		r.level(i, d)
		r.tricks(i, d)
	case c == '=':
		r.result(i, i+1, d, result{relative: true})
	case c == '+' || c == '-':
		r.signed(i, d, c == '-')
	}
	for t, end := range r.terms(i) {
		r.term(t, i, end, d)
	}
}

// term goes on after a term that stands from i to j.
func (r *reader) term(t *term, i, j int, d *draft) {
	switch t.part {
	case PartStrain:
		r.strain(t, i, j, d)
	case PartDoubling, PartVulnerability, PartDeclarer:
		r.single(t, i, j, d)
	case partMade:
		r.result(i, j, d, result{relative: true})
	case partMaking:
		if n, end := r.figure(j); n >= 1 {
			r.result(i, end, d, result{n: Book + n})
		}
	case partDown:
		if n, end := r.figure(j); n >= 1 {
			r.result(i, end, d, result{relative: true, n: -n})
		}
	case partBy:
		r.by(i, j, d)
	case PartHonours:
		r.honours(i, j, d)
	case PartPass:
		r.pass(i, j, d)
	}
}

// level reads a contract that begins with its level; the strain may stand apart.
func (r *reader) level(i int, d *draft) {
	n, j := r.digits(i)
	level := isLevel(n, j-i)
	first := !d.have.Has(PartContract)
	j = r.skip(j)
	if level && first {
		r.reach(j, 1<<PartStrain)
	}
	for t, end := range r.terms(j) {
		switch {
		case t.part != PartStrain:
		case level:
			r.contract(i, end, d, n, t.strain)
		case first:
			r.badLevel = i
		}
	}
}

// strain reads a contract that begins with its strain, from i to j; the level must touch it.
func (r *reader) strain(t *term, i, j int, d *draft) {
	n, end := r.digits(j)
	switch {
	case isLevel(n, end-j):
		r.contract(i, end, d, n, t.strain)
	case d.have.Has(PartContract):
	case n >= 0:
		r.badLevel = j
	case !r.isLetter(j):
		r.reach(j, 1<<PartLevel)
	}
}

// contract adds level and strain.
func (r *reader) contract(i, end int, d *draft, level int, s Strain) {
	if d.have.Has(PartContract) {
		r.repeat(i, end, PartContract)
		return
	}
	next := *d
	next.have = next.have.with(PartContract)
	next.deal.Contract.Level, next.deal.Contract.Strain = uint8(level), s
	r.read(end, &next)
}

// tricks reads a number of all tricks, which needs its word. Where another word or a suit touches the number, its word
// is not what is missing.
func (r *reader) tricks(i int, d *draft) {
	n, end := r.digits(i)
	word := r.skip(end)
	if word > end || word == r.len || !r.isLetter(word) && r.text[word] < 128 {
		if word >= r.furthest {
			r.number = i
		}
		r.reach(word, 1<<PartTricks)
	}
	for t, end := range r.terms(word) {
		if t.part == PartTricks {
			r.result(i, end, d, result{n: n})
		}
	}
}

// signed reads a sign and all the digits after it.
func (r *reader) signed(i int, d *draft, minus bool) {
	n, end := r.figure(i + 1)
	if n < 0 {
		return
	}
	if minus {
		n = -n
	}
	r.result(i, end, d, result{relative: true, n: n})
}

// result adds a result. A second one is allowed, to be compared at the end.
func (r *reader) result(i, end int, d *draft, res result) {
	if d.count == len(d.results) {
		r.repeat(i, end, PartResult)
		return
	}
	next := *d
	res.at = i
	next.results[next.count] = res
	next.count++
	r.read(end, &next)
}

// single adds what one term says whole, and what may stand once.
func (r *reader) single(t *term, i, end int, d *draft) {
	if d.have.Has(t.part) {
		r.repeat(i, end, t.part)
		return
	}
	next := *d
	next.have = next.have.with(t.part)
	switch t.part {
	case PartDoubling:
		next.deal.Contract.Doubling = t.doubling
	case PartVulnerability:
		next.deal.Claimed = t.claimed
	case PartDeclarer:
		next.deal.Declarer, next.deal.Side = t.seat, t.side
	}
	r.read(end, &next)
}

// by reads the seat or side after "by", which stands from i to j.
func (r *reader) by(i, j int, d *draft) {
	if d.have.Has(PartDeclarer) {
		r.repeat(i, j, PartDeclarer)
		return
	}
	if j = r.skip(j); j < r.len && r.text[j] == ':' {
		j = r.skip(j + 1) // as in the name of an option
	}
	r.reach(j, 1<<PartSeat)
	for t, end := range r.terms(j) {
		if t.part == PartDeclarer {
			r.single(t, i, end, d)
		}
	}
}

// honours reads an optional seat or side and the points after "hon", which stands from i to j.
func (r *reader) honours(i, j int, d *draft) {
	if d.have.Has(PartHonours) {
		r.repeat(i, j, PartHonours)
		return
	}
	j = r.skip(j)
	r.reach(j, 1<<PartSeat)
	r.honoursPoints(j, d, NoSeat, NoSide)
	for t, end := range r.terms(j) {
		if t.part == PartDeclarer {
			r.honoursPoints(end, d, t.seat, t.side)
		}
	}
}

func (r *reader) honoursPoints(i int, d *draft, seat Seat, side Side) {
	i = r.skip(i)
	r.reach(i, 1<<PartPoints)
	n, end := r.digits(i)
	if n != 100 && n != 150 {
		return
	}
	next := *d
	next.have = next.have.with(PartHonours)
	next.honoursAt = i
	next.deal.Honours = Honours{Points: uint8(n), Side: side, Seat: seat}
	r.read(end, &next)
}

// pass reads a passed-out deal, beside which nothing stands.
func (r *reader) pass(i, end int, d *draft) {
	rest := r.skip(end)
	switch {
	case d.have != 0 || d.count != 0:
		r.wrong(FaultPassAlone, i)
	case rest < r.len:
		r.wrong(FaultPassAlone, rest)
	default:
		r.keep(Deal{})
	}
}

// missing are the parts that could still follow.
func (d *draft) missing() Parts {
	const once Parts = 1<<PartContract | 1<<PartDoubling | 1<<PartDeclarer | 1<<PartVulnerability | 1<<PartHonours
	missing := once &^ d.have
	if d.count == 0 {
		missing = missing.with(PartResult)
	}
	return missing
}

// complete takes a reading that used the whole text.
func (r *reader) complete(d *draft) {
	r.reach(r.len, d.missing())
	switch {
	case !d.have.Has(PartContract):
		r.noContract = true
	case d.count == 0:
		r.noResult = true
	default:
		r.finish(d)
	}
}

// finish turns a complete reading into a deal, or notes why no deal can be so.
func (r *reader) finish(d *draft) {
	deal := d.deal
	for k, res := range d.results[:d.count] {
		tricks := res.n
		if res.relative {
			tricks += deal.Contract.Tricks()
		}
		switch {
		case tricks > 13:
			r.wrong(FaultTooMany, res.at)
			return
		case tricks < 0:
			r.wrong(FaultTooFew, res.at)
			return
		case k > 0 && tricks != int(deal.Tricks):
			r.wrong(FaultTwoResults, res.at)
			return
		}
		deal.Tricks = uint8(tricks)
	}
	if deal.Honours.check(deal.Contract.Strain) != nil {
		r.wrong(FaultHonours, d.honoursAt)
		return
	}
	r.keep(deal)
}

// keep adds a deal to those found, each of which is there once.
func (r *reader) keep(d Deal) {
	for _, found := range r.found[:r.count] {
		if found == d {
			return
		}
	}
	if r.count < maxReadings {
		r.found[r.count] = d
		r.count++
	}
}

// terms yields each term that stands at i, and where it ends.
func (r *reader) terms(i int) iter.Seq2[*term, int] {
	return func(yield func(*term, int) bool) {
		if i == r.len {
			return
		}
		terms := r.n.terms(r.text[i])
		for k := range terms {
			if end := r.match(&terms[k], i); end > 0 && !yield(&terms[k], end) {
				return
			}
		}
	}
}

// match is the end of t where t stands at i, else 0.
func (r *reader) match(t *term, i int) int {
	if t.word && r.isLetter(i-1) {
		return 0
	}
	for _, c := range t.text {
		if i >= r.len || r.text[i] != c {
			return 0
		}
		if i++; c == ' ' {
			i = r.skip(i)
		}
	}
	if t.word && r.isLetter(i) {
		return 0
	}
	return i
}

func (r *reader) skip(i int) int {
	for i < r.len && r.text[i] == ' ' {
		i++
	}
	return i
}

func (r *reader) isLetter(i int) bool { return 0 <= i && i < r.len && unicode.IsLetter(r.text[i]) }

func isDigit(c rune) bool { return '0' <= c && c <= '9' }

// isLevel says that a number, written with so many digits, is a level.
func isLevel(n, digits int) bool { return digits == 1 && 1 <= n && n <= 7 }

// digits is the number at i, all its digits, and where it ends; -1 where there is none. Beyond 999 it is 999, which is
// too much of anything.
func (r *reader) digits(i int) (n, end int) {
	if i >= r.len || !isDigit(r.text[i]) {
		return -1, i
	}
	for ; i < r.len && isDigit(r.text[i]); i++ {
		n = min(10*n+int(r.text[i]-'0'), 999)
	}
	return n, i
}

// figure is the number that a word or sign before i calls for.
func (r *reader) figure(i int) (n, end int) {
	i = r.skip(i)
	r.reach(i, 1<<PartNumber)
	return r.digits(i)
}
