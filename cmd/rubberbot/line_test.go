package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rubberbot/rubberbot/bot/twin"
)

// someCommands are commands with all that a line can have: options required and not, choices, subcommands.
func someCommands() []twin.Command {
	text := func(name string, required bool, choices ...string) twin.CommandOption {
		o := twin.CommandOption{Type: twin.OptionString, Name: name, Description: "What happened", Required: required}
		for i := 0; i+1 < len(choices); i += 2 {
			o.Choices = append(o.Choices, twin.Choice{Name: choices[i], Value: choices[i+1]})
		}
		return o
	}
	sub := func(name string, options ...twin.CommandOption) twin.CommandOption {
		return twin.CommandOption{Type: twin.OptionSubcommand, Name: name, Options: options}
	}
	return []twin.Command{
		{Name: "deal", Options: []twin.CommandOption{text("result", true), text("by", false, "North", "N", "East–West", "EW")}},
		{Name: "undo"},
		{Name: "rubber", Options: []twin.CommandOption{sub("start", text("north", false), text("east", false)), sub("end")}},
	}
}

// given are options with texts, by name.
func given(pairs ...string) (options []twin.Option) {
	for i := 0; i+1 < len(pairs); i += 2 {
		options = append(options, twin.Option{Name: pairs[i], Value: pairs[i+1]})
	}
	return options
}

// inSub is a subcommand with its options.
func inSub(sub string, pairs ...string) []twin.Option {
	return []twin.Option{{Name: sub, Options: given(pairs...)}}
}

func TestParseCommand(t *testing.T) {
	for _, test := range []struct {
		line string
		name string
		want []twin.Option
	}{
		{"/undo", "undo", nil},
		{"/deal 4S X -1 by:N", "deal", given("result", "4S X -1", "by", "N")},
		{"/deal\t4S  = \t by: N ", "deal", given("result", "4S  =", "by", "N")},
		{"/deal by:N result:4S =", "deal", given("by", "N", "result", "4S =")},
		{"/deal 4S = by:north", "deal", given("result", "4S =", "by", "N")}, // the label in Discord's list
		{"/deal 4S = by:ew", "deal", given("result", "4S =", "by", "EW")},
		{`/deal "4S X -1 vul" by:N`, "deal", given("result", "4S X -1 vul", "by", "N")},
		{`/deal result:"4S by:N"`, "deal", given("result", "4S by:N")}, // no option inside quotes
		{"/deal 4S baby:N", "deal", given("result", "4S baby:N")},      // nor inside a word
		{`/deal 4" =`, "deal", given("result", `4" =`)},                // a quote that doesn't begin a text
		{`/deal "4S" "="`, "deal", given("result", `"4S" "="`)},        // not one pair
		{"/rubber start", "rubber", inSub("start")},
		{`/rubber  start north:Anna Maria east:@"O east:"`, "rubber", inSub("start", "north", "Anna Maria", "east", `@"O east:"`)},
		{`/rubber start east:"north:"`, "rubber", inSub("start", "east", "north:")},
	} {
		name, options, err := parseCommand(test.line, someCommands())
		if err != nil || name != test.name {
			t.Errorf("parseCommand(%s) = %s, %v, want %s", test.line, name, err, test.name)
		}
		if diff := cmp.Diff(test.want, options); diff != "" {
			t.Errorf("parseCommand(%s): want - got +\n%s", test.line, diff)
		}
	}
}

func TestParseCommandRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"/":                           "no command /: there are /deal /undo /rubber",
		"/Deal 4S =":                  "no command /Deal: ",
		"/undo now":                   `/undo: "now" belongs to no option: nothing goes there`,
		"/rubber":                     "/rubber: which of start, end?",
		"/rubber north:Nello":         "/rubber: which of start, end?",
		"/rubber start Nello":         "put one of these before it: north: east:",
		"/deal 4S = by:Q":             `/deal: by: "Q" is none of N, EW`,
		"/deal 4S = by:N by:N":        "/deal: by: given twice",
		"/deal 4S = result:4S =":      "/deal: result: given twice",
		"/deal":                       "/deal: result is missing: What happened",
		"/deal by:N":                  "/deal: result is missing: What happened",
		`/deal ""`:                    "/deal: result: nothing stands after it",
		"/rubber start north: ":       "/rubber: north: nothing stands after it",
		"/rubber start north: east:E": "/rubber: north: nothing stands after it",
		`/deal "4S = by:N`:            "/deal: a quote is opened and not closed",
	} {
		if _, _, err := parseCommand(line, someCommands()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseCommand(%s): error %v, want %s", line, err, want)
		}
	}
}

func TestReplaceMentions(t *testing.T) {
	for text, want := range map[string]string{
		"@Nello":                 "<Nello>",
		"(@Nello, @Olga)":        "(<Nello>, <Olga>)",
		"@Nello @Olga":           "<Nello> <Olga>",
		`@"Anna Maria" and more`: "<Anna Maria> and more",
		"@Zoë-2.x_":              "<Zoë-2.x_>",
		"nello@example.org":      "nello@example.org", // no word of its own
		"ë@x":                    "ë@x",
		"<@123>":                 "<@123>", // a mention already
		"@everyone @here":        "@everyone @here",
		`@ @" @""`:               `@ < @>"`,
		`@ @"`:                   `@ @"`,
		"":                       "",
	} {
		if got := replaceMentions(text, func(name string) string { return "<" + name + ">" }); got != want {
			t.Errorf("replaceMentions(%s) = %s, want %s", text, got, want)
		}
	}
}

// Whatever is typed, nothing panics, and the parser gives options that the command has, each once, with texts that were
// typed.
func FuzzParseCommand(f *testing.F) {
	for _, line := range []string{
		"/deal 4S X -1 by:N", `/deal result:"4S by:N" by:ew`, `/rubber start north:@"Anna Maria" east:`, `/deal "`, "/", "",
		"/rubber start\u00a0north:x", `/deal ""by:N`, "/deal \xff by:N", "/undo", "a\n```\n*b*\\", "`x\\*`**y",
	} {
		f.Add(line)
	}
	commands := someCommands()
	f.Fuzz(func(t *testing.T, line string) {
		replaceMentions(line, func(name string) string { return name })
		complete(line, commands)
		plainText(line)
		name, options, err := parseCommand(line, commands)
		if err != nil {
			return
		}
		if name == "" || !strings.Contains(line, name) {
			t.Errorf("parseCommand(%q) = %q", line, name)
		}
		checkOptions(t, line, options)
	})
}

func checkOptions(t *testing.T, line string, options []twin.Option) {
	t.Helper()
	seen := map[string]bool{}
	for _, o := range options {
		if seen[o.Name] {
			t.Errorf("parseCommand(%q) gives %s twice", line, o.Name)
		}
		seen[o.Name] = true
		if text, ok := o.Value.(string); ok && o.Name != "by" && !strings.Contains(line, text) {
			t.Errorf("parseCommand(%q): %s has %q, which wasn't typed", line, o.Name, text)
		}
		checkOptions(t, line, o.Options)
	}
}
