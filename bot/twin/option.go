package twin

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// Option is what a user puts into an option of a command.
//
// Value is a string, an int, int64 or float64, a bool, a *User, a *Channel or
// an Upload, as the registered type of the option asks for; the id of a user,
// channel or role as a string does as well. A subcommand has Options instead.
type Option struct {
	Name    string
	Value   any
	Options []Option
	Focused bool // typed right now; for Autocomplete
}

// Upload is a file that a user gives to an option.
type Upload struct {
	Name        string
	ContentType string
	Data        []byte
}

// resolved has what the ids among the options stand for. Discord fills it for
// options of these types only; an id within a text stays text.
type resolved struct {
	Users       map[string]userJSON    `json:"users,omitempty"`
	Members     map[string]memberJSON  `json:"members,omitempty"`
	Channels    map[string]channelJSON `json:"channels,omitempty"`
	Roles       map[string]any         `json:"roles,omitempty"`
	Attachments map[string]Attachment  `json:"attachments,omitempty"`
}

// filler turns options into what Discord's client would send. Twin.mu is held
// while it works.
type filler struct {
	t        *Twin
	guild    string
	typing   bool // autocomplete: nothing is required yet, texts may be partial
	focused  int  // type of the option being typed
	resolved *resolved
}

func (f *filler) level(defs []CommandOption, given []Option) ([]optionJSON, error) {
	var out []optionJSON
	for i, o := range given {
		at := slices.IndexFunc(defs, func(d CommandOption) bool { return d.Name == o.Name })
		again := slices.ContainsFunc(given[:i], func(p Option) bool { return p.Name == o.Name })
		if at < 0 || again {
			return nil, fmt.Errorf("option %q is unknown or given twice: %w", o.Name, ErrOption)
		}
		filled, err := f.option(&defs[at], o)
		if err != nil {
			return nil, err
		}
		out = append(out, filled)
	}
	return out, f.complete(defs, given)
}

// complete checks that everything required is given, and exactly one
// subcommand where there are some.
func (f *filler) complete(defs []CommandOption, given []Option) error {
	if len(defs) > 0 && defs[0].isSub() && len(given) != 1 {
		return fmt.Errorf("%d subcommands given instead of one: %w", len(given), ErrOption)
	}
	for _, d := range defs {
		has := slices.ContainsFunc(given, func(o Option) bool { return o.Name == d.Name })
		if d.Required && !d.isSub() && !has && !f.typing {
			return fmt.Errorf("option %q is required: %w", d.Name, ErrOption)
		}
	}
	return nil
}

func (f *filler) option(d *CommandOption, o Option) (optionJSON, error) {
	out := optionJSON{Name: d.Name, Type: d.Type, Focused: o.Focused}
	var err error
	switch {
	case d.isSub() && o.Value != nil:
		err = fmt.Errorf("subcommand takes no value: %w", ErrOption)
	case d.isSub():
		out.Options, err = f.level(d.Options, o.Options)
	case o.Focused:
		out.Value, err = f.focus(d, o.Value)
	default:
		out.Value, err = f.value(d, o.Value)
	}
	if err != nil {
		return out, fmt.Errorf("option %q: %w", d.Name, err)
	}
	return out, nil
}

// focus takes the partial text of the option being typed.
func (f *filler) focus(d *CommandOption, v any) (any, error) {
	if !f.typing || !d.Autocomplete || f.focused != 0 {
		return nil, fmt.Errorf("can't be focused: %w", ErrOption)
	}
	f.focused = d.Type
	return fmt.Sprint(cmp.Or(v, any(""))), nil
}

// value checks a value against its option's type and bounds.
func (f *filler) value(d *CommandOption, v any) (any, error) {
	switch d.Type {
	case OptionString:
		return text(d, v)
	case OptionInteger, OptionNumber:
		return number(d, v)
	case OptionBoolean:
		if b, ok := v.(bool); ok {
			return b, nil
		}
	case OptionUser, OptionChannel, OptionRole, OptionMentionable:
		return f.resolve(d.Type, v)
	case OptionAttachment:
		if u, ok := v.(Upload); ok {
			return f.attach(u), nil
		}
	}
	return nil, fmt.Errorf("%T isn't a value for type %d: %w", v, d.Type, ErrOption)
}

