package scoring

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// File is a rubber written as text, a deal a line: a "#" begins a comment; "rules", "format" and "dealer" stand before
// the first deal; "players" anywhere; "end" stops a rubber that isn't finished.
type File struct {
	Sheet   Sheet
	Dealer  Seat             // of the first deal; none where the file doesn't say
	Players [West + 1]string // by seat; "" where the file doesn't say
}

// FileError is a line of a file that can't be taken.
type FileError struct {
	Line, Column int // from 1, in code points
	Err          error
}

// Error says what is wrong, in English.
func (e *FileError) Error() string { return fmt.Sprintf("%d:%d: %v", e.Line, e.Column, e.Err) }

// Unwrap is what is wrong with the line.
func (e *FileError) Unwrap() error { return e.Err }

// ParseFile reads a rubber file, whole, in the English notation.
func ParseFile(text string) (File, error) {
	f := File{Sheet: Sheet{Rules: Laws()}}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		statement, column := uncomment(line)
		if statement == "" {
			continue
		}
		if at, err := f.take(statement); err != nil {
			return File{}, &FileError{Line: n, Column: column + at, Err: err}
		}
	}
	return f, nil
}

// uncomment is what a line says, and the column where it begins. A comment begins at a "#" after space, so that a name
// may hold one.
func uncomment(line string) (statement string, column int) {
	for i, c := range line {
		if c == '#' && (i == 0 || strings.TrimRightFunc(line[:i], unicode.IsSpace) != line[:i]) {
			line = line[:i]
			break
		}
	}
	left := strings.TrimLeftFunc(line, unicode.IsSpace)
	return strings.TrimSpace(left), 1 + utf8.RuneCountInString(line) - utf8.RuneCountInString(left)
}

// take takes one statement; at is where in it the error stands, in code points.
func (f *File) take(statement string) (at int, err error) {
	word := statement
	if i := strings.IndexFunc(statement, unicode.IsSpace); i >= 0 {
		word = statement[:i]
	}
	rest := strings.TrimSpace(statement[len(word):])
	restAt := utf8.RuneCountInString(statement) - utf8.RuneCountInString(rest)
	switch word = strings.ToLower(word); word {
	case "set", "from", "adjust":
		return 0, fmt.Errorf("%s: this version can't do that yet", word)
	case "rules":
		return restAt, f.rules(rest)
	case "format":
		return restAt, f.format(rest)
	case "dealer":
		return restAt, f.dealer(rest)
	case "players":
		return restAt, f.players(rest)
	case "end":
		return f.end(rest, restAt)
	default:
		return f.deal(statement)
	}
}

func (f *File) rules(name string) error {
	if name == "" {
		return errors.New("rules: expected a name: laws")
	}
	rules, err := Preset(name)
	if err != nil {
		return err
	}
	f.Sheet.Rules = rules
	return f.beforeDeals("rules")
}

func (f *File) format(name string) error {
	switch name {
	case "rubber":
		return f.beforeDeals("format")
	case "":
		return errors.New("format: expected a name: rubber")
	default:
		return fmt.Errorf("no format %q: rubber is what there is", name)
	}
}

// beforeDeals fails where a statement that goes before the first deal comes too late.
func (f *File) beforeDeals(statement string) error {
	if len(f.Sheet.Lines) > 0 || f.Sheet.Closed {
		return fmt.Errorf("%s: this goes before the first deal", statement)
	}
	return nil
}

func (f *File) dealer(seat string) error {
	s, ok := ParseSeat(seat)
	if !ok {
		return fmt.Errorf("dealer %q: expected N, E, S or W", seat)
	}
	f.Dealer = s
	return f.beforeDeals("dealer")
}

// players reads "N=Nello S=Sandra della Torre": a name goes on until the next seat.
func (f *File) players(text string) error {
	var names [West + 1][]string
	seat := NoSeat
	for word := range strings.FieldsSeq(text) {
		tag, name, found := strings.Cut(word, "=")
		s, ok := ParseSeat(tag)
		switch {
		case found && ok && (names[s] != nil || f.Players[s] != ""):
			return fmt.Errorf("players: %v twice", s)
		case found && ok:
			seat, word = s, name
		case seat == NoSeat:
			return fmt.Errorf("players: expected a seat and a name, like N=Nello, at %q", word)
		}
		names[seat] = append(names[seat], word)
	}
	if seat == NoSeat {
		return errors.New("players: expected a seat and a name, like N=Nello")
	}
	for s, words := range names {
		if words != nil {
			f.Players[s] = strings.TrimSpace(strings.Join(words, " "))
		}
	}
	return nil
}

func (f *File) end(rest string, restAt int) (at int, err error) {
	if rest != "" {
		return restAt, fmt.Errorf("end: nothing may follow it, found %q", rest)
	}
	next, err := f.Sheet.End()
	if err == nil {
		f.Sheet = next
	}
	return 0, err
}

func (f *File) deal(text string) (at int, err error) {
	d, err := English().Parse(text)
	if err != nil {
		if e, ok := errors.AsType[*ParseError](err); ok {
			at = e.At
		}
		return at, err
	}
	return 0, f.Sheet.push(d)
}
