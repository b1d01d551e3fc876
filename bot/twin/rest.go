package twin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// call is one REST request on its way through a handler.
type call struct {
	t *Twin
	r *http.Request
}

// handler answers a request with a body, nil for none, or an error that is
// best an *apiError.
type handler func(*call) (any, error)

// apiPrefix is what stands before a route.
var apiPrefix = regexp.MustCompile(`^/api(/v(9|10))?/`)

// fileName finds the number in the name of a multipart file.
var fileName = regexp.MustCompile(`^files?\[?(\d*)\]?$`)

// routes is the table of all that the REST interface speaks.
func (t *Twin) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, h := range map[string]handler{
		"POST /interactions/{id}/{token}/callback":      (*call).callback,
		"POST /webhooks/{app}/{token}":                  (*call).followUp,
		"GET /webhooks/{app}/{token}/messages/{mid}":    (*call).readAnswer,
		"PATCH /webhooks/{app}/{token}/messages/{mid}":  (*call).editAnswer,
		"DELETE /webhooks/{app}/{token}/messages/{mid}": (*call).deleteAnswer,
		"GET /gateway": (*call).gateway,
	} {
		mux.HandleFunc(pattern, t.open(h))
	}
	for pattern, h := range map[string]handler{
		"GET /gateway/bot":                                         (*call).gatewayBot,
		"GET /users/@me":                                           (*call).me,
		"GET /users/{id}":                                          (*call).user,
		"POST /users/@me/channels":                                 (*call).openDM,
		"GET /applications/@me":                                    (*call).application,
		"GET /oauth2/applications/@me":                             (*call).application,
		"GET /applications/{app}/commands":                         (*call).listCommands,
		"PUT /applications/{app}/commands":                         (*call).putCommands,
		"POST /applications/{app}/commands":                        (*call).addCommand,
		"GET /applications/{app}/commands/{cid}":                   (*call).readCommand,
		"DELETE /applications/{app}/commands/{cid}":                (*call).deleteCommand,
		"GET /applications/{app}/guilds/{guild}/commands":          (*call).listCommands,
		"PUT /applications/{app}/guilds/{guild}/commands":          (*call).putCommands,
		"POST /applications/{app}/guilds/{guild}/commands":         (*call).addCommand,
		"GET /applications/{app}/guilds/{guild}/commands/{cid}":    (*call).readCommand,
		"DELETE /applications/{app}/guilds/{guild}/commands/{cid}": (*call).deleteCommand,
		"GET /guilds/{guild}":                                      (*call).readGuild,
		"GET /guilds/{guild}/members/{user}":                       (*call).member,
		"GET /channels/{channel}":                                  (*call).channel,
		"GET /channels/{channel}/messages":                         (*call).listMessages,
		"POST /channels/{channel}/messages":                        (*call).postMessage,
		"GET /channels/{channel}/messages/{mid}":                   (*call).readMessage,
		"PATCH /channels/{channel}/messages/{mid}":                 (*call).editMessage,
		"DELETE /channels/{channel}/messages/{mid}":                (*call).deleteMessage,
	} {
		mux.HandleFunc(pattern, t.closedTo(h))
	}
	mux.HandleFunc("/", t.open(func(*call) (any, error) { return nil, notFound(0, "404: Not Found") }))
	return mux
}

// serve is the whole server: gateway, files and REST.
func (t *Twin) serve(w http.ResponseWriter, r *http.Request) {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return
	}
	t.running.Add(1)
	t.mu.Unlock()
	defer t.running.Done()
	switch prefix := apiPrefix.FindString(r.URL.Path); {
	case prefix != "":
		t.serveAPI(w, r, r.URL.Path[len(prefix)-1:])
	case r.Header.Get("Upgrade") != "" && (r.URL.Path == "/" || strings.TrimSuffix(r.URL.Path, "/") == "/gateway"):
		t.serveGateway(w, r)
	case strings.HasPrefix(r.URL.Path, "/attachments/"):
		t.serveFile(w, r)
	default:
		http.NotFound(w, r)
	}
}

// serveAPI routes a request without its prefix, and spoils it where a test
// wants so.
func (t *Twin) serveAPI(w http.ResponseWriter, r *http.Request, path string) {
	inner := *r
	u := *r.URL
	u.Path, u.RawPath = path, ""
	inner.URL = &u
	f := t.fault(r.Method, path)
	switch {
	case f == nil:
		t.mux.ServeHTTP(w, &inner)
	case f.After:
		t.mux.ServeHTTP(&discard{header: http.Header{}}, &inner)
		f.answer(w)
	default:
		f.answer(w)
	}
}

