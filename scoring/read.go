package scoring

import (
	"math/bits"
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
	if err.Fault == FaultBareNumber && err.Offers == nil && r.noLevel == r.number+1 {
		err.Fault = FaultLevel
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

	// What an error needs to know: the furthest place that any reading came to, and what could have stood there.
	furthest int
	expected Parts
	twice    Parts // parts that stand at furthest a second time
	number   int   // where the number begins that wants its word at furthest
	noLevel  int   // one more than where a number stands beside a strain that is no level; 0 for nowhere
	again    span  // a whole word that says for the second time what Part again.part says
	noResult bool  // a reading came to the end and lacked only its result
	ended    bool  // a reading came to the end
	early    Fault // text that can't even begin to be read
	fault    Fault // what is wrong with a complete reading
	faultAt  int
}

// span is a part of the text from one place to another.
type span struct {
	part     Part
	from, to int
}

// draft is a reading so far.
type draft struct {
	deal    Deal
	have    Parts
	results [2]result
	n       uint8 // results
	honours int16 // where the points stand
}

// result is tricks as written: relative to the contract, or all of them.
type result struct {
	relative bool
	n        int16
	at       int16
}

func (r *reader) run(n *Notation, text string) (Deal, bool) {
	r.n = n
	if !r.fold(text) {
		r.early = FaultTooLong
		return Deal{}, false
	}
	if r.skip(0) == r.len {
		r.early = FaultEmpty
		return Deal{}, false
	}
	r.read(0, &draft{})
	return r.found[0], r.count == 1
}

// fold fills the reader with the plain signs of text; false where there are too many.
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

func (r *reader) skip(i int) int {
	for i < r.len && r.text[i] == ' ' {
		i++
	}
	return i
}

// reach notes that a reading came to i, where any of parts could have followed.
func (r *reader) reach(i int, parts Parts) {
	if i > r.furthest {
		r.furthest, r.expected, r.twice = i, 0, 0
	}
	if i == r.furthest {
		r.expected |= parts
	}
}

// repeat notes that the part from i to j is there for the second time.
func (r *reader) repeat(i, j int, p Part) {
	if i == r.furthest {
		r.twice = r.twice.with(p)
	}
	if i >= r.again.from {
		r.again = span{p, i, j}
	}
}

const optional = 1<<PartDoubling | 1<<PartDeclarer | 1<<PartVulnerability | 1<<PartHonours

// missing are the parts that could still follow.
func (d *draft) missing() Parts {
	m := optional &^ d.have
	if !d.have.Has(PartContract) {
		m = m.with(PartContract)
	}
	if d.n == 0 {
		m = m.with(PartResult)
	}
	return m
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
	for k := range r.n.terms(r.text[i]) {
		t := &r.n.terms(r.text[i])[k]
		if j := r.match(t, i); j > 0 {
			r.term(t, i, j, d)
		}
	}
}

// term goes on after a word or letter from i to j.
func (r *reader) term(t *term, i, j int, d *draft) {
	switch t.part {
	case PartStrain:
		r.strain(t, i, j, d)
	case PartDoubling, PartVulnerability, PartDeclarer, partSideTag:
		r.single(t, i, j, d)
	case partMade:
		r.result(i, j, d, result{relative: true})
	case partMaking:
		if n, k := r.figure(j); n >= 1 {
			r.result(i, k, d, result{n: Book + n})
		}
	case partDown:
		if n, k := r.figure(j); n >= 1 {
			r.result(i, k, d, result{relative: true, n: -n})
		}
	case partBy:
		r.by(i, j, d)
	case PartHonours:
		r.honours(i, j, d)
	case PartPass:
		r.pass(i, j, d)
	}
}

// match is the end of t where t stands at i, else 0.
func (r *reader) match(t *term, i int) int {
	j := i
	if t.word && i > 0 && unicode.IsLetter(r.text[i-1]) {
		return 0
	}
	for _, c := range t.text {
		if j >= r.len || r.text[j] != c {
			return 0
		}
		if j++; c == ' ' {
			j = r.skip(j)
		}
	}
	if t.word && j < r.len && unicode.IsLetter(r.text[j]) {
		return 0
	}
	return j
}

func isDigit(c rune) bool { return '0' <= c && c <= '9' }

// digits is the number at i, all its digits, and where it ends; -1 where there is none.
func (r *reader) digits(i int) (n int16, end int) {
	if i >= r.len || !isDigit(r.text[i]) {
		return -1, i
	}
	for ; i < r.len && isDigit(r.text[i]); i++ {
		n = min(10*n+int16(r.text[i]-'0'), 999)
	}
	return n, i
}

// figure is the number that a word or sign before i calls for.
func (r *reader) figure(i int) (n int16, end int) {
	i = r.skip(i)
	r.reach(i, Parts(0).with(PartNumber))
	return r.digits(i)
}

// level reads a contract that begins with its level; the strain may stand apart.
func (r *reader) level(i int, d *draft) {
	n, j := r.digits(i)
	k := r.skip(j)
	isLevel := j == i+1 && 1 <= n && n <= 7
	if isLevel && !d.have.Has(PartContract) {
		r.reach(k, Parts(0).with(PartStrain))
	}
	if k == r.len {
		return
	}
	for m := range r.n.terms(r.text[k]) {
		t := &r.n.terms(r.text[k])[m]
		if t.part != PartStrain {
			continue
		}
		end := r.match(t, k)
		switch {
		case end == 0:
		case isLevel:
			r.contract(i, end, d, uint8(n), Strain(t.value))
		case !d.have.Has(PartContract):
			r.noLevel = i + 1
		}
	}
}

// strain reads a contract that begins with its strain; the level must touch it.
func (r *reader) strain(t *term, i, j int, d *draft) {
	n, end := r.digits(j)
	if end == j+1 && 1 <= n && n <= 7 {
		r.contract(i, end, d, uint8(n), Strain(t.value))
		return
	}
	switch {
	case d.have.Has(PartContract):
	case n < 0 && (j == r.len || !unicode.IsLetter(r.text[j])):
		r.reach(j, Parts(0).with(PartLevel))
	case n < 0:
	default:
		r.noLevel = j + 1
	}
}

func (r *reader) contract(i, end int, d *draft, level uint8, s Strain) {
	if d.have.Has(PartContract) {
		r.repeat(i, end, PartContract)
		return
	}
	next := *d
	next.have = next.have.with(PartContract)
	next.deal.Contract.Level, next.deal.Contract.Strain = level, s
	r.read(end, &next)
}

// tricks reads a number of all tricks, which needs its word. Where another word or a suit touches the number, its word
// is not what is missing.
func (r *reader) tricks(i int, d *draft) {
	n, j := r.digits(i)
	k := r.skip(j)
	if k == r.len || k > j || !unicode.IsLetter(r.text[k]) && r.text[k] < 128 {
		r.number = i
		r.reach(k, Parts(0).with(PartTricks))
	}
	if k == r.len {
		return
	}
	for m := range r.n.terms(r.text[k]) {
		t := &r.n.terms(r.text[k])[m]
		if t.part != PartTricks {
			continue
		}
		if end := r.match(t, k); end > 0 {
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
	if int(d.n) == len(d.results) {
		r.repeat(i, end, PartResult)
		return
	}
	next := *d
	res.at = int16(i)
	next.results[next.n] = res
	next.n++
	r.read(end, &next)
}

// single adds a part that is one word or letter and may stand once.
func (r *reader) single(t *term, i, j int, d *draft) {
	part := t.part
	if part == partSideTag {
		part = PartDeclarer
	}
	if d.have.Has(part) {
		r.repeat(i, j, part)
		return
	}
	next := *d
	next.have = next.have.with(part)
	switch t.part {
	case PartDoubling:
		next.deal.Contract.Doubling = Doubling(t.value)
	case PartVulnerability:
		next.deal.Claimed = Vulnerability(t.value)
	default:
		next.deal.Declarer, next.deal.Side = t.hand()
	}
	r.read(j, &next)
}

// hand is the seat and side that a term for a seat or a side names.
func (t *term) hand() (Seat, Side) {
	if t.part == partSideTag {
		return NoSeat, Side(t.value)
	}
	return Seat(t.value), Seat(t.value).Side()
}

// by reads the seat or side after "by".
func (r *reader) by(i, j int, d *draft) {
	if d.have.Has(PartDeclarer) {
		r.repeat(i, j, PartDeclarer)
		return
	}
	j = r.skip(j)
	r.reach(j, Parts(0).with(PartSeat))
	if j == r.len {
		return
	}
	for k := range r.n.terms(r.text[j]) {
		t := &r.n.terms(r.text[j])[k]
		if t.part != PartDeclarer && t.part != partSideTag {
			continue
		}
		if end := r.match(t, j); end > 0 {
			r.single(t, i, end, d)
		}
	}
}

// honours reads an optional seat or side and the points after "hon".
func (r *reader) honours(i, j int, d *draft) {
	if d.have.Has(PartHonours) {
		r.repeat(i, j, PartHonours)
		return
	}
	j = r.skip(j)
	r.reach(j, Parts(0).with(PartSeat).with(PartPoints))
	if j == r.len {
		return
	}
	r.honoursPoints(j, d, NoSeat, NoSide)
	for k := range r.n.terms(r.text[j]) {
		t := &r.n.terms(r.text[j])[k]
		if t.part != PartDeclarer && t.part != partSideTag {
			continue
		}
		if end := r.match(t, j); end > 0 {
			seat, side := t.hand()
			r.honoursPoints(end, d, seat, side)
		}
	}
}

func (r *reader) honoursPoints(i int, d *draft, seat Seat, side Side) {
	i = r.skip(i)
	r.reach(i, Parts(0).with(PartPoints))
	n, end := r.digits(i)
	if n != 100 && n != 150 {
		return
	}
	next := *d
	next.have = next.have.with(PartHonours)
	next.honours = int16(i)
	next.deal.Honours = Honours{Points: uint8(n), Side: side, Seat: seat}
	r.read(end, &next)
}

// pass reads a passed-out deal, beside which nothing stands.
func (r *reader) pass(i, j int, d *draft) {
	k := r.skip(j)
	switch {
	case d.have != 0 || d.n != 0:
		r.wrong(FaultPassAlone, i)
	case k < r.len:
		r.wrong(FaultPassAlone, k)
	default:
		r.keep(Deal{})
	}
}

// wrong notes what is wrong with a text whose shape could be read.
func (r *reader) wrong(f Fault, at int) {
	if r.fault == FaultUnreadable {
		r.fault, r.faultAt = f, at
	}
}

// complete takes a reading that used the whole text.
func (r *reader) complete(d *draft) {
	r.reach(r.len, d.missing())
	r.ended = true
	switch {
	case !d.have.Has(PartContract):
	case d.n == 0:
		r.noResult = true
	default:
		r.finish(d)
	}
}

// finish turns a complete reading into a deal, or notes why no deal can be so.
func (r *reader) finish(d *draft) {
	deal := d.deal
	for k := range d.n {
		tricks := d.results[k].tricks(deal.Contract)
		at := int(d.results[k].at)
		switch {
		case tricks > 13:
			r.wrong(FaultTooMany, at)
			return
		case tricks < 0:
			r.wrong(FaultTooFew, at)
			return
		case k > 0 && int(deal.Tricks) != tricks:
			r.wrong(FaultTwoResults, at)
			return
		}
		deal.Tricks = uint8(tricks)
	}
	if deal.Honours.check(deal.Contract.Strain) != nil {
		r.wrong(FaultHonours, int(d.honours))
		return
	}
	r.keep(deal)
}

func (res result) tricks(c Contract) int {
	if res.relative {
		return c.Tricks() + int(res.n)
	}
	return int(res.n)
}

func (r *reader) keep(d Deal) {
	for k := range min(r.count, maxReadings) {
		if r.found[k] == d {
			return
		}
	}
	if r.count < maxReadings {
		r.found[r.count] = d
		r.count++
	}
}

// diagnose says why the text has no one reading.
func (r *reader) diagnose(text string) *ParseError {
	e := &ParseError{Text: text, At: int(r.at[r.furthest]), Expected: r.expected}
	switch {
	case r.early != FaultUnreadable:
		e.Fault, e.At = r.early, 0
	case r.count > 1:
		e.Fault, e.At = FaultAmbiguous, 0
		e.Readings = append(e.Readings, r.found[:r.count]...)
	case r.fault != FaultUnreadable:
		e.Fault, e.At = r.fault, int(r.at[r.faultAt])
	case r.again.from < r.furthest && r.furthest < r.again.to:
		e.Fault, e.Part, e.At = FaultTwice, r.again.part, int(r.at[r.again.from])
	case r.twice != 0 && !r.inWord(r.furthest):
		e.Fault, e.Part = FaultTwice, r.twice.first()
	case r.expected == Parts(0).with(PartTricks):
		e.Fault, e.At = FaultBareNumber, int(r.at[r.number])
	case r.noLevel == r.furthest+1:
		e.Fault = FaultLevel
	case r.furthest == r.len && r.noResult:
		e.Fault = FaultNoResult
	case r.furthest == r.len && r.ended:
		e.Fault = FaultNoContract
	case r.expected.Has(PartContract):
		e.Expected &^= 1 << PartLevel // a contract begins with one
	}
	return e
}

// inWord says that i is neither the first nor the last letter of a run of letters.
func (r *reader) inWord(i int) bool {
	return 0 < i && i+1 < r.len && unicode.IsLetter(r.text[i-1]) && unicode.IsLetter(r.text[i]) && unicode.IsLetter(r.text[i+1])
}

func (ps Parts) first() Part { return Part(bits.TrailingZeros32(uint32(ps))) }
