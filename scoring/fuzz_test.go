package scoring_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubberbot/rubberbot/scoring"
)

// FuzzParse: any text is either a deal, which is possible and reads back from its canonical text, or a refusal whose
// caret stands in the text, whose readings differ and whose offers can be read.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"4S=", "N3S=", "S 4 =", "4S by N", "4SX X", "4Svul=", "4S 9", "4S = +1", "pass vul", "P", "44S=", "3 no  trump down 2",
		"hon EW 100 vul -1 X 4S N", "４Ｓ ＝", "4♠️ −1", "4S\u00a0X\u200b\u00a0−1", "\u20684S =\u2069", "", " ", "10 tricks 4S",
		"4S made 5", "4S, =", "nv nv", "4S = = =", "7NT xx −13 hon W 150", "\xff\xfe4S", "K\u212a 4S =", "4S +99999999999999999999",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := scoring.English().Parse(text)
		if err != nil {
			e, ok := errors.AsType[*scoring.ParseError](err)
			if !ok || e.Text != text {
				t.Fatalf("Parse(%q) = %T of %q, want a ParseError of the text", text, err, e.Text)
			}
			checkReadings(t, e)
			return
		}
		if err := d.Check(); err != nil {
			t.Errorf("Parse(%q) = %v: %v", text, d, err)
		}
		if back, err := scoring.English().Parse(d.String()); err != nil || back != d {
			t.Errorf("Parse(%q) = %v, which reads back as %v, %v", text, d, back, err)
		}
	})
}

// FuzzParseFile: any text is either a file, whose sheet is the fold of its deals, or an error that stands in the text.
func FuzzParseFile(f *testing.F) {
	for _, text := range []string{
		wholeFile, "", "\n\n", "#", "N 4S =\nN 4S =\nN 4S =\n", "end\nend", "rules pre1993", "format  \trubber", "players\nN 4S",
		"players N=A N=B", "dealer\tn\r\nN 3H +1\r\n", "\ufeffpass", "N 4S = # won", "\u3000\u3000N 4S", "set honours off",
		"E 4S = vul", "4S =", "\xff", "dealer N\nformat rubber\nrules laws",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := scoring.ParseFile(text)
		if err != nil {
			checkFileError(t, text, err)
			return
		}
		var deals []scoring.Deal
		for _, l := range file.Sheet.Lines {
			deals = append(deals, l.Deal)
		}
		s, err := scoring.Fold(file.Sheet.Rules, deals)
		if err == nil && file.Sheet.Closed {
			s, err = s.End()
		}
		if err != nil || s.Total() != file.Sheet.Total() || s.Standing != file.Sheet.Standing {
			t.Errorf("ParseFile(%q): total %v, its deals folded %v, %v", text, file.Sheet.Total(), s.Total(), err)
		}
	})
}

// checkFileError says that a FileError names a line and a column of the text.
func checkFileError(t *testing.T, text string, err error) {
	t.Helper()
	e, ok := errors.AsType[*scoring.FileError](err)
	if !ok {
		t.Fatalf("ParseFile(%q) = %T, want *FileError", text, err)
	}
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	if e.Line < 1 || e.Line > len(lines) {
		t.Fatalf("ParseFile(%q): line %d of %d", text, e.Line, len(lines))
	}
	if length := utf8.RuneCountInString(lines[e.Line-1]); e.Column < 1 || e.Column > length+1 {
		t.Errorf("ParseFile(%q): column %d of a line of %d", text, e.Column, length)
	}
	if e.Err == nil || strings.Contains(e.Err.Error(), "\n") {
		t.Errorf("ParseFile(%q): %q, want a reason on one line", text, e.Err)
	}
}

// FuzzDeal: any value that Check allows has a text that reads back to it; no value makes String panic.
func FuzzDeal(f *testing.F) {
	f.Add([]byte{4, 4, 1, 1, 1, 9, 0, 0, 0, 0})
	f.Add([]byte{3, 5, 0, 2, 0, 9, 2, 150, 1, 3})
	f.Add(make([]byte, 10))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != 10 {
			return
		}
		d := scoring.Deal{
			Contract: scoring.Contract{Level: b[0], Strain: scoring.Strain(b[1]), Doubling: scoring.Doubling(b[2])},
			Side:     scoring.Side(b[3]), Declarer: scoring.Seat(b[4]), Tricks: b[5], Claimed: scoring.Vulnerability(b[6]),
			Honours: scoring.Honours{Points: b[7], Side: scoring.Side(b[8]), Seat: scoring.Seat(b[9])},
		}
		text := d.String()
		if d.Check() != nil {
			return
		}
		if back, err := scoring.English().Parse(text); err != nil || back != d {
			t.Errorf("%+v prints %q, which reads back as %+v, %v", d, text, back, err)
		}
	})
}
