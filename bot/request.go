package bot

import (
	"cmp"
	"errors"
	"regexp"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/storage"
)

// Request is what somebody asked for, free of Discord's shapes.
type Request struct {
	ID      string // the interaction's
	Table   string // the channel's or thread's id
	Guild   string // "" in a direct message
	Who     storage.Person
	At      time.Time
	Command string            // "deal", "rubber start"; "" for a press
	Options map[string]string // by name; one that wasn't given is ""
	Press   string            // the custom id of the button pressed; "" for a command
	Words   *lang.Words
	names   map[string]string // of accounts, where Discord sent them along
}

// act is the request as the journal keeps it.
func (r *Request) act() storage.Act {
	return storage.Act{Interaction: r.ID, By: r.Who, At: r.At}
}

var errUndecodable = errors.New("an interaction that this bot doesn't know")

// decode makes a request of an interaction, which gateway has checked to have an id, a token and a user.
func (b *Bot) decode(in *discordgo.Interaction) (*Request, error) {
	user := userOf(in)
	r := &Request{
		ID: in.ID, Table: in.ChannelID, Guild: in.GuildID, At: b.now(), Words: b.words(),
		Who:     storage.Person{ID: user.ID, Name: nameOf(in.Member, user)},
		Options: map[string]string{}, names: map[string]string{},
	}
	r.names[r.Who.ID] = r.Who.Name
	switch data := in.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		r.Command = data.Name
		r.options(data.Options)
		r.resolved(data.Resolved)
	case discordgo.MessageComponentInteractionData:
		r.Press = data.CustomID
	default:
		return nil, errUndecodable
	}
	return r, nil
}

func userOf(in *discordgo.Interaction) *discordgo.User {
	if in.Member != nil && in.Member.User != nil {
		return in.Member.User
	}
	if in.User != nil {
		return in.User
	}
	return &discordgo.User{}
}

// nameOf is the name that a server shows: the nickname there, else the account's own.
func nameOf(m *discordgo.Member, u *discordgo.User) string {
	nick := ""
	if m != nil {
		nick = m.Nick
		if u == nil {
			u = m.User
		}
	}
	if u == nil {
		return nick
	}
	return cmp.Or(nick, u.GlobalName, u.Username)
}

// options reads the options, those of a subcommand included, whose name joins the command's.
func (r *Request) options(all []*discordgo.ApplicationCommandInteractionDataOption) {
	for _, o := range all {
		switch v := o.Value.(type) {
		case string:
			r.Options[o.Name] = v
		case nil:
			r.Command += " " + o.Name
			r.options(o.Options)
		}
	}
}

func (r *Request) resolved(data *discordgo.ApplicationCommandInteractionDataResolved) {
	if data == nil {
		return
	}
	for id, u := range data.Users {
		r.names[id] = nameOf(data.Members[id], u)
	}
}

// mention is a text that is one mention of an account and nothing else.
var mention = regexp.MustCompile(`^<@!?(\d{1,20})>$`)

// mentioned is the account that a text mentions; "" where it isn't a mention.
func mentioned(text string) string {
	if m := mention.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
