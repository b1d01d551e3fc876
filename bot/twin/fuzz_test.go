package twin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// size draws a length on or about a limit.
func size(t *rapid.T, limit int, label string) int {
	return max(0, limit+rapid.IntRange(-1, 1).Draw(t, label))
}

// maybe draws a value from f, or leaves the field away.
func maybe(t *rapid.T, o obj, key string, f func() any) {
	if rapid.Bool().Draw(t, "has "+key) {
		o[key] = f()
	}
}

func text(t *rapid.T, limit int, label string) string {
	if rapid.IntRange(0, 3).Draw(t, "long "+label) > 0 {
		return "x"
	}
	return strings.Repeat("é", size(t, limit, label))
}

// amount draws how many entries a list has: mostly few.
func amount(t *rapid.T, limit int, label string) int {
	if rapid.IntRange(0, 3).Draw(t, "full "+label) > 0 {
		return 1
	}
	return size(t, limit, label)
}

func drawEmbed(t *rapid.T) any {
	e := obj{}
	maybe(t, e, "title", func() any { return text(t, 256, "title") })
	maybe(t, e, "description", func() any { return text(t, 4096, "description") })
	maybe(t, e, "footer", func() any { return obj{"text": text(t, 2048, "footer")} })
	maybe(t, e, "author", func() any { return obj{"name": text(t, 256, "author")} })
	maybe(t, e, "color", func() any { return size(t, 0xFFFFFF, "color") })
	maybe(t, e, "fields", func() any {
		return many(amount(t, 25, "fields"), func(int) any {
			return field(text(t, 256, "name"), text(t, 1024, "value"))
		})
	})
	return e
}

func drawPart(t *rapid.T) any {
	p := obj{"type": rapid.IntRange(1, 5).Draw(t, "type")}
	maybe(t, p, "style", func() any { return rapid.IntRange(0, 7).Draw(t, "style") })
	maybe(t, p, "custom_id", func() any { return text(t, 100, "custom_id") })
	maybe(t, p, "label", func() any { return text(t, 80, "label") })
	maybe(t, p, "placeholder", func() any { return text(t, 150, "placeholder") })
	maybe(t, p, "options", func() any {
		return many(amount(t, 25, "options"), func(int) any {
			return obj{"label": text(t, 100, "label"), "value": text(t, 100, "value")}
		})
	})
	return p
}

func drawMessage(t *rapid.T) obj {
	m := obj{}
	maybe(t, m, "content", func() any { return text(t, 2000, "content") })
	maybe(t, m, "embeds", func() any { return many(amount(t, 10, "embeds"), func(int) any { return drawEmbed(t) }) })
	maybe(t, m, "components", func() any {
		return many(amount(t, 5, "rows"), func(int) any {
			return row(many(amount(t, 5, "parts"), func(int) any { return drawPart(t) })...)
		})
	})
	return m
}

func drawOption(t *rapid.T, depth int) any {
	o := obj{"type": rapid.IntRange(0, 12).Draw(t, "type"), "name": text(t, 32, "name"), "description": text(t, 100, "description")}
	maybe(t, o, "required", func() any { return rapid.Bool().Draw(t, "required") })
	maybe(t, o, "max_length", func() any { return rapid.SampledFrom([]int{0, 1, 6000, 6001}).Draw(t, "max_length") })
	maybe(t, o, "choices", func() any {
		return many(amount(t, 25, "choices"), func(i int) any {
			value := any(text(t, 100, "value"))
			if rapid.Bool().Draw(t, "number") {
				value = i
			}
			return obj{"name": text(t, 100, "name"), "value": value}
		})
	})
	if depth < 3 {
		maybe(t, o, "options", func() any { return many(amount(t, 25, "options"), func(int) any { return drawOption(t, depth+1) }) })
	}
	return o
}

// TestNoLaxerThanDiscord draws requests about every limit: what the twin
// takes, Discord's own description takes as well.
func TestNoLaxerThanDiscord(t *testing.T) {
	api := official(t)
	r := newRig(t)
	table := r.tw.Channel("table").ID
	const request = "/requestBody/content/application~1json/schema"
	check := func(t *rapid.T, outer *testing.T, method, path, pointer string, body any) {
		if status, _ := r.ask(method, path, body); status >= 300 {
			return
		}
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		if err := api.refuses(outer, pointer, data); err != nil {
			t.Fatalf("taken here, not by Discord: %s\n%v", data, err)
		}
	}
	t.Run("messages", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			check(rt, t, "POST", "/channels/"+table+"/messages", "/paths/~1channels~1%7Bchannel_id%7D~1messages/post"+request, drawMessage(rt))
		})
	})
	t.Run("commands", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			body := obj{"name": text(rt, 32, "name"), "description": text(rt, 100, "description")}
			maybe(rt, body, "options", func() any {
				return many(amount(rt, 25, "options"), func(int) any { return drawOption(rt, 1) })
			})
			check(rt, t, "PUT", "/applications/"+r.tw.ApplicationID()+"/commands", "/paths/~1applications~1%7Bapplication_id%7D~1commands/put"+request, list{body})
		})
	})
}
