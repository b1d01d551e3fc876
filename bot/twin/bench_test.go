package twin_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/coder/websocket"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// BenchmarkCommand is a command's whole way through the twin, with a bare
// client that doesn't even read the event but for its id and token.
func BenchmarkCommand(b *testing.B) {
	tw, err := twin.Start(twin.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer tw.Close()
	defer http.DefaultClient.CloseIdleConnections()
	put, err := http.NewRequestWithContext(b.Context(), "PUT", tw.URL()+"/api/v10/applications/"+tw.ApplicationID()+"/commands",
		bytes.NewReader([]byte(`[{"name":"c","description":"d"}]`)))
	if err != nil {
		b.Fatal(err)
	}
	put.Header.Set("Authorization", "Bot "+tw.Token())
	resp, err := http.DefaultClient.Do(put)
	if err != nil {
		b.Fatal(err)
	}
	_ = resp.Body.Close()
	conn, _, err := websocket.Dial(b.Context(), "ws"+tw.URL()[len("http"):], nil)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.CloseNow()
	if err := conn.Write(b.Context(), websocket.MessageText, []byte(identify(tw, "0"))); err != nil {
		b.Fatal(err)
	}
	if err := tw.Connected(b.Context()); err != nil {
		b.Fatal(err)
	}
	for range 2 { // hello, ready
		if _, _, err := conn.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	nello, table := tw.User("Nello"), tw.Channel("table")
	reply := []byte(`{"type":4,"data":{"content":"c"}}`)
	b.ReportAllocs()
	for b.Loop() {
		in, err := tw.Command(b.Context(), nello, table, "c", nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := conn.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
		resp, err := http.Post(tw.URL()+"/api/v10/interactions/"+in.ID+"/"+in.Token+"/callback", "application/json", bytes.NewReader(reply))
		if err != nil {
			b.Fatal(err)
		}
		_ = resp.Body.Close()
		if _, err := in.Answer(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
