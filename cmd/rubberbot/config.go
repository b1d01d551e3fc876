package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
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
		URL   string `yaml:"url"`
		Guild string `yaml:"guild"`
	} `yaml:"discord"`
	Log struct {
		Level  string `yaml:"level"`
		Format string `yaml:"format"`
	} `yaml:"log"`
}

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
			return c, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
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

func (c *config) check() error {
	if c.Database == "" {
		return errors.New("database: a file's name is needed")
	}
	if _, err := c.level(); err != nil {
		return err
	}
	if c.Log.Format != "text" && c.Log.Format != "json" {
		return fmt.Errorf("log.format: %q is neither text nor json", c.Log.Format)
	}
	return nil
}

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
