package twin

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Kinds of interactions, as Discord numbers them.
const (
	kindCommand      = 2
	kindComponent    = 3
	kindAutocomplete = 4
	kindModal        = 5
)

// AnswerKind says how the bot answered first, as Discord numbers it.
type AnswerKind int

// The ways to answer.
const (
	AnswerMessage        AnswerKind = 4 // a new message
	AnswerDeferred       AnswerKind = 5 // a message to come
	AnswerDeferredUpdate AnswerKind = 6 // nothing yet, or for good
	AnswerUpdate         AnswerKind = 7 // the message that was pressed on changes
	AnswerChoices        AnswerKind = 8 // what autocomplete offers
	AnswerModal          AnswerKind = 9 // a form to fill in
)

// allowedAnswers are the answers that each kind of interaction takes.
var allowedAnswers = map[int][]AnswerKind{
	kindCommand:      {AnswerMessage, AnswerDeferred, AnswerModal},
	kindComponent:    {AnswerMessage, AnswerDeferred, AnswerDeferredUpdate, AnswerUpdate, AnswerModal},
	kindAutocomplete: {AnswerChoices},
	kindModal:        {AnswerMessage, AnswerDeferred, AnswerDeferredUpdate, AnswerUpdate},
}

// String names the kind.
func (k AnswerKind) String() string {
	switch k {
	case AnswerMessage:
		return "message"
	case AnswerDeferred:
		return "deferred"
	case AnswerDeferredUpdate:
		return "deferred update"
	case AnswerUpdate:
		return "update"
	case AnswerChoices:
		return "choices"
	case AnswerModal:
		return "modal"
	}
	return fmt.Sprintf("answer %d", int(k))
}

// Answer is the bot's first answer to an interaction.
type Answer struct {
	Kind    AnswerKind
	Message Message  // as it was right after the answer; for choices and modals, none
	Choices []Choice // for AnswerChoices
	Modal   Modal    // for AnswerModal
}

// Modal is a form that the bot opened for somebody.
type Modal struct {
	CustomID string
	Title    string
	Inputs   []Component // text inputs, in order, with their labels

	rows []Component
	from *Interaction
}

// Interaction is something that somebody did. It may be answered once.
type Interaction struct {
	ID      string
	Token   string
	User    *User
	Channel *Channel

	t       *Twin
	kind    int
	typing  int // the type of the option being typed, for autocomplete
	payload json.RawMessage
	target  *record // the message of a component, or of the component that opened a modal
	made    time.Time
	left    chan struct{} // closed when the event leaves; nil where the time counts from the start
	done    chan struct{} // closed when answer or failure is known

	// Guarded by Twin.mu.
	sent     time.Time // when the time for an answer began
	answered bool
	failed   bool
	answer   Answer
	original *record
}

// Answer waits for the bot's first answer. It returns ErrNoAnswer when there
// was none in time.
func (in *Interaction) Answer(ctx context.Context) (Answer, error) {
	select {
	case <-in.done: // no timer where the answer is there
	default:
		if err := in.waitAnswer(ctx); err != nil {
			return Answer{}, err
		}
	}
	in.t.mu.Lock()
	defer in.t.mu.Unlock()
	if !in.answered {
		return Answer{}, ErrNoAnswer
	}
	return in.answer, nil
}

func (in *Interaction) waitAnswer(ctx context.Context) error {
	if in.left != nil {
		select {
		case <-in.left:
		case <-ctx.Done():
			return ctx.Err()
		case <-in.t.done:
			return ErrClosed
		}
	}
	timer := time.NewTimer(in.t.cfg.AnswerWithin)
	defer timer.Stop()
	select {
	case <-in.done:
		return nil
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-in.t.done:
		return ErrClosed
	}
}

// Reply waits for the message that answers the interaction in the end: at
// once where the answer was one, else when a deferred one was filled in.
func (in *Interaction) Reply(ctx context.Context) (Message, error) {
	a, err := in.Answer(ctx)
	if err != nil || a.Kind != AnswerDeferred {
		return a.Message, err
	}
	var m Message
	err = in.t.await(ctx, func() bool {
		m = in.original.Message
		return !m.Loading || m.Deleted
	})
	return m, err
}

// Payload is the event's data as the bot gets it.
func (in *Interaction) Payload() json.RawMessage { return in.payload }

// leaves notes that the event is on its way. Call it with mu held.
func (in *Interaction) leaves(now time.Time) {
	if in.left == nil {
		return
	}
	select {
	case <-in.left:
	default:
		in.sent = now
		close(in.left)
	}
}

// answerable returns the interaction that a callback is for, if it still
// takes one. Call it with mu held.
func (t *Twin) answerable(id, token string) (*Interaction, error) {
	in := t.interactions[token]
	if in == nil || in.ID != id {
		return nil, wrong(http.StatusNotFound, codeUnknownInteraction, "Unknown interaction")
	}
	if in.answered {
		return nil, wrong(http.StatusBadRequest, codeAcknowledged, "Interaction has already been acknowledged.")
	}
	if in.failed || t.cfg.Now().Sub(in.sent) > t.cfg.AnswerWithin {
		if !in.failed {
			in.failed = true
			close(in.done)
		}
		return nil, wrong(http.StatusNotFound, codeUnknownInteraction, "Unknown interaction")
	}
	return in, nil
}

