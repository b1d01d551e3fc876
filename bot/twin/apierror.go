package twin

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Discord's error codes that the twin answers with.
const (
	codeUnknownChannel     = 10003
	codeUnknownGuild       = 10004
	codeUnknownMember      = 10007
	codeUnknownMessage     = 10008
	codeUnknownUser        = 10013
	codeUnknownWebhook     = 10015
	codeUnknownInteraction = 10062
	codeUnknownCommand     = 10063
	codeTooManyCreates     = 30034
	codeTooLarge           = 40005
	codeAcknowledged       = 40060
	codeEmptyMessage       = 50006
	codeWebhookToken       = 50027
	codeInvalidForm        = 50035
	codeInvalidJSON        = 50109
)

// apiError is an answer of the REST interface that says what went wrong.
type apiError struct {
	Status   int
	Code     int
	Message  string
	Problems []problem
	Wrong    bool // the client did what it never should: a Violation
	Retry    float64
}

func (e *apiError) Error() string { return e.Message }

// MarshalJSON writes Discord's shape, with the problems nested by their path.
func (e *apiError) MarshalJSON() ([]byte, error) {
	body := map[string]any{"message": e.Message, "code": e.Code}
	if len(e.Problems) > 0 {
		body["errors"] = nest(e.Problems)
	}
	if e.Status == http.StatusTooManyRequests {
		body["retry_after"], body["global"] = e.Retry, true
	}
	return json.Marshal(body)
}

// nest turns a list of problems into the tree that Discord answers with.
func nest(list []problem) map[string]any {
	root := map[string]any{}
	for _, p := range list {
		at := root
		for _, key := range strings.Split(p.Path, ".") {
			if key == "" {
				continue
			}
			next, ok := at[key].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[key] = next
			}
			at = next
		}
		leaf, _ := at["_errors"].([]map[string]string)
		at["_errors"] = append(leaf, map[string]string{"code": p.Code, "message": p.Message})
	}
	return root
}

func notFound(code int, message string) *apiError {
	return &apiError{Status: http.StatusNotFound, Code: code, Message: message}
}

func wrong(status, code int, message string) *apiError {
	return &apiError{Status: status, Code: code, Message: message, Wrong: true}
}

// invalidForm answers a body that breaks a limit; nil where nothing does.
func invalidForm(list []problem) error {
	if len(list) == 0 {
		return nil
	}
	return &apiError{
		Status: http.StatusBadRequest, Code: codeInvalidForm, Message: "Invalid Form Body",
		Problems: list, Wrong: true,
	}
}
