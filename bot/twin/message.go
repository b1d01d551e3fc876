package twin

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Message is what stands in a channel, as it was when it was asked for.
type Message struct {
	ID          string
	Channel     *Channel
	Author      string // the bot's name: nobody else writes messages here
	Content     string
	Embeds      []Embed
	Components  []Component // rows, with what stands in them
	Attachments []Attachment
	Private     bool  // only For sees it
	For         *User // whose action it answers; nil for a plain message
	Loading     bool  // deferred: "thinking…"
	Created     time.Time
	Edited      time.Time // zero where it never was
	Deleted     bool
	Pings       []string // mentions that notify: <@id>, <@&id>, @everyone, @here
	Interaction string   // id of the interaction that it answers
}

// Component finds a button or select by its custom id.
func (m Message) Component(customID string) (Component, bool) {
	return m.find(func(c Component) bool { return c.CustomID == customID })
}

// Labelled finds a button by its label.
func (m Message) Labelled(label string) (Component, bool) {
	return m.find(func(c Component) bool { return c.Type == TypeButton && c.Label == label })
}

func (m Message) find(ok func(Component) bool) (Component, bool) {
	for _, row := range m.Components {
		if i := slices.IndexFunc(row.Components, ok); i >= 0 {
			return row.Components[i], true
		}
	}
	return Component{}, false
}

// record is a message with what only the wire shows, guarded by Twin.mu.
// Slices in it are replaced, never changed, so that copies are safe.
type record struct {
	Message
	flags int
	tts   bool
	meta  *metadataJSON
	token string // of the interaction it answers
}

// seenBy tells whether a person sees the message; nil sees public ones.
func (r *record) seenBy(u *User) bool {
	return !r.Deleted && (!r.Private || u != nil && r.For != nil && r.For.ID == u.ID)
}

// Messages is what a person sees in a channel, oldest first: private messages
// only if they are for that person. A nil viewer sees the public ones.
func (t *Twin) Messages(c *Channel, viewer *User) []Message {
	return t.collect(c, func(r *record) bool { return r.seenBy(viewer) })
}

// History is every message that ever stood in a channel, private and deleted
// ones too, oldest first.
func (t *Twin) History(c *Channel) []Message {
	return t.collect(c, func(*record) bool { return true })
}

func (t *Twin) collect(c *Channel, ok func(*record) bool) []Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []Message
	for _, r := range t.messages[c.ID] {
		if ok(r) {
			list = append(list, r.Message)
		}
	}
	return list
}

// Message returns a message as it is now.
func (t *Twin) Message(id string) (Message, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.byID[id]
	if r == nil {
		return Message{}, false
	}
	return r.Message, true
}

// Await waits until a message in the channel that the viewer sees satisfies
// ok, and returns the newest such one.
func (t *Twin) Await(ctx context.Context, c *Channel, viewer *User, ok func(Message) bool) (Message, error) {
	var found Message
	err := t.await(ctx, func() bool {
		list := t.messages[c.ID]
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].seenBy(viewer) && ok(list[i].Message) {
				found = list[i].Message
				return true
			}
		}
		return false
	})
	return found, err
}

// post checks a draft and puts it into a channel as a new message. Call it
// with mu held.
func (t *Twin) post(c *Channel, d *draft, files []upload, p *path) (*record, error) {
	r := &record{Message: Message{ID: t.id(), Channel: c, Author: t.bot.name, Created: t.cfg.Now()}}
	r.flags = d.Flags &^ flagLoading
	r.Private = d.Flags&flagEphemeral != 0
	r.tts = d.TTS
	if err := t.write(r, d, files, p); err != nil {
		return nil, err
	}
	t.add(r)
	return r, nil
}

