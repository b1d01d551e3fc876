package scoring_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubberbot/rubberbot/scoring"
)

// reportJSON is a sheet as `rubberbot score --json` writes it, indented for a reader.
func reportJSON(t *testing.T, s scoring.Sheet) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(s.Report()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReportGolden writes a rubber that ended by itself and one that was ended.
func TestReportGolden(t *testing.T) {
	golden(t, "testdata/report_won.json", reportJSON(t, play(t, "N 3H +1; NS 5C X -2 hon E 100; pass; S 2C =; E 4S =; N 6NT =")))
	golden(t, "testdata/report_ended.json", reportJSON(t, play(t, "E 4S =; N 2H =; end")))
}

// contract is the example of DESIGN.md, literally; other programs rely on it. The deals that it leaves out are those of
// the published rubber seed-000.
const contract = `{"format":"rubber","rules":"laws","overrides":{},"finished":true,
 "deals":[{"n":1,"text":"N 3♥ +1","declarer":"N","side":"NS","level":3,"strain":"H","doubling":"","tricks":10,"passed":false,
           "vulnerable":false,
           "entries":[{"side":"NS","line":"below","kind":"tricks","points":90},
                      {"side":"NS","line":"above","kind":"overtricks","points":30}]}],
 "closing":[],
 "games":{"NS":2,"EW":1},"part_score":{"NS":0,"EW":0},"vulnerable":{"NS":true,"EW":true},
 "below":{"NS":330,"EW":180},"above":{"NS":780,"EW":580},"total":{"NS":1110,"EW":760},
 "rubber_won_by":"NS","leader":"NS","margin":350}`

// TestReportContract: the report of seed-000, cut to its first deal, is the example of DESIGN.md byte for byte, spaces
// aside: the same names in the same order.
func TestReportContract(t *testing.T) {
	var deals []scoring.Deal
	for _, d := range publishedRubbers(t)[0].Deals {
		deals = append(deals, d.deal(t))
	}
	deals[0] = deals[0].By(scoring.North) // the source doesn't say who of the side declared
	s := mustFold(deals...)
	r := s.Report()
	r.Deals = r.Deals[:1]
	got, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := json.Compact(&want, []byte(contract)); err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() {
		t.Errorf("report\n got %s\nwant %s", got, want.String())
	}
}

// TestReportEmpty: what is nobody, nothing or no entry in JSON.
func TestReportEmpty(t *testing.T) {
	want := `{"format":"rubber","rules":"laws","overrides":{},"finished":false,"deals":[],"closing":[],` +
		`"games":{"NS":0,"EW":0},"part_score":{"NS":0,"EW":0},"vulnerable":{"NS":false,"EW":false},` +
		`"below":{"NS":0,"EW":0},"above":{"NS":0,"EW":0},"total":{"NS":0,"EW":0},"rubber_won_by":"","leader":"","margin":0}`
	s := mustFold()
	got, err := json.Marshal(s.Report())
	if err != nil || string(got) != want {
		t.Errorf("report of no deal\n got %s, %v\nwant %s", got, err, want)
	}
	s = mustFold(mustRead("pass"), mustRead("EW 1C -7"))
	got, _ = json.Marshal(s.Report().Deals)
	want = `[{"n":1,"text":"pass","declarer":"","side":"","level":0,"strain":"","doubling":"","tricks":0,"passed":true,"vulnerable":false,"entries":[]},` +
		`{"n":2,"text":"EW 1♣ −7","declarer":"","side":"EW","level":1,"strain":"C","doubling":"","tricks":0,"passed":false,"vulnerable":false,` +
		`"entries":[{"side":"NS","line":"above","kind":"undertricks","points":350}]}]`
	if string(got) != want {
		t.Errorf("deals\n got %s\nwant %s", got, want)
	}
}

// TestReportReadsBack: the golden files, read strictly, are the reports that they were written from.
func TestReportReadsBack(t *testing.T) {
	s := play(t, "E 4S =; N 2H =; end")
	d := json.NewDecoder(strings.NewReader(reportJSON(t, s)))
	d.DisallowUnknownFields()
	var got scoring.Report
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s.Report(), got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

// TestReportText: deals stand in a report without what their texts claimed, since the sheet says it.
func TestReportWithoutClaims(t *testing.T) {
	s := play(t, "N 4S = nv; N 4S -1 vul")
	r := s.Report()
	if r.Deals[0].Text != "N 4♠ =" || r.Deals[1].Text != "N 4♠ −1" || r.Deals[0].Vulnerable || !r.Deals[1].Vulnerable {
		t.Errorf("deals %+v", r.Deals)
	}
}
