package twin_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// openAPI is Discord's own description. It isn't part of the project; where it
// is absent these tests are skipped.
const openAPI = "../../../shared/discord/openapi.json"

type schemas struct {
	compiler *jsonschema.Compiler
}

func official(t *testing.T) *schemas {
	t.Helper()
	f, err := os.Open(openAPI)
	if err != nil {
		t.Skip("no ", openAPI)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("discord.json", doc); err != nil {
		t.Fatal(err)
	}
	return &schemas{c}
}

// refuses returns what a schema has against a value, nil where it is content.
func (s *schemas) refuses(t *testing.T, pointer string, value []byte) error {
	t.Helper()
	schema, err := s.compiler.Compile("discord.json#" + pointer)
	if err != nil {
		t.Fatalf("%s: %v", pointer, err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(value)))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(v)
}

// raw is rig.ask with the answer's bytes.
func (r *rig) raw(method, path string, body any) []byte {
	r.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		r.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx(r.t), method, r.tw.URL()+"/api/v10"+path, strings.NewReader(string(data)))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+r.tw.Token())
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		r.t.Fatalf("%s %s: %s %s %v", method, path, resp.Status, text, err)
	}
	return text
}

// TestAnswersAreOfficial holds what the twin answers against Discord's own
// description of it.
func TestAnswersAreOfficial(t *testing.T) {
	api := official(t)
	r := newRig(t)
	r.register()
	nello, table := r.tw.User("Nello"), r.tw.Channel("table")
	in := r.interact(false)
	rich := obj{
		"content": "hello " + nello.Mention(),
		"embeds":  list{obj{"title": "t", "description": "d", "footer": obj{"text": "f"}, "author": obj{"name": "a"}, "fields": list{field("n", "v")}, "image": obj{"url": "https://x.org/a.png"}}},
		"components": list{
			row(button("b"), linkTo(20), with(button("e"), obj{"emoji": obj{"name": "♠"}, "disabled": true})),
			row(with(selectMenu(2), obj{"min_values": 1, "max_values": 2, "placeholder": "p"})),
		},
	}
	callback := r.raw("POST", "/interactions/"+in.ID+"/"+in.Token+"/callback?with_response=true", obj{"type": 4, "data": rich})
	app, hook := "/applications/"+r.tw.ApplicationID(), "/webhooks/"+r.tw.ApplicationID()+"/"+in.Token
	for _, row := range []struct {
		schema string
		answer []byte
	}{
		{"InteractionCallbackResponse", callback},
		{"MessageResponse", r.raw("POST", "/channels/"+table.ID+"/messages", rich)},
		{"MessageResponse", r.raw("GET", hook+"/messages/@original", nil)},
		{"MessageResponse", r.raw("POST", hook, rich)},
		{"ApplicationCommandResponse", r.raw("POST", app+"/commands", oneOption(obj{"name": "p", "choices": choices(2), "required": true})[0])},
		{"GuildMemberResponse", r.raw("GET", "/guilds/"+r.tw.GuildID()+"/members/"+nello.ID, nil)},
		{"UserResponse", r.raw("GET", "/users/"+nello.ID, nil)},
		{"UserPIIResponse", r.raw("GET", "/users/@me", nil)},
		{"PrivateApplicationResponse", r.raw("GET", "/applications/@me", nil)},
		{"GatewayBotResponse", r.raw("GET", "/gateway/bot", nil)},
		{"GatewayResponse", r.raw("GET", "/gateway", nil)},
		{"PrivateChannelResponse", r.raw("POST", "/users/@me/channels", obj{"recipient_id": nello.ID})},
	} {
		if err := api.refuses(t, "/components/schemas/"+row.schema, row.answer); err != nil {
			t.Errorf("%s: %v\n%s", row.schema, err, row.answer)
		}
	}
	none(t, r.tw)
}

// TestChecksAreNoLaxer: whatever Discord's description refuses in the tables
// of limits_test.go, the twin refuses too, and what passes here passes there.
func TestChecksAreNoLaxer(t *testing.T) {
	api := official(t)
	const request = "/requestBody/content/application~1json/schema"
	for _, set := range []struct {
		pointer string
		table   []limit
	}{
		{"/paths/~1channels~1%7Bchannel_id%7D~1messages/post" + request, messageLimits},
		{"/components/schemas/ModalInteractionCallbackRequestData", modalLimits},
		{"/paths/~1applications~1%7Bapplication_id%7D~1commands/put" + request, commandLimits},
	} {
		for _, row := range set.table {
			if row.at == nil || row.what == "permissions" { // a string there is wrongly refused by the file
				continue
			}
			data, err := json.Marshal(row.at)
			if err != nil {
				t.Fatal(err)
			}
			if err := api.refuses(t, set.pointer, data); err != nil {
				t.Errorf("%s: passes here, but not by Discord's file: %v", row.what, err)
			}
		}
	}
}

// TestCommandsAreOfficial checks the type that the player's side gives out.
func TestCommandsAreOfficial(t *testing.T) {
	api := official(t)
	tw := start(t, twin.Config{})
	register(t, tw, client(t, tw))
	for _, c := range tw.Commands() {
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := api.refuses(t, "/components/schemas/ApplicationCommandResponse", data); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}
