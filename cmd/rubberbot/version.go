package main

import (
	"fmt"
	"runtime/debug"
)

type versionCommand struct{}

// Run prints the module's version and, where it was built from a checkout, the commit.
func (versionCommand) Run(s streams) error {
	_, err := fmt.Fprintln(s.out, "rubberbot", version())
	return err
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := info.Main.Version
	if text == "" {
		text = "(devel)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			text += " " + s.Value
		}
	}
	return text + " " + info.GoVersion
}
