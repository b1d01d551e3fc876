// Package sheet writes a rubber's score sheet as text that fits a phone: the two sides' columns as they look on paper,
// what stands above the line growing upwards from it, what stands below it growing downwards, a line under each game,
// and the totals. No row is wider than [Columns] cells, so that Discord's fixed-width block doesn't wrap.
package sheet

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/scoring"
)

// Columns is the most cells that a row takes.
const Columns = 32

// column is the cells of one side: two of them, with " │ " between.
const column = (Columns - 3) / 2

// Names are the players' names by seat; "" is a seat without one.
type Names [scoring.West + 1]string

// Text is the sheet, rows separated and ended by line feeds. Of what stands above the line only the newest entries are
// listed, at most so many rows; older ones are summed. Rows of 0 lists all.
func Text(s *scoring.Sheet, names Names, w *lang.Words, rows int) string {
	t := &text{sheet: s, words: w}
	t.heads(names)
	t.rule("─┼─")
	t.above(rows)
	t.rule("━┿━")
	t.below()
	t.rule("━┿━")
	total := s.Total()
	t.row(t.cell("sheet.total", total.NS), t.cell("sheet.total", total.EW))
	return t.String()
}

type text struct {
	strings.Builder
	sheet *scoring.Sheet
	words *lang.Words
}

// row writes two cells of exactly column width each; the space at the end of a row is left out.
func (t *text) row(left, right string) {
	t.WriteString(strings.TrimRight(left+" │ "+right, " ") + "\n")
}

// rule draws a line across both columns; joint is the line, the crossing and the line again.
func (t *text) rule(joint string) {
	line := string([]rune(joint)[:1])
	t.WriteString(strings.Repeat(line, column) + joint + strings.Repeat(line, column) + "\n")
}

func (t *text) heads(names Names) {
	for i := range 2 {
		ns, ew := scoring.NS.Seats()[i], scoring.EW.Seats()[i]
		t.row(t.name(names, ns), t.name(names, ew))
	}
	vulnerable := func(side scoring.Side) string {
		if t.sheet.Vulnerable(side) {
			return pad(t.words.Say("sheet.vulnerable"), "")
		}
		return pad("", "")
	}
	if t.sheet.Games != (scoring.Tally{}) {
		t.row(vulnerable(scoring.NS), vulnerable(scoring.EW))
	}
}

// name is a seat's letter and its player, or the seat in full where nobody in particular sits.
func (t *text) name(names Names, seat scoring.Seat) string {
	letter := t.words.Say("letter."+seat.String()) + " "
	name := Fit(names[seat], column-Width(letter))
	if name == "" {
		letter, name = "", t.words.Say("seat."+seat.String())
	}
	return letter + Isolate(name) + strings.Repeat(" ", max(0, column-Width(letter+name)))
}

// pad puts a label at the left and a figure at the right of one column.
func pad(label, figure string) string {
	room := column - len(figure)
	label = cells.Truncate(label, room, "…")
	return label + strings.Repeat(" ", room-Width(label)) + figure
}

func (t *text) cell(id string, points int) string {
	return pad(t.words.Say(id), strconv.Itoa(points))
}

// above writes what stands above the line, the newest at the top, each column standing on the line.
func (t *text) above(rows int) {
	ns := t.column(scoring.NS, rows)
	ew := t.column(scoring.EW, rows)
	for i := max(len(ns), len(ew), 1) - 1; i >= 0; i-- {
		t.row(at(ns, i), at(ew, i))
	}
}

func at(column []string, i int) string {
	if i < len(column) {
		return column[i]
	}
	return pad("", "")
}

// column is a side's cells above the line, the oldest first.
func (t *text) column(side scoring.Side, rows int) []string {
	var all []string
	var points []int
	add := func(e scoring.Entry, label string) {
		if e.Side == side && !e.Kind.Below() {
			all = append(all, pad(label, strconv.Itoa(e.Points)))
			points = append(points, e.Points)
		}
	}
	for i := range t.sheet.Lines {
		l := &t.sheet.Lines[i]
		for _, e := range l.Entries {
			add(e, t.label(l, e.Kind))
		}
	}
	for _, e := range t.sheet.Closing {
		add(e, t.words.Say("sheet."+e.Kind.String()))
	}
	if rows == 0 || len(all) <= rows {
		return all
	}
	older := len(all) - rows + 1
	sum := 0
	for _, p := range points[:older] {
		sum += p
	}
	return append([]string{pad(t.words.Say("sheet.earlier"), strconv.Itoa(sum))}, all[older:]...)
}

// label says what an entry above the line was given for.
func (t *text) label(l *scoring.Line, k scoring.Kind) string {
	switch k {
	case scoring.Overtricks, scoring.Undertricks:
		return result(l.Deal)
	case scoring.Slam:
		return t.words.Say("sheet.slam", lang.Values{"contract": l.Deal.Contract.Bid()})
	case scoring.RubberWon:
		winner, loser := t.sheet.Games.Of(t.sheet.Won), t.sheet.Games.Of(t.sheet.Won.Other())
		return t.words.Say("sheet.rubber", lang.Values{"games": fmt.Sprintf("%d–%d", winner, loser)})
	default:
		return t.words.Say("sheet." + k.String())
	}
}

func result(d scoring.Deal) string {
	return d.Contract.String() + " " + string(scoring.AppendResult(nil, d.Result()))
}

// below writes what counts towards game, with a line under each game that was won. An open game has room even where
// nothing counts towards it yet.
func (t *text) below() {
	won := t.sheet.Games.NS + t.sheet.Games.EW
	for game := 1; game <= t.sheet.Game(); game++ {
		ns, ew := t.game(scoring.NS, game), t.game(scoring.EW, game)
		rows := max(len(ns), len(ew))
		if game > won {
			rows = max(rows, 1)
		}
		for i := range rows {
			t.row(at(ns, i), at(ew, i))
		}
		if game < t.sheet.Game() {
			t.rule("─┼─")
		}
	}
}

func (t *text) game(side scoring.Side, game int) []string {
	var all []string
	for i := range t.sheet.Lines {
		l := &t.sheet.Lines[i]
		for _, e := range l.Entries {
			if e.Side == side && e.Kind.Below() && int(e.Game) == game {
				all = append(all, pad(result(l.Deal), strconv.Itoa(e.Points)))
			}
		}
	}
	return all
}
