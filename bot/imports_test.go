package bot_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/rubberbot/rubberbot"

// allowed is what each package may import of ours, and which packages may import the two libraries that only one layer
// knows. Imports run downwards only.
var allowed = map[string][]string{
	"scoring":       {},
	"storage":       {"scoring"},
	"bot/lang":      {},
	"bot/sheet":     {"scoring", "bot/lang"},
	"bot/gateway":   {},
	"bot/twin":      {},
	"bot":           {"scoring", "storage", "bot/lang", "bot/sheet", "bot/gateway"},
	"cmd/rubberbot": {"scoring", "storage", "bot", "bot/lang", "bot/sheet", "bot/gateway", "bot/twin"},
}

var onlyIn = map[string][]string{
	"github.com/bwmarrin/discordgo": {"bot", "bot/gateway"},
	"go.etcd.io/bbolt":              {"storage"},
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		rel, err := filepath.Rel("..", file)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(rel))
		seen[pkg] = true
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			imported, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if why := forbidden(pkg, imported); why != "" {
				t.Errorf("%s imports %s: %s", rel, imported, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range allowed {
		if !seen[pkg] {
			t.Errorf("the rule names %s, which isn't there", pkg)
		}
	}
}

// forbidden says why pkg may not import a package; "" where it may.
func forbidden(pkg, imported string) string {
	ours, known := allowed[pkg]
	if !known {
		return "the rule doesn't know this package: add it to the table"
	}
	if name, ok := strings.CutPrefix(imported, module+"/"); ok {
		if !slices.Contains(ours, name) {
			return "against the direction of imports"
		}
		return ""
	}
	for library, packages := range onlyIn {
		if (imported == library || strings.HasPrefix(imported, library+"/")) && !slices.Contains(packages, pkg) {
			return "only " + strings.Join(packages, " and ") + " may know it"
		}
	}
	if pkg == "scoring" && strings.Contains(strings.Split(imported, "/")[0], ".") {
		return "scoring imports the standard library only"
	}
	return ""
}

// The rule catches what it is there for.
func TestImportsRuleBites(t *testing.T) {
	for _, row := range [][2]string{
		{"scoring", module + "/storage"},
		{"scoring", "github.com/google/go-cmp/cmp"},
		{"storage", "github.com/bwmarrin/discordgo"},
		{"bot", "go.etcd.io/bbolt/errors"},
		{"bot", module + "/bot/twin"},
		{"bot/lang", module + "/scoring"},
		{"cmd/rubberbot", "github.com/bwmarrin/discordgo"},
		{"bot/new", "fmt"},
	} {
		if forbidden(row[0], row[1]) == "" {
			t.Errorf("forbidden(%s, %s) allows it", row[0], row[1])
		}
	}
}
