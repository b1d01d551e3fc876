package bot

import (
	"github.com/bwmarrin/discordgo"
	"github.com/rubberbot/rubberbot/bot/lang"
)

// command is a slash command, its definition and its code together. What people read of it stands in bot/lang under
// "command." and its path: "command.rubber.start.about" and, for each option, "command.rubber.start.north".
type command struct {
	name    string
	options []option
	subs    []command
	run     handler // nil where there are subs
}

// option is something that a command takes: a text.
type option struct {
	name     string
	required bool
	max      int // characters; 0 says nothing
	choices  []string
}

// commands are all slash commands, in the order in which /help and Discord list them.
func commands() []command {
	return []command{
		dealCommand(),
		undoCommand(),
		redoCommand(),
		sheetCommand(),
		scoreCommand(),
		rubberCommand(),
		helpCommand(),
	}
}

// buttons are what presses do, by the kind in their custom id.
func buttons() map[string]handler {
	return map[string]handler{
		pressBy:    recordBy,
		pressAgain: recordAgain,
		pressFirst: startAndRecord,
		pressEnd:   endRubber,
		pressNext:  nextByPress,
	}
}

// find is the code of a command by its path, "rubber start"; nil where it is another.
func (c *command) find(path string) handler {
	if path == c.name {
		return c.run
	}
	for _, s := range c.subs {
		if path == c.name+" "+s.name {
			return s.run
		}
	}
	return nil
}

// definition is the command as Discord registers it.
func (c *command) definition(w *lang.Words) *discordgo.ApplicationCommand {
	d := &discordgo.ApplicationCommand{
		Type: discordgo.ChatApplicationCommand, Name: c.name, Description: w.Say("command." + c.name + ".about"),
		Options: c.optionDefinitions(w, "command."+c.name),
	}
	for i := range c.subs {
		s := &c.subs[i]
		path := "command." + c.name + "." + s.name
		d.Options = append(d.Options, &discordgo.ApplicationCommandOption{
			Type: discordgo.ApplicationCommandOptionSubCommand, Name: s.name, Description: w.Say(path + ".about"),
			Options: s.optionDefinitions(w, path),
		})
	}
	return d
}

func (c *command) optionDefinitions(w *lang.Words, path string) []*discordgo.ApplicationCommandOption {
	var all []*discordgo.ApplicationCommandOption
	for _, o := range c.options {
		d := &discordgo.ApplicationCommandOption{
			Type: discordgo.ApplicationCommandOptionString, Name: o.name, Description: w.Say(path + "." + o.name),
			Required: o.required, MaxLength: o.max,
		}
		for _, choice := range o.choices {
			d.Choices = append(d.Choices, &discordgo.ApplicationCommandOptionChoice{Name: w.Say("choice." + choice), Value: choice})
		}
		all = append(all, d)
	}
	return all
}

// definitions are all commands as Discord registers them.
func (b *Bot) definitions() []*discordgo.ApplicationCommand {
	var all []*discordgo.ApplicationCommand
	for i := range b.commands {
		all = append(all, b.commands[i].definition(b.words()))
	}
	return all
}
