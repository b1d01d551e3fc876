package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
)

// wrap is an interaction with the given type and data, from a guild.
func wrap(kind, data string) string {
	return fmt.Sprintf(`{"id":"x","token":%q,"type":%s,"member":{"user":{"id":"9"}},"data":%s}`, interactionToken, kind, data)
}

// Nothing of the left column may reach a handler, or end the process.
func TestMalformedInteractions(t *testing.T) {
	t.Parallel()
	bad := map[string]string{
		"null":                   `null`,
		"a string":               `"x"`,
		"a list":                 `[]`,
		"empty":                  `{}`,
		"id a number":            `{"id":5,"token":"t","type":2}`,
		"no id":                  `{"token":"t","type":2,"user":{"id":"9"},"data":{"name":"deal"}}`,
		"no token":               `{"id":"x","type":2,"user":{"id":"9"},"data":{"name":"deal"}}`,
		"nobody":                 `{"id":"x","token":"t","type":2,"data":{"name":"deal"}}`,
		"a user without id":      `{"id":"x","token":"t","type":2,"user":{},"data":{"name":"deal"}}`,
		"a member without user":  `{"id":"x","token":"t","type":2,"member":{},"data":{"name":"deal"}}`,
		"a ping":                 wrap(`1`, `{}`),
		"a type of the future":   wrap(`99`, `{"name":"deal"}`),
		"a type too large":       wrap(`2000`, `{"name":"deal"}`),
		"a type in words":        wrap(`"2"`, `{"name":"deal"}`),
		"data null":              wrap(`2`, `null`),
		"data a list":            wrap(`2`, `[]`),
		"no name":                wrap(`2`, `{"options":[]}`),
		"no custom id":           wrap(`3`, `{"component_type":2}`),
		"a modal without id":     wrap(`5`, `{"components":[]}`),
		"a modal of new things":  wrap(`5`, `{"custom_id":"c","components":[{"type":999}]}`),
		"an option null":         wrap(`2`, `{"name":"deal","options":[null]}`),
		"a string of number":     wrap(`2`, `{"name":"deal","options":[{"name":"o","type":3,"value":5}]}`),
		"a number of string":     wrap(`2`, `{"name":"deal","options":[{"name":"o","type":4,"value":"5"}]}`),
		"a bool of string":       wrap(`2`, `{"name":"deal","options":[{"name":"o","type":5,"value":"true"}]}`),
		"a user of null":         wrap(`2`, `{"name":"deal","options":[{"name":"o","type":6,"value":null}]}`),
		"wrong further down":     wrap(`2`, `{"name":"deal","options":[{"name":"s","type":1,"options":[{"name":"o","type":3}]}]}`),
		"an option of no object": wrap(`2`, `{"name":"deal","options":["x"]}`),
	}
	good := map[string]string{
		"a command":             wrap(`2`, `{"name":"deal","options":[{"name":"s","type":1,"options":[{"name":"o","type":3,"value":"v"}]}]}`),
		"a press":               wrap(`3`, `{"custom_id":"c","component_type":2}`),
		"a modal":               wrap(`5`, `{"custom_id":"c","components":[]}`),
		"a number being typed":  wrap(`4`, `{"name":"deal","options":[{"name":"o","type":4,"value":"1","focused":true}]}`),
		"a press in a DM":       `{"id":"x","token":"t","type":3,"user":{"id":"9"},"data":{"custom_id":"c"}}`,
		"fields of the future":  `{"id":"x","token":"t","type":3,"user":{"id":"9"},"data":{"custom_id":"c","new":1},"newer":[2]}`,
		"a press on new things": `{"id":"x","token":"t","type":3,"user":{"id":"9"},"data":{"custom_id":"c"},"message":{"id":"m","components":[{"type":999}]}}`,
		"a field of new kind":   `{"id":"x","token":"t","type":2,"user":{"id":"9"},"data":{"name":"deal"},"entitlements":"none","context":"guild"}`,
	}
	d := newDiscord(t, func(p *peer) {
		p.ready(slow)
		for _, data := range bad {
			p.send(event(data))
		}
		for _, data := range good {
			p.send(event(data))
		}
		p.stay()
	}).serve()
	b := start(t, d)
	for range good {
		b.next()
	}
	eventually(t, "a warning for each", func() bool {
		return strings.Count(b.log.String(), "dropped an interaction") == len(bad)
	})
	select {
	case in := <-b.handled:
		t.Errorf("handled %+v as well", in)
	default:
	}
	if got := d.conns.Load(); got != 1 {
		t.Errorf("%d connections, want 1", got)
	}
}

// The store knows a repeated interaction again; here it is passed on.
func TestRepeatedInteractionsPass(t *testing.T) {
	t.Parallel()
	b := start(t, newDiscord(t, func(p *peer) {
		p.ready(slow)
		p.send(command("same"))
		p.send(command("same"))
		p.stay()
	}).serve())
	for range 2 {
		in := b.next()
		if in.ID != "same" || in.Type != discordgo.InteractionApplicationCommand || in.Token != interactionToken ||
			in.ApplicationCommandData().Options[0].StringValue() != "4S =" {
			t.Errorf("handled %+v, want the command as it was sent", in)
		}
	}
}
