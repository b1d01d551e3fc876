package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"github.com/rubberbot/rubberbot/bot/gateway"
)

// sender is a client that doesn't run, for requests alone.
func sender(t *testing.T, d *discord) *gateway.Client {
	t.Helper()
	c, err := gateway.New(gateway.Config{
		Token: token, URL: d.URL, Handle: func(context.Context, *discordgo.Interaction) {},
		Timing: gateway.Timing{Answer: time.Second, Attempt: 200 * time.Millisecond, Request: time.Second, Retry: time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var (
	interaction = &discordgo.Interaction{ID: "1", Token: interactionToken}
	hello       = &discordgo.InteractionResponse{
		Type: discordgo.InteractionResponseChannelMessageWithSource,
		Data: &discordgo.InteractionResponseData{Content: "hello"},
	}
)

// An answer of a server that is asked to be Discord: what one request gets.
func answer(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		if status != http.StatusNoContent {
			io.WriteString(w, body)
		}
	}
}

func TestRespond(t *testing.T) {
	t.Parallel()
	var (
		ok       = answer(204, "")
		answered = answer(400, `{"message":"Interaction has already been acknowledged.","code":40060}`)
		late     = answer(404, `{"message":"Unknown interaction","code":10062}`)
		broken   = func(w http.ResponseWriter, _ *http.Request) { cut(w) }
		silent   = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
		limited  = answer(429, `{"message":"You are being rate limited.","retry_after":0.05,"global":false}`)
		html     = answer(429, "<html>error 1015</html>", "Retry-After", "0.05")
	)
	tests := []struct {
		name    string
		answers []http.HandlerFunc // the last one is repeated
		want    error              // nil, or one of the sentinels
		posts   int32              // 0: any number
	}{
		{"at once", []http.HandlerFunc{ok}, nil, 1},
		{"500 first", []http.HandlerFunc{answer(500, "oops"), ok}, nil, 2},
		{"502 and 503 first", []http.HandlerFunc{answer(502, ""), answer(503, "{}"), ok}, nil, 3},
		{"cut first", []http.HandlerFunc{broken, ok}, nil, 2},
		{"silent first", []http.HandlerFunc{silent, ok}, nil, 2},
		{"it got through, but the connection was cut", []http.HandlerFunc{broken, answered}, nil, 2},
		{"it got through, but Discord stumbled", []http.HandlerFunc{answer(500, ""), answered}, nil, 2},
		{"it got through, but the answer came too late", []http.HandlerFunc{silent, answered}, nil, 2},
		{"answered before", []http.HandlerFunc{answered}, gateway.ErrAnswered, 1},
		{"answered by somebody while we were held off", []http.HandlerFunc{limited, answered}, gateway.ErrAnswered, 2},
		{"too late", []http.HandlerFunc{late}, gateway.ErrTooLate, 1},
		{"too late at the second attempt", []http.HandlerFunc{broken, late}, gateway.ErrTooLate, 2},
		{"limited first", []http.HandlerFunc{limited, ok}, nil, 2},
		{"limited in HTML first", []http.HandlerFunc{html, ok}, nil, 2},
		{"limited for longer than there is", []http.HandlerFunc{answer(429, "<html>", "Retry-After", "60")}, gateway.ErrRateLimited, 1},
		{"limited for ever", []http.HandlerFunc{answer(429, `{"retry_after":1e300}`)}, gateway.ErrRateLimited, 1},
		{"limited for less than nothing", []http.HandlerFunc{answer(429, "", "Retry-After", "-5"), ok}, nil, 2},
		{"forbidden", []http.HandlerFunc{answer(403, `{"code":50001,"message":"Missing Access"}`)}, gateway.ErrForbidden, 1},
		{"unauthorized", []http.HandlerFunc{answer(401, ``)}, gateway.ErrUnauthorized, 1},
		{"a redirect isn't followed", []http.HandlerFunc{answer(307, "", "Location", "/elsewhere")}, errAny, 1},
		{"cut always", []http.HandlerFunc{broken}, errAny, 0},
		{"silent always", []http.HandlerFunc{silent}, context.DeadlineExceeded, 0},
		{"500 always, quoting the token", []http.HandlerFunc{answer(500, `{"message":"Cannot POST /`+interactionToken+`","errors":{"`+token+`":1}}`)}, errAny, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDiscord(t, nil)
			d.callback = func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body) // or the server wouldn't notice that the client went away
				tt.answers[min(int(d.posts.Load()), len(tt.answers))-1](w, r)
			}
			begin := time.Now()
			err := sender(t, d.serve()).Respond(t.Context(), interaction, hello)
			if tt.want == errAny && err == nil || tt.want != errAny && !errors.Is(err, tt.want) {
				t.Errorf("Respond = %v, want %v", err, tt.want)
			}
			if got := d.posts.Load(); tt.posts != 0 && got != tt.posts {
				t.Errorf("%d requests, want %d", got, tt.posts)
			}
			if err != nil && strings.Contains(err.Error(), "secret-token") {
				t.Errorf("the error holds a token: %v", err)
			}
			if took := time.Since(begin); took > 1500*time.Millisecond {
				t.Errorf("took %v, want no more than Timing.Answer", took)
			}
		})
	}
}

