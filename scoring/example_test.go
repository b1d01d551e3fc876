package scoring_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rubberbot/rubberbot/scoring"
)

// A deal is read as people type it, and printed as it stands in files.
func ExampleNotation_Parse() {
	n := scoring.English()
	for _, text := range []string{"4sx-1 by north", "3 no trump made", "EW 2♥ +1 hon EW 100", "passed out"} {
		d, err := n.Parse(text)
		fmt.Println(d, err)
	}
	// Output:
	// N 4♠X −1 <nil>
	// 3NT = <nil>
	// EW 2♥ +1 hon EW 100 <nil>
	// pass <nil>
}

// A text that can't be read says where, why, and what could be written instead.
func ExampleParseError() {
	for _, text := range []string{"4♠ by N", "4S 9 vul", "N3S="} {
		_, err := scoring.English().Parse(text)
		if e, ok := errors.AsType[*scoring.ParseError](err); ok {
			fmt.Println(e.Text)
			fmt.Println(strings.Repeat(" ", e.At) + "^ " + e.Reason())
			fmt.Println(e.Offers, e.Readings)
		}
	}
	// Output:
	// 4♠ by N
	//        ^ no result: put =, +1, -1 or the like
	// [4♠ by N =] []
	// 4S 9 vul
	//    ^ a bare number: odd tricks or all tricks?
	// [4S 9 tricks vul] []
	// N3S=
	// ^ this means more than one deal
	// [] [S 3NT = N 3♠ =]
}

// A rubber is folded from its deals: every figure, in the order of the sheet.
func ExampleFold() {
	var deals []scoring.Deal
	for _, text := range []string{"N 3NT =", "E 2H +1", "S 4S X +1"} {
		d, _ := scoring.English().Parse(text)
		deals = append(deals, d)
	}
	s, err := scoring.Fold(scoring.Laws(), deals)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range s.Lines {
		fmt.Println(line.N, line.Deal)
		for _, e := range line.Entries {
			fmt.Println("  ", e.Side, e.Kind, e.Points)
		}
	}
	leader, margin := s.Leader()
	fmt.Println(s.Finished(), s.Total(), leader, margin)
	// Output:
	// 1 N 3NT =
	//    NS tricks 100
	// 2 E 2♥ +1
	//    EW tricks 60
	//    EW overtricks 30
	// 3 S 4♠X +1
	//    NS tricks 240
	//    NS overtricks 200
	//    NS insult 50
	//    NS rubber 700
	// true {1290 90} NS 1200
}

// A sheet says whether it takes a deal, and adding one leaves the sheet before it as it was.
func ExampleSheet_Add() {
	s := scoring.Sheet{Rules: scoring.Laws()}
	claimed, _ := scoring.English().Parse("N 2H = vul")
	_, err := s.Add(claimed)
	fmt.Println(err)

	d, _ := scoring.English().Parse("N 2H =")
	next, err := s.Add(d)
	fmt.Println(len(s.Lines), len(next.Lines), next.NeedsForGame(scoring.NS), err)

	ended, err := next.End()
	fmt.Println(ended.Total(), err)
	// Output:
	// NS are not vulnerable: they have not won a game yet
	// 0 1 40 <nil>
	// {160 0} <nil>
}

// One contract is priced by itself, the declaring side vulnerable or not.
func ExampleRules_Score() {
	rules := scoring.Laws()
	c := scoring.Contract{Level: 4, Strain: scoring.Spades, Doubling: scoring.Doubled}
	fmt.Printf("%+v\n", rules.Score(c, 11, true))
	fmt.Printf("%+v\n", rules.Score(c, 6, false))
	// Output:
	// {Tricks:240 Overtricks:200 Insult:50 Slam:0 Undertricks:0}
	// {Tricks:0 Overtricks:0 Insult:0 Slam:0 Undertricks:800}
}

// A rubber file has a deal a line; an error names line and column.
func ExampleParseFile() {
	f, err := scoring.ParseFile("players N=Nello S=Sandra\nN 3H +1\nE 4S X -2 # cold\nend\n")
	fmt.Println(f.Players[scoring.South], f.Sheet.Total(), err)

	_, err = scoring.ParseFile("N 3H +1\nE 4S XXX -2\n")
	fmt.Println(err)
	// Output:
	// Sandra {520 0} <nil>
	// 2:8: a second doubling
}
