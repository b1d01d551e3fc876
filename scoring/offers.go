package scoring

import (
	"slices"
	"strings"
	"unicode"
)

// maxOffers is how many texts are offered in place of one that can't be read.
const maxOffers = 3

// offers are texts that differ little from the one refused, each of which reads as one deal: a space more or less, a
// number with its word, a sign left out, a result where none was given, a pass written out.
func (n *Notation) offers(e *ParseError) []string {
	switch e.Fault {
	case FaultPassAlone:
		return slices.Clone(n.passedOut[:min(1, len(n.passedOut))])
	case FaultEmpty, FaultTooLong, FaultTooMany, FaultTooFew, FaultHonours, FaultAmbiguous, FaultTwoResults:
		return nil
	}
	var offers []string
	var seen []Deal
	for _, text := range n.nearby(e) {
		if len(offers) == maxOffers {
			break
		}
		var r reader
		if d, ok := r.run(n, text); ok && !slices.Contains(seen, d) {
			offers, seen = append(offers, text), append(seen, d)
		}
	}
	return offers
}

// nearby are the candidates, the likeliest first.
func (n *Notation) nearby(e *ParseError) []string {
	text := strings.TrimSpace(e.Text)
	runes := []rune(text)
	edits := []string{text}
	switch e.Fault {
	case FaultBareNumber:
		edits = append(edits, n.withNumberWords(runes)...)
	case FaultUnreadable:
		edits = append(edits, n.passBegun(text)...)
		edits = append(edits, n.withoutSign([]rune(e.Text), e.At)...)
	}
	edits = append(edits, withoutSpaces(runes)...)
	edits = append(edits, withSpaces(runes)...)
	all := slices.Clone(edits[1:])
	for _, edit := range edits {
		all = append(all, edit+" =")
	}
	return all
}

// passBegun is a pass of which text is the beginning.
func (n *Notation) passBegun(text string) (edits []string) {
	for _, pass := range n.passedOut {
		if strings.HasPrefix(pass, strings.ToLower(text)) {
			return []string{n.passedOut[0]}
		}
	}
	return nil
}

// withoutSign leaves out what stands at a place where it is no letter, no figure and no suit.
func (n *Notation) withoutSign(text []rune, at int) []string {
	if at >= len(text) || unicode.IsLetter(text[at]) || unicode.IsDigit(text[at]) || n.terms(text[at]) != nil {
		return nil
	}
	rest := string(text[:at]) + string(text[at+1:])
	return []string{strings.Join(strings.Fields(rest), " ")}
}

// withoutSpaces leaves out one run of spaces.
func withoutSpaces(text []rune) (edits []string) {
	for i := 0; i < len(text); i++ {
		if !unicode.IsSpace(text[i]) {
			continue
		}
		j := i
		for j < len(text) && unicode.IsSpace(text[j]) {
			j++
		}
		edits = append(edits, string(text[:i])+string(text[j:]))
		i = j
	}
	return edits
}

// withNumberWords says of one number that it means odd tricks, or all tricks.
func (n *Notation) withNumberWords(text []rune) (edits []string) {
	for i := 0; i < len(text); i++ {
		if !unicode.IsDigit(text[i]) {
			continue
		}
		j := i
		for j < len(text) && unicode.IsDigit(text[j]) {
			j++
		}
		before, number, after := string(text[:i]), string(text[i:j]), string(text[j:])
		if bare, ok := strings.CutSuffix(before, n.made+" "); ok { // "made 5" means making 5
			edits = append(edits, bare+n.making+" "+number+after)
		}
		edits = append(edits, before+n.making+" "+number+after, before+number+" "+n.tricks+after)
		i = j
	}
	return edits
}

// withSpaces puts in one space.
func withSpaces(text []rune) (edits []string) {
	for i := 1; i < len(text); i++ {
		edits = append(edits, string(text[:i])+" "+string(text[i:]))
	}
	return edits
}
