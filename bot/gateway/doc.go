// Package gateway keeps a discordgo session alive, receives interactions over it and sends the answers.
//
// A [Client] is made by [New] and lives in [Client.Run], which connects, stays connected and returns when its context ends.
// Every interaction that can be decoded goes to [Config].Handle, in a goroutine of its own; the answer goes out by
// [Client.Respond]. [Client.Commands], [Client.OverwriteCommands] and [Client.Member] are the few other requests that the
// bot makes. Nothing else of Discord is needed: no intents, no state cache, no events but READY and INTERACTION_CREATE.
//
// Reading order: config.go, client.go, run.go (staying connected), session.go (one connection), wire.go (what discordgo is
// allowed to read), interaction.go (what a handler gets), rest.go and answer.go (what is sent), errors.go.
//
// # What discordgo v0.29.0 gets wrong, and what is done here
//
// discordgo's gateway session is used as it is; its REST client only to ask for the gateway's address. Between the session
// and the network stands a [net.Conn] of our own (wire.go), which passes on only whole frames that discordgo can take.
//
//   - Open and reconnect wait without a deadline after Hello, holding the session's lock: each read of the wire has a
//     deadline, which is the open timeout until READY and two heartbeats after the last acknowledged one from then on.
//   - Op 7 or op 11 as the first packet after identify deadlocks Open: op 7 never reaches discordgo, the wire ends the
//     session instead; op 11 before READY is swallowed.
//   - Op 9 is answered by an immediate identify on the same socket: the wire ends the session instead.
//   - Fatal close codes are retried for ever, and the Disconnect event carries no code: ShouldReconnectOnError is off, the
//     wire reads the code off the close frame, and Run returns for the codes that never get better. (A discordgo.Logger
//     hook sees the code too, but it is one variable for the whole process and doesn't say which session speaks.)
//   - A lost session is normal: a new discordgo.Session is built each time, with backoff, jitter and a gate before identify.
//     Nothing is resumed: discordgo closes with code 1000, which kills the session at Discord's side, and it doesn't know
//     resume_gateway_url. Interactions sent in the second or two between are lost to us, and their senders told so by Discord.
//   - A zombie is found after five heartbeats: two, by the wire's deadline, which only acknowledged heartbeats push back.
//   - A message "null", a Hello without a usable interval, op 1 while the session closes, or an event without its body panic in
//     discordgo's own goroutines, where nothing can recover: the wire drops what isn't an object, and every event but the two
//     that are needed, refuses such a Hello, and lets nothing but close frames through once the end has begun.
//   - An interaction that it can't decode gives the handler a zero value: interactions are decoded here from the raw event,
//     if need be without the message they came from, and checked (id, type, token, user, the JSON types of options) before
//     the handler sees them. What fails is dropped with a warning. A handler's panic is logged with its stack.
//   - Its rate limiter keeps 490 bytes for every interaction answered, its HTTP client two idle connections, it retries 502
//     only, takes a 429 without JSON for an error and sleeps without a context: requests are sent by a small client of our own.
//   - An autocomplete answer without choices leaves the field out, which Discord refuses: answers are encoded here.
//   - It logs the token, READY and interaction tokens: its log is off. What it would have said is learnt from the wire and
//     from Open's error, and logged here without secrets.
//   - It speaks API version 9 to addresses computed at package init: requests are rewritten on their way out, to version 10
//     and to Config.URL. No variable of discordgo is changed, so that several clients can live in one process.
//   - Close doesn't wait for running handlers: Run does, for Timing.Drain. But Close sleeps for a second before its goroutines
//     end. Run doesn't wait for that: up to a second after Run has returned, two goroutines of discordgo are still there.
//
// Not touched here: the same interaction may be delivered more than once, and in any order. The store must know it again.
package gateway
