package twin

import (
	"cmp"
	"slices"
)

// Command types, as Discord numbers them.
const (
	CommandSlash   = 1
	CommandUser    = 2
	CommandMessage = 3
)

// Option types, as Discord numbers them.
const (
	OptionSubcommand  = 1
	OptionGroup       = 2
	OptionString      = 3
	OptionInteger     = 4
	OptionBoolean     = 5
	OptionUser        = 6
	OptionChannel     = 7
	OptionRole        = 8
	OptionMentionable = 9
	OptionNumber      = 10
	OptionAttachment  = 11
)

// Command is a registered command's definition.
type Command struct {
	ID                       string            `json:"id"`
	ApplicationID            string            `json:"application_id"`
	GuildID                  string            `json:"guild_id,omitempty"`
	Version                  string            `json:"version"`
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations"`
	Options                  []CommandOption   `json:"options,omitempty"`
	DefaultMemberPermissions *string           `json:"default_member_permissions"`
	DMPermission             *bool             `json:"dm_permission,omitempty"`
	Contexts                 []int             `json:"contexts"`
	IntegrationTypes         []int             `json:"integration_types,omitempty"`
	NSFW                     bool              `json:"nsfw"`
}

// CommandOption is an option of a Command: a value, a subcommand or a group
// of subcommands.
type CommandOption struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Required                 bool              `json:"required,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
	Choices                  []Choice          `json:"choices,omitempty"`
	Options                  []CommandOption   `json:"options,omitempty"`
	ChannelTypes             []int             `json:"channel_types,omitempty"`
	MinLength                *int              `json:"min_length,omitempty"`
	MaxLength                *int              `json:"max_length,omitempty"`
	MinValue                 *float64          `json:"min_value,omitempty"`
	MaxValue                 *float64          `json:"max_value,omitempty"`
}

// kind is the command's type; absent means a slash command.
func (c *Command) kind() int {
	return cmp.Or(c.Type, CommandSlash)
}

// offeredIn tells whether Discord's client offers the command in a guild or,
// where guild is false, in a direct message to the bot.
func (c *Command) offeredIn(guild bool) bool {
	const contextGuild, contextBotDM = 0, 1
	if guild {
		return c.Contexts == nil || slices.Contains(c.Contexts, contextGuild)
	}
	if c.GuildID != "" {
		return false
	}
	if c.Contexts == nil {
		return c.DMPermission == nil || *c.DMPermission
	}
	return slices.Contains(c.Contexts, contextBotDM)
}

func (o *CommandOption) isSub() bool {
	return o.Type == OptionSubcommand || o.Type == OptionGroup
}

func (o *CommandOption) takesChoices() bool {
	return o.Type == OptionString || o.Type == OptionInteger || o.Type == OptionNumber
}

// registry holds the commands of an application: global ones under "", a
// guild's under its id.
type registry struct {
	scopes  map[string][]Command
	puts    int
	created map[string]int
}

// find returns the definition that the client would offer under name. A
// guild's command hides the global one of the same name.
func (r *registry) find(guild, name string) (Command, bool) {
	scopes := []string{""}
	if guild != "" {
		scopes = []string{guild, ""}
	}
	for _, scope := range scopes {
		for _, c := range r.scopes[scope] {
			if c.kind() == CommandSlash && c.Name == name && c.offeredIn(guild != "") {
				return c, true
			}
		}
	}
	return Command{}, false
}

// put adds or replaces one command of a scope and tells whether it is new.
func (r *registry) put(scope string, c Command) bool {
	for i, old := range r.scopes[scope] {
		if old.kind() == c.kind() && old.Name == c.Name {
			r.scopes[scope] = slices.Clone(r.scopes[scope])
			r.scopes[scope][i] = c
			return false
		}
	}
	r.scopes[scope] = append(slices.Clip(r.scopes[scope]), c)
	return true
}

// old returns the command of the same type and name, to keep its id.
func (r *registry) old(scope string, c *Command) (Command, bool) {
	for _, old := range r.scopes[scope] {
		if old.kind() == c.kind() && old.Name == c.Name {
			return old, true
		}
	}
	return Command{}, false
}

// count is the number of slash commands of a scope.
func (r *registry) count(scope string) int {
	n := 0
	for i := range r.scopes[scope] {
		if r.scopes[scope][i].kind() == CommandSlash {
			n++
		}
	}
	return n
}
