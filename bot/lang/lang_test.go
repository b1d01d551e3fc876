package lang_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rubberbot/rubberbot/bot/lang"
	"go.yaml.in/yaml/v4"
)

func english(t testing.TB) *lang.Words {
	t.Helper()
	c, err := lang.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c.In("en")
}

func TestSayAndCount(t *testing.T) {
	w := english(t)
	for _, row := range []struct{ got, want string }{
		{w.Say("seat.N"), "North"},
		{w.Say("deal.doubled", lang.Values{"contract": "4♠"}), "4♠ doubled"},
		{w.Count("deal.down", 1), "one down"},
		{w.Count("deal.down", 13), "13 down"},
		{w.Count("points.overtricks", 2, lang.Values{"points": 60}), "60 for overtricks"},
		{w.Say("no.such.message"), "no.such.message"},
		{w.Say("deal.to", lang.Values{"points": "{{.side}}", "side": "<b>&"}), "{{.side}} to <b>&"}, // values are text, never templates
	} {
		if row.got != row.want {
			t.Errorf("got %q, want %q", row.got, row.want)
		}
	}
}

// messages are all ids of en.yaml with their texts, plural forms joined.
func messages(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("en.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := yaml.Load(data, &tree); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	var walk func(prefix string, node map[string]any)
	walk = func(prefix string, node map[string]any) {
		for key, value := range node {
			switch v := value.(type) {
			case string:
				if key == "one" || key == "other" {
					all[strings.TrimSuffix(prefix, ".")] += v
				} else {
					all[prefix+key] = v
				}
			case map[string]any:
				walk(prefix+key+".", v)
			default:
				t.Errorf("%s%s is neither text nor a group", prefix, key)
			}
		}
	}
	walk("", tree)
	return all
}

// computed are the ids that code puts together from a constant and a value, each family with all its values.
var computed = regexp.MustCompile(`^(` + strings.Join([]string{
	`(seat|letter)\.[NESW]`,
	`side\.(NS|EW)`,
	`choice\.([NESW]|NS|EW)`,
	`change\.(started|recorded|ended|undone|redone)`,
	`(undone|redone)\.head`,
	`points\.(tricks|undertricks|insult|slam|honours|rubber)`,
	`sheet\.(insult|honours|unfinished_game|unfinished_part)`,
	`end\.unfinished_(game|part)`,
	`deal\.(no_rubber|rubber_over)_who`,
	`command\.(deal|undo|redo|sheet|score|rubber|rubber\.start|rubber\.next|rubber\.end|help)\.about`,
	`command\.(deal|score)\.result`,
	`command\.deal\.by`,
	`command\.rubber\.start\.(north|east|south|west)`,
}, "|") + `)$`)

// Every id in the code is a message, and every message is used.
func TestIDs(t *testing.T) {
	have, used := messages(t), idsInCode(t)
	for id := range used {
		if have[id] == "" {
			t.Errorf("the code says %q, which en.yaml lacks", id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(have)) {
		if !used[id] && !computed.MatchString(id) {
			t.Errorf("en.yaml has %q, which nothing says", id)
		}
	}
}

// idsInCode are all string constants of bot, bot/sheet and cmd that look like ids of messages.
func idsInCode(t *testing.T) map[string]bool {
	t.Helper()
	id := regexp.MustCompile(`^[a-z_]+(\.[a-zA-Z_]+)+$`)
	groups := map[string]bool{}
	for m := range messages(t) {
		groups[strings.SplitN(m, ".", 2)[0]] = true
	}
	ids := map[string]bool{}
	for _, dir := range []string{"..", "../sheet"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(lit.Value)
				if err == nil && id.MatchString(text) && groups[strings.SplitN(text, ".", 2)[0]] {
					ids[text] = true
				}
				return true
			})
		}
	}
	return ids
}

// No message is empty, and placeholders are what templates can read.
func TestMessagesAreWhole(t *testing.T) {
	placeholder := regexp.MustCompile(`\{\{\.[a-z_]+\}\}`)
	for id, text := range messages(t) {
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s is empty", id)
		}
		if rest := placeholder.ReplaceAllString(text, ""); strings.ContainsAny(rest, "{}") {
			t.Errorf("%s: a placeholder can't be read in %q", id, text)
		}
	}
}
