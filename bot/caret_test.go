package bot_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rubberbot/rubberbot/bot"
	"github.com/rubberbot/rubberbot/bot/sheet"
	"pgregory.net/rapid"
)

func TestCaret(t *testing.T) {
	for _, row := range []struct {
		why  string
		text string
		at   int
		want string
	}{
		{"the first", "4S", 0, "4S\n^\n"},
		{"the last", "4S", 1, "4S\n ^\n"},
		{"the end", "4S", 2, "4S\n  ^\n"},
		{"beyond the end", "4S", 9, "4S\n  ^\n"},
		{"behind wide letters", "東南 x", 3, "東南 x\n     ^\n"},
		{"on a wide letter", "x 東南", 3, "x 東南\n    ^\n"},
		{"an accent by itself takes no cell", "e\u0301e\u0301x", 4, "eex\n  ^\n"},
		{"behind an emoji of two code points", "👍🏽x", 2, "👍🏽x\n  ^\n"},
		{"Hebrew", "אבג x", 4, "\u202dאבג x\u202c\n    ^\n"},
		{"Thaana, which runs to the left too", "ދިވެހި x", 7, "\u202dދވހ x\u202c\n    ^\n"},
		{"its own override is dropped", "\u202ex", 1, "x\n^\n"},
		{"back-quotes", "```", 3, "'''\n   ^\n"},
		{"a line break", "a\nb", 2, "a b\n  ^\n"},
		{"32 cells, whole", strings.Repeat("a", 32), 31, strings.Repeat("a", 32) + "\n" + strings.Repeat(" ", 31) + "^\n"},
		{"32 cells, at their end", strings.Repeat("a", 32), 32, "…" + strings.Repeat("a", 29) + "\n" + strings.Repeat(" ", 30) + "^\n"},
		{"32 cells of wide letters, at their end", strings.Repeat("東", 16), 16, "…" + strings.Repeat("東", 14) + "\n" + strings.Repeat(" ", 29) + "^\n"},
		{"33 cells, at the first", strings.Repeat("a", 33), 0, strings.Repeat("a", 30) + "…\n^\n"},
		{"nothing", "", 0, "\n^\n"},
	} {
		if got := bot.Caret(row.text, row.at, true); got != row.want {
			t.Errorf("%s: Caret(%q, %d) =\n%s%+q\nwant\n%s%+q", row.why, row.text, row.at, got, got, row.want, row.want)
		}
	}
	if got := bot.Caret("N3S=", 0, false); got != "N3S=\n" {
		t.Errorf("without a mark: %q", got)
	}
}

// Whatever was typed: two lines, neither wider than a phone, the caret under its code point where that shows, and nothing
// that ends the code block.
func TestEveryCaretFits(t *testing.T) {
	nasty := rapid.RuneFrom([]rune("`\n\r\t\x00\u2028\u202e\u200f\u200d\u0301\ufe0f界👍א؁ش﷽ W…^"))
	rapid.Check(t, func(t *rapid.T) {
		runes := rapid.SliceOfN(rapid.OneOf(rapid.Rune(), nasty, rapid.RuneFrom([]rune("4SNX =+-"))), 1, 200).Draw(t, "text")
		at := rapid.IntRange(0, len(runes)).Draw(t, "at")
		got := bot.Caret(string(runes), at, true)
		lines := strings.Split(got, "\n")
		if len(lines) != 3 || lines[2] != "" || !utf8.ValidString(got) || strings.ContainsAny(got, "`\r\t\x00\u2028\u202e\u200f") {
			t.Fatalf("%+q", got)
		}
		quoted := strings.Trim(lines[0], "\u202d\u202c")
		for _, line := range []string{quoted, lines[1]} {
			if n := sheet.Width(line); n > 32 {
				t.Fatalf("%d cells: %q", n, line)
			}
		}
		column := sheet.Width(lines[1]) - 1
		if at == len(runes) || sheet.Width(string(runes[at])) == 0 || unicode.IsSpace(runes[at]) || runes[at] == '`' || !unicode.IsPrint(runes[at]) || unicode.Is(unicode.Mn, runes[at]) {
			return
		}
		// Emoji that join have no cells of their own.
		sum := 0
		for _, r := range quoted {
			sum += sheet.Width(string(r))
		}
		if sum != sheet.Width(quoted) {
			return
		}
		under, cells := rune(0), 0
		for _, r := range quoted {
			if cells == column && sheet.Width(string(r)) > 0 {
				under = r
				break
			}
			cells += sheet.Width(string(r))
		}
		if under != runes[at] {
			t.Fatalf("the caret stands under %q, want %q:\n%s", under, runes[at], got)
		}
	})
}
