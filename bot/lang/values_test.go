package lang_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// call is a message said in code with its values written out.
type call struct {
	id     string
	values []string
}

// What a message names is given, and what is given is named: a value that is missing would read "<no value>".
func TestValuesMatchMessages(t *testing.T) {
	have := messages(t)
	found := calls(t)
	if len(found) < 40 {
		t.Fatalf("%d calls found: does this test still know how messages are said?", len(found))
	}
	field := regexp.MustCompile(`\{\{\.(\w+)\}\}`)
	for _, c := range found {
		named := map[string]bool{}
		for _, f := range field.FindAllStringSubmatch(have[c.id], -1) {
			named[f[1]] = true
		}
		want := slices.Sorted(maps.Keys(named))
		slices.Sort(c.values)
		if !slices.Equal(c.values, want) {
			t.Errorf("%s (-given +named):\n%s", c.id, cmp.Diff(c.values, want))
		}
	}
}

// calls are the places where a literal id is said, or refused with, and its values are written there too; the values of
// the others are seen to by the tests that read replies.
func calls(t *testing.T) (all []call) {
	t.Helper()
	for _, pattern := range []string{"../*.go", "../sheet/*.go"} {
		files, err := filepath.Glob(pattern)
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
				if c, ok := n.(*ast.CallExpr); ok {
					if found, ok := callOf(c); ok {
						all = append(all, found)
					}
				}
				return true
			})
		}
	}
	return all
}

func callOf(c *ast.CallExpr) (call, bool) {
	var name string
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
	case *ast.Ident:
		name = f.Name
	}
	from, ok := map[string]int{"Say": 1, "refuse": 1, "Count": 2}[name] // where the values begin
	if !ok || len(c.Args) < from {
		return call{}, false
	}
	id, ok := literal(c.Args[0])
	if !ok {
		return call{}, false
	}
	found := call{id: id}
	if name == "Count" && len(c.Args) == from {
		found.values = []string{"n"}
	} else if name == "Count" {
		return call{}, false // a form may leave n out
	}
	for _, arg := range c.Args[from:] {
		values, ok := arg.(*ast.CompositeLit)
		if !ok {
			return call{}, false
		}
		for _, e := range values.Elts {
			if key, ok := literal(e.(*ast.KeyValueExpr).Key); ok {
				found.values = append(found.values, key)
			}
		}
	}
	return found, true
}

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}
