package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"

	"github.com/bwmarrin/discordgo"
)

// dispatch starts the handler for an interaction as it came from the gateway.
func (c *Client) dispatch(raw []byte) {
	if !c.tasks.start(func(ctx context.Context) { c.handle(ctx, raw) }) {
		c.cfg.Logger.Warn("an interaction came too late, at the end of the program")
	}
}

// handle decodes an interaction and hands it over. A panic on the way is the end of this interaction only.
func (c *Client) handle(ctx context.Context, raw []byte) {
	in, err := parseInteraction(raw)
	if err != nil {
		c.cfg.Logger.Warn("dropped an interaction", "id", idOf(raw), "error", err)
		return
	}
	defer func() {
		if p := recover(); p != nil {
			c.cfg.Logger.Error("a handler panicked", "id", in.ID,
				"panic", scrub(fmt.Sprint(p), string(c.cfg.Token), in.Token),
				"stack", scrub(string(debug.Stack()), string(c.cfg.Token), in.Token))
		}
	}()
	c.cfg.Handle(ctx, in)
}

// What a handler may rely on; see Config.Handle.
var (
	errNoID      = errors.New("no id")
	errNoToken   = errors.New("no token")
	errNoUser    = errors.New("no user")
	errType      = errors.New("a type that is neither command, component, autocomplete nor modal")
	errNoData    = errors.New("no data")
	errOption    = errors.New("an option whose value isn't of its type")
	errUndecoded = errors.New("not of the form that Discord documents")
)

// parseInteraction decodes an interaction and makes sure of what handlers rely on. Its errors quote nothing of it.
func parseInteraction(raw []byte) (*discordgo.Interaction, error) {
	in, err := decode(raw)
	if err != nil {
		return nil, err
	}
	switch {
	case in.ID == "":
		return nil, errNoID
	case in.Token == "":
		return nil, errNoToken
	case !hasUser(in):
		return nil, errNoUser
	}
	return in, checkData(in)
}

// decode decodes all of an interaction, or what is needed: discordgo refuses the whole where, say, the message under a pressed
// button has a component that is newer than discordgo, or a field of another kind.
func decode(raw []byte) (*discordgo.Interaction, error) {
	var in *discordgo.Interaction
	if err := json.Unmarshal(raw, &in); err == nil && in != nil {
		return in, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return nil, errUndecoded
	}
	maps.DeleteFunc(fields, func(name string, _ json.RawMessage) bool { return !needed(name) })
	less, err := json.Marshal(fields)
	if err != nil {
		return nil, errUndecoded
	}
	in = nil
	if err := json.Unmarshal(less, &in); err != nil {
		return nil, errUndecoded
	}
	return in, nil
}

func needed(field string) bool {
	switch field {
	case "id", "application_id", "type", "data", "guild_id", "channel_id", "member", "user", "token", "locale", "guild_locale":
		return true
	}
	return false
}

// hasUser tells whether it is known who speaks: member in guilds, user elsewhere.
func hasUser(in *discordgo.Interaction) bool {
	user := in.User
	if in.Member != nil {
		user = in.Member.User
	}
	return user != nil && user.ID != ""
}

func checkData(in *discordgo.Interaction) error {
	switch data := in.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		if data.Name == "" {
			return errNoData
		}
		return checkOptions(data.Options)
	case discordgo.MessageComponentInteractionData:
		if data.CustomID == "" {
			return errNoData
		}
	case discordgo.ModalSubmitInteractionData:
		if data.CustomID == "" {
			return errNoData
		}
	default:
		return errType
	}
	return nil
}

// checkOptions makes sure that discordgo's getters, which panic, don't.
func checkOptions(options []*discordgo.ApplicationCommandInteractionDataOption) error {
	for _, o := range options {
		if o == nil || !fits(o) {
			return errOption
		}
		if err := checkOptions(o.Options); err != nil {
			return err
		}
	}
	return nil
}

func fits(o *discordgo.ApplicationCommandInteractionDataOption) (ok bool) {
	switch o.Type {
	case discordgo.ApplicationCommandOptionSubCommand, discordgo.ApplicationCommandOptionSubCommandGroup:
		return true
	case discordgo.ApplicationCommandOptionBoolean:
		_, ok = o.Value.(bool)
	case discordgo.ApplicationCommandOptionInteger, discordgo.ApplicationCommandOptionNumber:
		_, ok = o.Value.(float64)
		ok = ok || o.Focused // what is being typed comes as a string
	default:
		_, ok = o.Value.(string)
	}
	return ok
}

// idOf finds an interaction's id for the log, where the rest can't be read.
func idOf(raw []byte) string {
	var head struct{ ID any }
	_ = json.Unmarshal(raw, &head)
	id, _ := head.ID.(string)
	return id
}
