package gateway

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	apiVersion = "10"
	apiPath    = "/api/v" + apiVersion
	userAgent  = "DiscordBot (https://github.com/rubberbot/rubberbot, 1)"

	smallBody   = 64 << 10 // bytes; a larger one may take longer than Timing.Attempt on a slow line
	maxResponse = 16 << 20 // bytes
	maxDetails  = 1 << 10  // bytes of Discord's list of wrong fields
	maxPause    = time.Second
	idleConns   = 64 // as many answers at once without a new connection
)

// rest sends requests. It keeps nothing of one when it is over.
type rest struct {
	base   *url.URL
	token  Secret
	timing Timing
	tls    *tls.Config
	client *http.Client
}

func newREST(base *url.URL, token Secret, timing Timing) *rest {
	config := &tls.Config{}
	return &rest{base: base, token: token, timing: timing, tls: config, client: &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSClientConfig:       config,
			TLSHandshakeTimeout:   5 * time.Second,
			ForceAttemptHTTP2:     true,
			HTTP2:                 &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
			MaxIdleConns:          2 * idleConns,
			MaxIdleConnsPerHost:   idleConns,
			IdleConnTimeout:       90 * time.Second,
			ExpectContinueTimeout: time.Second,
		},
		// A redirect is an error: nothing of Discord's API moves, and the token must not travel.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (r *rest) close() { r.client.CloseIdleConnections() }

// A request is one call of Discord's API. Its path may hold an interaction's token, which is why what, not path, is in errors.
type request struct {
	what        string // in the infinitive: "read the commands"
	method      string
	path        string // after /api/v10, escaped
	query       string
	contentType string
	body        []byte
	out         any    // where the answer is decoded to; nil: nowhere
	secret      string // the interaction's token, to be kept out of errors
	once        bool   // no second attempt
	callback    bool   // an answer that was acknowledged at an earlier attempt is a success
}

// do sends a request until it is answered, refused for good, or out of time.
func (r *rest) do(ctx context.Context, q request) error {
	ctx, cancel := context.WithTimeout(ctx, r.timing.Request) // shortens a deadline, never lengthens it
	defer cancel()
	unsure := false // an earlier attempt may have arrived
	for n := 0; ; n++ {
		err := r.attempt(ctx, q)
		if err == nil || q.callback && unsure && errors.Is(err, ErrAnswered) {
			return nil
		}
		again, pause := r.again(err, n)
		if !again || q.once || !fitsIn(ctx, pause) || sleep(ctx, pause) != nil {
			return fmt.Errorf("%s: %w", q.what, err)
		}
		unsure = unsure || !errors.Is(err, ErrRateLimited)
	}
}

// fitsIn tells whether there is time for a pause and something after it.
func fitsIn(ctx context.Context, pause time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() == nil && (!ok || time.Until(deadline) > pause)
}

// again tells whether another attempt may go better than the n-th, and after which pause.
func (r *rest) again(err error, n int) (bool, time.Duration) {
	pause := min(maxPause, r.timing.Retry<<min(n, 10))
	pause = pause/2 + rand.N(pause/2+1)
	e, ok := errors.AsType[*APIError](err)
	switch {
	case !ok: // the network: a connection that died unnoticed must not be used again
		r.client.CloseIdleConnections()
		return true, pause
	case e.Status == http.StatusTooManyRequests:
		return true, max(pause, e.RetryAfter)
	}
	return e.Status >= 500, pause
}

// attempt sends a request once.
func (r *rest) attempt(ctx context.Context, q request) error {
	if q.callback && len(q.body) <= smallBody {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.timing.Attempt)
		defer cancel()
	}
	req, err := r.build(ctx, q)
	if err != nil {
		return err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // without the URL
		}
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	switch {
	case err != nil:
		return err
	case resp.StatusCode/100 != 2:
		return refusal(resp, body, string(r.token), q.secret)
	case q.out != nil:
		return decodeAnswer(resp, body, q.out)
	}
	return nil
}

func (r *rest) build(ctx context.Context, q request) (*http.Request, error) {
	target := r.base.JoinPath(apiPath, q.path)
	target.RawQuery = q.query
	req, err := http.NewRequestWithContext(ctx, q.method, target.String(), bytes.NewReader(q.body))
	if err != nil {
		return nil, errors.New("the address can't be built") // the error would quote it
	}
	req.Header.Set("Authorization", "Bot "+string(r.token))
	req.Header.Set("User-Agent", userAgent)
	if q.contentType != "" {
		req.Header.Set("Content-Type", q.contentType)
	}
	return req, nil
}

// decodeAnswer decodes a success. What can't be decoded isn't Discord's; asking again would give the same.
func decodeAnswer(resp *http.Response, body []byte, out any) error {
	if err := json.Unmarshal(body, out); err != nil {
		return &APIError{Status: resp.StatusCode, Message: "the answer isn't what Discord documents"}
	}
	return nil
}

// refusal makes an error of an answer, which need not be Discord's: a proxy's may be HTML, and is left out.
func refusal(resp *http.Response, body []byte, secrets ...string) *APIError {
	var d struct {
		Code       int
		Message    string
		Errors     json.RawMessage
		RetryAfter float64 `json:"retry_after"` // seconds
	}
	if json.Unmarshal(body, &d) != nil {
		d.Code, d.Message, d.Errors, d.RetryAfter = 0, "", nil, 0 // what was decoded before the error
	}
	after, _ := strconv.ParseFloat(resp.Header.Get("Retry-After"), 64)
	return &APIError{
		Status:     resp.StatusCode,
		Code:       d.Code,
		Message:    scrub(d.Message, secrets...),
		Details:    scrub(string(d.Errors[:min(len(d.Errors), maxDetails)]), secrets...),
		RetryAfter: seconds(cmp.Or(d.RetryAfter, after)),
	}
}

// seconds bounds what was read: a float may be anything.
func seconds(s float64) time.Duration {
	if !(s > 0) {
		return 0
	}
	return time.Duration(min(s, 86400) * float64(time.Second))
}
