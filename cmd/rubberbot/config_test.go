package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

// marker is a value of the bad files that no error may repeat: it could be a token.
const marker = "SECRET"

// Every file of testdata/config/bad begins with what is said of it, a comment for each fault.
func TestBadConfigs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "config", "bad", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	wants := regexp.MustCompile(`(?m)^# want (.*)$`)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, w := range wants.FindAllStringSubmatch(string(data), -1) {
				want = append(want, path+w[1])
			}
			_, err = readConfig(path)
			if err == nil {
				t.Fatalf("readConfig: no error, want %q", want)
			}
			if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
				t.Errorf("readConfig: want - got +\n%s", diff)
			}
			if strings.Contains(err.Error(), marker) {
				t.Errorf("readConfig repeats a value: %v", err)
			}
		})
	}
}

func TestGoodConfigs(t *testing.T) {
	everything := config{TokenFile: "token.txt", Database: "tables.db"}
	everything.Discord.URL = "http://127.0.0.1:8080/discord"
	everything.Log.Level, everything.Log.Format = "debug", "json"
	for file, want := range map[string]config{
		"empty.yaml":      defaults(),
		"comments.yaml":   defaults(),
		"marker.yaml":     defaults(), // a document with nothing in it
		"nulls.yaml":      defaults(), // keys with nothing after them
		"everything.yaml": everything,
	} {
		got, err := readConfig(filepath.Join("testdata", "config", "good", file))
		if err != nil {
			t.Errorf("readConfig(%s): %v", file, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("readConfig(%s): want - got +\n%s", file, diff)
		}
	}
}

// Without a name config.yaml is read, where it is there; a file that was named must be there.
func TestDefaultConfig(t *testing.T) {
	t.Chdir(t.TempDir())
	if got, err := readConfig(""); err != nil || got != defaults() {
		t.Errorf("readConfig with no file = %+v, %v, want the defaults", got, err)
	}
	if _, err := readConfig(defaultConfig); err == nil {
		t.Errorf("readConfig(%s): no error, though it isn't there", defaultConfig)
	}
	write(t, defaultConfig, "database: mine.db\n")
	if got, err := readConfig(""); err != nil || got.Database != "mine.db" {
		t.Errorf("readConfig of %s: database %q, %v, want mine.db", defaultConfig, got.Database, err)
	}
	write(t, defaultConfig, "databas: mine.db\n")
	if _, err := readConfig(""); err == nil || !strings.HasPrefix(err.Error(), "config.yaml:1:1: ") {
		t.Errorf("readConfig of a bad %s: %v, want config.yaml:1:1: …", defaultConfig, err)
	}
}

// example is config.example.yaml, at the root of the module.
func example(t *testing.T) string {
	t.Helper()
	return filepath.Join("..", "..", "config.example.yaml")
}

func TestExampleHasTheDefaults(t *testing.T) {
	got, err := readConfig(example(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaults(), got); diff != "" {
		t.Errorf("config.example.yaml: defaults - example +\n%s", diff)
	}
}

// Every key of config stands in the example, with a comment on the line before it.
func TestExampleHasEveryKey(t *testing.T) {
	data, err := os.ReadFile(example(t))
	if err != nil {
		t.Fatal(err)
	}
	var there map[string]any
	if err := yaml.Load(data, &there); err != nil {
		t.Fatal(err)
	}
	for _, path := range keys(reflect.TypeFor[config]()) {
		level := any(there)
		for _, key := range path {
			section, _ := level.(map[string]any)
			level = section[key]
		}
		if level == nil {
			t.Errorf("config.example.yaml has no %s", strings.Join(path, "."))
		}
		key := path[len(path)-1]
		if !regexp.MustCompile(`(?m)^ *# .+\n *` + key + `: `).Match(data) {
			t.Errorf("config.example.yaml: no comment before %s", strings.Join(path, "."))
		}
	}
}

// keys are the paths of all keys that hold a value.
func keys(t reflect.Type) (paths [][]string) {
	for f := range t.Fields() {
		key := f.Tag.Get("yaml")
		if f.Type.Kind() != reflect.Struct {
			paths = append(paths, []string{key})
			continue
		}
		for _, path := range keys(f.Type) {
			paths = append(paths, append([]string{key}, path...))
		}
	}
	return paths
}

func TestToken(t *testing.T) {
	dir := t.TempDir()
	file, empty := filepath.Join(dir, "token"), filepath.Join(dir, "empty")
	write(t, file, "\n  from.file \n")
	write(t, empty, " \n")
	for _, test := range []struct {
		why, env, file, want, err string
	}{
		{"the environment", "from.env", "", "from.env", ""},
		{"the environment goes before the file", "from.env", file, "from.env", ""},
		{"also before one that isn't there", "from.env", file + "x", "from.env", ""},
		{"spaces around it, as a file read by the shell has", " from.env\n", "", "from.env", ""},
		{"the file, without spaces and line ends", "", file, "from.file", ""},
		{"an empty variable is none", " ", file, "from.file", ""},
		{"nothing: what to do", "", "", "", "no token: set DISCORD_TOKEN, or token_file in the config"},
		{"no such file", "", file + "x", "", "token_file: open "},
		{"nothing in the file", "", empty, "", "token_file: " + empty + " is empty"},
	} {
		t.Setenv("DISCORD_TOKEN", test.env)
		c := config{TokenFile: test.file}
		got, err := c.token()
		if string(got) != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: token() = %q, %v, want %q, %s", test.why, string(got), err, test.want, test.err)
		}
	}
}

// Whatever is done with a token, it isn't printed.
func TestTokenIsNotPrinted(t *testing.T) {
	t.Setenv("DISCORD_TOKEN", marker)
	c := defaults()
	c.Log.Level = "debug"
	token, err := c.token()
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json"} {
		c.Log.Format = format
		var out bytes.Buffer
		log, err := c.logger(&out)
		if err != nil {
			t.Fatal(err)
		}
		log.Debug("a token", "token", token, "within", []any{token}, "config", c, slog.Any("struct", struct{ T any }{token}))
		log.Error(fmt.Sprintf("%v %s %q %x %#v", token, token, token, token, token))
		if out.Len() == 0 || strings.Contains(out.String(), marker) || strings.Contains(out.String(), fmt.Sprintf("%x", marker)) {
			t.Errorf("the log in %s: %s", format, out.String())
		}
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(verb, c); strings.Contains(text, marker) {
			t.Errorf("Sprintf(%s, config) = %s", verb, text)
		}
	}
}

func TestLogLevels(t *testing.T) {
	for level, want := range map[string]int{"debug": 4, "info": 3, "warn": 2, "error": 1} {
		c := defaults()
		c.Log.Level = level
		var out bytes.Buffer
		log, err := c.logger(&out)
		if err != nil {
			t.Fatal(err)
		}
		log.Debug("1")
		log.Info("2")
		log.Warn("3")
		log.Error("4")
		if got := strings.Count(out.String(), "\n"); got != want {
			t.Errorf("log.level %s: %d of 4 lines, want %d", level, got, want)
		}
	}
}

func TestLogFormats(t *testing.T) {
	for format, want := range map[string]string{"text": " level=INFO msg=hello n=1\n", "json": `,"level":"INFO","msg":"hello","n":1}` + "\n"} {
		c := defaults()
		c.Log.Format = format
		var out bytes.Buffer
		log, err := c.logger(&out)
		if err != nil {
			t.Fatal(err)
		}
		log.Info("hello", "n", 1)
		if !strings.HasSuffix(out.String(), want) {
			t.Errorf("log.format %s: %q, want …%q", format, out.String(), want)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
