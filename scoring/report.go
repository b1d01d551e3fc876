package scoring

// Report is a sheet as JSON, for other programs. Its field names, kinds and order are a contract with them.
type Report struct {
	Format     string         `json:"format"`
	Rules      string         `json:"rules"`
	Overrides  map[string]any `json:"overrides"`
	Finished   bool           `json:"finished"` // the rubber ended by itself
	Deals      []ReportDeal   `json:"deals"`
	Closing    []ReportEntry  `json:"closing"`
	Games      Tally          `json:"games"`
	PartScore  Tally          `json:"part_score"`
	Vulnerable ReportSides    `json:"vulnerable"` // for the next deal
	Below      Tally          `json:"below"`
	Above      Tally          `json:"above"`
	Total      Tally          `json:"total"`
	WonBy      Side           `json:"rubber_won_by"`
	Leader     Side           `json:"leader"`
	Margin     int            `json:"margin"`
}

// ReportDeal is a line of the sheet in a [Report].
type ReportDeal struct {
	N          int           `json:"n"`
	Text       string        `json:"text"` // canonical
	Declarer   string        `json:"declarer"`
	Side       Side          `json:"side"`
	Level      uint8         `json:"level"`
	Strain     string        `json:"strain"`
	Doubling   string        `json:"doubling"`
	Tricks     uint8         `json:"tricks"`
	Passed     bool          `json:"passed"`
	Vulnerable bool          `json:"vulnerable"` // the declaring side, at that deal
	Entries    []ReportEntry `json:"entries"`
}

// ReportEntry is an entry in a [Report].
type ReportEntry struct {
	Side   Side   `json:"side"`
	Line   string `json:"line"` // below or above
	Kind   Kind   `json:"kind"`
	Points int    `json:"points"`
}

// ReportSides says something of each side.
type ReportSides struct {
	NS bool `json:"NS"`
	EW bool `json:"EW"`
}

// Report is the sheet as other programs read it.
func (s *Sheet) Report() Report {
	leader, margin := s.Leader()
	r := Report{
		Format: "rubber", Rules: s.Rules.Name, Overrides: map[string]any{}, Finished: s.Finished(),
		Deals: make([]ReportDeal, 0, len(s.Lines)), Closing: reportEntries(s.Closing),
		Games: s.Games, PartScore: s.PartScore,
		Vulnerable: ReportSides{NS: s.Vulnerable(NS), EW: s.Vulnerable(EW)},
		Below:      s.Below, Above: s.Above, Total: s.Total(),
		WonBy: s.Won, Leader: leader, Margin: margin,
	}
	for i := range s.Lines {
		r.Deals = append(r.Deals, s.Lines[i].report())
	}
	return r
}

func (l *Line) report() ReportDeal {
	d := l.Deal
	return ReportDeal{
		N: l.N, Text: d.String(), Declarer: d.Declarer.String(), Side: d.Side,
		Level: d.Contract.Level, Strain: d.Contract.Strain.Letter(), Doubling: d.Contract.Doubling.String(),
		Tricks: d.Tricks, Passed: d.PassedOut(), Vulnerable: l.Vulnerable, Entries: reportEntries(l.Entries),
	}
}

func reportEntries(entries []Entry) []ReportEntry {
	out := make([]ReportEntry, len(entries))
	for i, e := range entries {
		line := "above"
		if e.Kind.Below() {
			line = "below"
		}
		out[i] = ReportEntry{Side: e.Side, Line: line, Kind: e.Kind, Points: e.Points}
	}
	return out
}
