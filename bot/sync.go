package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/bwmarrin/discordgo"
)

// syncRetry is how long to wait before the commands are looked at again where Discord didn't answer.
const syncRetry = 15 * time.Second

// sync registers the commands once the bot is connected. What Discord has is asked first and left alone where it is the
// same: registering has a daily limit.
func (b *Bot) sync(ctx context.Context) {
	select {
	case <-b.discord.Ready():
	case <-ctx.Done():
		return
	}
	for {
		err := b.syncOnce(ctx)
		if err == nil {
			close(b.synced)
			return
		}
		b.log.Error("could not register the commands", "error", err, "again in", syncRetry)
		select {
		case <-time.After(syncRetry):
		case <-ctx.Done():
			return
		}
	}
}

func (b *Bot) syncOnce(ctx context.Context) error {
	ours := b.definitions()
	theirs, err := b.discord.Commands(ctx)
	if err != nil {
		return err
	}
	if same(ours, theirs) {
		b.log.Info("the commands are registered already", "commands", len(ours))
		return nil
	}
	if err := b.discord.OverwriteCommands(ctx, ours); err != nil {
		return err
	}
	b.log.Info("registered the commands", "commands", len(ours))
	return nil
}

// same compares what we define; what Discord adds of its own (ids, versions, defaults) doesn't count.
func same(ours, theirs []*discordgo.ApplicationCommand) bool {
	if len(ours) != len(theirs) {
		return false
	}
	byName := map[string]*discordgo.ApplicationCommand{}
	for _, c := range theirs {
		byName[c.Name] = c
	}
	for _, c := range ours {
		other := byName[c.Name]
		if other == nil || !bytes.Equal(fingerprint(c), fingerprint(other)) {
			return false
		}
	}
	return true
}

// fingerprint is what people see and can give of a command.
func fingerprint(c *discordgo.ApplicationCommand) []byte {
	data, err := json.Marshal(discordgo.ApplicationCommand{
		Type: c.Type, Name: c.Name, Description: c.Description,
		NameLocalizations: localizations(c.NameLocalizations), DescriptionLocalizations: localizations(c.DescriptionLocalizations),
		Options: c.Options,
	})
	if err != nil {
		return nil
	}
	return data
}

// localizations takes none and an empty map for the same.
func localizations(m *map[discordgo.Locale]string) *map[discordgo.Locale]string {
	if m == nil || len(*m) == 0 {
		return nil
	}
	return m
}
