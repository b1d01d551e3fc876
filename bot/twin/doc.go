// Package twin is a small Discord on loopback. It is the server's side: REST
// and gateway on 127.0.0.1, spoken to by a real client library, with a Go API
// that plays the people at their keyboards. `rubberbot local` and the
// end-to-end tests run on it; nothing of it runs in production.
//
// # Reading order
//
// [Twin] is started by [Start] and ended by [Twin.Close]. A [User] acts in a
// [Channel]: [Twin.Command], [Twin.Press], [Twin.Choose], [Twin.Submit] and
// [Twin.Autocomplete] each send one [Interaction], whose [Interaction.Answer]
// is what the bot said first and whose [Interaction.Reply] is the message in
// the end. [Twin.Messages] is what somebody sees in a channel. [Twin.Commands]
// are the commands that the bot registered.
//
//	t, err := twin.Start(twin.Config{})
//	defer t.Close()
//	// start the bot on t.URL() with t.Token(), then:
//	err = t.Connected(ctx)
//	in, err := t.Command(ctx, t.User("Nello"), t.Channel("table"), "deal",
//		[]twin.Option{{Name: "result", Value: "4S ="}})
//	answer, err := in.Answer(ctx)
//
// # What it checks
//
// Every request is held against Discord's limits (limits.go) and answered as
// Discord answers: 400 with code 50035 and the path of the fault, 10062 for an
// answer that comes too late, 40060 for a second one. [Twin.Violations] lists
// all of it, so that a test can show that a whole run broke nothing. The
// player's side is checked as well: what Discord's own client would not let
// somebody do (an unknown option, a button that isn't there) is an error and
// isn't sent; [Twin.Forge] and [Twin.SendRaw] send it all the same.
//
// # Faults
//
// [Twin.Deliver] repeats an interaction; [Twin.Drop], [Twin.Reconnect],
// [Twin.InvalidSession], [Twin.Silence] and [Twin.Greet] spoil the gateway;
// [Twin.Hold], [Twin.Delay] and [Twin.Fail] spoil the REST interface.
//
// # What it doesn't do
//
// One guild, one shard, one application. No events beyond READY, RESUMED,
// GUILD_CREATE and interactions: no MESSAGE_CREATE, no member events. No
// voice, no reactions, no polls, no threads made by the bot, no permissions
// (the bot may do everything), no zlib (frames go as text, which clients that
// ask for compression take too), no Components V2, no rate limit headers, no
// HTTP interactions. A message's embeds and addresses aren't fetched.
package twin
