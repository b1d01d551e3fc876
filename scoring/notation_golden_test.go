package scoring_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubberbot/rubberbot/scoring"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

const notationFile = "testdata/notation.txt"

// TestNotationGolden reads every text of testdata/notation.txt and compares what it reads as, or how it is refused, with
// the rest of its line. A text is added by writing it, quoted, on a line of its own and running the test with -update.
func TestNotationGolden(t *testing.T) {
	old, err := os.ReadFile(notationFile)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	texts, seen := 0, map[string]bool{}
	for line := range strings.Lines(string(old)) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil { // a comment or an empty line
			b.WriteString(line)
			continue
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %s: %v", notationFile, quoted, err)
		}
		if seen[text] {
			t.Errorf("%s: %s stands twice", notationFile, quoted)
		}
		texts, seen[text] = texts+1, true
		fmt.Fprintf(&b, "%-28s %s\n", quoted, outcome(text))
	}
	if texts < 120 {
		t.Errorf("%s has %d texts, want at least 120", notationFile, texts)
	}
	golden(t, notationFile, b.String())
}

// golden compares got with the file, which -update rewrites.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", file, diff)
	}
}

// outcome is what the notation makes of a text, on one line: the deal, or the column, reason and offers.
func outcome(text string) string {
	d, err := scoring.English().Parse(text)
	if err == nil {
		return d.String()
	}
	e, ok := errors.AsType[*scoring.ParseError](err)
	if !ok {
		return fmt.Sprintf("%T: %v", err, err)
	}
	return fmt.Sprintf("!%d %v", e.At+1, e)
}
