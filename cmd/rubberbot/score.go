package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/bot/sheet"
	"github.com/rubberbot/rubberbot/scoring"
)

type scoreCommand struct {
	JSON bool   `name:"json" help:"Print the result as JSON, for other programs."`
	File string `arg:"" help:"The file; - is standard input."`
}

// maxFile is the most that is read of a rubber file: a hundred rubbers would fit.
const maxFile = 1 << 20

// Run prints the sheet of a file. Where the file can't be taken it prints nothing but where and why.
func (c scoreCommand) Run(s streams) error {
	text, err := c.read(s)
	if err != nil {
		return err
	}
	file, err := scoring.ParseFile(text)
	if e, ok := errors.AsType[*scoring.FileError](err); ok {
		fmt.Fprintf(s.err, "%s:%v\n", c.File, e)
		return errReported
	}
	if err != nil {
		return err
	}
	if c.JSON {
		encoder := json.NewEncoder(s.out)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(file.Sheet.Report())
	}
	return printSheet(s.out, &file)
}

func (c scoreCommand) read(s streams) (string, error) {
	from := io.Reader(s.in)
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return "", err
		}
		defer f.Close()
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(from, maxFile+1))
	switch {
	case err != nil:
		return "", err
	case len(data) > maxFile:
		return "", fmt.Errorf("%s: more than %d bytes is no rubber file", c.File, maxFile)
	}
	return string(data), nil
}

func printSheet(out io.Writer, f *scoring.File) error {
	catalogue, err := lang.Load()
	if err != nil {
		return err
	}
	words := catalogue.In("en")
	if _, err := fmt.Fprintln(out, visible(sheet.Text(&f.Sheet, sheet.Names(f.Players), words, 0))); err != nil {
		return err
	}
	for _, line := range sheet.Summary(&f.Sheet, words) {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}
