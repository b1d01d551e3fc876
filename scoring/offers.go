package scoring

import (
	"iter"
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
		return n.pass()
	case FaultEmpty, FaultTooLong, FaultTooFew, FaultHonours, FaultAmbiguous, FaultTwoResults:
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

// nearby are the candidates, the likeliest first: the text edited, then the text as it is and each edit with "=".
func (n *Notation) nearby(e *ParseError) []string {
	text := strings.TrimSpace(e.Text)
	runes := []rune(text)
	var edits []string
	switch e.Fault {
	case FaultTooMany:
		return n.allTricks(runes)
	case FaultBareNumber:
		edits = n.withNumberWords(runes)
	case FaultUnreadable:
		edits = append(n.passBegun(text), n.withoutSign([]rune(e.Text), e.At)...)
	}
	edits = slices.Concat(edits, withoutSpaces(runes), withSpaces(runes))
	all := append(slices.Clone(edits), text+" =")
	for _, edit := range edits {
		all = append(all, edit+" =")
	}
	return all
}

// pass is a pass as the language writes it; none where it has no word for it.
func (n *Notation) pass() []string {
	if pass := n.vocabulary.PassedOut.word(); pass != "" {
		return []string{pass}
	}
	return nil
}

// passBegun is a pass of which text is the beginning.
func (n *Notation) passBegun(text string) []string {
	for _, pass := range n.vocabulary.PassedOut.Words {
		if strings.HasPrefix(pass, strings.ToLower(text)) {
			return n.pass()
		}
	}
	return nil
}

// withoutSign leaves out what stands at a place where it is no letter, no figure and no suit.
func (n *Notation) withoutSign(text []rune, at int) []string {
	if at >= len(text) || text[at] == '*' /* a doubling, to some */ || unicode.IsLetter(text[at]) || unicode.IsDigit(text[at]) || n.terms(text[at]) != nil {
		return nil
	}
	rest := string(text[:at]) + string(text[at+1:])
	return []string{strings.Join(strings.Fields(rest), " ")}
}

// withNumberWords says of one number that it means odd tricks, or all tricks.
func (n *Notation) withNumberWords(text []rune) (edits []string) {
	v := &n.vocabulary
	made, making, tricks := v.Made.word(), v.Making.word(), v.Tricks.word()
	for i, j := range runs(text, unicode.IsDigit) {
		before, number, after := string(text[:i]), string(text[i:j]), string(text[j:])
		if bare, ok := strings.CutSuffix(before, made+" "); ok { // "made 5" means making 5
			edits = append(edits, bare+making+" "+number+after)
		}
		edits = append(edits, before+making+" "+number+after, before+number+" "+tricks+after)
	}
	return edits
}

// allTricks says of a number of odd tricks that it means all tricks: "making 10".
func (n *Notation) allTricks(text []rune) (edits []string) {
	v := &n.vocabulary
	for i, j := range runs(text, unicode.IsDigit) {
		if before, ok := strings.CutSuffix(string(text[:i]), v.Making.word()+" "); ok {
			edits = append(edits, before+string(text[i:j])+" "+v.Tricks.word()+string(text[j:]))
		}
	}
	return edits
}

// withoutSpaces leaves out one run of spaces.
func withoutSpaces(text []rune) (edits []string) {
	for i, j := range runs(text, unicode.IsSpace) {
		edits = append(edits, string(text[:i])+string(text[j:]))
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

// runs yields where each run of runes of a kind begins and ends.
func runs(text []rune, kind func(rune) bool) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 0; i < len(text); i++ {
			if !kind(text[i]) {
				continue
			}
			from := i
			for i < len(text) && kind(text[i]) {
				i++
			}
			if !yield(from, i) {
				return
			}
		}
	}
}
