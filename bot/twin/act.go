package twin

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
)

// interactionJSON is INTERACTION_CREATE's data.
type interactionJSON struct {
	ID             string            `json:"id"`
	ApplicationID  string            `json:"application_id"`
	Type           int               `json:"type"`
	Token          string            `json:"token"`
	Version        int               `json:"version"`
	Data           any               `json:"data"`
	GuildID        string            `json:"guild_id,omitempty"`
	Guild          *partialGuild     `json:"guild,omitempty"`
	ChannelID      string            `json:"channel_id"`
	Channel        channelJSON       `json:"channel"`
	Member         *memberJSON       `json:"member,omitempty"`
	User           *userJSON         `json:"user,omitempty"`
	Message        *messageJSON      `json:"message,omitempty"`
	Locale         string            `json:"locale"`
	GuildLocale    string            `json:"guild_locale,omitempty"`
	AppPermissions string            `json:"app_permissions"`
	Entitlements   []string          `json:"entitlements"`
	Owners         map[string]string `json:"authorizing_integration_owners"`
	Context        int               `json:"context"`
	SizeLimit      int               `json:"attachment_size_limit"`
}

// partialGuild is what an interaction tells of its guild.
type partialGuild struct {
	ID       string   `json:"id"`
	Locale   string   `json:"locale"`
	Features []string `json:"features"`
}

// commandData is the data of a command or of its autocomplete.
type commandData struct {
	ID       string       `json:"id"`
	Name     string       `json:"name"`
	Type     int          `json:"type"`
	GuildID  string       `json:"guild_id,omitempty"`
	Options  []optionJSON `json:"options,omitempty"`
	Resolved *resolved    `json:"resolved,omitempty"`
}

// optionJSON is an option that somebody filled in.
type optionJSON struct {
	Name    string       `json:"name"`
	Type    int          `json:"type"`
	Value   any          `json:"value,omitempty"`
	Options []optionJSON `json:"options,omitempty"`
	Focused bool         `json:"focused,omitempty"`
}

// componentData is the data of a press or a choice.
type componentData struct {
	CustomID string    `json:"custom_id"`
	Type     int       `json:"component_type"`
	ID       int       `json:"id,omitempty"`
	Values   []string  `json:"values,omitempty"`
	Resolved *resolved `json:"resolved,omitempty"`
}

// modalData is the data of a filled-in form.
type modalData struct {
	CustomID   string    `json:"custom_id"`
	Components []rowData `json:"components"`
}

// rowData is a row or a label of a filled-in form.
type rowData struct {
	Type       int         `json:"type"`
	ID         int         `json:"id,omitempty"`
	Components []inputData `json:"components,omitempty"`
	Component  *inputData  `json:"component,omitempty"`
}

// inputData is one filled-in input.
type inputData struct {
	Type     int    `json:"type"`
	ID       int    `json:"id,omitempty"`
	CustomID string `json:"custom_id"`
	Value    string `json:"value"`
}

// Command makes a user run a slash command. The options must be such as
// Discord's client would send: known, of their type, within their bounds, and
// all required ones there.
func (t *Twin) Command(ctx context.Context, u *User, c *Channel, name string, options []Option) (*Interaction, error) {
	return t.run(ctx, u, c, name, options, kindCommand)
}

// Autocomplete makes a user type into the one option that is Focused.
func (t *Twin) Autocomplete(ctx context.Context, u *User, c *Channel, name string, options []Option) (*Interaction, error) {
	return t.run(ctx, u, c, name, options, kindAutocomplete)
}

func (t *Twin) run(ctx context.Context, u *User, c *Channel, name string, options []Option, kind int) (*Interaction, error) {
	in, err := t.typed(u, c, name, options, kind)
	if err != nil {
		return nil, fmt.Errorf("/%s: %w", name, err)
	}
	return in, t.send(ctx, in)
}

// typed makes the interaction of a command, if a client would send it.
func (t *Twin) typed(u *User, c *Channel, name string, options []Option, kind int) (*Interaction, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.mayAct(u, c); err != nil {
		return nil, err
	}
	cmd, ok := t.commands.find(c.GuildID, name)
	if !ok {
		return nil, ErrNoCommand
	}
	f := filler{t: t, guild: c.GuildID, typing: kind == kindAutocomplete}
	filled, err := f.level(cmd.Options, options)
	if err != nil {
		return nil, err
	}
	if f.typing && f.focused == 0 {
		return nil, fmt.Errorf("no option is focused: %w", ErrOption)
	}
	in := t.interaction(u, c, kind)
	in.typing = f.focused
	in.payload = marshal(t.event(in, commandData{
		ID: cmd.ID, Name: cmd.Name, Type: cmd.Type, GuildID: cmd.GuildID, Options: filled, Resolved: f.resolved,
	}, nil))
	return in, nil
}

