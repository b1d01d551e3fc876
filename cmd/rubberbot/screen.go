package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// screen prints what people see in a channel.
type screen struct{ out io.Writer }

func (s *screen) say(text string) { fmt.Fprintln(s.out, text) }

func place(c *twin.Channel) string {
	if c.With != nil {
		return "DM"
	}
	return "#" + c.Name
}

// typed prints a line of a script and who types it where; comments and blank lines stand as they are.
func (s *screen) typed(u *twin.User, c *twin.Channel, line string) {
	if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
		s.say(line)
		return
	}
	fmt.Fprintf(s.out, "%s in %s> %s\n", u.Name, place(c), line)
}

// message prints a message: its text, its embeds, the labels of its buttons.
func (s *screen) message(m twin.Message) {
	if m.Private {
		fmt.Fprintf(s.out, "  (only %s sees this)\n", m.For.Name)
	}
	var lines []string
	if m.Content != "" {
		lines = append(lines, plainText(m.Content)...)
	}
	for _, e := range m.Embeds {
		lines = append(lines, visible(e.Title))
		lines = append(lines, plainText(e.Description)...)
	}
	for _, row := range m.Components {
		var labels []string
		for _, b := range row.Components {
			labels = append(labels, "["+visible(b.Label)+"]")
		}
		lines = append(lines, strings.Join(labels, " "))
	}
	for _, line := range lines {
		fmt.Fprintln(s.out, strings.TrimRight("  "+line, " "))
	}
	fmt.Fprintln(s.out)
}

var (
	emphasis = regexp.MustCompile(`(^|[^\\*])\*{1,2}([^*]+)\*{1,2}`)
	escaped  = regexp.MustCompile(`\\([[:punct:]])`)
)

// plainText is markdown as it looks: code blocks without their fences, the rest without its marks.
func plainText(text string) []string {
	var lines []string
	code := false
	for line := range strings.SplitSeq(text, "\n") {
		for {
			before, after, fence := strings.Cut(line, "```")
			if before = visible(before); before != "" || !fence {
				lines = append(lines, inline(before, code))
			}
			if !fence {
				break
			}
			code = !code
			if line = after; line == "" {
				break
			}
		}
	}
	return lines
}

func inline(text string, code bool) string {
	if code {
		return text
	}
	return escaped.ReplaceAllString(emphasis.ReplaceAllString(text, "$1$2"), "$1")
}

// visible leaves out the marks of direction, which a terminal may show as boxes.
func visible(text string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "", "\u202d", "", "\u202c", "").Replace(text)
}
