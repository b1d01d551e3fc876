package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// mentions are @NAME and @"NAME WITH SPACES" in what people type.
var mentions = regexp.MustCompile(`@"[^"]+"|@[\p{L}\p{N}_.\-]+`)

// parseCommand reads "/rubber start north:Nello" as Discord's input field would: what stands before the first option's
// name goes to the first required option, and an option's text goes on until the next option. Quotes around a text are
// left out.
func parseCommand(line string, commands []twin.Command) (name string, options []twin.Option, err error) {
	name, rest := cutWord(strings.TrimPrefix(line, "/"))
	for _, c := range commands {
		if c.Name != name {
			continue
		}
		if len(c.Options) == 0 || c.Options[0].Type != twin.OptionSubcommand {
			options, err = parseOptions(rest, c.Options)
			return name, options, err
		}
		return parseSub(name, rest, c.Options)
	}
	return "", nil, fmt.Errorf("no command /%s: there are %s", name, commandNames(commands))
}

func parseSub(name, rest string, subs []twin.CommandOption) (string, []twin.Option, error) {
	word, rest := cutWord(rest)
	var known []string
	for _, s := range subs {
		if s.Name == word {
			options, err := parseOptions(rest, s.Options)
			return name, []twin.Option{{Name: s.Name, Options: options}}, err
		}
		known = append(known, s.Name)
	}
	return "", nil, fmt.Errorf("/%s: which of %s?", name, strings.Join(known, ", "))
}

func commandNames(commands []twin.Command) string {
	var names []string
	for _, c := range commands {
		names = append(names, "/"+c.Name)
	}
	return strings.Join(names, " ")
}

func cutWord(text string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimSpace(text), " ")
	return word, strings.TrimSpace(rest)
}

// parseOptions reads "4S X -1 by:N".
func parseOptions(text string, definitions []twin.CommandOption) ([]twin.Option, error) {
	starts := optionStarts(text, definitions)
	head := text
	if len(starts) > 0 {
		head = text[:starts[0].at]
	}
	var options []twin.Option
	if head = unquote(head); head != "" {
		first, ok := firstRequired(definitions)
		if !ok {
			return nil, fmt.Errorf("%q belongs to no option: write %s", head, optionNames(definitions))
		}
		options = append(options, twin.Option{Name: first.Name, Value: chosen(first, head)})
	}
	for i, s := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1].at
		}
		value := unquote(text[s.at+len(s.option.Name)+1 : end])
		options = append(options, twin.Option{Name: s.option.Name, Value: chosen(s.option, value)})
	}
	return options, nil
}

// start is an option's name and colon in a text.
type start struct {
	at     int
	option twin.CommandOption
}

// optionStarts finds the options' names that begin a word outside quotes.
func optionStarts(text string, definitions []twin.CommandOption) (starts []start) {
	quoted := false
	for i := range len(text) {
		if text[i] == '"' {
			quoted = !quoted
		}
		if quoted || i > 0 && text[i-1] != ' ' {
			continue
		}
		for _, d := range definitions {
			if strings.HasPrefix(text[i:], d.Name+":") {
				starts = append(starts, start{i, d})
			}
		}
	}
	return starts
}

func firstRequired(definitions []twin.CommandOption) (twin.CommandOption, bool) {
	for _, d := range definitions {
		if d.Required {
			return d, true
		}
	}
	return twin.CommandOption{}, false
}

func optionNames(definitions []twin.CommandOption) string {
	if len(definitions) == 0 {
		return "nothing after it"
	}
	var names []string
	for _, d := range definitions {
		names = append(names, d.Name+":…")
	}
	return strings.Join(names, " ")
}

func unquote(text string) string {
	text = strings.TrimSpace(text)
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}

// chosen is the value of the choice that a text names; the text itself where the option has no choices, or no such one.
func chosen(o twin.CommandOption, text string) any {
	for _, c := range o.Choices {
		if value, ok := c.Value.(string); ok && (strings.EqualFold(c.Name, text) || strings.EqualFold(value, text)) {
			return value
		}
	}
	return text
}
