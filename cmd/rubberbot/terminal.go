package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"
	"github.com/rubberbot/rubberbot/bot/twin"
)

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && liner.TerminalSupported()
}

// interactive reads from a person, with a prompt, completion and a history that is kept between runs.
func (c *console) interactive(ctx context.Context) error {
	state := liner.NewLiner()
	defer state.Close()
	state.SetCtrlCAborts(true)
	state.SetTabCompletionStyle(liner.TabPrints)
	state.SetCompleter(func(line string) []string { return complete(line, c.discord.Commands()) })
	history := historyFile()
	readHistory(state, history)
	defer writeHistory(state, history)
	c.screen.say("A Discord on this machine, with the bot in it. Try /help, or help for this console; end with quit.")
	for {
		line, err := state.Prompt(fmt.Sprintf("%s in %s> ", c.user.Name, place(c.channel)))
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, liner.ErrPromptAborted):
			return nil
		case err != nil:
			return err
		}
		if strings.TrimSpace(line) != "" {
			state.AppendHistory(line)
		}
		if c.take(ctx, line) {
			return nil
		}
	}
}

// complete offers the ways to go on with a line: commands, subcommands, options, choices.
func complete(line string, commands []twin.Command) []string {
	var all []string
	for _, word := range []string{"as ", "in ", "click ", "help", "quit"} {
		all = append(all, word)
	}
	for _, c := range commands {
		all = append(all, "/"+c.Name+" ")
		for _, o := range c.Options {
			if o.Type == twin.OptionSubcommand {
				all = append(all, "/"+c.Name+" "+o.Name+" ")
			}
		}
	}
	var fitting []string
	for _, candidate := range all {
		if strings.HasPrefix(candidate, line) && candidate != line {
			fitting = append(fitting, candidate)
		}
	}
	if len(fitting) == 0 {
		return completeOption(line, commands)
	}
	return fitting
}

// completeOption goes on with the last word of a command's line: an option's name, or the value of one with choices.
func completeOption(line string, commands []twin.Command) []string {
	at := strings.LastIndex(line, " ") + 1
	before, word := line[:at], line[at:]
	var fitting []string
	for _, o := range optionsOf(line, commands) {
		candidates := []string{o.Name + ":"}
		for _, choice := range o.Choices {
			candidates = append(candidates, fmt.Sprintf("%s:%v", o.Name, choice.Value))
		}
		for _, candidate := range candidates {
			if strings.HasPrefix(candidate, word) && candidate != word {
				fitting = append(fitting, before+candidate)
			}
		}
	}
	return fitting
}

// optionsOf are the options of the command, or subcommand, that a line begins with.
func optionsOf(line string, commands []twin.Command) []twin.CommandOption {
	name, rest := cutWord(strings.TrimPrefix(line, "/"))
	for _, c := range commands {
		if c.Name != name {
			continue
		}
		sub, _ := cutWord(rest)
		for _, o := range c.Options {
			if o.Type == twin.OptionSubcommand && o.Name == sub {
				return o.Options
			}
		}
		return c.Options
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
func readHistory(state *liner.State, path string) {
	if f, err := os.Open(path); err == nil {
		defer f.Close()
		_, _ = state.ReadHistory(f)
	}
}

func writeHistory(state *liner.State, path string) {
	if path == "" || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	if f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err == nil {
		defer f.Close()
		_, _ = state.WriteHistory(f)
	}
}
