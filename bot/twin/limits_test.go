package twin_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// obj and list are JSON, written shortly.
type (
	obj  map[string]any
	list []any
)

// x is a text of n characters that are two bytes each, so that a limit on
// bytes would show.
func x(n int) string { return strings.Repeat("é", n) }

// many is n values made by f.
func many(n int, f func(i int) any) list {
	l := list{}
	for i := range n {
		l = append(l, f(i))
	}
	return l
}

// with is o with some fields changed; a nil value takes the field away.
func with(o obj, changes obj) obj {
	out := obj{}
	for k, v := range o {
		out[k] = v
	}
	for k, v := range changes {
		if out[k] = v; v == nil {
			delete(out, k)
		}
	}
	return out
}

func row(parts ...any) obj         { return obj{"type": 1, "components": list(parts)} }
func rows(parts ...any) obj        { return obj{"components": list(parts)} }
func embed(o obj) obj              { return obj{"embeds": list{o}} }
func field(name, value string) obj { return obj{"name": name, "value": value} }

func button(id string) obj { return obj{"type": 2, "style": 1, "label": "L", "custom_id": id} }

func selectMenu(n int) obj {
	return obj{"type": 3, "custom_id": "s", "options": many(n, func(i int) any {
		return obj{"label": "L", "value": fmt.Sprint(i)}
	})}
}

func line(o obj) obj { return with(selectMenu(0), obj{"options": list{o}}) }

// numbered buttons: n of them from number from on.
func numbered(from, n int) []any {
	return many(n, func(i int) any { return button(fmt.Sprint(from + i)) })
}

// limit is a row of a table: what passes at the limit, and what is one over.
type limit struct {
	what string
	at   any    // nil where there is only an over
	over any    // nil where there is only an at
	path string // where the fault is reported
	code string
}

