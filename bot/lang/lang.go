// Package lang holds every word that a person reads in Discord, a message file per language, and nothing of ours
// besides. English is complete; a language that lacks a message falls back to it.
//
// A message's id says where it stands ("deal.asked.declarer"); its text is a template whose values have names
// ("{{.side}}"). Texts that depend on a number have plural forms by the rules of their language.
package lang

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"
)

//go:embed *.yaml
var files embed.FS

// Catalogue is the messages of all languages.
type Catalogue struct{ bundle *i18n.Bundle }

// Load reads the message files that are built in.
func Load() (*Catalogue, error) {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("yaml", yaml.Unmarshal)
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if _, err := bundle.LoadMessageFileFS(files, name); err != nil {
			return nil, fmt.Errorf("message file %s: %w", name, err)
		}
	}
	return &Catalogue{bundle}, nil
}

// Words are the messages in one language. Safe for concurrent use.
type Words struct{ localizer *i18n.Localizer }

// In is the messages in a language, named as BCP 47 has it ("en", "pt-BR").
func (c *Catalogue) In(tag string) *Words {
	return &Words{i18n.NewLocalizer(c.bundle, tag)}
}

// Values are what a message's template names.
type Values map[string]any

// Say is a message. A message that isn't there is its id, so that a reply is never lost for want of a word.
func (w *Words) Say(id string, v ...Values) string {
	return w.localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: merge(v)})
}

// Count is a message about n things, which its template names {{.n}}, in the plural form that n calls for.
func (w *Words) Count(id string, n int, v ...Values) string {
	data := merge(v)
	data["n"] = n
	return w.localize(&i18n.LocalizeConfig{MessageID: id, PluralCount: n, TemplateData: data})
}

func (w *Words) localize(c *i18n.LocalizeConfig) string {
	text, err := w.localizer.Localize(c)
	if missing := (*i18n.MessageNotFoundErr)(nil); err != nil && (errors.As(err, &missing) || text == "") {
		return c.MessageID
	}
	return text
}

func merge(all []Values) Values {
	data := Values{}
	for _, v := range all {
		for key, value := range v {
			data[key] = value
		}
	}
	return data
}
