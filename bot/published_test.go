package bot_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rubberbot/rubberbot/bot/twin"
)

// published is a rubber of ../scoring/testdata/published, whose file names the sources.
type published struct {
	ID    string
	Deals []struct {
		By, Contract, Doubled string
		Result                int
	}
}

func publishedRubber(t *testing.T, id string) published {
	t.Helper()
	data, err := os.ReadFile("../scoring/testdata/published/rubbers.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Rubbers []published }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, r := range all.Rubbers {
		if r.ID == id {
			return r
		}
	}
	t.Fatalf("no rubber %s", id)
	return published{}
}

// typed is each deal as somebody would type it.
func (p published) typed() []string {
	var all []string
	for _, d := range p.Deals {
		result := fmt.Sprintf("%+d", d.Result)
		if d.Result == 0 {
			result = "="
		}
		all = append(all, fmt.Sprintf("%s %s%s %s", d.By, d.Contract, d.Doubled, result))
	}
	return all
}

// play types a rubber's deals and returns the last reply.
func (c *club) play(deals []string) (last twin.Message) {
	c.t.Helper()
	for _, d := range deals {
		last = c.deal(d)
		public(c.t, last)
	}
	return last
}

// The source of seed-000 prints 740 for East–West; its own column adds up to 300+40+20+100+60+40+200 = 760.
func TestPublishedRubbers(t *testing.T) {
	for _, row := range []struct{ id, won, points string }{
		{"seed-000", "North–South win the rubber, 2 games to 1.", "North–South win on points by 350, 1110 to 760."},
		{"seed-001", "East–West win the rubber, 2 games to 1.", "But on points North–South win by 810, 1690 to 880: the larger total counts."},
	} {
		t.Run(row.id, func(t *testing.T) {
			c := open(t)
			c.four()
			last := c.play(publishedRubber(t, row.id).typed())
			says(t, last, row.won, row.points)
			golden(t, row.id+".golden", text(last)+"\n")
		})
	}
}

// An evening is the same with a restart between any two of its commands.
func TestRestartBetweenAnyTwoCommands(t *testing.T) {
	evening := func(c *club, between func()) (all []string) {
		add := func(m twin.Message) {
			all = append(all, text(m))
			between()
		}
		add(c.four())
		for _, d := range publishedRubber(t, "seed-000").typed()[:5] {
			add(c.deal(d))
		}
		add(c.do("Olga", "undo"))
		add(c.do("Olga", "undo"))
		add(c.do("Olga", "redo"))
		ask := c.deal("2S =")
		add(ask)
		add(c.press("Nello", ask, "S"))
		sure := c.do("Sandra", "rubber end")
		add(sure)
		ended := c.press("Sandra", sure, "End")
		add(ended)
		add(c.press("Enrico", ended, "Next"))
		add(c.do("Enrico", "undo"))
		add(c.do("Enrico", "undo"))
		add(c.do("Enrico", "sheet"))
		return all
	}
	quiet := open(t)
	want := evening(quiet, func() {})
	restless := open(t)
	got := evening(restless, restless.restart)
	if w, g := strings.Join(want, "\n---\n"), strings.Join(got, "\n---\n"); w != g {
		golden(t, "restart.golden", g)
		t.Errorf("with restarts:\n%s\nwithout:\n%s", g, w)
	}
}