var messageLimits = []limit{
	{"content", obj{"content": x(2000)}, obj{"content": x(2001)}, "content", "BASE_TYPE_MAX_LENGTH"},
	{"embeds", obj{"embeds": many(10, func(int) any { return obj{"title": "t"} })}, obj{"embeds": many(11, func(int) any { return obj{"title": "t"} })}, "embeds", "BASE_TYPE_MAX_LENGTH"},
	{"title", embed(obj{"title": x(256)}), embed(obj{"title": x(257)}), "embeds.0.title", "BASE_TYPE_MAX_LENGTH"},
	{"description", embed(obj{"description": x(4096)}), embed(obj{"description": x(4097)}), "embeds.0.description", "BASE_TYPE_MAX_LENGTH"},
	{"fields", embed(obj{"fields": many(25, func(int) any { return field("n", "v") })}), embed(obj{"fields": many(26, func(int) any { return field("n", "v") })}), "embeds.0.fields", "BASE_TYPE_MAX_LENGTH"},
	{"field name", embed(obj{"fields": list{field(x(256), "v")}}), embed(obj{"fields": list{field(x(257), "v")}}), "embeds.0.fields.0.name", "BASE_TYPE_BAD_LENGTH"},
	{"field value", embed(obj{"fields": list{field("n", x(1024))}}), embed(obj{"fields": list{field("n", x(1025))}}), "embeds.0.fields.0.value", "BASE_TYPE_BAD_LENGTH"},
	{"field without name", nil, embed(obj{"fields": list{field("", "v")}}), "embeds.0.fields.0.name", "BASE_TYPE_REQUIRED"},
	{"field without value", nil, embed(obj{"fields": list{field("n", "")}}), "embeds.0.fields.0.value", "BASE_TYPE_REQUIRED"},
	{"footer", embed(obj{"footer": obj{"text": x(2048)}}), embed(obj{"footer": obj{"text": x(2049)}}), "embeds.0.footer.text", "BASE_TYPE_BAD_LENGTH"},
	{"author", embed(obj{"author": obj{"name": x(256)}}), embed(obj{"author": obj{"name": x(257)}}), "embeds.0.author.name", "BASE_TYPE_BAD_LENGTH"},
	{"colour", embed(obj{"title": "t", "color": 0xFFFFFF}), embed(obj{"title": "t", "color": 0x1000000}), "embeds.0.color", "NUMBER_TYPE_MAX"},
	{"image", embed(obj{"image": obj{"url": "attachment://a.png"}}), embed(obj{"image": obj{"url": "file:///a.png"}}), "embeds.0.image.url", "URL_TYPE_INVALID_URL"},
	{"address", embed(obj{"title": "t", "url": address(2048)}), embed(obj{"title": "t", "url": address(2049)}), "embeds.0.url", "BASE_TYPE_MAX_LENGTH"},
	{"timestamp", embed(obj{"title": "t", "timestamp": "2026-01-02T03:04:05.678Z"}), embed(obj{"title": "t", "timestamp": "today"}), "embeds.0.timestamp", "DATE_TIME_TYPE_PARSE"},
	{
		"sum over embeds",
		obj{"embeds": list{obj{"description": x(4096)}, obj{"title": x(256), "footer": obj{"text": x(1000)}, "author": obj{"name": x(48)}, "fields": list{field(x(100), x(500))}}}},
		obj{"embeds": list{obj{"description": x(4096)}, obj{"title": x(256), "footer": obj{"text": x(1000)}, "author": obj{"name": x(48)}, "fields": list{field(x(101), x(500))}}}},
		"embeds", "MAX_EMBED_SIZE_EXCEEDED",
	},
	{
		"rows",
		rows(row(button("0")), row(button("1")), row(button("2")), row(button("3")), row(button("4"))),
		rows(row(button("0")), row(button("1")), row(button("2")), row(button("3")), row(button("4")), row(button("5"))),
		"components", "BASE_TYPE_MAX_LENGTH",
	},
	{"empty row", nil, rows(row()), "components.0.components", "BASE_TYPE_BAD_LENGTH"},
	{"button outside a row", nil, rows(button("0")), "components.0.type", "BASE_TYPE_CHOICES"},
	{"buttons of a row", rows(row(numbered(0, 5)...)), rows(row(numbered(0, 6)...)), "components.0.components", "BASE_TYPE_BAD_LENGTH"},
	{"select beside a button", rows(row(selectMenu(1))), rows(row(selectMenu(1), button("0"))), "components.0.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"},
	{"text input in a message", nil, rows(row(input(nil))), "components.0.components.0.type", "BASE_TYPE_CHOICES"},
	{"custom id", rows(row(button(x(100)))), rows(row(button(x(101)))), "components.0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH"},
	{"no custom id", nil, rows(row(button(""))), "components.0.components.0.custom_id", "BASE_TYPE_REQUIRED"},
	{"custom id twice in a row", nil, rows(row(button("0"), button("0"))), "components.0.components.1.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"},
	{"custom id twice in a message", nil, rows(row(button("s")), row(selectMenu(1))), "components.1.components.0.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"},
	{"label", rows(row(with(button("0"), obj{"label": x(80)}))), rows(row(with(button("0"), obj{"label": x(81)}))), "components.0.components.0.label", "BASE_TYPE_MAX_LENGTH"},
	{"emoji for a label", rows(row(with(button("0"), obj{"label": nil, "emoji": obj{"name": "♠"}}))), rows(row(with(button("0"), obj{"label": nil}))), "components.0.components.0", "BUTTON_COMPONENT_INVALID_LABEL"},
	{"style", rows(row(with(button("0"), obj{"style": 4}))), rows(row(with(button("0"), obj{"style": 7}))), "components.0.components.0.style", "BASE_TYPE_CHOICES"},
	{"no style", nil, rows(row(with(button("0"), obj{"style": nil}))), "components.0.components.0.style", "BASE_TYPE_CHOICES"},
	{"link", rows(row(linkTo(512))), rows(row(linkTo(513))), "components.0.components.0.url", "BASE_TYPE_MAX_LENGTH"},
	{"link without address", nil, rows(row(with(linkTo(20), obj{"url": nil}))), "components.0.components.0.url", "BASE_TYPE_REQUIRED"},
	{"link with custom id", nil, rows(row(with(linkTo(20), obj{"custom_id": "0"}))), "components.0.components.0.custom_id", "BUTTON_COMPONENT_CUSTOM_ID_FORBIDDEN"},
	{"address on a button", nil, rows(row(with(button("0"), obj{"url": "https://x.org"}))), "components.0.components.0.url", "BUTTON_COMPONENT_URL_FORBIDDEN"},
	{"select's options", rows(row(selectMenu(25))), rows(row(selectMenu(26))), "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH"},
	{"select without options", nil, rows(row(selectMenu(0))), "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH"},
	{"placeholder", rows(row(with(selectMenu(1), obj{"placeholder": x(150)}))), rows(row(with(selectMenu(1), obj{"placeholder": x(151)}))), "components.0.components.0.placeholder", "BASE_TYPE_MAX_LENGTH"},
	{"option's label", rows(row(line(obj{"label": x(100), "value": "v"}))), rows(row(line(obj{"label": x(101), "value": "v"}))), "components.0.components.0.options.0.label", "BASE_TYPE_BAD_LENGTH"},
	{"option's value", rows(row(line(obj{"label": "l", "value": x(100)}))), rows(row(line(obj{"label": "l", "value": x(101)}))), "components.0.components.0.options.0.value", "BASE_TYPE_BAD_LENGTH"},
	{"option's description", rows(row(line(obj{"label": "l", "value": "v", "description": x(100)}))), rows(row(line(obj{"label": "l", "value": "v", "description": x(101)}))), "components.0.components.0.options.0.description", "BASE_TYPE_MAX_LENGTH"},
	{"option's value twice", nil, rows(row(with(selectMenu(0), obj{"options": list{obj{"label": "l", "value": "v"}, obj{"label": "m", "value": "v"}}}))), "components.0.components.0.options.1.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"},
	{"max_values", rows(row(with(selectMenu(25), obj{"max_values": 25}))), rows(row(with(selectMenu(25), obj{"max_values": 26}))), "components.0.components.0.max_values", "NUMBER_TYPE_MAX"},
	{"max_values over the options", rows(row(with(selectMenu(2), obj{"max_values": 2}))), rows(row(with(selectMenu(2), obj{"max_values": 3}))), "components.0.components.0.max_values", "SELECT_COMPONENT_VALUES_RANGE"},
	{"min_values", rows(row(with(selectMenu(2), obj{"min_values": 0}))), rows(row(with(selectMenu(2), obj{"min_values": -1}))), "components.0.components.0.min_values", "NUMBER_TYPE_MIN"},
	{"min over max", nil, rows(row(with(selectMenu(3), obj{"min_values": 2}))), "components.0.components.0.min_values", "SELECT_COMPONENT_VALUES_RANGE"},
	{"defaults", nil, rows(row(with(selectMenu(0), obj{"options": list{obj{"label": "l", "value": "v", "default": true}, obj{"label": "m", "value": "w", "default": true}}}))), "components.0.components.0.options", "SELECT_COMPONENT_TOO_MANY_DEFAULTS"},
	{"mentioned users", obj{"content": "c", "allowed_mentions": obj{"users": many(100, func(i int) any { return fmt.Sprint(i) })}}, obj{"content": "c", "allowed_mentions": obj{"users": many(101, func(i int) any { return fmt.Sprint(i) })}}, "allowed_mentions.users", "BASE_TYPE_MAX_LENGTH"},
	{"kind of mention", obj{"content": "c", "allowed_mentions": obj{"parse": list{"users", "roles", "everyone"}}}, obj{"content": "c", "allowed_mentions": obj{"parse": list{"all"}}}, "allowed_mentions.parse.0", "BASE_TYPE_CHOICES"},
	{"users twice", nil, obj{"content": "c", "allowed_mentions": obj{"parse": list{"users"}, "users": list{"1"}}}, "allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"},
	{"file that isn't there", nil, obj{"content": "c", "attachments": list{obj{"id": 0, "filename": "a"}}}, "attachments", "ATTACHMENT_NOT_FOUND"},
	{"empty", nil, obj{"content": ""}, "", "50006"},
	{"only space", nil, obj{"content": " \n"}, "", "50006"},
	{"empty embed", nil, embed(obj{}), "", "50006"},
	{"wrong type", nil, obj{"flags": "x"}, "flags", "BASE_TYPE_BAD_TYPE"},
}

