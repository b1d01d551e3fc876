package twin

import (
	"strings"
	"time"
	"unicode"
)

// permissions that everybody has, as Discord writes a bit set.
const allPermissions = "2251799813685247"

// Channel types, as Discord numbers them.
const (
	ChannelText   = 0
	ChannelDM     = 1
	ChannelThread = 11
)

// User is somebody with an account. It never changes; what can change (nick,
// membership) is kept by the Twin.
type User struct {
	ID       string
	Name     string // as given to Twin.User, and the global name at first
	Username string // made from Name: small letters, digits, dot and underscore
}

// Mention is the text that Discord sends for @user.
func (u *User) Mention() string { return "<@" + u.ID + ">" }

// Channel is a place to write in: a guild's text channel, a thread of one, or
// somebody's direct messages with the bot.
type Channel struct {
	ID      string
	Name    string
	Type    int
	GuildID string // empty for direct messages
	Parent  string // the channel of a thread
	With    *User  // in direct messages
}

// account is a user with what can change, guarded by Twin.mu.
type account struct {
	user     User
	id       string
	username string
	name     string
	nick     string
	bot      bool
	joined   time.Time // zero: no member of the guild
	gone     bool      // deleted: not even a user
}

// User returns the account of that name, made at first use as a member of the
// guild.
func (t *Twin) User(name string) *User {
	t.mu.Lock()
	defer t.mu.Unlock()
	if a := t.names[name]; a != nil {
		return &a.user
	}
	a := &account{id: named("user", name), username: username(name), name: name, joined: t.cfg.Now()}
	a.user = User{ID: a.id, Name: name, Username: a.username}
	t.names[name], t.accounts[a.id] = a, a
	return &a.user
}

// UserByID returns the account with that id, nil where there is none.
func (t *Twin) UserByID(id string) *User {
	t.mu.Lock()
	defer t.mu.Unlock()
	if a := t.accounts[id]; a != nil && !a.bot {
		return &a.user
	}
	return nil
}

// username writes name with the letters that Discord allows in a username.
func username(name string) string {
	clean := strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		case unicode.IsSpace(r):
			return '_'
		}
		return -1
	}, name)
	for len(clean) < 2 {
		clean += "_"
	}
	return clean[:min(len(clean), 32)]
}

// Nick gives somebody another name in the guild; an empty one takes it away.
func (t *Twin) Nick(u *User, nick string) {
	t.change(u, func(a *account) { a.nick = nick })
}

// Rename gives somebody another global name. Twin.User still finds the
// account under the old one.
func (t *Twin) Rename(u *User, name string) {
	t.change(u, func(a *account) { a.name = name })
}

// Leave takes somebody out of the guild: the member is unknown then, the user
// still known.
func (t *Twin) Leave(u *User) {
	t.change(u, func(a *account) { a.joined = time.Time{} })
}

// Join makes somebody who left a member again.
func (t *Twin) Join(u *User) {
	t.change(u, func(a *account) { a.joined = t.cfg.Now() })
}

// Delete ends an account: neither member nor user is known then.
func (t *Twin) Delete(u *User) {
	t.change(u, func(a *account) { a.joined, a.gone = time.Time{}, true })
}

func (t *Twin) change(u *User, f func(*account)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if a := t.accounts[u.ID]; a != nil {
		f(a)
	}
}

// Channel returns the guild's text channel of that name, made at first use.
func (t *Twin) Channel(name string) *Channel {
	return t.place("#"+name, Channel{Name: name, Type: ChannelText, GuildID: t.guild})
}

// Thread returns the thread of that name in a channel, made at first use.
func (t *Twin) Thread(parent *Channel, name string) *Channel {
	return t.place(parent.ID+"/"+name, Channel{Name: name, Type: ChannelThread, GuildID: t.guild, Parent: parent.ID})
}

// DM returns somebody's direct messages with the bot.
func (t *Twin) DM(u *User) *Channel {
	return t.place("@"+u.ID, Channel{Type: ChannelDM, With: u})
}

func (t *Twin) place(key string, c Channel) *Channel {
	t.mu.Lock()
	defer t.mu.Unlock()
	if old := t.places[key]; old != nil {
		return old
	}
	c.ID = named("place", key)
	t.places[key], t.channels[c.ID] = &c, &c
	return &c
}

// json is the account on the wire.
func (a *account) json() userJSON {
	u := userJSON{ID: a.id, Username: a.username, Discriminator: "0", Bot: a.bot}
	if !a.bot {
		name := a.name
		u.GlobalName = &name
	}
	return u
}

// member is the membership on the wire, without its user.
func (a *account) member() memberJSON {
	m := memberJSON{Roles: []string{}, JoinedAt: a.joined.UTC()}
	if a.nick != "" {
		nick := a.nick
		m.Nick = &nick
	}
	return m
}

// channelJSON writes a channel. Call it with mu held.
func (t *Twin) channelJSON(c *Channel) channelJSON {
	j := channelJSON{ID: c.ID, Type: c.Type, GuildID: c.GuildID, Name: c.Name}
	if c.Parent != "" {
		j.ParentID = &c.Parent
	}
	if c.With != nil {
		j.Recipients = []userJSON{t.accounts[c.With.ID].json()}
	}
	return j
}