func text(d *CommandOption, v any) (any, error) {
	s, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("%T isn't a text: %w", v, ErrOption)
	}
	n, low, high := utf8.RuneCountInString(s), 1, maxOptionLength
	if d.MinLength != nil {
		low = max(low, *d.MinLength)
	}
	if d.MaxLength != nil {
		high = *d.MaxLength
	}
	if n < low || n > high {
		return nil, fmt.Errorf("%d characters where %d to %d are allowed: %w", n, low, high, ErrOption)
	}
	return s, isChoice(d, s)
}

// number takes any whole number or fraction and gives back what JSON shows.
func number(d *CommandOption, v any) (any, error) {
	var x float64
	switch n := v.(type) {
	case int:
		x = float64(n)
	case int64:
		x = float64(n)
	case float64:
		x = n
	default:
		return nil, fmt.Errorf("%T isn't a number: %w", v, ErrOption)
	}
	whole := d.Type == OptionInteger
	switch {
	case math.Abs(x) > maxWholeNumber || math.IsNaN(x), whole && x != math.Trunc(x),
		d.MinValue != nil && x < *d.MinValue, d.MaxValue != nil && x > *d.MaxValue:
		return nil, fmt.Errorf("%v is out of bounds: %w", v, ErrOption)
	case whole:
		return int64(x), isChoice(d, int64(x))
	}
	return x, isChoice(d, x)
}

// isChoice checks that a value is offered, where only offered ones may be.
func isChoice(d *CommandOption, v any) error {
	if len(d.Choices) == 0 || d.Autocomplete {
		return nil
	}
	for _, c := range d.Choices {
		same := c.Value == v
		if n, ok := c.Value.(int64); ok {
			same = same || v == float64(n)
		}
		if same {
			return nil
		}
	}
	return fmt.Errorf("%v isn't among the choices: %w", v, ErrOption)
}

// resolve takes a user, channel or role and adds it to the resolved data.
func (f *filler) resolve(kind int, v any) (any, error) {
	id, ok := v.(string)
	switch x := v.(type) {
	case *User:
		id, ok = x.ID, true
	case *Channel:
		id, ok = x.ID, true
	}
	if f.resolved == nil {
		f.resolved = &resolved{}
	}
	if !ok || !f.t.resolve(f.resolved, kind, id, f.guild) {
		return nil, fmt.Errorf("%v can't be chosen: %w", v, ErrOption)
	}
	return id, nil
}

// attach stores a file and adds it to the resolved data.
func (f *filler) attach(u Upload) string {
	if f.resolved == nil {
		f.resolved = &resolved{}
	}
	m := Message{Channel: &Channel{ID: f.t.guild}, Private: true}
	a := f.t.store(&m, upload{name: u.Name, kind: u.ContentType, data: u.Data}, fileJSON{})
	put(&f.resolved.Attachments, a.ID, a)
	return a.ID
}

// resolve adds what an id stands for; false where it is nothing of that kind.
// Call it with mu held.
func (t *Twin) resolve(to *resolved, kind int, id, guild string) bool {
	account, channel := t.accounts[id], t.channels[id]
	switch {
	case (kind == OptionUser || kind == OptionMentionable) && account != nil && !account.gone:
		put(&to.Users, id, account.json())
		if guild != "" && !account.joined.IsZero() {
			m := account.member()
			m.Permissions = allPermissions
			put(&to.Members, id, m)
		}
	case kind == OptionChannel && channel != nil:
		j := t.channelJSON(channel)
		j.Permissions = allPermissions
		put(&to.Channels, id, j)
	case (kind == OptionRole || kind == OptionMentionable) && guild != "" && id == guild:
		put(&to.Roles, id, t.guildJSON()["roles"].([]any)[0])
	default:
		return false
	}
	return true
}

// resolveValues resolves what was chosen in a select of users, roles or
// channels. Call it with mu held.
func (t *Twin) resolveValues(c *Component, values []string, guild string) *resolved {
	kinds := map[int]int{
		TypeUserSelect: OptionUser, TypeRoleSelect: OptionRole,
		TypeMentionableSelect: OptionMentionable, TypeChannelSelect: OptionChannel,
	}
	kind := kinds[c.Type]
	if kind == 0 {
		return nil
	}
	to := &resolved{}
	for _, id := range values {
		t.resolve(to, kind, id, guild)
	}
	return to
}

func put[V any](m *map[string]V, key string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = v
}
