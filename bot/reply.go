package bot

import "github.com/bwmarrin/discordgo"

// Reply is what is answered. It mentions nobody, ever.
type Reply struct {
	Private bool   // seen by the one who asked only
	Title   string // of the embed; "" with a Body makes it plain text
	Body    string // with Discord's markdown
	Buttons []Button
	Shown   []uint64 // changes of the table that a public reply shows; none of a private one
}

// Button is a button under a reply.
type Button struct {
	Label  string
	ID     string
	Danger bool
}

// green is the cloth of a card table.
const green = 0x1f5c4a

// rowLength is how many buttons Discord takes in a row.
const rowLength = 5

// response is the reply as Discord takes it.
func (r *Reply) response() *discordgo.InteractionResponse {
	data := &discordgo.InteractionResponseData{
		AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}},
		Components:      r.rows(),
	}
	if r.Title == "" {
		data.Content = r.Body
	} else {
		data.Embeds = []*discordgo.MessageEmbed{{Title: r.Title, Description: r.Body, Color: green}}
	}
	if r.Private {
		data.Flags = discordgo.MessageFlagsEphemeral
	}
	return &discordgo.InteractionResponse{Type: discordgo.InteractionResponseChannelMessageWithSource, Data: data}
}

func (r *Reply) rows() []discordgo.MessageComponent {
	rows := []discordgo.MessageComponent{}
	for i := 0; i < len(r.Buttons); i += rowLength {
		var row discordgo.ActionsRow
		for _, b := range r.Buttons[i:min(i+rowLength, len(r.Buttons))] {
			row.Components = append(row.Components, b.component())
		}
		rows = append(rows, row)
	}
	return rows
}

func (b *Button) component() discordgo.Button {
	style := discordgo.PrimaryButton
	if b.Danger {
		style = discordgo.DangerButton
	}
	return discordgo.Button{Label: b.Label, CustomID: b.ID, Style: style}
}
