package twin

import (
	"bytes"
	"encoding/json"
	"time"
)

// This file has the shapes that travel as JSON and that a reader of the
// player's side sees too. They are written from Discord's OpenAPI file, not
// from any client library, so that the twin checks the client independently.

// Component types, as Discord numbers them.
const (
	TypeRow               = 1
	TypeButton            = 2
	TypeSelect            = 3
	TypeTextInput         = 4
	TypeUserSelect        = 5
	TypeRoleSelect        = 6
	TypeMentionableSelect = 7
	TypeChannelSelect     = 8
	TypeLabel             = 18
)

// Button styles that carry no custom id.
const (
	styleLink    = 5
	stylePremium = 6
)

// Message flags that the twin knows.
const (
	flagEphemeral    = 1 << 6
	flagLoading      = 1 << 7
	flagComponentsV2 = 1 << 15
)

// Embed is a message's embed, as sent.
type Embed struct {
	Type        string       `json:"type,omitempty"`
	Title       string       `json:"title,omitempty"`
	Description string       `json:"description,omitempty"`
	URL         string       `json:"url,omitempty"`
	Timestamp   string       `json:"timestamp,omitempty"`
	Color       int          `json:"color,omitempty"`
	Footer      *EmbedFooter `json:"footer,omitempty"`
	Image       *EmbedImage  `json:"image,omitempty"`
	Thumbnail   *EmbedImage  `json:"thumbnail,omitempty"`
	Author      *EmbedAuthor `json:"author,omitempty"`
	Fields      []EmbedField `json:"fields,omitempty"`
}

// EmbedFooter is the small line under an embed.
type EmbedFooter struct {
	Text    string `json:"text"`
	IconURL string `json:"icon_url,omitempty"`
}

// EmbedImage is a picture of an embed; attachment://NAME points at a file of
// the same message.
type EmbedImage struct {
	URL string `json:"url,omitempty"`
}

// EmbedAuthor is the small line above an embed's title.
type EmbedAuthor struct {
	Name    string `json:"name"`
	URL     string `json:"url,omitempty"`
	IconURL string `json:"icon_url,omitempty"`
}

// EmbedField is one name and value of an embed.
type EmbedField struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Inline bool   `json:"inline"`
}

// Component is a row of a message or of a modal, or what stands in a row: a
// button, a select or a text input. Type says which, and with it which fields
// have a meaning.
type Component struct {
	Type        int            `json:"type"`
	ID          int            `json:"id,omitempty"`
	Components  []Component    `json:"components,omitempty"` // of a row
	Component   *Component     `json:"component,omitempty"`  // of a label
	CustomID    string         `json:"custom_id,omitempty"`
	Style       int            `json:"style,omitempty"`
	Label       string         `json:"label,omitempty"`
	Description string         `json:"description,omitempty"`
	Emoji       *Emoji         `json:"emoji,omitempty"`
	URL         string         `json:"url,omitempty"`
	SKU         string         `json:"sku_id,omitempty"`
	Disabled    bool           `json:"disabled,omitempty"`
	Placeholder string         `json:"placeholder,omitempty"`
	MinValues   *int           `json:"min_values,omitempty"`
	MaxValues   *int           `json:"max_values,omitempty"`
	Options     []SelectOption `json:"options,omitempty"`
	MinLength   *int           `json:"min_length,omitempty"`
	MaxLength   *int           `json:"max_length,omitempty"`
	Required    *bool          `json:"required,omitempty"`
	Value       string         `json:"value,omitempty"`
}

// isSelect tells whether the component is a select of any kind.
func (c Component) isSelect() bool {
	switch c.Type {
	case TypeSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect, TypeChannelSelect:
		return true
	}
	return false
}

// SelectOption is one line of a string select.
type SelectOption struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Emoji       *Emoji `json:"emoji,omitempty"`
	Default     bool   `json:"default,omitempty"`
}

// Emoji stands on a button or a select's line: a character in Name, or a
// custom one with an ID.
type Emoji struct {
	ID       string `json:"id,omitempty"`
	Name     string `json:"name"`
	Animated bool   `json:"animated,omitempty"`
}

// Attachment is a file of a message. URL can be fetched from the twin.
type Attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"`
	ContentType string `json:"content_type,omitempty"`
	Size        int    `json:"size"`
	URL         string `json:"url"`
	ProxyURL    string `json:"proxy_url"`
	Ephemeral   bool   `json:"ephemeral,omitempty"`
}

// Choice is a value that an option offers, fixed or by autocomplete. Value is
// a string, an int64 or a float64.
type Choice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	Value             any               `json:"value"`
}

// UnmarshalJSON keeps whole numbers exact.
func (c *Choice) UnmarshalJSON(data []byte) error {
	type plain Choice
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode((*plain)(c)); err != nil {
		return err
	}
	n, ok := c.Value.(json.Number)
	if !ok {
		return nil
	}
	if i, err := n.Int64(); err == nil {
		c.Value = i
		return nil
	}
	f, err := n.Float64()
	c.Value = f
	return err
}

