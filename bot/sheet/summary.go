package sheet

import (
	"github.com/rubberbot/rubberbot/bot/lang"
	"github.com/rubberbot/rubberbot/scoring"
)

// Summary says in plain sentences how a rubber stands: who is vulnerable, part-scores, what each side needs for game; or
// how it ended: who won it, the premiums of an unfinished one, who won on points. The two winners can differ.
func Summary(s *scoring.Sheet, w *lang.Words) []string {
	if s.Over() {
		return append(ending(s, w), onPoints(s, w))
	}
	lines := []string{vulnerable(s, w)}
	for _, side := range scoring.Sides() {
		if points := s.PartScore.Of(side); points > 0 {
			lines = append(lines, w.Say("stand.part_score", lang.Values{"side": sideName(w, side), "points": points}))
		}
	}
	return append(lines, w.Say("stand.needs", lang.Values{
		"north_south": sideName(w, scoring.NS), "ns": s.NeedsForGame(scoring.NS),
		"east_west": sideName(w, scoring.EW), "ew": s.NeedsForGame(scoring.EW),
	}))
}

func sideName(w *lang.Words, s scoring.Side) string { return w.Say("side." + s.String()) }

func vulnerable(s *scoring.Sheet, w *lang.Words) string {
	ns, ew := s.Vulnerable(scoring.NS), s.Vulnerable(scoring.EW)
	switch {
	case ns && ew:
		return w.Say("stand.vulnerable_both")
	case ns:
		return w.Say("stand.vulnerable_one", lang.Values{"side": sideName(w, scoring.NS)})
	case ew:
		return w.Say("stand.vulnerable_one", lang.Values{"side": sideName(w, scoring.EW)})
	default:
		return w.Say("stand.vulnerable_none")
	}
}

func ending(s *scoring.Sheet, w *lang.Words) []string {
	if s.Finished() {
		return []string{w.Say("end.won", lang.Values{
			"side": sideName(w, s.Won), "games": s.Games.Of(s.Won), "lost": s.Games.Of(s.Won.Other()),
		})}
	}
	lines := []string{w.Say("end.early")}
	for _, e := range s.Closing {
		lines = append(lines, w.Say("end."+e.Kind.String(), lang.Values{"side": sideName(w, e.Side), "points": e.Points}))
	}
	if len(s.Closing) == 0 {
		lines = append(lines, w.Say("end.no_premium"))
	}
	return lines
}

func onPoints(s *scoring.Sheet, w *lang.Words) string {
	leader, margin := s.Leader()
	total := s.Total()
	v := lang.Values{
		"side": sideName(w, leader), "margin": margin,
		"more": total.Of(leader), "less": total.Of(leader.Other()), "both": total.NS,
	}
	switch {
	case leader == scoring.NoSide:
		return w.Say("end.level", v)
	case s.Finished() && leader != s.Won:
		return w.Say("end.points_other", v)
	default:
		return w.Say("end.points", v)
	}
}