// discard takes an answer that gets lost.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}

// open serves without authorization: the path's token is enough.
func (t *Twin) open(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxRequestBytes)
		body, err := h(&call{t, r})
		t.reply(w, r, body, err)
	}
}

// closedTo serves the bot only, at most so many requests a second.
func (t *Twin) closedTo(h handler) http.HandlerFunc {
	return t.open(func(c *call) (any, error) {
		scheme, token, _ := strings.Cut(c.r.Header.Get("Authorization"), " ")
		if scheme != "Bot" || token != t.cfg.Token {
			return nil, wrong(http.StatusUnauthorized, 0, "401: Unauthorized")
		}
		if err := t.limitRate(); err != nil {
			return nil, err
		}
		return h(c)
	})
}

// limitRate counts a request against the second's limit.
func (t *Twin) limitRate() error {
	if t.cfg.RequestLimit < 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.cfg.Now()
	t.window = slices.DeleteFunc(t.window, func(at time.Time) bool { return now.Sub(at) >= time.Second })
	if len(t.window) >= t.cfg.RequestLimit {
		e := wrong(http.StatusTooManyRequests, 0, "You are being rate limited.")
		e.Retry = (time.Second - now.Sub(t.window[0])).Seconds()
		return e
	}
	t.window = append(t.window, now)
	return nil
}

// reply writes a handler's result, and records what was the client's fault.
func (t *Twin) reply(w http.ResponseWriter, r *http.Request, body any, err error) {
	status := http.StatusOK
	if err != nil {
		e, ok := errors.AsType[*apiError](err)
		if !ok {
			e = &apiError{Status: http.StatusInternalServerError, Message: err.Error()}
		}
		t.record(r, e)
		if e.Status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", strconv.Itoa(int(e.Retry)+1))
			w.Header().Set("X-RateLimit-Global", "true")
		}
		status, body = e.Status, e
	}
	if body == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// record notes a bad answer and its violations.
func (t *Twin) record(r *http.Request, e *apiError) {
	t.mu.Lock()
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		t.badAnswers++
		if t.badAnswers == maxBadAnswers {
			e.Wrong = true
		}
	}
	t.mu.Unlock()
	if !e.Wrong {
		return
	}
	request := r.Method + " " + r.URL.Path
	if len(e.Problems) == 0 {
		t.violate(request, "", strconv.Itoa(e.Code), e.Message)
	}
	for _, p := range e.Problems {
		t.violate(request, p.Path, p.Code, p.Message)
	}
}

// read decodes the body into v and returns the files that came along.
func (c *call) read(v any) ([]upload, error) {
	kind, params, _ := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		return readForm(multipart.NewReader(c.r.Body, params["boundary"]), v)
	}
	body, err := io.ReadAll(c.r.Body)
	if err != nil {
		return nil, badBody(err)
	}
	return nil, badBody(json.Unmarshal(body, v))
}

// readForm reads payload_json and files[n].
func readForm(form *multipart.Reader, v any) ([]upload, error) {
	var files []upload
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, badBody(err)
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, badBody(err)
		}
		if part.FormName() == "payload_json" {
			if err := json.Unmarshal(data, v); err != nil {
				return nil, badBody(err)
			}
			continue
		}
		m := fileName.FindStringSubmatch(part.FormName())
		if m == nil {
			continue
		}
		files = append(files, upload{
			field: m[1], name: part.FileName(), kind: part.Header.Get("Content-Type"), data: data,
		})
	}
}

// badBody words an error of reading a body as Discord does.
func badBody(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return wrong(http.StatusRequestEntityTooLarge, codeTooLarge, "Request entity too large")
	}
	if bad, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return invalidForm([]problem{{bad.Field, "BASE_TYPE_BAD_TYPE", fmt.Sprintf("A JSON %s can't stand here.", bad.Value)}})
	}
	return wrong(http.StatusBadRequest, codeInvalidJSON, "The request body contains invalid JSON.")
}

// upload is a file that came with a request.
type upload struct {
	field string // n of files[n]
	name  string
	kind  string
	data  []byte
}

// file is a stored upload.
type file struct {
	name string
	kind string
	data []byte
}

// serveFile answers /attachments/CHANNEL/ID/NAME.
func (t *Twin) serveFile(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(r.URL.Path, "/")
	t.mu.Lock()
	f := t.files[parts[min(3, len(parts)-1)]]
	t.mu.Unlock()
	if f == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", f.kind)
	http.ServeContent(w, r, f.name, time.Time{}, bytes.NewReader(f.data))
}