// address is one of n characters.
func address(n int) string {
	const start = "https://x.org/"
	return start + strings.Repeat("a", n-len(start))
}

func linkTo(n int) obj { return obj{"type": 2, "style": 5, "label": "L", "url": address(n)} }

func input(changes obj) obj {
	return with(obj{"type": 4, "custom_id": "i", "style": 1, "label": "L"}, changes)
}

func modal(changes obj) obj {
	return with(obj{"custom_id": "m", "title": "T", "components": list{row(input(nil))}}, changes)
}

func inputs(n int) obj {
	return modal(obj{"components": many(n, func(i int) any { return row(input(obj{"custom_id": fmt.Sprint(i)})) })})
}

func oneInput(changes obj) obj { return modal(obj{"components": list{row(input(changes))}}) }

var modalLimits = []limit{
	{"title", modal(obj{"title": x(45)}), modal(obj{"title": x(46)}), "data.title", "BASE_TYPE_BAD_LENGTH"},
	{"no title", nil, modal(obj{"title": nil}), "data.title", "BASE_TYPE_REQUIRED"},
	{"custom id", modal(obj{"custom_id": x(100)}), modal(obj{"custom_id": x(101)}), "data.custom_id", "BASE_TYPE_BAD_LENGTH"},
	{"inputs", inputs(5), inputs(6), "data.components", "BASE_TYPE_BAD_LENGTH"},
	{"no inputs", nil, inputs(0), "data.components", "BASE_TYPE_BAD_LENGTH"},
	{"two in a row", nil, modal(obj{"components": list{row(input(nil), input(obj{"custom_id": "j"}))}}), "data.components.0.components", "BASE_TYPE_BAD_LENGTH"},
	{"same custom id", nil, modal(obj{"components": list{row(input(nil)), row(input(nil))}}), "data.components.1.components.0.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"},
	{"value", oneInput(obj{"value": x(4000)}), oneInput(obj{"value": x(4001)}), "data.components.0.components.0.value", "BASE_TYPE_MAX_LENGTH"},
	{"label", oneInput(obj{"label": x(45)}), oneInput(obj{"label": x(46)}), "data.components.0.components.0.label", "BASE_TYPE_BAD_LENGTH"},
	{"placeholder", oneInput(obj{"placeholder": x(100)}), oneInput(obj{"placeholder": x(101)}), "data.components.0.components.0.placeholder", "BASE_TYPE_MAX_LENGTH"},
	{"input's custom id", oneInput(obj{"custom_id": x(100)}), oneInput(obj{"custom_id": x(101)}), "data.components.0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH"},
	{"style", oneInput(obj{"style": 2}), oneInput(obj{"style": 3}), "data.components.0.components.0.style", "BASE_TYPE_CHOICES"},
	{"max_length", oneInput(obj{"max_length": 4000}), oneInput(obj{"max_length": 4001}), "data.components.0.components.0.max_length", "NUMBER_TYPE_MAX"},
	{"button in a modal", nil, modal(obj{"components": list{row(button("b"))}}), "data.components.0.components.0.type", "BASE_TYPE_CHOICES"},
	{
		"label around an input",
		modal(obj{"components": list{obj{"type": 18, "label": x(45), "component": input(obj{"label": nil})}}}),
		modal(obj{"components": list{obj{"type": 18, "label": x(46), "component": input(obj{"label": nil})}}}),
		"data.components.0.label", "BASE_TYPE_BAD_LENGTH",
	},
}

