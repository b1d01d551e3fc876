package twin

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// problem is one thing that is wrong with a request's body, in Discord's
// words. Path has the keys and indices down to it, joined by dots.
type problem struct {
	Path    string
	Code    string
	Message string
}

// path is a place in a JSON body. It is a chain on the stack, turned into
// text only where something is wrong, so that a good request costs nothing.
type path struct {
	up    *path
	key   string
	index int // used where key is empty
}

func (p *path) key1(key string) path { return path{up: p, key: key} }
func (p *path) at(i int) path        { return path{up: p, index: i} }

// String joins the way down to p by dots.
func (p *path) String() string {
	var parts []string
	for ; p != nil; p = p.up {
		switch {
		case p.key != "":
			parts = append(parts, p.key)
		case p.up != nil:
			parts = append(parts, strconv.Itoa(p.index))
		}
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
		if i > 0 {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// checks gathers the problems of one request.
type checks struct {
	found []problem
}

func (c *checks) add(p *path, code, message string) {
	c.found = append(c.found, problem{Path: p.String(), Code: code, Message: message})
}

func (c *checks) addAt(p *path, key, code, message string) {
	q := p.key1(key)
	c.add(&q, code, message)
}

func (c *checks) required(p *path, key string) {
	c.addAt(p, key, "BASE_TYPE_REQUIRED", "This field is required")
}

// atMost checks that text has no more than limit characters.
func (c *checks) atMost(p *path, key, text string, limit int) {
	if len(text) > limit && utf8.RuneCountInString(text) > limit {
		c.addAt(p, key, "BASE_TYPE_MAX_LENGTH", fmt.Sprintf("Must be %d or fewer in length.", limit))
	}
}

// between checks that text has one to limit characters.
func (c *checks) between(p *path, key, text string, limit int) {
	switch {
	case text == "":
		c.required(p, key)
	case len(text) > limit && utf8.RuneCountInString(text) > limit:
		c.addAt(p, key, "BASE_TYPE_BAD_LENGTH", fmt.Sprintf("Must be between 1 and %d in length.", limit))
	}
}

// count checks that a list has low to high entries.
func (c *checks) count(p *path, key string, n, low, high int) {
	switch {
	case n >= low && n <= high:
	case low == 0:
		c.addAt(p, key, "BASE_TYPE_MAX_LENGTH", fmt.Sprintf("Must be %d or fewer in length.", high))
	default:
		c.addAt(p, key, "BASE_TYPE_BAD_LENGTH", fmt.Sprintf("Must be between %d and %d in length.", low, high))
	}
}

// within checks a number that may be absent.
func (c *checks) within(p *path, key string, n *int, low, high int) {
	switch {
	case n == nil:
	case *n < low:
		c.addAt(p, key, "NUMBER_TYPE_MIN", fmt.Sprintf("int value should be greater than or equal to %d.", low))
	case *n > high:
		c.addAt(p, key, "NUMBER_TYPE_MAX", fmt.Sprintf("int value should be less than or equal to %d.", high))
	}
}

// oneOf reports a value outside a list.
func (c *checks) oneOf(p *path, key, list string) {
	c.addAt(p, key, "BASE_TYPE_CHOICES", "Value must be one of {"+list+"}.")
}

// link checks an address: http or https, and attachment where files may be
// meant.
func (c *checks) link(p *path, key, text string, limit int, files bool) {
	if text == "" {
		return
	}
	c.atMost(p, key, text, limit)
	u, err := url.Parse(text)
	switch {
	case err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "":
	case err == nil && files && u.Scheme == "attachment":
	default:
		c.addAt(p, key, "URL_TYPE_INVALID_URL", "Not a well formed URL.")
	}
}
