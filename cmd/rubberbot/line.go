package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// mention is @NAME or @"NAME WITH SPACES", where no word stands right before it: nello@example.org mentions nobody.
var mention = regexp.MustCompile(`(^|[^\p{L}\p{N}<])@(?:"([^"]+)"|([\p{L}\p{N}_.\-]+))`)

// replaceMentions puts what account makes of each name that a text mentions in the name's place.
func replaceMentions(text string, account func(name string) string) string {
	return mention.ReplaceAllStringFunc(text, func(found string) string {
		parts := mention.FindStringSubmatch(found)
		name := parts[2] + parts[3]
		if name == "everyone" || name == "here" {
			return found
		}
		return parts[1] + account(name)
	})
}

// parseCommand reads "/rubber start north:Nello" as Discord's input field would: what stands before the first option's
// name goes to the first required option, and an option's text goes on until the next option. Quotes around a text are
// left out.
func parseCommand(line string, commands []twin.Command) (name string, options []twin.Option, err error) {
	name, rest := cutWord(strings.TrimPrefix(line, "/"))
	var known []string
	for _, c := range commands {
		if c.Name == name {
			options, err = parseRest(rest, c.Options)
			if err != nil {
				err = fmt.Errorf("/%s: %w", name, err)
			}
			return name, options, err
		}
		known = append(known, "/"+c.Name)
	}
	return "", nil, fmt.Errorf("no command /%s: there are %s", name, strings.Join(known, " "))
}

// parseRest reads what stands after a command's name: options, or a subcommand and its options.
func parseRest(rest string, definitions []twin.CommandOption) ([]twin.Option, error) {
	if len(definitions) == 0 || definitions[0].Type != twin.OptionSubcommand {
		return parseOptions(rest, definitions)
	}
	word, rest := cutWord(rest)
	var known []string
	for _, sub := range definitions {
		if sub.Name == word {
			options, err := parseOptions(rest, sub.Options)
			return []twin.Option{{Name: sub.Name, Options: options}}, err
		}
		known = append(known, sub.Name)
	}
	return nil, fmt.Errorf("which of %s?", strings.Join(known, ", "))
}

func cutWord(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i], strings.TrimSpace(text[i:])
	}
	return text, ""
}

// parseOptions reads "4S X -1 by:N".
func parseOptions(text string, definitions []twin.CommandOption) ([]twin.Option, error) {
	pieces, err := cutOptions(text, definitions)
	if err != nil {
		return nil, err
	}
	var options []twin.Option
	for _, p := range pieces {
		if options, err = addOption(options, p.option, p.text); err != nil {
			return nil, err
		}
	}
	for _, d := range definitions {
		if d.Required && !has(options, d.Name) {
			return nil, fmt.Errorf("%s is missing: %s", d.Name, d.Description)
		}
	}
	return options, nil
}

// piece is an option and the text that was typed for it.
type piece struct {
	option twin.CommandOption
	text   string
}

// cutOptions cuts a text before each option's name.
func cutOptions(text string, definitions []twin.CommandOption) (pieces []piece, err error) {
	starts, err := optionStarts(text, definitions)
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Backward(starts) {
		pieces = append(pieces, piece{s.option, text[s.at+len(s.option.Name+":"):]})
		text = text[:s.at]
	}
	if head := strings.TrimSpace(text); head != "" {
		first, ok := firstRequired(definitions)
		if !ok {
			return nil, fmt.Errorf("%q belongs to no option: %s", head, optionNames(definitions))
		}
		pieces = append(pieces, piece{first, head})
	}
	slices.Reverse(pieces)
	return pieces, nil
}

// addOption adds an option with the text that was typed for it.
func addOption(options []twin.Option, o twin.CommandOption, text string) ([]twin.Option, error) {
	text = unquote(text)
	switch {
	case has(options, o.Name):
		return nil, fmt.Errorf("%s: given twice", o.Name)
	case text == "":
		return nil, fmt.Errorf("%s: nothing stands after it", o.Name)
	}
	value, err := choose(o, text)
	return append(options, twin.Option{Name: o.Name, Value: value}), err
}

func has(options []twin.Option, name string) bool {
	return slices.ContainsFunc(options, func(o twin.Option) bool { return o.Name == name })
}

// start is where in a text an option's name and colon stand.
type start struct {
	at     int
	option twin.CommandOption
}

// optionStarts finds the options' names that begin a word outside quotes. A quote counts where a text begins: after a
// space, an option's colon or the @ of a mention.
func optionStarts(text string, definitions []twin.CommandOption) (starts []start, err error) {
	quoted, before := false, ' '
	for i, r := range text {
		switch {
		case quoted:
			quoted = r != '"'
		case r == '"':
			quoted = unicode.IsSpace(before) || before == ':' || before == '@'
		case unicode.IsSpace(before):
			for _, d := range definitions {
				if strings.HasPrefix(text[i:], d.Name+":") {
					starts = append(starts, start{i, d})
				}
			}
		}
		before = r
	}
	if quoted {
		return nil, errors.New("a quote is opened and not closed")
	}
	return starts, nil
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
		return "nothing goes there"
	}
	var names []string
	for _, d := range definitions {
		names = append(names, d.Name+":")
	}
	return "put one of these before it: " + strings.Join(names, " ")
}

// unquote takes quotes off a text that stands in one pair of them.
func unquote(text string) string {
	text = strings.TrimSpace(text)
	if len(text) >= 2 && text[0] == '"' && strings.IndexByte(text[1:], '"') == len(text)-2 {
		return text[1 : len(text)-1]
	}
	return text
}

// choose is the value of the choice that a text names, by value or by label; the text itself where an option has no choices.
func choose(o twin.CommandOption, text string) (any, error) {
	if len(o.Choices) == 0 {
		return text, nil
	}
	var values []string
	for _, c := range o.Choices {
		value := fmt.Sprint(c.Value)
		if strings.EqualFold(c.Name, text) || strings.EqualFold(value, text) {
			return c.Value, nil
		}
		values = append(values, value)
	}
	return nil, fmt.Errorf("%s: %q is none of %s", o.Name, text, strings.Join(values, ", "))
}