// Press makes a user press a button that they see.
func (t *Twin) Press(ctx context.Context, u *User, m Message, customID string) (*Interaction, error) {
	return t.use(ctx, u, m, customID, func(c Component) error {
		if c.Type != TypeButton {
			return fmt.Errorf("not a button: %w", ErrNoComponent)
		}
		return nil
	}, nil)
}

// Choose makes a user choose values in a select that they see. For the
// selects of users, roles and channels the values are ids.
func (t *Twin) Choose(ctx context.Context, u *User, m Message, customID string, values ...string) (*Interaction, error) {
	return t.use(ctx, u, m, customID, func(c Component) error {
		if !c.isSelect() {
			return fmt.Errorf("not a select: %w", ErrNoComponent)
		}
		return canChoose(&c, values)
	}, values)
}

// canChoose checks chosen values against what a select offers.
func canChoose(c *Component, values []string) error {
	low, high := valueRange(c)
	if len(values) < low || len(values) > high {
		return fmt.Errorf("%d values where %d to %d can be chosen: %w", len(values), low, high, ErrNoComponent)
	}
	for i, v := range values {
		known := c.Type != TypeSelect || slices.ContainsFunc(c.Options, func(o SelectOption) bool { return o.Value == v })
		if !known || slices.Contains(values[:i], v) {
			return fmt.Errorf("value %q can't be chosen: %w", v, ErrNoComponent)
		}
	}
	return nil
}

// use sends a component interaction that check allows.
func (t *Twin) use(ctx context.Context, u *User, m Message, customID string, check func(Component) error, values []string) (*Interaction, error) {
	in, err := t.pressed(u, m.ID, customID, check, values)
	if err != nil {
		return nil, fmt.Errorf("%q on message %s: %w", customID, m.ID, err)
	}
	return in, t.send(ctx, in)
}

// pressed makes the interaction of a component, if a client would send it.
func (t *Twin) pressed(u *User, message, customID string, check func(Component) error, values []string) (*Interaction, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.byID[message]
	if r == nil || !r.seenBy(u) || r.Loading {
		return nil, ErrNoMessage
	}
	if err := t.mayAct(u, r.Channel); err != nil {
		return nil, err
	}
	c, ok := r.Component(customID)
	if !ok || c.Disabled {
		return nil, ErrNoComponent
	}
	if err := check(c); err != nil {
		return nil, err
	}
	return t.component(u, r.Channel, r, componentData{
		CustomID: customID, Type: c.Type, ID: c.ID, Values: values, Resolved: t.resolveValues(&c, values, r.Channel.GuildID),
	}), nil
}

// Forge sends a press without any check: on a button that isn't there or is
// disabled, on somebody else's private message, in another channel. A message
// that the Twin doesn't know is sent as an empty one with that id.
func (t *Twin) Forge(ctx context.Context, u *User, c *Channel, m Message, customID string) (*Interaction, error) {
	t.mu.Lock()
	r := t.byID[m.ID]
	if r == nil {
		r = &record{Message: Message{ID: m.ID, Channel: c, Created: t.cfg.Now()}}
	}
	in := t.component(u, c, r, componentData{CustomID: customID, Type: TypeButton})
	t.mu.Unlock()
	return in, t.send(ctx, in)
}

// component makes a component interaction. Call it with mu held.
func (t *Twin) component(u *User, c *Channel, r *record, data componentData) *Interaction {
	in := t.interaction(u, c, kindComponent)
	in.target = r
	m := t.wire(r)
	in.payload = marshal(t.event(in, data, &m))
	return in
}

// Submit makes the user for whom a modal was opened fill it in and send it.
// Values go by custom id; an input that isn't among them keeps what it shows.
func (t *Twin) Submit(ctx context.Context, m Modal, values map[string]string) (*Interaction, error) {
	if m.from == nil {
		return nil, fmt.Errorf("no modal was opened: %w", ErrInput)
	}
	rows, err := m.fill(values)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	in := t.interaction(m.from.User, m.from.Channel, kindModal)
	in.target = m.from.target
	var about *messageJSON
	if in.target != nil {
		j := t.wire(in.target)
		about = &j
	}
	in.payload = marshal(t.event(in, modalData{CustomID: m.CustomID, Components: rows}, about))
	t.mu.Unlock()
	return in, t.send(ctx, in)
}

