package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/bwmarrin/discordgo"
)

// Respond sends the first answer to an interaction. It tries again, within Timing.Answer, when the network or Discord fails.
// The error is [ErrTooLate] or [ErrAnswered] where Discord says so; an answer that got through at an attempt which seemed to
// fail is no error. Readers of files are read to their end first.
func (c *Client) Respond(ctx context.Context, in *discordgo.Interaction, resp *discordgo.InteractionResponse) error {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timing.Answer)
	defer cancel()
	contentType, body, err := encode(resp)
	if err != nil {
		return fmt.Errorf("answer interaction %s: %w", in.ID, err)
	}
	return c.rest.do(ctx, request{
		what:        "answer interaction " + in.ID,
		method:      http.MethodPost,
		path:        "/interactions/" + url.PathEscape(in.ID) + "/" + url.PathEscape(in.Token) + "/callback",
		contentType: contentType,
		body:        body,
		secret:      in.Token,
		callback:    true,
	})
}

// encode writes an answer as JSON, or with files as a form with the JSON in it.
func encode(resp *discordgo.InteractionResponse) (contentType string, body []byte, err error) {
	if resp.Data != nil && len(resp.Data.Files) > 0 {
		return discordgo.MultipartBodyWithJSON(resp, resp.Data.Files)
	}
	body, err = json.Marshal(slim(resp))
	return "application/json", body, err
}

// slim leaves out of choices and modals the fields of messages, which discordgo writes always; and keeps an empty list of
// choices, which it leaves out and Discord then misses.
func slim(resp *discordgo.InteractionResponse) any {
	type data map[string]any
	d := resp.Data
	switch {
	case d != nil && resp.Type == discordgo.InteractionApplicationCommandAutocompleteResult:
		choices := d.Choices
		if choices == nil {
			choices = []*discordgo.ApplicationCommandOptionChoice{}
		}
		return data{"type": resp.Type, "data": data{"choices": choices}}
	case d != nil && resp.Type == discordgo.InteractionResponseModal:
		return data{"type": resp.Type, "data": data{"custom_id": d.CustomID, "title": d.Title, "components": d.Components}}
	}
	return resp
}

// Commands returns the commands registered with Discord, for all guilds. It waits for [Client.Ready].
func (c *Client) Commands(ctx context.Context) ([]*discordgo.ApplicationCommand, error) {
	path, err := c.commandsPath(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the commands: %w", err)
	}
	var commands []*discordgo.ApplicationCommand
	err = c.rest.do(ctx, request{what: "read the commands", method: http.MethodGet, path: path, query: "with_localizations=true", out: &commands})
	return commands, err
}

// OverwriteCommands registers these commands and no others, for all guilds. Send it only when something changed:
// Discord counts. It waits for [Client.Ready].
func (c *Client) OverwriteCommands(ctx context.Context, commands []*discordgo.ApplicationCommand) error {
	path, err := c.commandsPath(ctx)
	if err != nil {
		return fmt.Errorf("register the commands: %w", err)
	}
	if commands == nil {
		commands = []*discordgo.ApplicationCommand{} // Discord wants a list
	}
	body, err := json.Marshal(commands)
	if err != nil {
		return fmt.Errorf("register the commands: %w", err)
	}
	return c.rest.do(ctx, request{what: "register the commands", method: http.MethodPut, path: path, contentType: "application/json", body: body})
}

func (c *Client) commandsPath(ctx context.Context) (string, error) {
	select {
	case <-c.ready:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	return "/applications/" + url.PathEscape(c.Identity().ApplicationID) + "/commands", nil
}

// Member asks for a member of a guild. The error is [ErrNotFound] where there is none.
func (c *Client) Member(ctx context.Context, guildID, userID string) (*discordgo.Member, error) {
	if guildID == "" || userID == "" {
		return nil, errors.New("read a member: no guild or no user")
	}
	var member discordgo.Member
	err := c.rest.do(ctx, request{
		what:   "read member " + userID,
		method: http.MethodGet,
		path:   "/guilds/" + url.PathEscape(guildID) + "/members/" + url.PathEscape(userID),
		out:    &member,
	})
	if err != nil {
		return nil, err
	}
	return &member, nil
}
