package scoring

import (
	"fmt"
	"strings"
)

// Fault is what keeps a text from being read.
type Fault uint8

// The faults.
const (
	FaultUnreadable Fault = iota // nothing can stand at At; Expected says what could
	FaultEmpty                   // there is no text
	FaultTooLong                 // more than MaxText characters
	FaultNoContract              // nothing at At, the end, where a contract was missing
	FaultNoResult                // nothing at At, the end, where a result was missing
	FaultTwice                   // the part at At was there already: Part says which
	FaultTwoResults              // the result at At differs from the one before
	FaultBareNumber              // a number at At that could mean odd tricks or all tricks
	FaultTooMany                 // the result at At needs more than thirteen tricks
	FaultTooFew                  // the result at At needs fewer than none
	FaultPassAlone               // something stands beside a pass, at At
	FaultHonours                 // honours of 100 at no-trump
	FaultAmbiguous               // the text means several deals: Readings
	FaultLevel                   // the number at At stands beside a strain and is no level
)

// ParseError says where a text can't be read, and what was expected there. Positions count code points.
type ParseError struct {
	Text     string
	Fault    Fault
	At       int      // the first code point that no reading can use; the length of Text where more was expected
	Part     Part     // with FaultTwice
	Expected Parts    // with FaultUnreadable
	Readings []Deal   // with FaultAmbiguous: what the text could mean
	Offers   []string // texts near Text that can be read
}

// Error says what is wrong, in English.
func (e *ParseError) Error() string {
	var b strings.Builder
	b.WriteString(e.Reason())
	if len(e.Readings) > 0 {
		fmt.Fprintf(&b, ": %s", orList(texts(e.Readings)))
	}
	if len(e.Offers) > 0 {
		fmt.Fprintf(&b, "; did you mean %s?", orList(quoteAll(e.Offers)))
	}
	return b.String()
}

// Reason is what is wrong, without what is offered instead.
func (e *ParseError) Reason() string {
	switch e.Fault {
	case FaultEmpty:
		return "nothing to read: a deal looks like 4S +1 by N"
	case FaultTooLong:
		return fmt.Sprintf("more than %d characters", MaxText)
	case FaultNoContract:
		return "no contract: put one like 4S or 3NT"
	case FaultNoResult:
		return "no result: put =, +1, -1 or the like"
	case FaultTwice:
		return tooOften(e.Part)
	case FaultTwoResults:
		return "this result contradicts the one before"
	case FaultBareNumber:
		return "a bare number: odd tricks or all tricks?"
	case FaultTooMany:
		return "that takes more than 13 tricks"
	case FaultTooFew:
		return "that takes fewer tricks than none"
	case FaultPassAlone:
		return "a passed-out deal stands alone"
	case FaultHonours:
		return ErrHonoursNoTrump.Error()
	case FaultLevel:
		return "a level is 1 to 7"
	case FaultAmbiguous:
		return "this means more than one deal"
	default:
		return "expected " + orList(e.Expected.names())
	}
}

// tooOften says that a part stands once more than it may: two results may stand where they agree, of all else one.
func tooOften(p Part) string {
	switch p {
	case PartResult:
		return "a third result"
	case PartHonours:
		return "honours a second time"
	default:
		return "a second " + partNames[p]
	}
}

var partNames = [...]string{
	PartContract:      "contract",
	PartStrain:        "strain (C, D, H, S, NT)",
	PartDoubling:      "doubling",
	PartResult:        "result",
	PartDeclarer:      "declarer",
	PartVulnerability: "vul or nv",
	PartHonours:       "honours",
	PartPass:          "pass",
	PartNumber:        "number of tricks",
	PartTricks:        "the word tricks",
	PartSeat:          "seat (N, E, S, W)",
	PartPoints:        "100 or 150",
	PartLevel:         "level (1 to 7)",
}

func (ps Parts) names() []string {
	var names []string
	for p, name := range partNames {
		if ps.Has(Part(p)) {
			names = append(names, name)
		}
	}
	if names == nil {
		return []string{"the end"}
	}
	return names
}

func texts(deals []Deal) []string {
	out := make([]string, len(deals))
	for i, d := range deals {
		out[i] = d.String()
	}
	return out
}

func quoteAll(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = fmt.Sprintf("%q", t)
	}
	return quoted
}

func orList(items []string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:last], ", ") + " or " + items[last]
}