// fill writes the values into the modal's rows.
func (m Modal) fill(values map[string]string) ([]rowData, error) {
	known := map[string]bool{}
	for _, in := range m.Inputs {
		known[in.CustomID] = true
	}
	for id := range values {
		if !known[id] {
			return nil, fmt.Errorf("the modal has no input %q: %w", id, ErrInput)
		}
	}
	var rows []rowData
	for i := range m.rows {
		row, err := fillRow(&m.rows[i], values)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// fillRow writes the values into a row or a label.
func fillRow(row *Component, values map[string]string) (rowData, error) {
	data := rowData{Type: row.Type, ID: row.ID}
	if row.Component != nil {
		in, err := fillInput(row.Component, values)
		data.Component = &in
		return data, err
	}
	for i := range row.Components {
		in, err := fillInput(&row.Components[i], values)
		if err != nil {
			return data, err
		}
		data.Components = append(data.Components, in)
	}
	return data, nil
}

func fillInput(c *Component, values map[string]string) (inputData, error) {
	v, ok := values[c.CustomID]
	if !ok {
		v = c.Value
	}
	return inputData{Type: c.Type, ID: c.ID, CustomID: c.CustomID, Value: v}, fits(c, v)
}

// fits checks a typed text against its input.
func fits(c *Component, v string) error {
	n, low, high := len([]rune(v)), 0, maxInputValue
	if c.MinLength != nil {
		low = *c.MinLength
	}
	if c.MaxLength != nil {
		high = *c.MaxLength
	}
	required := c.Required == nil || *c.Required
	if n == 0 && !required {
		return nil
	}
	if n < low || n > high || n == 0 {
		return fmt.Errorf("%q takes %d to %d characters, not %d: %w", c.CustomID, low, high, n, ErrInput)
	}
	return nil
}

// interaction makes an interaction and its token. Call it with mu held.
func (t *Twin) interaction(u *User, c *Channel, kind int) *Interaction {
	now := t.cfg.Now()
	in := &Interaction{
		ID: t.ids.next(now), Token: strings.ToLower(rand.Text() + rand.Text()), User: u, Channel: c,
		t: t, kind: kind, made: now, sent: now, done: make(chan struct{}),
	}
	if t.cfg.Queue {
		in.left = make(chan struct{})
	}
	t.interactions[in.Token] = in
	t.forget(in)
	return in
}

// forget drops the oldest interactions where Config.Keep asks for it. Call it
// with mu held.
func (t *Twin) forget(in *Interaction) {
	keep := t.cfg.Keep
	if keep <= 0 {
		return
	}
	t.recent = append(t.recent, in)
	if len(t.recent) < 2*keep {
		return
	}
	for _, old := range t.recent[:len(t.recent)-keep] {
		delete(t.interactions, old.Token)
	}
	t.recent = slices.Clone(t.recent[len(t.recent)-keep:])
}

// mayAct tells why somebody can't do anything in a channel, nil where they
// can. Call it with mu held.
func (t *Twin) mayAct(u *User, c *Channel) error {
	a := t.accounts[u.ID]
	switch {
	case a == nil || a.gone,
		c.GuildID != "" && a.joined.IsZero(),
		c.With != nil && c.With.ID != u.ID:
		return fmt.Errorf("%s in channel %s: %w", u.Name, c.ID, ErrNotThere)
	}
	return nil
}

// event is an interaction's data on the wire. Call it with mu held.
func (t *Twin) event(in *Interaction, data any, m *messageJSON) interactionJSON {
	const contextBotDM = 1
	j := interactionJSON{
		ID: in.ID, ApplicationID: t.cfg.ApplicationID, Type: in.kind, Token: in.Token, Version: 1, Data: data,
		ChannelID: in.Channel.ID, Channel: t.channelJSON(in.Channel), Message: m, Locale: "en-US",
		AppPermissions: allPermissions, Entitlements: []string{}, Owners: in.owners(), SizeLimit: maxFileBytes,
	}
	j.Channel.Permissions = allPermissions
	a := t.accounts[in.User.ID]
	who := a.json()
	if in.Channel.GuildID == "" {
		j.Context, j.User = contextBotDM, &who
		return j
	}
	member := a.member()
	member.User, member.Permissions = &who, allPermissions
	j.Member, j.GuildID, j.GuildLocale = &member, in.Channel.GuildID, "en-US"
	j.Guild = &partialGuild{ID: j.GuildID, Locale: "en-US", Features: []string{}}
	return j
}

// send delivers an interaction unless the context has ended.
func (t *Twin) send(ctx context.Context, in *Interaction) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.dispatch(in)
	return nil
}
