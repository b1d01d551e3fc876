package twin

import (
	"regexp"
	"slices"
	"strings"
)

// mentionPattern finds what Discord turns into a mention. The groups are a
// user's id and a role's.
var mentionPattern = regexp.MustCompile(`<@!?(\d+)>|<@&(\d+)>|@everyone|@here`)

// pings returns the mentions in content that would notify somebody, as they
// would be written, without repeats. Without allowed_mentions everything
// pings. Mentions in code blocks count too: the twin would rather see one too
// many than one too few.
func pings(content string, allowed *mentionsJSON) []string {
	if !strings.Contains(content, "@") {
		return nil
	}
	var list []string
	for _, m := range mentionPattern.FindAllStringSubmatch(content, -1) {
		text := m[0]
		if m[1] != "" {
			text = "<@" + m[1] + ">"
		}
		if allowed.permits(m[1], m[2]) && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// permits tells whether a mention of a user, a role or, where both are empty,
// of everyone may ping.
func (m *mentionsJSON) permits(user, role string) bool {
	switch {
	case m == nil:
		return true
	case user != "":
		return slices.Contains(m.Parse, "users") || slices.Contains(m.Users, user)
	case role != "":
		return slices.Contains(m.Parse, "roles") || slices.Contains(m.Roles, role)
	default:
		return slices.Contains(m.Parse, "everyone")
	}
}
