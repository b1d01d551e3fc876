package bot

import (
	"strings"
	"unicode"

	"github.com/rubberbot/rubberbot/bot/sheet"
	"golang.org/x/text/unicode/bidi"
)

// caretWindow is the cells of a text that are quoted around a caret: no more fit a phone's code block in one line.
const caretWindow = 32

// caret quotes a text, or the part of it around a code point, with a caret on a second line under that point.
func caret(text string, at int, mark bool) string {
	var signs []string
	for _, r := range text {
		signs = append(signs, quotable(r))
	}
	at = min(at, len(signs))
	from, to := window(signs, at)
	quoted := strings.Join(signs[from:to], "")
	before := strings.Join(signs[from:at], "")
	if from > 0 {
		quoted, before = "…"+quoted, "…"+before
	}
	if to < len(signs) {
		quoted += "…"
	}
	line := leftToRight(quoted) + "\n"
	if mark {
		line += strings.Repeat(" ", sheet.Width(before)) + "^\n"
	}
	return line
}

// quotable is a code point as a code block can show it in one cell or two; "" for one that shows nothing.
func quotable(r rune) string {
	switch {
	case r == '`':
		return "'"
	case unicode.IsSpace(r):
		return " "
	case !unicode.IsPrint(r), unicode.Is(unicode.Mn, r), unicode.Is(unicode.Variation_Selector, r):
		return ""
	default:
		return string(r)
	}
}

// window is the stretch of signs around at that fits, with room for an ellipsis at each end; behind the last sign the caret
// takes a cell of its own.
func window(signs []string, at int) (from, to int) {
	const room = caretWindow - 2
	all := sheet.Width(strings.Join(signs, ""))
	if all < caretWindow || all == caretWindow && at < len(signs) {
		return 0, len(signs)
	}
	from, to = at, at
	cells := 0
	back := func(most int) {
		for ; from > 0 && cells+sheet.Width(signs[from-1]) <= most; from-- {
			cells += sheet.Width(signs[from-1])
		}
	}
	back(room * 2 / 3)
	for ; to < len(signs) && cells+sheet.Width(signs[to]) <= room; to++ {
		cells += sheet.Width(signs[to])
	}
	back(room - 1)
	return from, to
}

func rightToLeft(r rune) bool {
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.R || p.Class() == bidi.AL || p.Class() == bidi.AN
}

// leftToRight shows a text that has letters of right-to-left scripts in the order of its code points, so that a caret
// stands under the right one.
func leftToRight(text string) string {
	if strings.ContainsFunc(text, rightToLeft) {
		return "\u202d" + text + "\u202c"
	}
	return text
}