// errAny stands for any error but nil.
var errAny = errors.New("any")

// The 3 seconds belong to whoever waits; a context that ends earlier counts.
func TestRespondEndsWithItsContext(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, nil)
	d.callback = answer(500, "")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if err := sender(t, d.serve()).Respond(ctx, interaction, hello); err == nil || time.Since(begin) > 500*time.Millisecond {
		t.Errorf("Respond = %v after %v, want an error after 50 ms", err, time.Since(begin))
	}
}

func TestRespondBodies(t *testing.T) {
	t.Parallel()
	type o = map[string]any
	tests := []struct {
		name string
		resp discordgo.InteractionResponse
		want o
	}{
		{
			"no choices are an empty list",
			discordgo.InteractionResponse{Type: 8, Data: &discordgo.InteractionResponseData{}},
			o{"type": 8.0, "data": o{"choices": []any{}}},
		},
		{
			"choices",
			discordgo.InteractionResponse{Type: 8, Data: &discordgo.InteractionResponseData{
				Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "a", Value: "b"}},
			}},
			o{"type": 8.0, "data": o{"choices": []any{o{"name": "a", "value": "b"}}}},
		},
		{
			"a modal is no message",
			discordgo.InteractionResponse{Type: 9, Data: &discordgo.InteractionResponseData{
				CustomID: "c", Title: "t",
				Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{}}},
			}},
			o{"type": 9.0, "data": o{"custom_id": "c", "title": "t", "components": []any{o{"type": 1.0, "components": []any{}}}}},
		},
		{"no data", discordgo.InteractionResponse{Type: 6}, o{"type": 6.0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got o
			d := newDiscord(t, nil)
			d.callback = func(w http.ResponseWriter, r *http.Request) {
				json.NewDecoder(r.Body).Decode(&got)
				w.WriteHeader(204)
			}
			if err := sender(t, d.serve()).Respond(t.Context(), interaction, &tt.resp); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

// Files go out as a form, and go out again when the first attempt fails.
func TestRespondWithFiles(t *testing.T) {
	t.Parallel()
	var payload, file string
	d := newDiscord(t, nil)
	d.callback = func(w http.ResponseWriter, r *http.Request) {
		if d.posts.Load() == 1 {
			cut(w)
			return
		}
		payload = r.FormValue("payload_json")
		if f, _, err := r.FormFile("files[0]"); err == nil {
			data, _ := io.ReadAll(f)
			file = string(data)
		}
		w.WriteHeader(204)
	}
	resp := &discordgo.InteractionResponse{Type: 4, Data: &discordgo.InteractionResponseData{
		Content: "see", Files: []*discordgo.File{{Name: "sheet.png", Reader: strings.NewReader("pixels")}},
	}}
	if err := sender(t, d.serve()).Respond(t.Context(), interaction, resp); err != nil {
		t.Fatal(err)
	}
	if file != "pixels" || !strings.Contains(payload, `"content":"see"`) {
		t.Errorf("file %q with payload %s, want pixels and the content", file, payload)
	}
}

// discordgo keeps about 490 bytes for each interaction it answers.
func TestRespondKeepsNothing(t *testing.T) {
	d := newDiscord(t, nil).serve()
	c := sender(t, d)
	respond := func(n int) {
		for i := range n {
			in := &discordgo.Interaction{ID: "1", Token: interactionToken + string(rune('a'+i%26)) + time.Now().String()}
			if err := c.Respond(t.Context(), in, hello); err != nil {
				t.Fatal(err)
			}
		}
	}
	const n = 3000
	respond(300)
	before := heap()
	respond(n)
	if grown := heap() - before; grown > n*100 {
		t.Errorf("%d bytes kept for each of %d answers, want none", grown/n, n)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestCommands(t *testing.T) {
	t.Parallel()
	var put, query string
	d := newDiscord(t, (*peer).healthy)
	mux := d.Config.Handler.(*http.ServeMux)
	mux.HandleFunc("GET /api/v10/applications/43/commands", func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		io.WriteString(w, `[{"id":"5","name":"deal","description":"d"}]`)
	})
	mux.HandleFunc("PUT /api/v10/applications/43/commands", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if put = string(body); strings.Contains(put, "Deal") {
			answer(400, `{"code":50035,"message":"Invalid Form Body","errors":{"0":{"name":{}}}}`)(w, r)
			return
		}
		io.WriteString(w, `[]`)
	})
	d.serve()
	b := start(t, d)
	got, err := b.Commands(t.Context())
	if err != nil || len(got) != 1 || got[0].Name != "deal" || query != "with_localizations=true" {
		t.Errorf("Commands = %v, %v with query %q, want deal with its localizations", got, err, query)
	}
	if err := b.OverwriteCommands(t.Context(), nil); err != nil || put != "[]" {
		t.Errorf("OverwriteCommands(nil) = %v, sent %s, want []", err, put)
	}
	err = b.OverwriteCommands(t.Context(), []*discordgo.ApplicationCommand{{Name: "Deal"}})
	e, ok := errors.AsType[*gateway.APIError](err)
	if !ok || e.Status != 400 || e.Code != 50035 || e.Details != `{"0":{"name":{}}}` {
		t.Errorf("OverwriteCommands = %v, want a refusal with its details", err)
	}
}

// Before READY nobody knows the application.
func TestCommandsWait(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	c := sender(t, newDiscord(t, nil).serve())
	if _, err := c.Commands(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Commands = %v, want the context's error", err)
	}
	if err := c.OverwriteCommands(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("OverwriteCommands = %v, want the context's error", err)
	}
}

func TestMember(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, nil)
	mux := d.Config.Handler.(*http.ServeMux)
	mux.HandleFunc("GET /api/v10/guilds/7/members/9", answer(200, `{"nick":"Nello","user":{"id":"9","username":"n"}}`))
	mux.HandleFunc("GET /api/v10/guilds/7/members/10", answer(404, `{"code":10007,"message":"Unknown Member"}`))
	mux.HandleFunc("GET /api/v10/guilds/7/members/11", answer(200, `<html>`))
	mux.HandleFunc("GET /api/v10/guilds/7/members/12", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	c := sender(t, d.serve())
	if m, err := c.Member(t.Context(), "7", "9"); err != nil || m.Nick != "Nello" || m.User.ID != "9" {
		t.Errorf("Member(9) = %v, %v, want Nello", m, err)
	}
	if _, err := c.Member(t.Context(), "7", "10"); !errors.Is(err, gateway.ErrNotFound) {
		t.Errorf("Member(10) = %v, want ErrNotFound", err)
	}
	if _, err := c.Member(t.Context(), "7", "11"); err == nil {
		t.Error("Member(11) = nil, want an error for HTML")
	}
	if _, err := c.Member(t.Context(), "7", ""); err == nil {
		t.Error("Member of nobody = nil, want an error")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Member(ctx, "7", "12"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Member(12) = %v, want the context's error", err)
	}
}
