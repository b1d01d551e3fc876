package scoring

import "math/bits"

// trail is what a reader meets on its way, for [reader.diagnose] to say where and why a text can't be read. Places are
// in the folded text.
type trail struct {
	furthest int   // the furthest place that any reading came to
	expected Parts // what could have stood there
	repeated Parts // what stands there although it stood before

	// A part that is there for the second time, the last in the text.
	again struct {
		part      Part
		from, end int
	}

	number   int // where the last number begins that its word could follow
	badLevel int // where a number stands beside a strain and is no level; -1 for nowhere

	// Readings came to the end, and lacked their contract, or lacked only their result.
	noContract, noResult bool

	fault   Fault // what is wrong with a text that can't begin to be read, or whose parts make no deal
	faultAt int
}

// reach notes that a reading came to i, where any of parts could have followed.
func (t *trail) reach(i int, parts Parts) {
	if i > t.furthest {
		t.furthest, t.expected, t.repeated = i, 0, 0
	}
	if i == t.furthest {
		t.expected |= parts
	}
}

// repeat notes that the part from i to end is there for the second time.
func (t *trail) repeat(i, end int, p Part) {
	if i == t.furthest {
		t.repeated = t.repeated.with(p)
	}
	if i >= t.again.from {
		t.again.part, t.again.from, t.again.end = p, i, end
	}
}

// wrong notes a fault; the first one met is told.
func (t *trail) wrong(f Fault, at int) {
	if t.fault == FaultUnreadable {
		t.fault, t.faultAt = f, at
	}
}

// diagnose says why the text has no one reading.
func (r *reader) diagnose(text string) *ParseError {
	e := &ParseError{Text: text, At: int(r.at[r.furthest]), Expected: r.expected}
	switch {
	case r.count > 1:
		e.Fault, e.At = FaultAmbiguous, 0
		e.Readings = append(e.Readings, r.found[:r.count]...)
	case r.fault != FaultUnreadable:
		e.Fault, e.At = r.fault, int(r.at[r.faultAt])
	case r.again.from < r.furthest && r.furthest < r.again.end:
		e.Fault, e.Part, e.At = FaultTwice, r.again.part, int(r.at[r.again.from])
	case r.repeated != 0 && !r.inWord(r.furthest):
		e.Fault, e.Part = FaultTwice, Part(bits.TrailingZeros32(uint32(r.repeated)))
	case r.expected == 1<<PartTricks:
		e.Fault, e.At = FaultBareNumber, int(r.at[r.number])
	case r.badLevel == r.furthest:
		e.Fault = FaultLevel
	case r.noResult:
		e.Fault = FaultNoResult
	case r.noContract:
		e.Fault = FaultNoContract
	case r.expected.Has(PartContract):
		e.Expected &^= 1 << PartLevel // a contract begins with one
	}
	return e
}

// inWord says that i is neither the first nor the last letter of a run of letters.
func (r *reader) inWord(i int) bool { return r.isLetter(i-1) && r.isLetter(i) && r.isLetter(i+1) }
