package twin

import (
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"
)

// checkMessage lists what is wrong with a message's draft at p.
func checkMessage(d *draft, p *path) []problem {
	var c checks
	c.atMost(p, "content", d.Content.Value, maxContent)
	c.embeds(p, d.Embeds.Value)
	c.components(p, d.Components.Value)
	c.mentions(p, d.Mentions)
	c.attachments(p, d.Attachments.Value)
	if d.Flags&flagComponentsV2 != 0 {
		c.addAt(p, "flags", "TWIN_UNSUPPORTED", "Components V2 aren't spoken here.")
	}
	return c.found
}

// embeds checks each embed and the sum over all of them.
func (c *checks) embeds(p *path, list []Embed) {
	c.count(p, "embeds", len(list), 0, maxEmbeds)
	here, sum := p.key1("embeds"), 0
	for i := range list {
		at := here.at(i)
		c.embed(&at, &list[i])
		sum += embedSize(&list[i])
	}
	if sum > maxEmbedSize {
		c.add(&here, "MAX_EMBED_SIZE_EXCEEDED", fmt.Sprintf("Embed size exceeds maximum size of %d", maxEmbedSize))
	}
}

// embedSize counts what goes into the sum of 6000.
func embedSize(e *Embed) int {
	n := utf8.RuneCountInString(e.Title) + utf8.RuneCountInString(e.Description)
	if e.Footer != nil {
		n += utf8.RuneCountInString(e.Footer.Text)
	}
	if e.Author != nil {
		n += utf8.RuneCountInString(e.Author.Name)
	}
	for i := range e.Fields {
		n += utf8.RuneCountInString(e.Fields[i].Name) + utf8.RuneCountInString(e.Fields[i].Value)
	}
	return n
}

func (c *checks) embed(p *path, e *Embed) {
	c.atMost(p, "title", e.Title, maxTitle)
	c.atMost(p, "description", e.Description, maxEmbedText)
	c.link(p, "url", e.URL, maxURL, false)
	c.within(p, "color", &e.Color, 0, maxColour)
	if e.Timestamp != "" {
		if _, err := time.Parse(time.RFC3339, e.Timestamp); err != nil {
			c.addAt(p, "timestamp", "DATE_TIME_TYPE_PARSE", "Could not parse "+e.Timestamp+". Should be ISO8601.")
		}
	}
	c.embedParts(p, e)
	c.count(p, "fields", len(e.Fields), 0, maxFields)
	fields := p.key1("fields")
	for i := range e.Fields {
		at := fields.at(i)
		c.between(&at, "name", e.Fields[i].Name, maxFieldName)
		c.between(&at, "value", e.Fields[i].Value, maxFieldValue)
	}
}

func (c *checks) embedParts(p *path, e *Embed) {
	if e.Footer != nil {
		at := p.key1("footer")
		c.between(&at, "text", e.Footer.Text, maxFooter)
		c.link(&at, "icon_url", e.Footer.IconURL, maxURL, true)
	}
	if e.Author != nil {
		at := p.key1("author")
		c.between(&at, "name", e.Author.Name, maxAuthor)
		c.link(&at, "url", e.Author.URL, maxURL, false)
		c.link(&at, "icon_url", e.Author.IconURL, maxURL, true)
	}
	if e.Image != nil {
		at := p.key1("image")
		c.link(&at, "url", e.Image.URL, maxURL, true)
	}
	if e.Thumbnail != nil {
		at := p.key1("thumbnail")
		c.link(&at, "url", e.Thumbnail.URL, maxURL, true)
	}
}

// components checks the rows of a message.
func (c *checks) components(p *path, rows []Component) {
	c.count(p, "components", len(rows), 0, maxRows)
	here, seen := p.key1("components"), seenIDs{}
	for i := range rows {
		at := here.at(i)
		if rows[i].Type != TypeRow {
			c.oneOf(&at, "type", "1")
			continue
		}
		c.row(&at, rows[i].Components, &seen)
	}
}

// seenIDs finds a custom id used twice. Messages have 25 at most, so a list is
// quicker than a map.
type seenIDs []string