// callback takes the first answer to an interaction.
func (c *call) callback() (any, error) {
	var body callbackJSON
	files, err := c.read(&body)
	if err != nil {
		return nil, err
	}
	if !c.wait() {
		return nil, http.ErrAbortHandler
	}
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	in, err := c.t.answerable(c.r.PathValue("id"), c.r.PathValue("token"))
	if err != nil {
		return nil, err
	}
	if err := in.accept(&body, files); err != nil {
		return nil, err
	}
	if c.r.URL.Query().Get("with_response") == "true" {
		return in.response(), nil
	}
	return nil, nil
}

// accept checks an answer and carries it out. Call it with mu held.
func (in *Interaction) accept(body *callbackJSON, files []upload) error {
	kind := AnswerKind(body.Type)
	fits := slices.Contains(allowedAnswers[in.kind], kind)
	if kind == AnswerUpdate || kind == AnswerDeferredUpdate {
		fits = fits && in.target != nil
	}
	if !fits {
		return invalidForm([]problem{{"type", "BASE_TYPE_CHOICES", fmt.Sprintf("Value must be one of %v.", numbers(allowedAnswers[in.kind]))}})
	}
	if body.Data == nil {
		if kind != AnswerDeferred && kind != AnswerDeferredUpdate {
			return invalidForm([]problem{{"data", "BASE_TYPE_REQUIRED", "This field is required"}})
		}
		body.Data = &draft{}
	}
	answer, err := in.carryOut(kind, body.Data, files)
	if err != nil {
		return err
	}
	if in.original != nil {
		answer.Message = in.original.Message
	}
	in.answer, in.answered = answer, true
	close(in.done)
	return nil
}

func numbers(kinds []AnswerKind) []int {
	list := make([]int, len(kinds))
	for i, k := range kinds {
		list[i] = int(k)
	}
	return list
}

// carryOut does what an answer asks for. Call it with mu held.
func (in *Interaction) carryOut(kind AnswerKind, d *draft, files []upload) (Answer, error) {
	var root path
	at := root.key1("data")
	answer := Answer{Kind: kind}
	var err error
	switch kind {
	case AnswerMessage:
		in.original, err = in.t.post(in.Channel, d, files, &at)
		if err == nil {
			in.own(in.original)
		}
	case AnswerDeferred:
		in.original = in.loading(d.Flags)
	case AnswerDeferredUpdate:
		in.original = in.target
	case AnswerUpdate:
		err = in.update(d, files, &at)
	case AnswerChoices:
		answer.Choices, err = in.offer(d, &at)
	case AnswerModal:
		err = invalidForm(checkModal(d, &at))
		answer.Modal = in.modal(d)
	}
	return answer, err
}

// update changes the message that was pressed on.
func (in *Interaction) update(d *draft, files []upload, p *path) error {
	if in.target.Deleted {
		return notFound(codeUnknownMessage, "Unknown Message")
	}
	if err := in.t.edit(in.target, d, files, p); err != nil {
		return err
	}
	in.original = in.target
	return nil
}

// offer takes the choices for the option that is being typed.
func (in *Interaction) offer(d *draft, p *path) ([]Choice, error) {
	if err := invalidForm(checkChoices(d.Choices, p, in.typing)); err != nil {
		return nil, err
	}
	list := make([]Choice, len(d.Choices))
	for i, c := range d.Choices {
		list[i] = *c
	}
	return list, nil
}

// own marks a message as this interaction's.
func (in *Interaction) own(r *record) {
	r.For, r.Interaction, r.token = in.User, in.ID, in.Token
	r.meta = &metadataJSON{
		ID: in.ID, Type: in.kind, User: in.t.accounts[in.User.ID].json(), Owners: in.owners(),
	}
	if in.target != nil {
		r.meta.Message = in.target.ID
	}
}

// owners says where the application is installed.
func (in *Interaction) owners() map[string]string {
	if in.Channel.GuildID == "" {
		return map[string]string{"0": "0"}
	}
	return map[string]string{"0": in.Channel.GuildID}
}

// loading posts the message that stands for an answer to come.
func (in *Interaction) loading(flags int) *record {
	r := &record{Message: Message{
		ID: in.t.id(), Channel: in.Channel, Author: in.t.bot.name, Created: in.t.cfg.Now(), Loading: true,
	}}
	r.Private = flags&flagEphemeral != 0
	r.flags = flags | flagLoading
	in.own(r)
	in.t.add(r)
	return r
}

// modal is the form that an answer opens.
func (in *Interaction) modal(d *draft) Modal {
	m := Modal{CustomID: d.CustomID, Title: d.Title, rows: numbered(d.Components.Value), from: in}
	for _, row := range m.rows {
		m.Inputs = append(m.Inputs, row.Components...)
		if row.Component != nil {
			input := *row.Component
			input.Label = row.Label
			m.Inputs = append(m.Inputs, input)
		}
	}
	return m
}

// response is what a callback gets with with_response=true.
func (in *Interaction) response() any {
	about := map[string]any{"id": in.ID, "type": in.kind, "channel_id": in.Channel.ID}
	if in.Channel.GuildID != "" {
		about["guild_id"] = in.Channel.GuildID
	}
	body := map[string]any{"interaction": about}
	if r := in.original; r != nil {
		about["response_message_id"] = r.ID
		about["response_message_loading"] = r.Loading
		about["response_message_ephemeral"] = r.Private
		if in.answer.Kind == AnswerMessage || in.answer.Kind == AnswerUpdate {
			body["resource"] = map[string]any{"type": in.answer.Kind, "message": in.t.wire(r)}
		}
	}
	return body
}