// add puts a message into its channel. Call it with mu held.
func (t *Twin) add(r *record) {
	list := t.messages[r.Channel.ID]
	list = append(list, r)
	if keep := t.cfg.Keep; keep > 0 && len(list) >= 2*keep {
		for _, old := range list[:len(list)-keep] {
			delete(t.byID, old.ID)
		}
		list = slices.Clone(list[len(list)-keep:])
	}
	t.messages[r.Channel.ID] = list
	t.byID[r.ID] = r
	t.touch()
}

// edit checks a draft and changes a message by what is set in it. Call it
// with mu held.
func (t *Twin) edit(r *record, d *draft, files []upload, p *path) error {
	if err := t.write(r, d, files, p); err != nil {
		return err
	}
	if r.Loading {
		r.Loading, r.flags = false, r.flags&^flagLoading
	} else {
		r.Edited = t.cfg.Now()
	}
	t.touch()
	return nil
}

// write puts a draft's set fields into a message, or leaves it as it was
// where the result would break a limit.
func (t *Twin) write(r *record, d *draft, files []upload, p *path) error {
	if err := invalidForm(checkMessage(d, p)); err != nil {
		return err
	}
	m := r.Message
	if d.Content.Set {
		m.Content = d.Content.Value
	}
	if d.Embeds.Set {
		m.Embeds = d.Embeds.Value
	}
	if d.Components.Set {
		m.Components = numbered(d.Components.Value)
	}
	if err := t.attach(&m, d, files, p); err != nil {
		return err
	}
	if isEmpty(&m) {
		return wrong(http.StatusBadRequest, codeEmptyMessage, "Cannot send an empty message")
	}
	for _, ping := range pings(d.Content.Value, d.Mentions) {
		if !slices.Contains(m.Pings, ping) {
			m.Pings = append(slices.Clip(m.Pings), ping)
		}
	}
	r.Message = m
	return nil
}

// isEmpty tells whether a message shows nothing at all.
func isEmpty(m *Message) bool {
	if strings.TrimSpace(m.Content) != "" || len(m.Components) > 0 || len(m.Attachments) > 0 {
		return false
	}
	return !slices.ContainsFunc(m.Embeds, func(e Embed) bool {
		return embedSize(&e) > 0 || e.Image != nil || e.Thumbnail != nil
	})
}

// numbered gives each component the number, and each select the bounds, that
// Discord would.
func numbered(rows []Component) []Component {
	n := 0
	next := func(c *Component) {
		if n++; c.ID == 0 {
			c.ID = n
		}
		if c.isSelect() {
			low, high := valueRange(c)
			c.MinValues, c.MaxValues = &low, &high
		}
	}
	for i := range rows {
		next(&rows[i])
		for j := range rows[i].Components {
			next(&rows[i].Components[j])
		}
	}
	return rows
}

// attach stores new files and keeps or drops old ones as an edit asks for.
func (t *Twin) attach(m *Message, d *draft, files []upload, p *path) error {
	if !d.Attachments.Set && len(files) == 0 {
		return nil
	}
	notes, kept := map[string]fileJSON{}, []Attachment(nil)
	for _, f := range d.Attachments.Value {
		notes[strings.Trim(string(f.ID), `"`)] = f
	}
	for _, a := range m.Attachments {
		if _, ok := notes[a.ID]; ok || !d.Attachments.Set {
			kept = append(kept, a)
			delete(notes, a.ID)
		}
	}
	var c checks
	c.files(p, kept, files, notes)
	if c.found != nil {
		if tooLarge(files) {
			return wrong(http.StatusRequestEntityTooLarge, codeTooLarge, "Request entity too large")
		}
		return invalidForm(c.found)
	}
	for _, f := range files {
		kept = append(kept, t.store(m, f, notes[f.field]))
	}
	m.Attachments = kept
	return nil
}

func tooLarge(files []upload) bool {
	return slices.ContainsFunc(files, func(f upload) bool { return len(f.data) > maxFileBytes })
}

