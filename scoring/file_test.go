package scoring_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubberbot/rubberbot/scoring"
)

// wholeFile has every statement that this version takes.
const wholeFile = `# The club's rubber of Tuesday.
rules laws
format rubber   # what there is
dealer S
players N=Nello S=Sandra della Torre E=Enrico #2 W=Olga

  N 3H +1       # made with the last trump
N 5C X -2 hon E 100
pass
E 3NT + 2 nv
	w4s-1
end
`

func TestParseFile(t *testing.T) {
	f, err := scoring.ParseFile(wholeFile)
	if err != nil {
		t.Fatal(err)
	}
	if f.Dealer != scoring.South {
		t.Errorf("Dealer = %v, want S", f.Dealer)
	}
	// "#2" begins a comment: it stands after a space. "W=Olga" is lost with it.
	wantPlayers := [scoring.West + 1]string{scoring.North: "Nello", scoring.South: "Sandra della Torre", scoring.East: "Enrico"}
	if diff := cmp.Diff(wantPlayers, f.Players); diff != "" {
		t.Errorf("Players (-want +got):\n%s", diff)
	}
	var texts []string
	for _, l := range f.Sheet.Lines {
		texts = append(texts, l.Deal.String())
	}
	want := []string{"N 3♥ +1", "N 5♣X −2 hon E 100", "pass", "E 3NT +2", "W 4♠ −1"}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("deals (-want +got):\n%s", diff)
	}
	if got := f.Sheet.Total(); !f.Sheet.Closed || got != (scoring.Tally{NS: 220, EW: 860}) {
		t.Errorf("Closed %v, Total %v, want true, {220 860}", f.Sheet.Closed, got)
	}
}