// userJSON is an account on the wire.
type userJSON struct {
	ID            string  `json:"id"`
	Username      string  `json:"username"`
	Discriminator string  `json:"discriminator"`
	GlobalName    *string `json:"global_name"`
	Avatar        *string `json:"avatar"`
	Bot           bool    `json:"bot,omitempty"`
	PublicFlags   int     `json:"public_flags"`
	Flags         int     `json:"flags"`
	PrimaryGuild  *string `json:"primary_guild"`
}

// memberJSON is an account's membership of the guild. User is left out in the
// resolved data of an interaction, Permissions everywhere else.
type memberJSON struct {
	User          *userJSON `json:"user,omitempty"`
	Nick          *string   `json:"nick"`
	Avatar        *string   `json:"avatar"`
	Banner        *string   `json:"banner"`
	Roles         []string  `json:"roles"`
	JoinedAt      time.Time `json:"joined_at"`
	PremiumSince  *string   `json:"premium_since"`
	TimedOutUntil *string   `json:"communication_disabled_until"`
	Flags         int       `json:"flags"`
	Deaf          bool      `json:"deaf"`
	Mute          bool      `json:"mute"`
	Pending       bool      `json:"pending"`
	Permissions   string    `json:"permissions,omitempty"`
}

// channelJSON is a channel on the wire.
type channelJSON struct {
	ID          string     `json:"id"`
	Type        int        `json:"type"`
	GuildID     string     `json:"guild_id,omitempty"`
	Name        string     `json:"name,omitempty"`
	ParentID    *string    `json:"parent_id,omitempty"`
	Position    int        `json:"position"`
	NSFW        bool       `json:"nsfw"`
	Flags       int        `json:"flags"`
	Permissions string     `json:"permissions,omitempty"`
	Recipients  []userJSON `json:"recipients,omitempty"`
}

// metadataJSON says which interaction a message answers.
type metadataJSON struct {
	ID      string            `json:"id"`
	Type    int               `json:"type"`
	User    userJSON          `json:"user"`
	Owners  map[string]string `json:"authorizing_integration_owners"`
	Message string            `json:"interacted_message_id,omitempty"`
}

// messageJSON is a message on the wire.
type messageJSON struct {
	ID              string        `json:"id"`
	ChannelID       string        `json:"channel_id"`
	Type            int           `json:"type"`
	Content         string        `json:"content"`
	Author          userJSON      `json:"author"`
	Timestamp       time.Time     `json:"timestamp"`
	EditedTimestamp *time.Time    `json:"edited_timestamp"`
	TTS             bool          `json:"tts"`
	MentionEveryone bool          `json:"mention_everyone"`
	Mentions        []userJSON    `json:"mentions"`
	MentionRoles    []string      `json:"mention_roles"`
	Attachments     []Attachment  `json:"attachments"`
	Embeds          []Embed       `json:"embeds"`
	Components      []Component   `json:"components"`
	Pinned          bool          `json:"pinned"`
	Flags           int           `json:"flags"`
	Application     string        `json:"application_id,omitempty"`
	Webhook         string        `json:"webhook_id,omitempty"`
	Metadata        *metadataJSON `json:"interaction_metadata,omitempty"`
}

// optional tells a field that is absent from one that is null or set, which
// decides what an edit changes.
type optional[T any] struct {
	Set   bool
	Value T
}

// UnmarshalJSON is called for null too, and then leaves the zero value.
func (o *optional[T]) UnmarshalJSON(data []byte) error {
	o.Set = true
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	return json.Unmarshal(data, &o.Value)
}

// mentionsJSON is allowed_mentions.
type mentionsJSON struct {
	Parse       []string `json:"parse"`
	Users       []string `json:"users"`
	Roles       []string `json:"roles"`
	RepliedUser bool     `json:"replied_user"`
}

// fileJSON is an entry of a request's attachments: a new file's description
// (ID is n of files[n]) or a file to keep in an edit (ID is the attachment's).
type fileJSON struct {
	ID          json.RawMessage `json:"id"`
	Filename    string          `json:"filename"`
	Description string          `json:"description"`
}

// draft is the body of every request that makes or edits a message, and of
// the data of a callback.
type draft struct {
	Content     optional[string]      `json:"content"`
	Embeds      optional[[]Embed]     `json:"embeds"`
	Components  optional[[]Component] `json:"components"`
	Attachments optional[[]fileJSON]  `json:"attachments"`
	Mentions    *mentionsJSON         `json:"allowed_mentions"`
	Flags       int                   `json:"flags"`
	TTS         bool                  `json:"tts"`

	// Only in the data of a callback.
	Choices  []*Choice `json:"choices"`
	CustomID string    `json:"custom_id"`
	Title    string    `json:"title"`
}

// callbackJSON is the body of an interaction callback.
type callbackJSON struct {
	Type int    `json:"type"`
	Data *draft `json:"data"`
}
