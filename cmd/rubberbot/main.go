// Rubberbot keeps the score of rubber bridge in Discord.
//
//	rubberbot local          the whole thing on this machine, with no account
//	rubberbot run            the bot at Discord
//	rubberbot score FILE     the sheet of a rubber written down as text
//	rubberbot version
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/alecthomas/kong"
)

// Exit statuses: 0 is well, 1 an error that was reported, 2 wrong usage.
const (
	exitError = 1
	exitUsage = 2
)

// cli is the commands and flags.
type cli struct {
	Run     runCommand     `cmd:"" help:"Keep the score at Discord. The token comes from DISCORD_TOKEN or from the file that the config names."`
	Local   localCommand   `cmd:"" help:"Keep the score here, without Discord: a small Discord on loopback, whose players type at this terminal."`
	Score   scoreCommand   `cmd:"" help:"Score a rubber written as text, a deal a line."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// streams are what a command reads and writes.
type streams struct{ in, out, err *os.File }

// errReported is an error whose words are printed already.
var errReported = errors.New("reported")

func main() { os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})) }

// run does what the arguments say, and returns the exit status.
func run(args []string, s streams) int {
	parser, err := kong.New(&cli{},
		kong.Name("rubberbot"),
		kong.Description("Keeps the score of rubber bridge in Discord. Start with: rubberbot local"),
		kong.Writers(s.out, s.err),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		fmt.Fprintln(s.err, "rubberbot:", err)
		return exitError
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(s.err, "rubberbot: %v\nTry %s --help.\n", err, atFault(err))
		return exitUsage
	}
	switch err := command.Run(s); {
	case errors.Is(err, errReported):
		return exitError
	case err != nil:
		fmt.Fprintln(s.err, "rubberbot:", err)
		return exitError
	}
	return 0
}

// atFault is the command whose arguments are wrong, as it is typed.
func atFault(err error) string {
	if e, ok := errors.AsType[*kong.ParseError](err); ok && e.Context.Selected() != nil {
		return "rubberbot " + e.Context.Selected().Name
	}
	return "rubberbot"
}