func command(changes obj) list {
	return list{with(obj{"name": "c", "description": "d"}, changes)}
}

func option(changes obj) obj {
	return with(obj{"type": 3, "name": "o", "description": "d"}, changes)
}

func oneOption(changes obj) list { return command(obj{"options": list{option(changes)}}) }

func options(n int) list {
	return many(n, func(i int) any { return option(obj{"name": fmt.Sprint("o", i)}) })
}

func choices(n int) list {
	return many(n, func(i int) any { return obj{"name": fmt.Sprint("c", i), "value": fmt.Sprint(i)} })
}

func commands(n int) list {
	return many(n, func(i int) any { return obj{"name": fmt.Sprint("c", i), "description": "d"} })
}

func oneChoice(o obj) list { return oneOption(obj{"choices": list{o}}) }

// big is a command of n characters: 16 for itself, the rest in three hundred
// choices of twelve options.
func big(n int) list {
	left := n - len("big") - len("description")
	var opts list
	for i := 0; left > 0; i++ {
		var list list
		left -= len("oxx") + 1
		for j := 0; j < 25 && left > 0; j++ {
			name := min(100, left-1)
			list = append(list, obj{"name": fmt.Sprintf("%03d", j) + x(name-3), "value": "v"})
			left -= name + 1
		}
		opts = append(opts, option(obj{"name": fmt.Sprintf("o%02d", i), "choices": list}))
	}
	return command(obj{"name": "big", "description": "description", "options": opts})
}

