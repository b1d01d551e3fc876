package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
)

// DefaultURL is where Discord is.
const DefaultURL = "https://discord.com"

// A Secret is a text that no verb of fmt, no log handler and no encoder prints.
type Secret string

// Format implements [fmt.Formatter] for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// MarshalText implements [encoding.TextMarshaler].
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue implements [slog.LogValuer].
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

const redacted = "[secret]"

// scrub takes secrets out of a text that was made elsewhere.
func scrub(text string, secrets ...string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, redacted)
		}
	}
	return text
}

// Config says who the bot is and who handles its interactions. Token and Handle are required.
type Config struct {
	// Token is the bot's token, with or without "Bot " before it.
	Token Secret
	// URL points REST and gateway elsewhere: a REST proxy, a test server. Requests go to URL + "/api/v10/…", and the
	// gateway is where GET URL/api/v10/gateway says. Empty means [DefaultURL].
	URL string
	// Logger takes everything this package has to say. Nil means that it says nothing.
	Logger *slog.Logger
	// Handle is called for each interaction in a goroutine of its own. The interaction has an id, a token, a type from
	// command to modal, data of that type, and a user (in Member in guilds, else in User); its Message may be nil where
	// discordgo can't read it. The context ends when Run was asked to stop and Timing.Drain has passed.
	Handle func(ctx context.Context, in *discordgo.Interaction)
	// Timing is for tests that can't wait; its zero value is right for Discord.
	Timing Timing
}

// Timing says how long things may take. A field that is zero takes the default in its comment.
type Timing struct {
	Open       time.Duration // from asking for the gateway's address to READY: 15 s
	Answer     time.Duration // all attempts at one interaction callback together: 3 s
	Attempt    time.Duration // one attempt at a callback without large files, so that another can follow: 1.2 s
	Request    time.Duration // all attempts at any other request together: 15 s
	Retry      time.Duration // pause before the second attempt, doubling from there: 100 ms
	Drain      time.Duration // wait for running handlers at the end: 5 s
	BackoffMin time.Duration // pause after the first failed session, doubling from there: 1 s
	BackoffMax time.Duration // longest pause; a session that lasted longer starts again from BackoffMin: 60 s
	Identify   time.Duration // least time between two identifies: 5 s
}

func (t Timing) withDefaults() Timing {
	return Timing{
		Open:       cmp.Or(t.Open, 15*time.Second),
		Answer:     cmp.Or(t.Answer, discordgo.InteractionDeadline),
		Attempt:    cmp.Or(t.Attempt, 1200*time.Millisecond),
		Request:    cmp.Or(t.Request, 15*time.Second),
		Retry:      cmp.Or(t.Retry, 100*time.Millisecond),
		Drain:      cmp.Or(t.Drain, 5*time.Second),
		BackoffMin: cmp.Or(t.BackoffMin, time.Second),
		BackoffMax: cmp.Or(t.BackoffMax, time.Minute),
		Identify:   cmp.Or(t.Identify, 5*time.Second),
	}
}

// check returns the configuration with its defaults filled in.
func (c Config) check() (Config, *url.URL, error) {
	c.Token = Secret(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(c.Token))+" ", "Bot ")))
	switch {
	case c.Token == "":
		return c, nil, errors.New("gateway: no token")
	case strings.ContainsFunc(string(c.Token), func(r rune) bool { return r <= ' ' || r > '~' }):
		return c, nil, errors.New("gateway: the token has a character that no token has (a space or a line break in the middle?)")
	case c.Handle == nil:
		return c, nil, errors.New("gateway: no handler")
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Timing = c.Timing.withDefaults()
	base, err := parseURL(cmp.Or(c.URL, DefaultURL))
	return c, base, err
}

func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("gateway: the URL of Discord can't be read") // the error would quote it, password and all
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("gateway: the URL of Discord is %q, want one like %s", u.Redacted(), DefaultURL)
	}
	if u.Path == "" {
		u.Path = "/" // JoinPath makes a relative path of an empty one
	}
	return u, nil
}
