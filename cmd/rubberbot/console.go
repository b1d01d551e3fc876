package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
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

// source gives the next line that is typed, and [io.EOF] after the last. The prompt says who types it and where.
type source func(prompt string) (line string, err error)

// read takes lines until they end, or the context does: from a person at a terminal, or from a pipe or a file.
func (c *console) read(ctx context.Context, s streams) error {
	next, echo := piped(s.in), c.screen.typed
	if isTerminal(s) {
		t := openTerminal(c.discord.Commands)
		defer t.close()
		c.screen.say("This is a Discord on your machine, with the bot in it. Try /help, help or quit.")
		next, echo = t.next, func(string, string) {}
	}
	for {
		prompt := fmt.Sprintf("%s in %s> ", c.user.Name, place(c.channel))
		line, err := within(ctx, func() (string, error) { return next(prompt) })
		if err == nil {
			echo(prompt, line)
			err = c.take(ctx, line)
		}
		switch {
		case c.screen.err != nil:
			return c.screen.err
		case errors.Is(err, io.EOF) && c.failed:
			return errReported
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("line %d: %w", c.line+1, err)
		}
	}
}

// within is a line, or the end where the context ends first: a read from a pipe can't be called off.
func within(ctx context.Context, next func() (string, error)) (string, error) {
	type result struct {
		line string
		err  error
	}
	typed := make(chan result, 1)
	go func() {
		line, err := next()
		typed <- result{line, err}
	}()
	select {
	case r := <-typed:
		return r.line, r.err
	case <-ctx.Done():
		return "", io.EOF
	}
}

// maxLine is the longest line, in bytes: more than all that Discord takes in one command.
const maxLine = 1 << 14

// piped is what a pipe or a file gives. Of a line that is too long only the beginning is kept.
func piped(in io.Reader) source {
	lines := bufio.NewReader(in)
	return func(string) (string, error) {
		var line []byte
		for {
			part, more, err := lines.ReadLine()
			if err != nil {
				return string(line), err
			}
			line = append(line, part[:min(len(part), maxLine+1-len(line))]...)
			if !more {
				return string(line), nil
			}
		}
	}
}

// take does what a line says. A line that isn't understood is reported, and reading goes on; io.EOF ends it.
func (c *console) take(ctx context.Context, line string) error {
	c.line++
	err := c.do(ctx, strings.TrimSpace(line))
	switch {
	case ctx.Err() != nil:
		return io.EOF
	case err == nil, errors.Is(err, io.EOF):
		return err
	}
	c.failed = true
	_, err = fmt.Fprintf(c.err, "line %d: %s\n", c.line, visible(err.Error()))
	return err
}

func (c *console) do(ctx context.Context, line string) error {
	switch {
	case len(line) > maxLine:
		return fmt.Errorf("too long: a line has at most %d bytes", maxLine)
	case line == "", strings.HasPrefix(line, "#"):
		return nil
	case strings.HasPrefix(line, "/"):
		return c.command(ctx, line)
	}
	switch word, rest := cutWord(line); word {
	case "as":
		return c.as(rest)
	case "in":
		return c.in(rest)
	case "click":
		return c.click(ctx, rest)
	case "help":
		c.screen.say(consoleHelp)
		return nil
	case "quit":
		return io.EOF
	default:
		return fmt.Errorf("%q is no command here: lines begin with /, as, in, click, help, quit or #", word)
	}
}

// consoleHelp is what "help" prints.
const consoleHelp = `  /deal 4S X -1 by:N   a slash command; /help lists what the bot knows
  as NAME              type as NAME from now on
  in CHANNEL           type in CHANNEL, which is another table; in DM is a direct message
  click LABEL          press the newest button that you see with that label, or that begins so
  quit                 leave; the file keeps the tables
  # ...                a comment
  Text that stands before an option's name goes to the first required option. Quotes keep a text in one piece:
  north:"Anna in: the middle". @NAME, or @"NAME WITH SPACES", mentions the account that "as NAME" types with; a bare
  name is a guest.
`

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
			options[i].Value = replaceMentions(text, func(name string) string { return c.discord.User(name).Mention() })
		}
		c.mention(options[i].Options)
	}
}

// click presses a button on the newest message that has it and that the person who types sees. A label in full goes
// before one that only begins so.
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
				return c.press(ctx, seen[i], button)
			}
		}
	}
	return fmt.Errorf("click: no button %q that %s can see in %s", label, c.user.Name, place(c.channel))
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

func (c *console) press(ctx context.Context, m twin.Message, button twin.Component) error {
	in, err := c.discord.Press(ctx, c.user, m, button.CustomID)
	if err != nil {
		return err
	}
	return c.show(ctx, in)
}

// show waits for the bot's answer and prints it. No answer is what Discord tells the person who typed, and no fault of
// the line.
func (c *console) show(ctx context.Context, in *twin.Interaction) error {
	m, err := in.Reply(ctx)
	switch {
	case errors.Is(err, twin.ErrNoAnswer):
		c.screen.say("  " + err.Error() + "\n")
		return nil
	case err != nil:
		return err
	}
	c.screen.message(m)
	return nil
}
