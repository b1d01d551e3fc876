package twin

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// checkCommands lists what is wrong with a bulk overwrite.
func checkCommands(list []Command) []problem {
	var (
		c     checks
		root  path
		slash int
		names = map[string]bool{}
	)
	for i := range list {
		at := root.at(i)
		c.command(&at, &list[i])
		if list[i].kind() == CommandSlash {
			slash++
		}
		key := strconv.Itoa(list[i].kind()) + list[i].Name
		if names[key] {
			c.addAt(&at, "name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
		}
		names[key] = true
	}
	if slash > maxCommands {
		c.add(&root, "APPLICATION_COMMANDS_TOO_MANY", "Maximum number of application commands reached (100)")
	}
	return c.found
}

// checkCommand lists what is wrong with one command.
func checkCommand(cmd *Command) []problem {
	var (
		c    checks
		root path
	)
	c.command(&root, cmd)
	return c.found
}

func (c *checks) command(p *path, cmd *Command) {
	switch cmd.kind() {
	case CommandSlash:
		c.names(p, cmd.Name, cmd.NameLocalizations)
		c.descriptions(p, cmd.Description, cmd.DescriptionLocalizations)
		c.options(p, cmd.Options, 0)
		c.permissions(p, cmd.DefaultMemberPermissions)
		if commandSize(cmd) > maxCommandSize {
			c.add(p, "APPLICATION_COMMAND_TOO_LARGE", fmt.Sprintf("Command exceeds maximum size (%d)", maxCommandSize))
		}
	case CommandUser, CommandMessage:
		c.between(p, "name", cmd.Name, maxNameLength)
		c.count(p, "options", len(cmd.Options), 0, 0)
		c.atMost(p, "description", cmd.Description, 0)
	default:
		c.oneOf(p, "type", "1, 2, 3")
	}
}

// permissions checks a bit set, which Discord takes as digits in a string.
func (c *checks) permissions(p *path, bits *string) {
	if bits == nil {
		return
	}
	if _, err := strconv.ParseUint(*bits, 10, 64); err != nil {
		c.addAt(p, "default_member_permissions", "NUMBER_TYPE_COERCE", "Value is not int.")
	}
}

// names checks a command's or an option's name in every language.
func (c *checks) names(p *path, name string, local map[string]string) {
	c.between(p, "name", name, maxNameLength)
	if name != "" && !validName(name) {
		c.addAt(p, "name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
	}
	at := p.key1("name_localizations")
	for _, locale := range slices.Sorted(maps.Keys(local)) {
		c.locale(&at, locale)
		c.between(&at, locale, local[locale], maxNameLength)
		if local[locale] != "" && !validName(local[locale]) {
			c.addAt(&at, locale, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
		}
	}
}

func (c *checks) descriptions(p *path, text string, local map[string]string) {
	c.between(p, "description", text, maxDescription)
	at := p.key1("description_localizations")
	for _, locale := range slices.Sorted(maps.Keys(local)) {
		c.locale(&at, locale)
		c.between(&at, locale, local[locale], maxDescription)
	}
}

func (c *checks) locale(p *path, locale string) {
	if !locales[locale] {
		c.addAt(p, locale, "BASE_TYPE_CHOICES", "Unknown locale "+strconv.Quote(locale)+".")
	}
}

// validName tells whether a name fits Discord's pattern: letters and numbers
// of any script, the marks of Devanagari and Thai, hyphen, underscore and
// apostrophe; no capital where the letter has a small form.
func validName(name string) bool {
	for _, r := range name {
		switch {
		case r == '-' || r == '_' || r == '\'':
		case unicode.ToLower(r) != r:
			return false
		case unicode.IsLetter(r) || unicode.IsNumber(r):
		case unicode.In(r, unicode.Devanagari, unicode.Thai):
		default:
			return false
		}
	}
	return name != ""
}

// options checks one level of options. Level 0 is the command's own.
func (c *checks) options(p *path, list []CommandOption, level int) {
	c.count(p, "options", len(list), 0, maxOptions)
	here := p.key1("options")
	optional, subs := false, 0
	for i := range list {
		at, o := here.at(i), &list[i]
		c.option(&at, o, level)
		if o.isSub() {
			subs++
			continue
		}
		if o.Required && optional {
			c.add(&at, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options")
		}
		optional = optional || !o.Required
	}
	if subs > 0 && subs < len(list) {
		c.add(&here, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command and sub-command group option types are mutually exclusive to all other types")
	}
	c.uniqueOptions(&here, list)
}

// uniqueOptions checks that no two options share a name, in any language.
func (c *checks) uniqueOptions(p *path, list []CommandOption) {
	seen := map[string]bool{}
	for i := range list {
		at := p.at(i)
		if seen[list[i].Name] {
			c.addAt(&at, "name", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists")
		}
		seen[list[i].Name] = true
		local := at.key1("name_localizations")
		for _, locale := range slices.Sorted(maps.Keys(list[i].NameLocalizations)) {
			key := locale + "\x00" + list[i].NameLocalizations[locale]
			if seen[key] {
				c.addAt(&local, locale, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists")
			}
			seen[key] = true
		}
	}
}

func (c *checks) option(p *path, o *CommandOption, level int) {
	c.names(p, o.Name, o.NameLocalizations)
	c.descriptions(p, o.Description, o.DescriptionLocalizations)
	switch {
	case o.Type < OptionSubcommand || o.Type > OptionAttachment:
		c.oneOf(p, "type", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11")
	case o.Type == OptionGroup && level > 0, o.Type == OptionSubcommand && level > 1:
		c.addAt(p, "type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-commands can't be nested this deep")
	case o.Type == OptionGroup:
		c.group(p, o)
	case o.Type == OptionSubcommand:
		c.options(p, o.Options, 2)
	default:
		c.value(p, o)
	}
}

// group checks that a group holds subcommands only.
func (c *checks) group(p *path, o *CommandOption) {
	here := p.key1("options")
	for i := range o.Options {
		if o.Options[i].Type != OptionSubcommand {
			at := here.at(i)
			c.oneOf(&at, "type", "1")
		}
	}
	c.options(p, o.Options, 1)
}

// value checks what only an option with a value has.
func (c *checks) value(p *path, o *CommandOption) {
	c.count(p, "options", len(o.Options), 0, 0)
	c.count(p, "choices", len(o.Choices), 0, maxChoices)
	if !o.takesChoices() && (len(o.Choices) > 0 || o.Autocomplete) {
		c.addAt(p, "choices", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Only texts and numbers have choices")
		return
	}
	if o.Autocomplete && len(o.Choices) > 0 {
		c.addAt(p, "autocomplete", "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES", "Autocomplete can't stand with choices")
	}
	here, seen := p.key1("choices"), map[string]bool{}
	for i := range o.Choices {
		at := here.at(i)
		c.choice(&at, &o.Choices[i], o.Type)
		if seen[o.Choices[i].Name] {
			c.addAt(&at, "name", "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS", "Option choice name already exists")
		}
		seen[o.Choices[i].Name] = true
	}
	c.valueRange(p, o)
}

// valueRange checks the bounds that an option sets.
func (c *checks) valueRange(p *path, o *CommandOption) {
	c.within(p, "min_length", o.MinLength, 0, maxOptionLength)
	c.within(p, "max_length", o.MaxLength, 1, maxOptionLength)
	if o.MinLength != nil && o.MaxLength != nil && *o.MinLength > *o.MaxLength {
		c.addAt(p, "min_length", "APPLICATION_COMMAND_OPTIONS_MIN_OVER_MAX", "min_length can't be over max_length")
	}
	if o.Type != OptionString && (o.MinLength != nil || o.MaxLength != nil) {
		c.addAt(p, "max_length", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Only texts have a length")
	}
	if o.MinValue != nil && o.MaxValue != nil && *o.MinValue > *o.MaxValue {
		c.addAt(p, "min_value", "APPLICATION_COMMAND_OPTIONS_MIN_OVER_MAX", "min_value can't be over max_value")
	}
	if o.Type != OptionInteger && o.Type != OptionNumber && (o.MinValue != nil || o.MaxValue != nil) {
		c.addAt(p, "max_value", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Only numbers have a range")
	}
}

// choice checks one choice against the type of its option.
func (c *checks) choice(p *path, choice *Choice, optionType int) {
	c.between(p, "name", choice.Name, maxChoiceName)
	at := p.key1("name_localizations")
	for _, locale := range slices.Sorted(maps.Keys(choice.NameLocalizations)) {
		c.locale(&at, locale)
		c.between(&at, locale, choice.NameLocalizations[locale], maxChoiceName)
	}
	switch v := choice.Value.(type) {
	case nil:
		c.required(p, "value")
	case string:
		if optionType != OptionString {
			c.addAt(p, "value", "NUMBER_TYPE_COERCE", "Value is not a number.")
		}
		c.atMost(p, "value", v, maxChoiceValue)
	case int64:
		c.number(p, optionType, float64(v))
	case float64:
		if optionType == OptionInteger {
			c.addAt(p, "value", "NUMBER_TYPE_COERCE", "Value is not int.")
		}
		c.number(p, optionType, v)
	default:
		c.addAt(p, "value", "BASE_TYPE_CHOICES", "Value must be a text or a number.")
	}
}

func (c *checks) number(p *path, optionType int, v float64) {
	if optionType == OptionString {
		c.addAt(p, "value", "STRING_TYPE_CONVERT", "Could not interpret value as string.")
	}
	if v > maxWholeNumber || v < -maxWholeNumber {
		c.addAt(p, "value", "NUMBER_TYPE_MAX", "Value is outside of ±(2^53 - 1).")
	}
}

// commandSize counts what goes into the sum of 8000.
func commandSize(cmd *Command) int {
	n := longest(cmd.Name, cmd.NameLocalizations) + longest(cmd.Description, cmd.DescriptionLocalizations)
	return n + optionsSize(cmd.Options)
}

func optionsSize(list []CommandOption) int {
	n := 0
	for i := range list {
		o := &list[i]
		n += longest(o.Name, o.NameLocalizations) + longest(o.Description, o.DescriptionLocalizations)
		n += optionsSize(o.Options)
		for j := range o.Choices {
			n += longest(o.Choices[j].Name, o.Choices[j].NameLocalizations)
			n += utf8.RuneCountInString(fmt.Sprint(o.Choices[j].Value))
		}
	}
	return n
}

// longest is the length of a text in its longest language.
func longest(text string, local map[string]string) int {
	n := utf8.RuneCountInString(text)
	for _, s := range local {
		n = max(n, utf8.RuneCountInString(s))
	}
	return n
}
