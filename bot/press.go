package bot

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rubberbot/rubberbot/storage"
)

// press is what a button means: what to do, for which rubber, at which revision of the table, and with what.
type press struct {
	kind     string
	rubber   int
	revision uint64
	arg      string // a short word
	text     string // a deal; the rest, so it may hold anything
}

// id is the press as a custom id.
func (p press) id() string {
	return fmt.Sprintf("%s:%d:%d:%s:%s", p.kind, p.rubber, p.revision, p.arg, p.text)
}

// parsePress reads what id writes.
func parsePress(id string) (press, error) {
	parts := strings.SplitN(id, ":", 5)
	if len(parts) != 5 {
		return press{}, refuse("press.unknown")
	}
	rubber, err1 := strconv.Atoi(parts[1])
	revision, err2 := strconv.ParseUint(parts[2], 10, 64)
	if err1 != nil || err2 != nil {
		return press{}, refuse("press.unknown")
	}
	return press{kind: parts[0], rubber: rubber, revision: revision, arg: parts[3], text: parts[4]}, nil
}

// fresh refuses a press of a button made before the table's last change.
func (p press) fresh(t storage.Table) error {
	if p.revision != t.Revision || p.rubber != t.Rubber.Number {
		return refuse("press.stale")
	}
	return nil
}

// pressAt is a button's meaning at the table as it stands.
func pressAt(kind string, t storage.Table, arg, text string) press {
	return press{kind: kind, rubber: t.Rubber.Number, revision: t.Revision, arg: arg, text: text}
}