var commandLimits = []limit{
	{"commands", commands(100), commands(101), "", "APPLICATION_COMMANDS_TOO_MANY"},
	{"same name", nil, append(commands(1), commands(1)...), "1.name", "APPLICATION_COMMANDS_DUPLICATE_NAME"},
	{"name", command(obj{"name": x(32)}), command(obj{"name": x(33)}), "0.name", "BASE_TYPE_BAD_LENGTH"},
	{"no name", nil, command(obj{"name": nil}), "0.name", "BASE_TYPE_REQUIRED"},
	{"capital", nil, command(obj{"name": "Deal"}), "0.name", "APPLICATION_COMMAND_INVALID_NAME"},
	{"space", nil, command(obj{"name": "a b"}), "0.name", "APPLICATION_COMMAND_INVALID_NAME"},
	{"signs", command(obj{"name": "a-b_c'9"}), command(obj{"name": "a.b"}), "0.name", "APPLICATION_COMMAND_INVALID_NAME"},
	{"scripts", command(obj{"name": "स्कोर"}), command(obj{"name": "♠"}), "0.name", "APPLICATION_COMMAND_INVALID_NAME"},
	{"no case", command(obj{"name": "得点"}), nil, "", ""},
	{"description", command(obj{"description": x(100)}), command(obj{"description": x(101)}), "0.description", "BASE_TYPE_BAD_LENGTH"},
	{"empty description", nil, command(obj{"description": ""}), "0.description", "BASE_TYPE_REQUIRED"},
	{"options", command(obj{"options": options(25)}), command(obj{"options": options(26)}), "0.options", "BASE_TYPE_MAX_LENGTH"},
	{"option's name", oneOption(obj{"name": x(32)}), oneOption(obj{"name": x(33)}), "0.options.0.name", "BASE_TYPE_BAD_LENGTH"},
	{"option's capital", nil, oneOption(obj{"name": "O"}), "0.options.0.name", "APPLICATION_COMMAND_INVALID_NAME"},
	{"option's description", oneOption(obj{"description": x(100)}), oneOption(obj{"description": x(101)}), "0.options.0.description", "BASE_TYPE_BAD_LENGTH"},
	{"option's empty description", nil, oneOption(obj{"description": ""}), "0.options.0.description", "BASE_TYPE_REQUIRED"},
	{"option's type", oneOption(obj{"type": 11}), oneOption(obj{"type": 12}), "0.options.0.type", "BASE_TYPE_CHOICES"},
	{"option twice", nil, command(obj{"options": list{option(nil), option(nil)}}), "0.options.1.name", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS"},
	{
		"option twice in a language", nil,
		command(obj{"options": list{option(obj{"name_localizations": obj{"it": "n"}}), option(obj{"name": "p", "name_localizations": obj{"it": "n"}})}}),
		"0.options.1.name_localizations.it", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
	},
	{
		"required after optional",
		command(obj{"options": list{option(obj{"required": true}), option(obj{"name": "p"})}}),
		command(obj{"options": list{option(nil), option(obj{"name": "p", "required": true})}}),
		"0.options.1", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
	},
	{"choices", oneOption(obj{"choices": choices(25)}), oneOption(obj{"choices": choices(26)}), "0.options.0.choices", "BASE_TYPE_MAX_LENGTH"},
	{"choice's name", oneChoice(obj{"name": x(100), "value": "v"}), oneChoice(obj{"name": x(101), "value": "v"}), "0.options.0.choices.0.name", "BASE_TYPE_BAD_LENGTH"},
	{"choice's empty name", nil, oneChoice(obj{"name": "", "value": "v"}), "0.options.0.choices.0.name", "BASE_TYPE_REQUIRED"},
	{"choice's value", oneChoice(obj{"name": "n", "value": x(100)}), oneChoice(obj{"name": "n", "value": x(101)}), "0.options.0.choices.0.value", "BASE_TYPE_MAX_LENGTH"},
	{"choice without value", nil, oneChoice(obj{"name": "n"}), "0.options.0.choices.0.value", "BASE_TYPE_REQUIRED"},
	{"number for a text", nil, oneChoice(obj{"name": "n", "value": 1}), "0.options.0.choices.0.value", "STRING_TYPE_CONVERT"},
	{
		"whole number",
		oneOption(obj{"type": 4, "choices": list{obj{"name": "n", "value": 1<<53 - 1}}}),
		oneOption(obj{"type": 4, "choices": list{obj{"name": "n", "value": 1 << 53}}}),
		"0.options.0.choices.0.value", "NUMBER_TYPE_MAX",
	},
	{"fraction for a whole number", oneOption(obj{"type": 10, "choices": list{obj{"name": "n", "value": 1.5}}}), oneOption(obj{"type": 4, "choices": list{obj{"name": "n", "value": 1.5}}}), "0.options.0.choices.0.value", "NUMBER_TYPE_COERCE"},
	{"choices and autocomplete", oneOption(obj{"autocomplete": true}), oneOption(obj{"autocomplete": true, "choices": choices(1)}), "0.options.0.autocomplete", "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES"},
	{"choices of a user", nil, oneOption(obj{"type": 6, "choices": choices(1)}), "0.options.0.choices", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"},
	{"max_length", oneOption(obj{"max_length": 6000}), oneOption(obj{"max_length": 6001}), "0.options.0.max_length", "NUMBER_TYPE_MAX"},
	{"least max_length", oneOption(obj{"max_length": 1}), oneOption(obj{"max_length": 0}), "0.options.0.max_length", "NUMBER_TYPE_MIN"},
	{"min over max length", oneOption(obj{"min_length": 5, "max_length": 5}), oneOption(obj{"min_length": 6, "max_length": 5}), "0.options.0.min_length", "APPLICATION_COMMAND_OPTIONS_MIN_OVER_MAX"},
	{"locale", command(obj{"name_localizations": obj{"es-419": "n"}}), command(obj{"name_localizations": obj{"es": "n"}}), "0.name_localizations.es", "BASE_TYPE_CHOICES"},
	{"Hebrew", nil, command(obj{"description_localizations": obj{"he": "n"}}), "0.description_localizations.he", "BASE_TYPE_CHOICES"},
	{"localized name", command(obj{"name_localizations": obj{"it": x(32)}}), command(obj{"name_localizations": obj{"it": x(33)}}), "0.name_localizations.it", "BASE_TYPE_BAD_LENGTH"},
	{"localized capital", nil, command(obj{"name_localizations": obj{"it": "A"}}), "0.name_localizations.it", "APPLICATION_COMMAND_INVALID_NAME"},
	{"localized choice", oneChoice(obj{"name": "n", "value": "v", "name_localizations": obj{"it": x(100)}}), oneChoice(obj{"name": "n", "value": "v", "name_localizations": obj{"it": x(101)}}), "0.options.0.choices.0.name_localizations.it", "BASE_TYPE_BAD_LENGTH"},
	{"whole command", big(8000), big(8001), "0", "APPLICATION_COMMAND_TOO_LARGE"},
	{"longest language counts", command(obj{"description_localizations": obj{"it": x(100)}}), nil, "", ""},
	{"option in a subcommand", oneOption(obj{"type": 1, "options": options(25)}), oneOption(obj{"type": 1, "options": options(26)}), "0.options.0.options", "BASE_TYPE_MAX_LENGTH"},
	{"subcommand in a group", oneOption(obj{"type": 2, "options": list{option(obj{"type": 1})}}), oneOption(obj{"type": 2, "options": list{option(nil)}}), "0.options.0.options.0.type", "BASE_TYPE_CHOICES"},
	{"subcommand in a subcommand", nil, oneOption(obj{"type": 1, "options": list{option(obj{"type": 1})}}), "0.options.0.options.0.type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"},
	{"subcommand beside a text", nil, command(obj{"options": list{option(obj{"type": 1}), option(obj{"name": "p"})}}), "0.options", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"},
	{"permissions", command(obj{"default_member_permissions": "8"}), command(obj{"default_member_permissions": "x"}), "0.default_member_permissions", "NUMBER_TYPE_COERCE"},
}

// offers is an autocomplete answer of n choices.
func offers(n int) obj { return obj{"choices": choices(n)} }

var choiceLimits = []limit{
	{"choices", offers(25), offers(26), "data.choices", "BASE_TYPE_MAX_LENGTH"},
	{"no choices", offers(0), nil, "", ""},
	{"name", obj{"choices": list{obj{"name": x(100), "value": "v"}}}, obj{"choices": list{obj{"name": x(101), "value": "v"}}}, "data.choices.0.name", "BASE_TYPE_BAD_LENGTH"},
	{"value", obj{"choices": list{obj{"name": "n", "value": x(100)}}}, obj{"choices": list{obj{"name": "n", "value": x(101)}}}, "data.choices.0.value", "BASE_TYPE_MAX_LENGTH"},
	{"number for a text", nil, obj{"choices": list{obj{"name": "n", "value": 1}}}, "data.choices.0.value", "STRING_TYPE_CONVERT"},
}

// rig sends raw requests to a twin.
type rig struct {
	t  *testing.T
	tw *twin.Twin
}

func newRig(t *testing.T) *rig {
	tw := start(t, twin.Config{RequestLimit: -1})
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return &rig{t, tw}
}

// ask sends JSON and returns the status and the answer's body.
func (r *rig) ask(method, path string, body any) (int, obj) {
	r.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.send(method, path, "application/json", data)
}

func (r *rig) send(method, path, kind string, body []byte) (int, obj) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(ctx(r.t), method, r.tw.URL()+"/api/v10"+path, bytes.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+r.tw.Token())
	req.Header.Set("Content-Type", kind)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer obj
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	_ = json.Unmarshal(text, &answer) // lists and 204 stay nil
	return resp.StatusCode, answer
}

// run checks a table: at must pass without a violation, over must be refused
// with the one violation that the row names.
func run(t *testing.T, tw *twin.Twin, table []limit, send func(body any) int) {
	t.Helper()
	for _, row := range table {
		before := len(tw.Violations())
		if row.at != nil {
			if status := send(row.at); status >= 300 {
				t.Errorf("%s: at the limit %d, want success: %v", row.what, status, tw.Violations()[before:])
			}
		}
		before = len(tw.Violations())
		if row.over == nil {
			continue
		}
		status, found := send(row.over), tw.Violations()[before:]
		if status != 400 || len(found) == 0 || found[0].Path != row.path || found[0].Code != row.code {
			t.Errorf("%s: over the limit %d %v, want 400 with %s at %q", row.what, status, found, row.code, row.path)
		}
		if len(found) > 1 {
			t.Errorf("%s: %d violations, want the one: %v", row.what, len(found), found)
		}
	}
}

// interact makes an interaction that nobody answers but the test.
func (r *rig) interact(focus bool) *twin.Interaction {
	r.t.Helper()
	var in *twin.Interaction
	var err error
	if focus {
		in, err = r.tw.Autocomplete(ctx(r.t), r.tw.User("Nello"), r.tw.Channel("table"), "c", []twin.Option{{Name: "o", Value: "x", Focused: true}})
	} else {
		in, err = r.tw.Command(ctx(r.t), r.tw.User("Nello"), r.tw.Channel("table"), "c", nil)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return in
}

func (r *rig) register() {
	r.t.Helper()
	if status, body := r.ask("PUT", "/applications/"+r.tw.ApplicationID()+"/commands", oneOption(obj{"autocomplete": true})); status != 200 {
		r.t.Fatalf("register: %d %v", status, body)
	}
}

// callback answers a new interaction.
func (r *rig) callback(kind int, focus bool) func(body any) int {
	return func(body any) int {
		in := r.interact(focus)
		status, _ := r.ask("POST", "/interactions/"+in.ID+"/"+in.Token+"/callback", obj{"type": kind, "data": body})
		return status
	}
}

func TestMessageLimits(t *testing.T) {
	r := newRig(t)
	table := r.tw.Channel("table").ID
	run(t, r.tw, messageLimits, func(body any) int {
		status, _ := r.ask("POST", "/channels/"+table+"/messages", body)
		return status
	})
}

// TestAnswerLimits has the same table in a callback, with paths under data.
func TestAnswerLimits(t *testing.T) {
	r := newRig(t)
	r.register()
	var under []limit
	for _, row := range messageLimits {
		if row.path != "" {
			row.path = "data." + row.path
		}
		if row.what == "wrong type" {
			continue
		}
		under = append(under, row)
	}
	run(t, r.tw, under, r.callback(4, false))
}

// TestEditLimits has the same table in edits of the answer.
func TestEditLimits(t *testing.T) {
	r := newRig(t)
	r.register()
	in := r.interact(false)
	r.ask("POST", "/interactions/"+in.ID+"/"+in.Token+"/callback", obj{"type": 4, "data": obj{"content": "c"}})
	clean := obj{"content": "", "embeds": list{}, "components": list{}}
	run(t, r.tw, messageLimits, func(body any) int {
		status, _ := r.ask("PATCH", "/webhooks/"+r.tw.ApplicationID()+"/"+in.Token+"/messages/@original", with(clean, body.(obj)))
		return status
	})
}

func TestModalLimits(t *testing.T) {
	r := newRig(t)
	r.register()
	run(t, r.tw, modalLimits, r.callback(9, false))
}

func TestCommandLimits(t *testing.T) {
	r := newRig(t)
	run(t, r.tw, commandLimits, func(body any) int {
		status, _ := r.ask("PUT", "/applications/"+r.tw.ApplicationID()+"/guilds/"+r.tw.GuildID()+"/commands", body)
		return status
	})
}

func TestChoiceLimits(t *testing.T) {
	r := newRig(t)
	r.register()
	run(t, r.tw, choiceLimits, r.callback(8, true))
}

// TestErrorShape compares a whole answer with Discord's form of it.
func TestErrorShape(t *testing.T) {
	r := newRig(t)
	_, body := r.ask("POST", "/channels/"+r.tw.Channel("table").ID+"/messages", embed(obj{"title": x(257)}))
	got, _ := json.Marshal(body)
	want := `{"code":50035,"errors":{"embeds":{"0":{"title":{"_errors":[{"code":"BASE_TYPE_MAX_LENGTH","message":"Must be 256 or fewer in length."}]}}}},"message":"Invalid Form Body"}`
	if string(got) != want {
		t.Errorf("answer %s\nwant   %s", got, want)
	}
	if status, body := r.ask("GET", "/nowhere", nil); status != 404 || body["message"] != "404: Not Found" || body["code"] != 0.0 {
		t.Errorf("an unknown route: %d %v", status, body)
	}
}

// TestAnswerKinds: which answers each kind of interaction takes.
func TestAnswerKinds(t *testing.T) {
	r := newRig(t)
	r.register()
	text := obj{"content": "c"}
	for _, row := range []struct {
		kind  int
		focus bool
		data  any
		want  int
	}{
		{4, false, text, 204},
		{4, false, nil, 400},
		{5, false, nil, 204},
		{6, false, nil, 400},
		{7, false, text, 400},
		{8, false, offers(1), 400},
		{9, false, modal(nil), 204},
		{1, false, nil, 400},
		{8, true, offers(1), 204},
		{4, true, text, 400},
		{9, true, modal(nil), 400},
	} {
		if got := r.callback(row.kind, row.focus)(row.data); got != row.want {
			t.Errorf("answer %d to autocomplete %v: %d, want %d", row.kind, row.focus, got, row.want)
		}
	}
}

// form is a multipart body with a message and files of these sizes.
func form(t *testing.T, sizes ...int) (kind string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.WriteField("payload_json", `{"content":"c"}`); err != nil {
		t.Fatal(err)
	}
	for i, size := range sizes {
		p, err := w.CreateFormFile(fmt.Sprintf("files[%d]", i), fmt.Sprintf("%d.bin", i))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Write(make([]byte, size)); err != nil {
			t.Fatal(err)
		}
	}
	_ = w.Close()
	return w.FormDataContentType(), b.Bytes()
}

func TestFileLimits(t *testing.T) {
	r := newRig(t)
	path := "/channels/" + r.tw.Channel("table").ID + "/messages"
	const each, all = 10 << 20, 25 << 20
	_, body := form(t, each, each, 0)
	last := all - len(body) // what is left of the request
	for _, row := range []struct {
		why   string
		sizes []int
		want  int
	}{
		{"one of 10 MiB", []int{each}, 200},
		{"one byte more", []int{each + 1}, 413},
		{"25 MiB in all", []int{each, each, last}, 200},
		{"one byte more in all", []int{each, each, last + 1}, 413},
		{"ten files", make([]int, 10), 200},
		{"eleven files", make([]int, 11), 400},
	} {
		kind, body := form(t, row.sizes...)
		if status, answer := r.send("POST", path, kind, body); status != row.want {
			t.Errorf("%s: %d %v, want %d", row.why, status, answer, row.want)
		}
	}
}

// TestFileNotes: what a request says of its files.
func TestFileNotes(t *testing.T) {
	r := newRig(t)
	path := "/channels/" + r.tw.Channel("table").ID + "/messages"
	for _, row := range []struct {
		name, text, want int
	}{{1024, 1024, 200}, {1025, 1024, 400}, {1024, 1025, 400}} {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		note, _ := json.Marshal(obj{"attachments": list{obj{"id": 0, "filename": x(row.name), "description": x(row.text)}}})
		_ = w.WriteField("payload_json", string(note))
		p, err := w.CreateFormFile("files[0]", "a.txt")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = p.Write([]byte("x"))
		_ = w.Close()
		if status, answer := r.send("POST", path, w.FormDataContentType(), b.Bytes()); status != row.want {
			t.Errorf("name %d, description %d: %d %v, want %d", row.name, row.text, status, answer, row.want)
		}
	}
}

// TestWebhookToken: 15 minutes, and nothing before the first answer.
func TestWebhookToken(t *testing.T) {
	r := newRig(t)
	r.register()
	in := r.interact(false)
	hook := "/webhooks/" + r.tw.ApplicationID() + "/" + in.Token
	if status, body := r.ask("POST", hook, obj{"content": "c"}); status != 404 || body["code"] != 10015.0 {
		t.Errorf("before the answer: %d %v, want 404 with 10015", status, body)
	}
	status, body := r.ask("POST", "/interactions/"+in.ID+"/"+in.Token+"/callback?with_response=true", obj{"type": 4, "data": obj{"content": "c"}})
	resource, _ := body["resource"].(map[string]any)
	if status != 200 || resource["type"] != 4.0 || resource["message"].(map[string]any)["content"] != "c" {
		t.Errorf("with_response: %d %v", status, body)
	}
	if status, body := r.ask("POST", hook, obj{"content": "c"}); status != 200 || body["content"] != "c" {
		t.Errorf("follow-up: %d %v", status, body)
	}
	if status, body := r.ask("DELETE", hook+"/messages/@original", nil); status != 204 {
		t.Errorf("delete: %d %v", status, body)
	}
	if status, body := r.ask("GET", hook+"/messages/@original", nil); status != 404 || body["code"] != 10008.0 {
		t.Errorf("after deleting: %d %v", status, body)
	}
	if status, body := r.ask("POST", "/interactions/"+in.ID+"/wrong/callback", obj{"type": 4}); status != 404 || body["code"] != 10062.0 {
		t.Errorf("unknown token: %d %v", status, body)
	}
}
