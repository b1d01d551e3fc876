package scoring_test

import (
	"fmt"

	"github.com/rubberbot/rubberbot/scoring"
)

// everyContract yields the 105 contracts.
func everyContract(yield func(scoring.Contract) bool) {
	for level := range uint8(7) {
		for strain := scoring.Clubs; strain <= scoring.NoTrump; strain++ {
			for doubling := scoring.Undoubled; doubling <= scoring.Redoubled; doubling++ {
				if !yield(scoring.Contract{Level: level + 1, Strain: strain, Doubling: doubling}) {
					return
				}
			}
		}
	}
}

// mustRead reads a deal that a test writes itself.
func mustRead(text string) scoring.Deal {
	d, err := scoring.English().Parse(text)
	if err != nil {
		panic(fmt.Sprintf("Parse(%q): %v", text, err))
	}
	return d
}

// mustFold folds deals that a test knows to fit.
func mustFold(deals ...scoring.Deal) scoring.Sheet {
	s, err := scoring.Fold(scoring.Laws(), deals)
	if err != nil {
		panic(err)
	}
	return s
}
