package twin

import (
	"net/http"
	"slices"
	"strconv"
)

// webhook returns the interaction that a token in the path belongs to, if it
// was answered and the token still lives. Call it with mu held.
func (c *call) webhook() (*Interaction, error) {
	in := c.t.interactions[c.r.PathValue("token")]
	if in == nil || !in.answered || c.r.PathValue("app") != c.t.cfg.ApplicationID {
		return nil, wrong(http.StatusNotFound, codeUnknownWebhook, "Unknown Webhook")
	}
	if c.t.cfg.Now().Sub(in.made) > c.t.cfg.TokenLives {
		return nil, wrong(http.StatusUnauthorized, codeWebhookToken, "Invalid Webhook Token")
	}
	return in, nil
}

// answerMessage finds the message that a webhook's path names. Call it with
// mu held.
func (c *call) answerMessage() (*record, error) {
	in, err := c.webhook()
	if err != nil {
		return nil, err
	}
	r := in.original
	if id := c.r.PathValue("mid"); id != "@original" {
		if r = c.t.byID[id]; r != nil && r.token != in.Token && r != in.original {
			r = nil
		}
	}
	if r == nil || r.Deleted {
		return nil, notFound(codeUnknownMessage, "Unknown Message")
	}
	return r, nil
}

// followUp posts a further message. The first one after a deferred answer
// fills that in, as Discord has it.
func (c *call) followUp() (any, error) {
	var d draft
	files, err := c.read(&d)
	if err != nil {
		return nil, err
	}
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	in, err := c.webhook()
	if err != nil {
		return nil, err
	}
	if r := in.original; r != nil && r.Loading && !r.Deleted {
		if err := c.t.edit(r, &d, files, nil); err != nil {
			return nil, err
		}
		return c.t.wire(r), nil
	}
	r, err := c.t.post(in.Channel, &d, files, nil)
	if err != nil {
		return nil, err
	}
	in.own(r)
	return c.t.wire(r), nil
}

func (c *call) readAnswer() (any, error) {
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	r, err := c.answerMessage()
	if err != nil {
		return nil, err
	}
	return c.t.wire(r), nil
}

func (c *call) editAnswer() (any, error)   { return c.editFound(c.answerMessage) }
func (c *call) deleteAnswer() (any, error) { return c.deleteFound(c.answerMessage) }

// editFound edits the message that find finds with mu held.
func (c *call) editFound(find func() (*record, error)) (any, error) {
	var d draft
	files, err := c.read(&d)
	if err != nil {
		return nil, err
	}
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	r, err := find()
	if err != nil {
		return nil, err
	}
	if err := c.t.edit(r, &d, files, nil); err != nil {
		return nil, err
	}
	return c.t.wire(r), nil
}

// deleteFound deletes the message that find finds with mu held.
func (c *call) deleteFound(find func() (*record, error)) (any, error) {
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	r, err := find()
	if err != nil {
		return nil, err
	}
	c.t.remove(r)
	return nil, nil
}

// remove deletes a message. Call it with mu held.
func (t *Twin) remove(r *record) {
	r.Deleted = true
	t.touch()
}

// place returns the channel that a path names. Call it with mu held.
func (c *call) place() (*Channel, error) {
	ch := c.t.channels[c.r.PathValue("channel")]
	if ch == nil {
		return nil, notFound(codeUnknownChannel, "Unknown Channel")
	}
	return ch, nil
}

// publicMessage returns the message that a path names. Private ones aren't
// known to the channel's own routes. Call it with mu held.
func (c *call) publicMessage() (*record, error) {
	ch, err := c.place()
	if err != nil {
		return nil, err
	}
	r := c.t.byID[c.r.PathValue("mid")]
	if r == nil || r.Channel != ch || r.Private || r.Deleted {
		return nil, notFound(codeUnknownMessage, "Unknown Message")
	}
	return r, nil
}

func (c *call) postMessage() (any, error) {
	var d draft
	files, err := c.read(&d)
	if err != nil {
		return nil, err
	}
	d.Flags &^= flagEphemeral // only answers can be private
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	ch, err := c.place()
	if err != nil {
		return nil, err
	}
	r, err := c.t.post(ch, &d, files, nil)
	if err != nil {
		return nil, err
	}
	return c.t.wire(r), nil
}

func (c *call) readMessage() (any, error) {
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	r, err := c.publicMessage()
	if err != nil {
		return nil, err
	}
	return c.t.wire(r), nil
}

// listMessages answers the newest messages, newest first: fifty, or as many as
// the query's limit says.
func (c *call) listMessages() (any, error) {
	limit := 50
	if n, err := strconv.Atoi(c.r.URL.Query().Get("limit")); err == nil {
		limit = n
	}
	if limit < 1 || limit > 100 {
		return nil, invalidForm([]problem{{"limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100."}})
	}
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	ch, err := c.place()
	if err != nil {
		return nil, err
	}
	list := []messageJSON{}
	for _, r := range slices.Backward(c.t.messages[ch.ID]) {
		if r.seenBy(nil) && len(list) < limit {
			list = append(list, c.t.wire(r))
		}
	}
	return list, nil
}

func (c *call) editMessage() (any, error) { return c.editFound(c.publicMessage) }

func (c *call) deleteMessage() (any, error) { return c.deleteFound(c.publicMessage) }
