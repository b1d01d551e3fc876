package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"
	"github.com/rubberbot/rubberbot/bot/twin"
)

// isTerminal says that a person sits at both ends, at a terminal that can edit a line. A device alone doesn't make one:
// /dev/null is a device too.
func isTerminal(s streams) bool {
	_, err := liner.TerminalMode() // of standard input
	info, err2 := s.out.Stat()
	return err == nil && err2 == nil && info.Mode()&os.ModeCharDevice != 0 && liner.TerminalSupported()
}

// terminal reads lines from a person, with a prompt, completion and a history that is kept between runs.
type terminal struct {
	state   *liner.State
	history string // the file; "" where there is none
}

// openTerminal takes the terminal over until close. The commands are asked for at each completion.
func openTerminal(commands func() []twin.Command) *terminal {
	t := &terminal{liner.NewLiner(), historyFile()}
	t.state.SetCtrlCAborts(true)
	t.state.SetTabCompletionStyle(liner.TabPrints)
	t.state.SetCompleter(func(line string) []string { return complete(line, commands()) })
	t.readHistory()
	return t
}

// close gives the terminal back as it was.
func (t *terminal) close() {
	t.writeHistory()
	_ = t.state.Close() // nothing could be done about it
}

// next is a [source]. Ctrl-C and Ctrl-D end it.
func (t *terminal) next(prompt string) (string, error) {
	line, err := t.state.Prompt(prompt)
	if errors.Is(err, liner.ErrPromptAborted) {
		return "", io.EOF
	}
	if strings.TrimSpace(line) != "" {
		t.state.AppendHistory(line)
	}
	return line, err
}

// complete offers the ways to go on with a line: commands, subcommands, options, choices.
func complete(line string, commands []twin.Command) []string {
	words := []string{"as ", "in ", "click ", "help", "quit"}
	for _, c := range commands {
		words = append(words, "/"+c.Name+" ")
		for _, o := range c.Options {
			if o.Type == twin.OptionSubcommand {
				words = append(words, "/"+c.Name+" "+o.Name+" ")
			}
		}
	}
	if fitting := beginning("", line, words); len(fitting) > 0 {
		return fitting
	}
	return completeOption(line, commands)
}

// completeOption goes on with the last word of a command's line: the name of an option that isn't there yet, or the
// value of one with choices.
func completeOption(line string, commands []twin.Command) []string {
	at := strings.LastIndex(line, " ") + 1
	before, word := line[:at], line[at:]
	var words []string
	for _, o := range optionsOf(line, commands) {
		switch name := o.Name + ":"; {
		case strings.HasPrefix(word, name):
			for _, choice := range o.Choices {
				words = append(words, fmt.Sprint(name, choice.Value))
			}
		case !strings.Contains(before, " "+name):
			words = append(words, name)
		}
	}
	return beginning(before, word, words)
}

// beginning are the words that begin with what is typed and go on after it, each after what stands before.
func beginning(before, typed string, words []string) []string {
	var fitting []string
	for _, word := range words {
		if word != typed && strings.HasPrefix(word, typed) {
			fitting = append(fitting, before+word)
		}
	}
	return fitting
}

// optionsOf are the options of the command, or subcommand, that a line begins with.
func optionsOf(line string, commands []twin.Command) []twin.CommandOption {
	name, rest := cutWord(line)
	for _, c := range commands {
		if "/"+c.Name != name {
			continue
		}
		if len(c.Options) == 0 || c.Options[0].Type != twin.OptionSubcommand {
			return c.Options
		}
		sub, _ := cutWord(rest)
		for _, o := range c.Options {
			if o.Name == sub {
				return o.Options
			}
		}
	}
	return nil
}

// historyFile is where the lines typed at a terminal are kept; "" where there is no such place.
func historyFile() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "rubberbot", "history")
}

// readHistory and writeHistory do what they can: a history is a comfort, not worth an error.
func (t *terminal) readHistory() {
	if f, err := os.Open(t.history); err == nil {
		defer f.Close()
		_, _ = t.state.ReadHistory(f)
	}
}

func (t *terminal) writeHistory() {
	if t.history == "" || os.MkdirAll(filepath.Dir(t.history), 0o700) != nil {
		return
	}
	if f, err := os.OpenFile(t.history, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err == nil {
		defer f.Close()
		_, _ = t.state.WriteHistory(f)
	}
}
