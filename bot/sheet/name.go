package sheet

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// maxName is the longest name, in code points, that is looked at: accents piled on one letter take no cells.
const maxName = 64

// First strong isolate and its end: what stands between can't turn the text around it.
const (
	isolate = "\u2068"
	pop     = "\u2069"
)

// cells measures text as a fixed-width font shows it: wide letters and emoji take two.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// Width is the cells that a text takes.
func Width(text string) int { return cells.StringWidth(text) }

// Clean is a name without what could break a line or its direction: controls, marks that turn text around, line breaks,
// and back-quotes, which would end a code block. It is empty where nothing of the name would show.
func Clean(name string) string {
	n := 0
	name = strings.Map(func(r rune) rune {
		if n++; n > maxName {
			return -1
		}
		return cleanRune(r)
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	if Width(name) == 0 {
		return "" // joiners or accents alone
	}
	return name
}

func cleanRune(r rune) rune {
	switch {
	case r == '`':
		return '\''
	case unicode.IsSpace(r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
		return ' '
	case r == '\u200d', unicode.Is(unicode.Variation_Selector, r): // they hold emoji together
		return r
	case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co), r == unicode.ReplacementChar:
		return -1
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), r == '\u2800': // blank letters, such as people take for a name
		return -1
	default:
		return r
	}
}

// Fit is a name cut to at most n cells, with an ellipsis where something is missing.
func Fit(name string, n int) string { return cells.Truncate(Clean(name), n, "…") }

// Isolate is a text that keeps its direction to itself.
func Isolate(text string) string { return isolate + text + pop }
