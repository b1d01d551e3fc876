package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// screen prints what people see in a channel. The first error of writing stays, and ends the printing.
type screen struct {
	out io.Writer
	err error
}

func (s *screen) say(text string) {
	if s.err == nil {
		_, s.err = fmt.Fprintln(s.out, visible(text))
	}
}

// place is a channel as people call it.
func place(c *twin.Channel) string {
	if c.With != nil {
		return "DM"
	}
	return "#" + c.Name
}

// typed prints a line of a script after the prompt; comments and blank lines stand as they are.
func (s *screen) typed(prompt, line string) {
	if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
		line = prompt + line
	}
	s.say(line)
}

// message prints a message, indented, with a blank line after it: its text, its embeds, the labels of its buttons.
func (s *screen) message(m twin.Message) {
	var lines []string
	if m.Private {
		lines = append(lines, fmt.Sprintf("(private: only %s can see this)", m.For.Name))
	}
	lines = append(lines, plainText(m.Content)...)
	for _, e := range m.Embeds {
		lines = append(lines, plainText(e.Title)...)
		lines = append(lines, plainText(e.Description)...)
	}
	for _, row := range m.Components {
		var labels []string
		for _, b := range row.Components {
			labels = append(labels, "["+b.Label+"]")
		}
		lines = append(lines, strings.Join(labels, " "))
	}
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(strings.TrimRight("  "+line, " ") + "\n")
	}
	s.say(text.String())
}

// fence is what a code block of markdown begins and ends with.
const fence = "```"

// plainText is markdown as it looks, in lines: code blocks without their fences, the rest without its marks.
func plainText(text string) []string {
	var lines []string
	for i, part := range strings.Split(text, fence) {
		code := i%2 == 1
		part = strings.TrimSuffix(strings.TrimPrefix(part, "\n"), "\n")
		if part == "" {
			continue
		}
		for line := range strings.SplitSeq(part, "\n") {
			if !code {
				line = inline(line)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// inline is a line of markdown without the stars of emphasis and the backslashes of escapes. Code keeps its back-quotes,
// which set it off from the sentence, and all between them.
func inline(line string) string {
	var out strings.Builder
	code := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '`':
			code = !code
			out.WriteByte(c)
		case c == '*' && !code: // emphasis
		case c == '\\' && !code && i+1 < len(line) && isPunctuation(line[i+1]):
			i++
			out.WriteByte(line[i])
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// isPunctuation says that markdown lets a backslash escape c.
func isPunctuation(c byte) bool {
	return c < unicode.MaxASCII && (unicode.IsPunct(rune(c)) || unicode.IsSymbol(rune(c)))
}

// visible leaves out the marks of direction, which a terminal may show as boxes, and control characters, which it may obey.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}
