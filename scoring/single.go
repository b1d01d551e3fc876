package scoring

// Single is one deal away from any rubber: what it brings by itself, the declaring side vulnerable or not.
func (r *Rules) Single(d Deal, vulnerable bool) Line {
	return Line{N: 1, Deal: d.Unclaimed(), Vulnerable: vulnerable, Entries: r.price(nil, d, vulnerable)}
}
