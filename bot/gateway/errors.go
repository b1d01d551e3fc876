package gateway

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// What a request or a session can end with; for errors.Is.
var (
	// ErrTooLate: the interaction is unknown to Discord, since its 3 seconds or 15 minutes have passed (10062).
	ErrTooLate = errors.New("too late to answer this interaction")
	// ErrAnswered: the interaction was answered before (40060).
	ErrAnswered = errors.New("this interaction was answered before")
	// ErrUnauthorized: Discord doesn't take the token (status 401, close code 4004).
	ErrUnauthorized = errors.New("token refused by Discord")
	// ErrForbidden: the bot may not do that (403).
	ErrForbidden = errors.New("the bot may not do this")
	// ErrNotFound: there is no such member, guild or command (404).
	ErrNotFound = errors.New("no such thing at Discord")
	// ErrRateLimited: too many requests, and the pause asked for is longer than there was time (429).
	ErrRateLimited = errors.New("too many requests to Discord")
)

// Discord's own codes for what befalls an interaction.
const (
	codeUnknownInteraction  = 10062
	codeAlreadyAcknowledged = 40060
)

// An APIError is a request that Discord, or something on the way to it, answered with a refusal.
type APIError struct {
	Status     int           // HTTP's
	Code       int           // Discord's own; 0 where the answer wasn't Discord's JSON
	Message    string        // Discord's words; "" likewise
	Details    string        // which field is wrong, as JSON; "" where nothing was said
	RetryAfter time.Duration // how long to wait; 0 where nothing was said
}

// Error implements error. It holds no token.
func (e *APIError) Error() string {
	text := fmt.Sprintf("status %d: %s", e.Status, cmp.Or(e.Message, http.StatusText(e.Status)))
	if e.Code != 0 {
		text += fmt.Sprintf(" (code %d)", e.Code)
	}
	if e.Details != "" {
		text += " " + e.Details
	}
	return text
}

// Is tells which of this package's sentinels the refusal is.
func (e *APIError) Is(target error) bool {
	switch target {
	case ErrTooLate:
		return e.Code == codeUnknownInteraction
	case ErrAnswered:
		return e.Code == codeAlreadyAcknowledged
	case ErrUnauthorized:
		return e.Status == http.StatusUnauthorized
	case ErrForbidden:
		return e.Status == http.StatusForbidden
	case ErrNotFound:
		return e.Status == http.StatusNotFound && e.Code != codeUnknownInteraction
	case ErrRateLimited:
		return e.Status == http.StatusTooManyRequests
	}
	return false
}

// A CloseError is a gateway session that Discord ended with a close code.
type CloseError struct {
	Code   int
	Reason string
}

// Error implements error. For a code that never gets better by itself it says what to do.
func (e *CloseError) Error() string {
	if advice, ok := fatal(e.Code); ok {
		return fmt.Sprintf("%s (close code %d): %s", advice.wrong, e.Code, advice.remedy)
	}
	text := fmt.Sprintf("Discord closed the session (close code %d)", e.Code)
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// Is tells that close code 4004 means the token.
func (e *CloseError) Is(target error) bool { return target == ErrUnauthorized && e.Code == 4004 }

type advice struct{ wrong, remedy string }

// fatal tells what is wrong where a close code will come again at every attempt.
// The list is from Discord's documentation, "Gateway close event codes", the column "reconnect".
func fatal(code int) (advice, bool) {
	switch code {
	case 4004:
		return advice{"Discord refused the token", "check DISCORD_TOKEN, or make a new token in the developer portal under Bot"}, true
	case 4010:
		return advice{"Discord refused the shard", "this bot knows no shards: another program may be between it and Discord"}, true
	case 4011:
		return advice{"the bot is in too many guilds for one connection", "Discord wants shards, which this bot doesn't have: run a second application for some guilds"}, true
	case 4012:
		return advice{"Discord no longer speaks version 10 of its API", "get a newer release of this bot"}, true
	case 4013, 4014:
		return advice{"Discord refused the intents", "this bot asks for none: another program may be between it and Discord"}, true
	}
	return advice{}, false
}
