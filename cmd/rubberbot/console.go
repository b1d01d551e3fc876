package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// console is the keyboard and the screen of the people in a Discord on loopback.
type console struct {
	discord *twin.Twin
	user    *twin.User
	channel *twin.Channel
	screen  *screen
	err     io.Writer
	line    int
	failed  bool // a line could not be understood
}

// Where a session begins.
const (
	firstUser    = "You"
	firstChannel = "table"
)

func newConsole(discord *twin.Twin, s streams) *console {
	return &console{
		discord: discord, user: discord.User(firstUser), channel: discord.Channel(firstChannel),
		screen: &screen{out: s.out}, err: s.err,
	}
}

// read takes lines until they end: from a person at a terminal, or from a pipe or a file.
func (c *console) read(ctx context.Context, in *os.File) error {
	var err error
	if isTerminal(in) {
		err = c.interactive(ctx)
	} else {
		err = c.piped(ctx, in)
	}
	if err != nil {
		return err
	}
	if c.failed {
		return errReported
	}
	return nil
}

// piped reads a script. What was typed is printed before what it led to.
func (c *console) piped(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c.screen.typed(c.user, c.channel, lines.Text())
		if stop := c.take(ctx, lines.Text()); stop {
			return nil
		}
	}
	return lines.Err()
}

// take does what a line says. A line that isn't understood is reported, and reading goes on.
func (c *console) take(ctx context.Context, line string) (stop bool) {
	c.line++
	err := c.do(ctx, strings.TrimSpace(line))
	switch {
	case errors.Is(err, io.EOF):
		return true
	case err != nil:
		c.failed = true
		fmt.Fprintf(c.err, "line %d: %v\n", c.line, err)
	}
	return ctx.Err() != nil
}

func (c *console) do(ctx context.Context, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case line == "", strings.HasPrefix(line, "#"):
		return nil
	case strings.HasPrefix(line, "/"):
		return c.command(ctx, line)
	}
	switch word {
	case "as":
		return c.as(rest)
	case "in":
		return c.in(rest)
	case "click":
		return c.click(ctx, rest)
	case "help":
		c.screen.say(consoleHelp)
		return nil
	case "quit", "exit":
		return io.EOF
	}
	return fmt.Errorf("%q is no command here: lines begin with /, as, in, click, help, quit or #", word)
}

// consoleHelp is what "help" prints.
const consoleHelp = `/deal 4S X -1 by:N   a slash command; /help lists what the bot knows
as NAME              type as NAME from now on
in CHANNEL           type in CHANNEL, which is another table; in DM is a direct message
click LABEL          press the newest button with that label, or that begins so
quit                 leave; the file keeps the tables
@NAME in a text mentions the account that "as NAME" types with; a bare name is a guest.`

func (c *console) as(name string) error {
	if name = strings.TrimPrefix(name, "@"); name == "" {
		return errors.New("as: who? as NAME")
	}
	c.user = c.discord.User(name)
	if c.channel.With != nil {
		c.channel = c.discord.DM(c.user)
	}
	return nil
}

func (c *console) in(name string) error {
	switch name = strings.TrimPrefix(name, "#"); {
	case name == "":
		return errors.New("in: where? in CHANNEL")
	case strings.EqualFold(name, "DM"):
		c.channel = c.discord.DM(c.user)
	default:
		c.channel = c.discord.Channel(name)
	}
	return nil
}

func (c *console) command(ctx context.Context, line string) error {
	name, options, err := parseCommand(line, c.discord.Commands())
	if err != nil {
		return err
	}
	c.mention(options)
	in, err := c.discord.Command(ctx, c.user, c.channel, name, options)
	if err != nil {
		return err
	}
	return c.show(ctx, in)
}

// mention makes accounts of the @names in texts, as Discord's own input field does.
func (c *console) mention(options []twin.Option) {
	for i := range options {
		if text, ok := options[i].Value.(string); ok {
			options[i].Value = mentions.ReplaceAllStringFunc(text, func(at string) string {
				name := strings.Trim(at[1:], `"`)
				if name == "everyone" || name == "here" {
					return at
				}
				return c.discord.User(name).Mention()
			})
		}
		c.mention(options[i].Options)
	}
}

// click presses a button on the newest message that has it and that the person who types sees.
func (c *console) click(ctx context.Context, label string) error {
	if label == "" {
		return errors.New("click: which button? click LABEL")
	}
	seen := c.discord.Messages(c.channel, c.user)
	for _, match := range []func(string) bool{
		func(l string) bool { return strings.EqualFold(l, label) },
		func(l string) bool { return strings.HasPrefix(strings.ToLower(l), strings.ToLower(label)) },
	} {
		for i := len(seen) - 1; i >= 0; i-- {
			if button, ok := findButton(seen[i], match); ok {
				in, err := c.discord.Press(ctx, c.user, seen[i], button.CustomID)
				if err != nil {
					return err
				}
				return c.show(ctx, in)
			}
		}
	}
	return fmt.Errorf("click: %s sees no button %q in %s", c.user.Name, label, place(c.channel))
}

func findButton(m twin.Message, match func(label string) bool) (twin.Component, bool) {
	for _, row := range m.Components {
		for _, b := range row.Components {
			if b.Type == twin.TypeButton && !b.Disabled && match(visible(b.Label)) {
				return b, true
			}
		}
	}
	return twin.Component{}, false
}

// show waits for the bot's answer and prints it. No answer is what Discord tells the person who typed, and no fault of
// the line.
func (c *console) show(ctx context.Context, in *twin.Interaction) error {
	m, err := in.Reply(ctx)
	switch {
	case errors.Is(err, twin.ErrNoAnswer):
		c.screen.say(err.Error())
		return nil
	case err != nil:
		return err
	}
	c.screen.message(m)
	return nil
}