// files checks the files themselves, and that each description has its file.
func (c *checks) files(p *path, kept []Attachment, files []upload, notes map[string]fileJSON) {
	at := p.key1("attachments")
	c.count(p, "attachments", len(kept)+len(files), 0, maxAttachments)
	for i, f := range files {
		here := at.at(i)
		c.between(&here, "filename", f.name, maxFilename)
		if len(f.data) > maxFileBytes {
			c.add(&here, "BASE_TYPE_MAX_SIZE", fmt.Sprintf("Must be %d or fewer bytes.", maxFileBytes))
		}
	}
	for id := range notes {
		if !slices.ContainsFunc(files, func(f upload) bool { return f.field == id }) {
			c.add(&at, "ATTACHMENT_NOT_FOUND", fmt.Sprintf("Attachment data for id %s not found", id))
		}
	}
}

// store keeps one file and returns how a message names it.
func (t *Twin) store(m *Message, f upload, note fileJSON) Attachment {
	a := Attachment{
		ID: t.id(), Filename: f.name, Description: note.Description,
		ContentType: f.kind, Size: len(f.data), Ephemeral: m.Private,
	}
	if note.Filename != "" {
		a.Filename = note.Filename
	}
	a.URL = t.url + "/attachments/" + m.Channel.ID + "/" + a.ID + "/" + url.PathEscape(a.Filename)
	a.ProxyURL = a.URL
	t.files[a.ID] = &file{name: a.Filename, kind: f.kind, data: f.data}
	return a
}

// File returns the bytes of an attachment.
func (t *Twin) File(a Attachment) ([]byte, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[a.ID]
	if f == nil {
		return nil, false
	}
	return f.data, true
}

// wire writes a message for the bot. Call it with mu held.
func (t *Twin) wire(r *record) messageJSON {
	j := messageJSON{
		ID: r.ID, ChannelID: r.Channel.ID, Content: r.Content, Author: t.bot.json(),
		Timestamp: r.Created.UTC(), TTS: r.tts, Pinned: false, Flags: r.flags,
		Attachments: orEmpty(r.Attachments), Embeds: wireEmbeds(r.Embeds), Components: orEmpty(r.Components),
		Mentions: []userJSON{}, MentionRoles: []string{}, Metadata: r.meta,
	}
	if !r.Edited.IsZero() {
		at := r.Edited.UTC()
		j.EditedTimestamp = &at
	}
	if r.meta != nil {
		j.Type, j.Application, j.Webhook = messageType(r.meta.Type), t.cfg.ApplicationID, t.cfg.ApplicationID
	}
	t.wireMentions(&j)
	return j
}

// messageType is the message's type by the interaction that it answers.
func messageType(kind int) int {
	const chatInputCommand, reply = 20, 19
	if kind == kindCommand {
		return chatInputCommand
	}
	return reply
}

// wireMentions fills in who is mentioned, pinged or not.
func (t *Twin) wireMentions(j *messageJSON) {
	if !strings.Contains(j.Content, "@") {
		return
	}
	seen := map[string]bool{}
	for _, m := range mentionPattern.FindAllStringSubmatch(j.Content, -1) {
		if seen[m[0]] {
			continue
		}
		seen[m[0]] = true
		if a := t.accounts[m[1]]; a != nil {
			j.Mentions = append(j.Mentions, a.json())
		}
		if m[2] != "" {
			j.MentionRoles = append(j.MentionRoles, m[2])
		}
	}
	j.MentionEveryone = slices.ContainsFunc(t.byID[j.ID].Pings, func(p string) bool { return p == "@everyone" || p == "@here" })
}

// wireEmbeds gives each embed its type.
func wireEmbeds(list []Embed) []Embed {
	out := make([]Embed, len(list))
	for i, e := range list {
		e.Type = "rich"
		out[i] = e
	}
	return out
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// marshal writes what can't fail to be written.
func marshal(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("twin: %v", err)) // our own types only
	}
	return data
}
