package twin

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// This file has the routes about the application, its commands, the guild and
// its people.

func (c *call) gateway() (any, error) {
	return map[string]any{"url": c.t.gatewayURL()}, nil
}

func (c *call) gatewayBot() (any, error) {
	return map[string]any{
		"url": c.t.gatewayURL(), "shards": 1,
		"session_start_limit": map[string]any{
			"total": maxIdentifies, "remaining": max(0, maxIdentifies-c.t.Identifies()),
			"reset_after": int(24 * time.Hour / time.Millisecond), "max_concurrency": 1,
		},
	}, nil
}

// meJSON is the bot's own account.
type meJSON struct {
	userJSON
	MFA      bool   `json:"mfa_enabled"`
	Locale   string `json:"locale"`
	Verified bool   `json:"verified"`
}

func (c *call) me() (any, error) {
	return meJSON{userJSON: c.t.bot.json(), MFA: true, Locale: "en-US", Verified: true}, nil
}

func (c *call) application() (any, error) {
	return map[string]any{
		"id": c.t.cfg.ApplicationID, "name": c.t.bot.name, "description": "", "icon": nil, "type": nil,
		"bot": c.t.bot.json(), "owner": c.t.bot.json(), "bot_public": false, "bot_require_code_grant": false,
		"verify_key": strings.Repeat("0", 64), "flags": 0, "flags_new": "0", "redirect_uris": []string{}, "team": nil,
		"interactions_endpoint_url": nil, "role_connections_verification_url": nil,
		"approximate_guild_count": 1, "approximate_user_install_count": 0, "approximate_user_authorization_count": 0,
		"explicit_content_filter": 0, "eligible_oauth2_scopes": []string{},
	}, nil
}

func (c *call) user() (any, error) {
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	a := c.t.accounts[c.r.PathValue("id")]
	if a == nil || a.gone {
		return nil, notFound(codeUnknownUser, "Unknown User")
	}
	return a.json(), nil
}

func (c *call) member() (any, error) {
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	if c.r.PathValue("guild") != c.t.guild {
		return nil, notFound(codeUnknownGuild, "Unknown Guild")
	}
	a := c.t.accounts[c.r.PathValue("user")]
	switch {
	case a == nil || a.gone:
		return nil, notFound(codeUnknownUser, "Unknown User")
	case a.joined.IsZero() && !a.bot:
		return nil, notFound(codeUnknownMember, "Unknown Member")
	}
	m, u := a.member(), a.json()
	m.User = &u
	return m, nil
}

// guildJSON is the one guild.
func (t *Twin) guildJSON() map[string]any {
	everyone := map[string]any{
		"id": t.guild, "name": "@everyone", "permissions": allPermissions, "position": 0,
		"color": 0, "hoist": false, "managed": false, "mentionable": false, "flags": 0,
	}
	return map[string]any{
		"id": t.guild, "name": "Rubber bridge", "icon": nil, "owner_id": t.bot.id, "preferred_locale": "en-US",
		"roles": []any{everyone}, "emojis": []any{}, "features": []string{}, "premium_tier": 0,
		"verification_level": 0, "nsfw_level": 0, "afk_timeout": 300, "system_channel_flags": 0,
	}
}

func (c *call) readGuild() (any, error) {
	if c.r.PathValue("guild") != c.t.guild {
		return nil, notFound(codeUnknownGuild, "Unknown Guild")
	}
	return c.t.guildJSON(), nil
}

func (c *call) channel() (any, error) {
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	ch, err := c.place()
	if err != nil {
		return nil, err
	}
	return c.t.channelJSON(ch), nil
}

func (c *call) openDM() (any, error) {
	var body struct {
		Recipient string `json:"recipient_id"`
	}
	if _, err := c.read(&body); err != nil {
		return nil, err
	}
	u := c.t.UserByID(body.Recipient)
	if u == nil {
		return nil, notFound(codeUnknownUser, "Unknown User")
	}
	ch := c.t.DM(u)
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	return c.t.channelJSON(ch), nil
}

// scope is the guild of a command route, "" for the global list.
func (c *call) scope() (string, error) {
	guild := c.r.PathValue("guild")
	if c.r.PathValue("app") != c.t.cfg.ApplicationID {
		return "", &apiError{Status: http.StatusForbidden, Code: 20012, Message: "You are not authorized to perform this action on this application", Wrong: true}
	}
	if guild != "" && guild != c.t.guild {
		return "", &apiError{Status: http.StatusForbidden, Code: 50001, Message: "Missing Access", Wrong: true}
	}
	return guild, nil
}