// TestFileForms: what doesn't matter in a file.
func TestFileForms(t *testing.T) {
	want, err := scoring.ParseFile("dealer N\nplayers N=Nello E=Enrico C.\nN 4S =\nend\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"Windows line ends":        "dealer N\r\nplayers N=Nello E=Enrico C.\r\nN 4S =\r\nend\r\n",
		"no last line end":         "dealer N\nplayers N=Nello E=Enrico C.\nN 4S =\nend",
		"byte order mark":          "\ufeffdealer N\nplayers N=Nello E=Enrico C.\nN 4S =\nend\n",
		"upper case":               "DEALER n\nPlayers n=Nello e=Enrico C.\nn 4s=\nEND\n",
		"tabs and other spaces":    "dealer\tN\nplayers\tN=Nello\tE=Enrico\t C.\n\u00a0N\t4S\t=\n\u3000end\u3000\n",
		"empty lines and comments": "\n# a\n  # b\ndealer N#\n",
		"players by and by":        "dealer N\nplayers E=Enrico C.\nN 4S =\nplayers N=Nello\nend\n",
		"rules and format said":    "format rubber\nrules laws\ndealer N\nplayers N=Nello E=Enrico C.\nN 4S =\nend\n",
		"a name after a space":     "dealer N\nplayers N= Nello E= Enrico C.\nN 4S =\nend\n",
	} {
		got, err := scoring.ParseFile(text)
		if name == "empty lines and comments" {
			if err == nil { // a "#" that touches a word is no comment
				t.Errorf("%s: no error for dealer N#", name)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestEmptyFile(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "\ufeff"} {
		f, err := scoring.ParseFile(text)
		if err != nil || len(f.Sheet.Lines) != 0 || f.Sheet.Rules != scoring.Laws() {
			t.Errorf("ParseFile(%q) = %d deals by %+v, %v; want none by the Laws", text, len(f.Sheet.Lines), f.Sheet.Rules, err)
		}
	}
}

// TestFileErrors has every way in which a line can't be taken: line and column, in code points, and the reason. The next
// issue's statements are refused plainly.
func TestFileErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"N 4S =\nE 4Z =\n", "2:4: expected strain (C, D, H, S, NT)"},
		{"  4♠♠ = N", "1:5: expected doubling, result, declarer, vul or nv or honours"},
		{"\u3000N 4♠ by = ", "1:7: a second declarer"},
		{"N 4S", `1:5: no result: put =, +1, -1 or the like; did you mean "N 4S ="?`},
		{"N 4S # = ", `1:5: no result: put =, +1, -1 or the like; did you mean "N 4S ="?`},
		{"N3S=", "1:1: this means more than one deal: S 3NT = or N 3♠ ="},
		{"8S = N", "1:1: a level is 1 to 7"},
		{"# a\n\n 4S =", "3:2: who declared? Put N, E, S or W before the contract, or a side, NS or EW"},
		{"N 4S =\nN 2H = nv", "2:1: NS are vulnerable: they have won a game"},
		{"N 4S =\nE 2H = vul", "2:1: EW are not vulnerable: they have not won a game yet"},
		{"N 3NT = hon 100", "1:13: at no-trump honours are four aces in one hand: 150, never 100"},
		{"N 4S =\nS 4S =\nN 1C =", "3:1: the rubber is over"},
		{"N 4S =\nS 4S =\npass", "3:1: the rubber is over"},
		{"N 4S =\nS 4S =\nend", "3:1: the rubber is over"},
		{"N 4S =\nend\nS 4S =", "3:1: the rubber has been ended"},
		{"end\n end", "2:2: the rubber has been ended"},
		{"end now", `1:5: end: nothing may follow it, found "now"`},
		{"dealer X", `1:8: dealer "X": expected N, E, S or W`},
		{"dealer", `1:7: dealer "": expected N, E, S or W`},
		{"N 4S =\ndealer N", "2:8: dealer: this goes before the first deal"},
		{"pass\nrules laws", "2:7: rules: this goes before the first deal"},
		{"pass\nformat rubber", "2:8: format: this goes before the first deal"},
		{"players", "1:8: players: expected a seat and a name, like N=Nello"},
		{"players Nello", `1:9: players: expected a seat and a name, like N=Nello, at "Nello"`},
		{"players N=Nello N=Olga", "1:9: players: N twice"},
		{"players N=Nello\nplayers N=Olga", "2:9: players: N twice"},

		{"rules pre1993", `1:7: no rules "pre1993": laws is what there is`},
		{"rules 1935", `1:7: no rules "1935": laws is what there is`},
		{"rules", "1:6: rules: expected a name: laws"},
		{"format chicago", `1:8: no format "chicago": rubber is what there is`},
		{"format deals 30", `1:8: no format "deals 30": rubber is what there is`},
		{"format", "1:7: format: expected a name: rubber"},
		{"set honours off", "1:1: set: this version can't do that yet"},
		{"from NS games 1 part 60", "1:1: from: this version can't do that yet"},
		{"\tadjust NS 100 revoke", "1:2: adjust: this version can't do that yet"},
	} {
		f, err := scoring.ParseFile(tt.text)
		if err == nil || err.Error() != tt.want {
			t.Errorf("ParseFile(%q)\n got %v\nwant %s", tt.text, err, tt.want)
			continue
		}
		checkFileError(t, tt.text, err)
		if errors.Unwrap(err) == nil {
			t.Errorf("ParseFile(%q): %v wraps nothing", tt.text, err)
		}
		if f.Sheet.Lines != nil {
			t.Errorf("ParseFile(%q) = %d deals beside an error", tt.text, len(f.Sheet.Lines))
		}
	}
}

// TestLongFile: a file is read in time that grows with its length, not faster.
func TestLongFile(t *testing.T) {
	const n = 50_000
	f, err := scoring.ParseFile(strings.Repeat("N 4S X -1\n", n))
	if err != nil || len(f.Sheet.Lines) != n || f.Sheet.Above.EW != 100*n {
		t.Errorf("%d deals, %v above, %v; want %d, %d", len(f.Sheet.Lines), f.Sheet.Above, err, n, 100*n)
	}
}
