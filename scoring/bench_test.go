package scoring_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rubberbot/rubberbot/scoring"
)

// priced is one call of Rules.Score.
type priced struct {
	c          scoring.Contract
	tricks     int
	vulnerable bool
}

// everyPrice is every contract with every doubling, vulnerability and number of tricks, in that order.
func everyPrice() []priced {
	var all []priced
	for c := range everyContract {
		for _, vulnerable := range []bool{false, true} {
			for tricks := range 14 {
				all = append(all, priced{c, tricks, vulnerable})
			}
		}
	}
	return all
}

// BenchmarkScore prices one contract: in their natural order, and at random, which the processor can't foretell.
func BenchmarkScore(b *testing.B) {
	natural := everyPrice()
	random := everyPrice()
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(random), func(i, j int) { random[i], random[j] = random[j], random[i] })
	for _, order := range []struct {
		name string
		list []priced
	}{{"natural", natural}, {"random", random}} {
		b.Run(order.name, func(b *testing.B) {
			rules, i := scoring.Laws(), 0
			b.ReportAllocs()
			for b.Loop() {
				p := &order.list[i]
				if i++; i == len(order.list) {
					i = 0
				}
				rules.Score(p.c, p.tricks, p.vulnerable)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{"4S=", "N 4♠X −1", "4 spades doubled down 2 by South", "S 3NT +1 vul hon EW 150", "pass"} {
		b.Run(text, func(b *testing.B) {
			n := scoring.English()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := n.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRefuse is what a text costs that can't be read, with the search for what to offer.
func BenchmarkRefuse(b *testing.B) {
	for _, text := range []string{"N3S=", "4S by N", "4S 9", "what was that deal again, the one that went down?"} {
		b.Run(text, func(b *testing.B) {
			n := scoring.English()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := n.Parse(text); err == nil {
					b.Fatal("read")
				}
			}
		})
	}
}

// BenchmarkFold folds rubbers that don't end: the time by deal must not grow with their number.
func BenchmarkFold(b *testing.B) {
	for _, n := range []int{10, 20, 100, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			deals, rules := longRubber(n), scoring.Laws()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := scoring.Fold(rules, deals); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/deal")
		})
	}
}

// longRubber is n deals in which nobody wins two games: part-scores that never reach 100, and defeats.
func longRubber(n int) []scoring.Deal {
	four := []scoring.Deal{
		mustRead("N 4S X -1 hon N 100"), mustRead("E 3NT -2"), mustRead("W 5C XX -3"), mustRead("pass"),
	}
	deals := []scoring.Deal{mustRead("N 2H +1"), mustRead("E 1NT +2")}
	for len(deals) < n {
		deals = append(deals, four[len(deals)%len(four)])
	}
	return deals[:n]
}

func BenchmarkAdd(b *testing.B) {
	s := mustFold(longRubber(19)...)
	d := mustRead("N 4S X -1")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Add(d); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReport(b *testing.B) {
	s := mustFold(longRubber(20)...)
	b.Run("value", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Report()
		}
	})
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(s.Report()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestNoAllocation holds what the benchmarks show: pricing a deal and reading one allocate nothing.
func TestNoAllocation(t *testing.T) {
	rules, n := scoring.Laws(), scoring.English()
	if got := testing.AllocsPerRun(100, func() { rules.Score(scoring.Contract{Level: 4, Strain: scoring.Spades}, 9, true) }); got != 0 {
		t.Errorf("Score allocates %v times, want none", got)
	}
	if got := testing.AllocsPerRun(100, func() { _, _ = n.Parse("S 3NT X −1 vul hon EW 150") }); got != 0 {
		t.Errorf("Parse allocates %v times, want none", got)
	}
}
