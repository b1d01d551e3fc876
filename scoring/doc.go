// Package scoring keeps the score of rubber bridge by the Laws of Contract Bridge (1993; the 2014 edition has the same
// figures): values and pure functions, nothing else. It knows no clock, no chance, no disk and no chat.
//
// In reading order:
//
//   - [Strain], [Doubling], [Contract]: what was bid.
//   - [Seat], [Side]: who sits where.
//   - [Deal]: a contract, who declared it, the tricks taken, and what was claimed for honours. The zero Deal is a deal
//     that was passed out.
//   - [Rules]: the figures of the Laws as data. [Rules.Score] prices one contract.
//   - [Sheet]: a rubber, folded from its deals: every [Entry], games, part-scores, totals. [Fold] makes one, [Sheet.Add]
//     makes the next.
//   - [Notation]: how people write a deal ("4S X -1 by N"), read in every way that it can be read, and refused with a
//     [ParseError] where it can't or where it means two things.
//   - [File]: a whole rubber as text, a deal a line, and [Report], its result as JSON.
//
// All points are whole and never negative; a side's loss is the other side's entry. Only deals are kept: vulnerability,
// part-scores, games and totals are worked out again from the first deal each time, so that a deal taken back, changed
// or put in between can't leave a stale figure behind.
package scoring
