package main

import (
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// Killed after the commit and with its reply lost, the bot has the deal all the same: typed again it is asked about before
// it counts twice, and the next public reply shows it.
func TestKilledWithTheReplyLost(t *testing.T) {
	b := newBench(t)
	p := b.connected()
	b.start()
	b.discord.FailNext("POST", "/interactions/", 404, `{"code": 10062, "message": "Unknown interaction"}`)
	in, err := b.discord.Command(b.ctx, b.nello, b.table, "deal", []twin.Option{deal("N 3H +1")})
	if err != nil {
		t.Fatal(err)
	}
	p.waitLog("a reply was lost")
	p.kill()
	if _, err := in.Reply(b.ctx); !errors.Is(err, twin.ErrNoAnswer) {
		t.Fatalf("/deal: %v, want %v", err, twin.ErrNoAnswer)
	}
	p = b.connected()
	if got := b.reply("deal", deal("N 3H +1")); !strings.Contains(got, "Another one?") {
		t.Errorf("/deal N 3H +1 again: %q, want a question", got)
	}
	got := b.reply("deal", deal("S 5C X -2"))
	for _, want := range []string{"deal 2\n", "Not shown before:", "3♥ by North, one overtrick", "Total      120 │ Total      300"} {
		if !strings.Contains(strings.ReplaceAll(got, "*", ""), want) {
			t.Errorf("the next reply: %q, want %q in it", got, want)
		}
	}
	p.kill()
	if held := b.deals(); len(held) != 2 || held[0].String() != "N 3♥ +1" || held[1].String() != "S 5♣X −2" {
		t.Errorf("on disk: %v, want N 3♥ +1, S 5♣X −2", held)
	}
}

// A bot that was started while Discord is down connects once it is back.
func TestRunUntilDiscordIsBack(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.configure("http://" + address)
	p := b.launch()
	p.waitLog("session lost")
	back, err := twin.Start(twin.Config{Addr: address, Token: b.token})
	if err != nil {
		t.Fatal(err)
	}
	b.Cleanup(func() { _ = back.Close() })
	p.waitLog("registered the commands")
	b.discord, b.nello, b.table = back, back.User("Nello"), back.Channel("table")
	b.start()
	if got := b.reply("deal", deal("N 4S =")); !strings.Contains(got, "deal 1\n") {
		t.Errorf("/deal N 4S = is answered %q, want deal 1", got)
	}
}
