package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/rubberbot/rubberbot/bot/gateway"
	"go.yaml.in/yaml/v4"
)

// defaultConfig is the file that is read where none is named; it needn't be there.
const defaultConfig = "config.yaml"

// config is what a bot at Discord can be told. config.example.yaml has every key with its default.
type config struct {
	TokenFile string `yaml:"token_file"`
	Database  string `yaml:"database"`
	Discord   struct {
		URL string `yaml:"url"`
	} `yaml:"discord"`
	Log struct {
		Level  string `yaml:"level"`
		Format string `yaml:"format"`
	} `yaml:"log"`
}

// defaults are the values of the keys that a file leaves out.
func defaults() config {
	c := config{Database: "rubber.db"}
	c.Discord.URL = gateway.DefaultURL
	c.Log.Level, c.Log.Format = "info", "text"
	return c
}

// readConfig reads a config strictly: a key that isn't known is an error with its line. "" is the default file, if any.
func readConfig(path string) (config, error) {
	c := defaults()
	named := path != ""
	if !named {
		path = defaultConfig
	}
	data, err := os.ReadFile(path)
	if !named && errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	if saysSomething(string(data)) {
		if err := yaml.Load(data, &c, yaml.WithKnownFields()); err != nil {
			return c, explainYAML(path, err)
		}
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// explainYAML says where and what is wrong with a config, a line for each fault. It repeats no value: one could be a
// token that was put in the wrong place.
func explainYAML(path string, err error) error {
	faults := []*yaml.LoadError{}
	if all, ok := errors.AsType[*yaml.LoadErrors](err); ok {
		faults = all.Errors
	} else if one, ok := errors.AsType[*yaml.LoadError](err); ok {
		faults = append(faults, one)
	}
	if len(faults) == 0 {
		return fmt.Errorf("%s: this is no YAML that can be read", path)
	}
	var told []error
	for _, f := range faults {
		told = append(told, fmt.Errorf("%s:%d:%d: %s", path, max(1, f.Mark.Line), max(1, f.Mark.Column), explainFault(f.Message)))
	}
	return errors.Join(told...)
}

var unknownKey = regexp.MustCompile(`^field (.+) not found in type `)

func explainFault(message string) string {
	if key := unknownKey.FindStringSubmatch(message); key != nil {
		if key[1] == "token" {
			return "the token doesn't go here: set DISCORD_TOKEN, or write it to a file of its own and name that with token_file"
		}
		return fmt.Sprintf("no key %q is known here: config.example.yaml has them all", key[1])
	}
	if strings.Contains(message, "cannot construct") {
		return "the wrong kind of value: config.example.yaml shows what goes here"
	}
	return message
}

// saysSomething is false for a file of comments alone, which is no YAML document.
func saysSomething(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return true
		}
	}
	return false
}

// check refuses values that can't be meant.
func (c *config) check() error {
	if c.Database == "" {
		return errors.New("database: a file's name is needed")
	}
	if u, err := url.Parse(c.Discord.URL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("discord.url: an address like %s is needed", gateway.DefaultURL) // it may hold a password: not repeated
	}
	if _, err := c.level(); err != nil {
		return err
	}
	if c.Log.Format != "text" && c.Log.Format != "json" {
		return fmt.Errorf("log.format: %q is neither text nor json", c.Log.Format)
	}
	return nil
}

// level is the least level that is logged.
func (c *config) level() (slog.Level, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Log.Level)); err != nil {
		return level, fmt.Errorf("log.level: %q is none of debug, info, warn, error", c.Log.Level)
	}
	return level, nil
}

// logger writes to w as the config says.
func (c *config) logger(w io.Writer) (*slog.Logger, error) {
	level, err := c.level()
	if err != nil {
		return nil, err
	}
	options := &slog.HandlerOptions{Level: level}
	if c.Log.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return slog.New(slog.NewTextHandler(w, options)), nil
}

// token is the bot's token: from DISCORD_TOKEN, or else from the file that the config names. It is never an argument,
// which other users of the machine could read.
func (c *config) token() (gateway.Secret, error) {
	if token := strings.TrimSpace(os.Getenv("DISCORD_TOKEN")); token != "" {
		return gateway.Secret(token), nil
	}
	if c.TokenFile == "" {
		return "", errors.New("no token: set DISCORD_TOKEN, or token_file in the config (README: \"On a real server\"); rubberbot local needs none")
	}
	data, err := os.ReadFile(c.TokenFile)
	if err != nil {
		return "", fmt.Errorf("token_file: %w", err)
	}
	if token := strings.TrimSpace(string(data)); token != "" {
		return gateway.Secret(token), nil
	}
	return "", fmt.Errorf("token_file: %s is empty", c.TokenFile)
}