func (c *call) listCommands() (any, error) {
	scope, err := c.scope()
	if err != nil {
		return nil, err
	}
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	list := slices.Clone(orEmpty(c.t.commands.scopes[scope]))
	if c.r.URL.Query().Get("with_localizations") != "true" {
		for i := range list {
			list[i].NameLocalizations, list[i].DescriptionLocalizations = nil, nil
		}
	}
	return list, nil
}

func (c *call) putCommands() (any, error) {
	scope, err := c.scope()
	if err != nil {
		return nil, err
	}
	var list []Command
	if _, err := c.read(&list); err != nil {
		return nil, err
	}
	if err := invalidForm(checkCommands(list)); err != nil {
		return nil, err
	}
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	for i := range list {
		if err := c.t.complete(scope, &list[i]); err != nil {
			return nil, err
		}
	}
	c.t.commands.scopes[scope] = list
	c.t.commands.puts++
	c.t.touch()
	return orEmpty(list), nil
}

func (c *call) addCommand() (any, error) {
	scope, err := c.scope()
	if err != nil {
		return nil, err
	}
	var cmd Command
	if _, err := c.read(&cmd); err != nil {
		return nil, err
	}
	if err := invalidForm(checkCommand(&cmd)); err != nil {
		return nil, err
	}
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	_, known := c.t.commands.old(scope, &cmd)
	if !known && cmd.kind() == CommandSlash && c.t.commands.count(scope) >= maxCommands {
		return nil, wrong(http.StatusBadRequest, 30032, fmt.Sprintf("Maximum number of application commands reached (%d).", maxCommands))
	}
	if err := c.t.complete(scope, &cmd); err != nil {
		return nil, err
	}
	c.t.commands.put(scope, cmd)
	c.t.touch()
	return cmd, nil
}

// complete fills in what Discord adds to a definition. A name that is there
// already keeps its id; a new one counts against the day's creations. Call it
// with mu held.
func (t *Twin) complete(scope string, cmd *Command) error {
	if old, ok := t.commands.old(scope, cmd); ok {
		cmd.ID = old.ID
	} else {
		day := scope + t.cfg.Now().UTC().Format(time.DateOnly)
		if t.commands.created[day] >= maxCommandCreates {
			return wrong(http.StatusTooManyRequests, codeTooManyCreates, "Max number of daily application command creates has been reached (200)")
		}
		t.commands.created[day]++
		cmd.ID = t.id()
	}
	cmd.ApplicationID, cmd.GuildID, cmd.Version, cmd.Type = t.cfg.ApplicationID, scope, t.id(), cmd.kind()
	if scope == "" && cmd.DMPermission == nil {
		yes := true
		cmd.DMPermission = &yes
	}
	if cmd.IntegrationTypes == nil {
		cmd.IntegrationTypes = []int{0}
	}
	return nil
}

// findCommand finds the command that a path names, in the list of its scope.
// Call it with mu held.
func (c *call) findCommand(scope string) (list []Command, i int, err error) {
	list = c.t.commands.scopes[scope]
	i = slices.IndexFunc(list, func(cmd Command) bool { return cmd.ID == c.r.PathValue("cid") })
	if i < 0 {
		return nil, 0, notFound(codeUnknownCommand, "Unknown application command")
	}
	return list, i, nil
}

func (c *call) readCommand() (any, error) {
	scope, err := c.scope()
	if err != nil {
		return nil, err
	}
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	list, i, err := c.findCommand(scope)
	if err != nil {
		return nil, err
	}
	return list[i], nil
}

func (c *call) deleteCommand() (any, error) {
	scope, err := c.scope()
	if err != nil {
		return nil, err
	}
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	list, i, err := c.findCommand(scope)
	if err != nil {
		return nil, err
	}
	c.t.commands.scopes[scope] = slices.Delete(slices.Clone(list), i, i+1)
	c.t.touch()
	return nil, nil
}

// Commands are the definitions that a client in the guild offers: the guild's
// own and the global ones, as they were registered.
func (t *Twin) Commands() []Command {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Concat(t.commands.scopes[""], t.commands.scopes[t.guild])
}

// CommandPuts counts the bulk overwrites that were accepted.
func (t *Twin) CommandPuts() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.commands.puts
}
