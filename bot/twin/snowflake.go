package twin

import (
	"hash/fnv"
	"strconv"
	"sync/atomic"
	"time"
)

// discordEpoch is the first millisecond of 2015, from which Discord counts.
const discordEpoch = 1420070400000

// snowflakes makes Discord ids: milliseconds since 2015 in the upper 42 bits.
// Ids are strictly increasing even where the clock stands still or goes back.
type snowflakes struct {
	last atomic.Uint64
}

// next returns an id for the moment now.
func (s *snowflakes) next(now time.Time) string {
	want := uint64(0)
	if ms := now.UnixMilli() - discordEpoch; ms > 0 {
		want = uint64(ms) << 22
	}
	for {
		last := s.last.Load()
		id := max(want, last+1)
		if s.last.CompareAndSwap(last, id) {
			return strconv.FormatUint(id, 10)
		}
	}
}

// named is the id of a person or place by its name: the same in every Twin, so
// that what a bot keeps between two runs is about the same people and places.
// Its moment is one of the five years from 2015.
func named(kind, name string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(kind + "\x00" + name))
	const years = 5 * 365 * 24 * uint64(time.Hour/time.Millisecond)
	sum := h.Sum64()
	return strconv.FormatUint((1+sum%years)<<22|sum>>42, 10)
}

// SnowflakeTime returns the moment that a Discord id carries, and false where
// id isn't one.
func SnowflakeTime(id string) (time.Time, bool) {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(n>>22) + discordEpoch), true
}
