package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rubberbot/rubberbot/bot/twin"
)

func TestPlainText(t *testing.T) {
	for _, test := range []struct {
		why, text string
		want      []string
	}{
		{"nothing", "", nil},
		{"bold, italic", "**Game** to *NS*\n***both***", []string{"Game to NS", "both"}},
		{"bold across marks that are escaped", `**4♠ by \*San\* (South)**, \_x\_`, []string{"4♠ by *San* (South), _x_"}},
		{"an escaped backslash", `a\\*b*`, []string{`a\b`}},
		{"a backslash that escapes nothing", `a\b\`, []string{`a\b\`}},
		{"code keeps its quotes and what is in it", "Use `/deal *x\\*` **now**", []string{"Use `/deal *x\\*` now"}},
		{"an escaped back-quote begins no code", "\\`*a*\\`", []string{"`a`"}},
		{"blank lines stay", "a\n\nb", []string{"a", "", "b"}},
		{"a code block as it is", "a\n```\n*x* │ \\*\n  y\n```\nb", []string{"a", "*x* │ \\*", "  y", "b"}},
		{"one whose last line has the fence", "```\nx```b", []string{"x", "b"}},
		{"on one line", "a```x```b", []string{"a", "x", "b"}},
		{"blank lines in it", "```\n\nx\n\n```", []string{"", "x", ""}},
		{"one that isn't closed", "a\n```\n*x*", []string{"a", "*x*"}},
		{"nothing in it", "``````", nil},
	} {
		if diff := cmp.Diff(test.want, plainText(test.text)); diff != "" {
			t.Errorf("plainText, %s: want - got +\n%s", test.why, diff)
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"\u2068שם\u2069 \u202a\u202b\u202c\u202d\u202e\u200e\u200f\u2066\u2067.": "שם .", // marks of direction
		"\x1b[31mred\a\b\x7f\u009b2J": "[31mred2J",             // a terminal would obey
		"a\tb\nc — 👩\u200d🦰 4♠":       "a\tb\nc — 👩\u200d🦰 4♠", // what people write
	} {
		if got := visible(text); got != want {
			t.Errorf("visible(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMessage(t *testing.T) {
	button := func(label string) twin.Component { return twin.Component{Type: twin.TypeButton, Label: label} }
	m := twin.Message{
		Private: true, For: &twin.User{Name: "You"}, Content: "Which?\n",
		Embeds:     []twin.Embed{{Title: "Rubber *1*", Description: "```\na │ b\n```"}},
		Components: []twin.Component{{Components: []twin.Component{button("N · \u2068Nello\u2069"), button("S")}}, {Components: []twin.Component{button("W")}}},
	}
	var out strings.Builder
	(&screen{out: &out}).message(m)
	want := `  (private: only You can see this)
  Which?
  Rubber 1
  a │ b
  [N · Nello] [S]
  [W]

`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("message: want - got +\n%s", diff)
	}
}

// failing takes one write and no more.
type failing struct{ writes int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.writes++; f.writes > 1 {
		return 0, errFull
	}
	return len(p), nil
}

func TestScreenKeepsTheFirstError(t *testing.T) {
	out := &failing{}
	s := &screen{out: out}
	s.say("1")
	if s.err != nil {
		t.Errorf("after a good write: %v", s.err)
	}
	s.say("2")
	s.typed("> ", "3")
	if !errors.Is(s.err, errFull) || out.writes != 2 {
		t.Errorf("after a failed write: %v and %d writes, want %v and 2", s.err, out.writes, errFull)
	}
}
