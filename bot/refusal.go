package bot

import (
	"errors"
	"strings"

	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/scoring"
	"github.com/rubberbot/rubberbot/storage"
)

// refusal is an error whose words are for the one who asked, perhaps with buttons that go on.
type refusal struct {
	id      string // of the message
	values  lang.Values
	buttons []Button
}

func (e *refusal) Error() string { return e.id }

// refuse makes a refusal.
func refuse(id string, values ...lang.Values) *refusal {
	e := &refusal{id: id, values: lang.Values{}}
	for _, v := range values {
		e.values = v
	}
	return e
}

// plain are the errors of other packages that say the same to everybody.
var plain = []struct {
	err error
	id  string
}{
	{scoring.ErrOver, "error.over"},
	{scoring.ErrClosed, "error.over"},
	{scoring.ErrNoDeclarer, "error.no_declarer"},
	{scoring.ErrHonoursNoTrump, "fault.honours"},
	{storage.ErrNothingToUndo, "undo.nothing"},
	{storage.ErrNothingToRedo, "redo.nothing"},
	{storage.ErrNoRubber, "error.no_rubber"},
	{storage.ErrRubberOpen, "rubber.open"},
}

// explain turns any error into a private reply: the one place where errors become words. What isn't known here is not
// shown, but logged. The command is the one that was typed, so that what can be read instead can be typed too.
func (b *Bot) explain(w *lang.Words, command string, err error) Reply {
	if e := (*refusal)(nil); errors.As(err, &e) {
		return Reply{Private: true, Body: w.Say(e.id, e.values), Buttons: e.buttons}
	}
	if e := (*scoring.ParseError)(nil); errors.As(err, &e) {
		return Reply{Private: true, Body: explainParse(w, command, e)}
	}
	if e := (*scoring.ClaimError)(nil); errors.As(err, &e) {
		return Reply{Private: true, Body: explainClaim(w, e)}
	}
	if id := plainID(err); id != "" {
		return Reply{Private: true, Body: w.Say(id)}
	}
	b.log.Error("a command failed", "error", err)
	return Reply{Private: true, Body: w.Say("error.internal")}
}

// plainID is the message of an error that says the same to everybody; "" for any other.
func plainID(err error) string {
	for _, p := range plain {
		if errors.Is(err, p.err) {
			return p.id
		}
	}
	return ""
}

// isRefusal says that an error is an answer to what was asked, and not a failure of ours.
func isRefusal(err error) bool {
	_, refused := errors.AsType[*refusal](err)
	_, unreadable := errors.AsType[*scoring.ParseError](err)
	_, untrue := errors.AsType[*scoring.ClaimError](err)
	return refused || unreadable || untrue || plainID(err) != ""
}

func explainClaim(w *lang.Words, e *scoring.ClaimError) string {
	id := "claim.not_vulnerable"
	if e.Vulnerable {
		id = "claim.vulnerable"
	}
	return w.Say(id, lang.Values{"side": sideName(w, e.Side)})
}

// faults are the messages of what keeps a text from being read.
var faults = map[scoring.Fault]string{
	scoring.FaultUnreadable: "fault.unreadable",
	scoring.FaultEmpty:      "fault.empty",
	scoring.FaultLevel:      "fault.level",
	scoring.FaultTooLong:    "fault.too_long",
	scoring.FaultNoContract: "fault.no_contract",
	scoring.FaultNoResult:   "fault.no_result",
	scoring.FaultTwoResults: "fault.two_results",
	scoring.FaultBareNumber: "fault.bare_number",
	scoring.FaultTooMany:    "fault.too_many",
	scoring.FaultTooFew:     "fault.too_few",
	scoring.FaultPassAlone:  "fault.pass_alone",
	scoring.FaultHonours:    "fault.honours",
	scoring.FaultAmbiguous:  "fault.ambiguous",
}

// twice are the messages for a part that stands once too often.
var twice = map[scoring.Part]string{
	scoring.PartContract:      "twice.contract",
	scoring.PartDoubling:      "twice.doubling",
	scoring.PartResult:        "twice.result",
	scoring.PartDeclarer:      "twice.declarer",
	scoring.PartVulnerability: "twice.vulnerability",
	scoring.PartHonours:       "twice.honours",
}

// parts are the messages that name the parts of the notation.
var parts = []struct {
	part scoring.Part
	id   string
}{
	{scoring.PartContract, "part.contract"},
	{scoring.PartLevel, "part.level"},
	{scoring.PartStrain, "part.strain"},
	{scoring.PartResult, "part.result"},
	{scoring.PartNumber, "part.number"},
	{scoring.PartTricks, "part.tricks"},
	{scoring.PartDeclarer, "part.declarer"},
	{scoring.PartSeat, "part.seat"},
	{scoring.PartDoubling, "part.doubling"},
	{scoring.PartVulnerability, "part.vulnerability"},
	{scoring.PartHonours, "part.honours"},
	{scoring.PartPoints, "part.points"},
	{scoring.PartPass, "part.pass"},
}

// explainParse quotes the text with a caret under the spot, says what is wrong, and offers what can be read.
func explainParse(w *lang.Words, command string, e *scoring.ParseError) string {
	var b strings.Builder
	if e.Fault != scoring.FaultEmpty && e.Fault != scoring.FaultTooLong {
		b.WriteString("```\n" + caret(e.Text, e.At, e.Fault != scoring.FaultAmbiguous) + "```")
	}
	if command == deal {
		b.WriteString(w.Say("fault.reason", lang.Values{"reason": reason(w, e)}))
	} else {
		b.WriteString(reason(w, e))
	}
	for _, d := range e.Readings {
		b.WriteString("\n" + w.Say("offer.reading", lang.Values{"command": command, "text": d.String()}))
	}
	for _, text := range e.Offers {
		b.WriteString("\n" + w.Say("offer.text", lang.Values{"command": command, "text": strings.Join(strings.Fields(text), " ")}))
	}
	return b.String()
}

// reason says what is wrong with a text.
func reason(w *lang.Words, e *scoring.ParseError) string {
	if e.Fault == scoring.FaultTwice {
		return w.Say(twice[e.Part])
	}
	var expected []string
	for _, p := range parts {
		if e.Expected.Has(p.part) {
			expected = append(expected, w.Say(p.id))
		}
	}
	return w.Say(faults[e.Fault], lang.Values{"expected": either(w, expected), "max": scoring.MaxText})
}

// either joins alternatives: "a, b or c"; with none, it is the end of the text.
func either(w *lang.Words, items []string) string {
	switch n := len(items); n {
	case 0:
		return w.Say("part.end")
	case 1:
		return items[0]
	default:
		return w.Say("list.or", lang.Values{"items": strings.Join(items[:n-1], ", "), "last": items[n-1]})
	}
}