func (s *seenIDs) repeats(id string) bool {
	for _, old := range *s {
		if old == id {
			return true
		}
	}
	*s = append(*s, id)
	return false
}

// row checks what stands in one row of a message: five buttons, or a select
// alone.
func (c *checks) row(p *path, list []Component, seen *seenIDs) {
	c.count(p, "components", len(list), 1, maxRowWidth)
	here := p.key1("components")
	for i := range list {
		at := here.at(i)
		switch {
		case list[i].Type == TypeButton:
			c.button(&at, &list[i], seen)
		case list[i].isSelect():
			if len(list) > 1 {
				c.add(&here, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "Message component layout exceeds max width")
			}
			c.selectMenu(&at, &list[i], seen)
		default:
			c.oneOf(&at, "type", "2, 3, 5, 6, 7, 8")
		}
	}
}

// customID checks length and uniqueness.
func (c *checks) customID(p *path, id string, seen *seenIDs) {
	c.between(p, "custom_id", id, maxCustomID)
	if id != "" && seen.repeats(id) {
		c.addAt(p, "custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
	}
}

func (c *checks) button(p *path, b *Component, seen *seenIDs) {
	c.atMost(p, "label", b.Label, maxLabel)
	if b.Label == "" && b.Emoji == nil && b.Style != stylePremium {
		c.add(p, "BUTTON_COMPONENT_INVALID_LABEL", "A label or an emoji is required")
	}
	switch {
	case b.Style == styleLink:
		c.linkButton(p, b)
	case b.Style == stylePremium:
		if b.SKU == "" {
			c.required(p, "sku_id")
		}
	case b.Style < 1 || b.Style > stylePremium:
		c.oneOf(p, "style", "1, 2, 3, 4, 5, 6")
	default:
		c.customID(p, b.CustomID, seen)
		if b.URL != "" {
			c.addAt(p, "url", "BUTTON_COMPONENT_URL_FORBIDDEN", "A url can't stand with a custom id")
		}
	}
}

func (c *checks) linkButton(p *path, b *Component) {
	if b.URL == "" {
		c.required(p, "url")
	}
	c.link(p, "url", b.URL, maxButtonURL, false)
	if b.CustomID != "" {
		c.addAt(p, "custom_id", "BUTTON_COMPONENT_CUSTOM_ID_FORBIDDEN", "A custom id can't stand with a url")
	}
}

func (c *checks) selectMenu(p *path, s *Component, seen *seenIDs) {
	c.customID(p, s.CustomID, seen)
	c.atMost(p, "placeholder", s.Placeholder, maxPlaceholder)
	c.within(p, "min_values", s.MinValues, 0, maxSelectOptions)
	c.within(p, "max_values", s.MaxValues, 1, maxSelectOptions)
	low, high := valueRange(s)
	if low > high {
		c.addAt(p, "min_values", "SELECT_COMPONENT_VALUES_RANGE", "min_values can't be over max_values")
	}
	if s.Type != TypeSelect {
		return
	}
	c.count(p, "options", len(s.Options), 1, maxSelectOptions)
	if high > len(s.Options) && high <= maxSelectOptions && s.MaxValues != nil {
		c.addAt(p, "max_values", "SELECT_COMPONENT_VALUES_RANGE", "max_values can't be over the number of options")
	}
	c.selectOptions(p, s.Options, high)
}

// valueRange returns how many values a select takes.
func valueRange(s *Component) (low, high int) {
	low, high = 1, 1
	if s.MinValues != nil {
		low = *s.MinValues
	}
	if s.MaxValues != nil {
		high = *s.MaxValues
	}
	return low, high
}

func (c *checks) selectOptions(p *path, list []SelectOption, high int) {
	here, seen, defaults := p.key1("options"), seenIDs{}, 0
	for i := range list {
		at := here.at(i)
		c.between(&at, "label", list[i].Label, maxSelectText)
		c.between(&at, "value", list[i].Value, maxSelectText)
		c.atMost(&at, "description", list[i].Description, maxSelectText)
		if list[i].Value != "" && seen.repeats(list[i].Value) {
			c.addAt(&at, "value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
		}
		if list[i].Default {
			defaults++
		}
	}
	if defaults > high {
		c.add(&here, "SELECT_COMPONENT_TOO_MANY_DEFAULTS", "More defaults than max_values")
	}
}

// checkModal lists what is wrong with a modal.
func checkModal(d *draft, p *path) []problem {
	var c checks
	c.between(p, "title", d.Title, maxModalTitle)
	c.between(p, "custom_id", d.CustomID, maxCustomID)
	rows := d.Components.Value
	c.count(p, "components", len(rows), 1, maxInputs)
	here, seen := p.key1("components"), seenIDs{}
	for i := range rows {
		at := here.at(i)
		c.modalRow(&at, &rows[i], &seen)
	}
	return c.found
}

// modalRow checks a row with one input, or a label around one.
func (c *checks) modalRow(p *path, row *Component, seen *seenIDs) {
	switch row.Type {
	case TypeRow:
		c.count(p, "components", len(row.Components), 1, 1)
		here := p.key1("components")
		for i := range row.Components {
			at := here.at(i)
			c.between(&at, "label", row.Components[i].Label, maxInputLabel)
			c.input(&at, &row.Components[i], seen)
		}
	case TypeLabel:
		c.between(p, "label", row.Label, maxInputLabel)
		c.atMost(p, "description", row.Description, maxDescription)
		if row.Component == nil {
			c.required(p, "component")
			return
		}
		at := p.key1("component")
		c.input(&at, row.Component, seen)
	default:
		c.oneOf(p, "type", "1, 18")
	}
}

func (c *checks) input(p *path, in *Component, seen *seenIDs) {
	if in.Type != TypeTextInput {
		c.oneOf(p, "type", "4")
		return
	}
	c.customID(p, in.CustomID, seen)
	c.atMost(p, "value", in.Value, maxInputValue)
	c.atMost(p, "placeholder", in.Placeholder, maxInputHint)
	c.within(p, "min_length", in.MinLength, 0, maxInputValue)
	c.within(p, "max_length", in.MaxLength, 1, maxInputValue)
	if in.Style != 1 && in.Style != 2 {
		c.oneOf(p, "style", "1, 2")
	}
}

// checkChoices lists what is wrong with an autocomplete answer.
func checkChoices(list []*Choice, p *path, optionType int) []problem {
	var c checks
	c.count(p, "choices", len(list), 0, maxChoices)
	here := p.key1("choices")
	for i, choice := range list {
		at := here.at(i)
		if choice == nil {
			c.add(&at, "BASE_TYPE_REQUIRED", "This field is required")
			continue
		}
		c.choice(&at, choice, optionType)
	}
	return c.found
}

// mentions checks allowed_mentions.
func (c *checks) mentions(p *path, m *mentionsJSON) {
	if m == nil {
		return
	}
	at := p.key1("allowed_mentions")
	c.count(&at, "users", len(m.Users), 0, maxMentionList)
	c.count(&at, "roles", len(m.Roles), 0, maxMentionList)
	parse := at.key1("parse")
	for i, kind := range m.Parse {
		switch {
		case kind != "users" && kind != "roles" && kind != "everyone":
			c.oneOf(&parse, strconv.Itoa(i), "'everyone', 'roles', 'users'")
		case kind == "users" && len(m.Users) > 0, kind == "roles" && len(m.Roles) > 0:
			c.add(&at, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", `parse:["`+kind+`"] and `+kind+`: [ids...] are mutually exclusive.`)
		}
	}
}

// attachments checks the descriptions of files, not the files.
func (c *checks) attachments(p *path, list []fileJSON) {
	c.count(p, "attachments", len(list), 0, maxAttachments)
	here := p.key1("attachments")
	for i := range list {
		at := here.at(i)
		if len(list[i].ID) == 0 {
			c.required(&at, "id")
		}
		c.atMost(&at, "filename", list[i].Filename, maxFilename)
		c.atMost(&at, "description", list[i].Description, maxFileText)
	}
}
