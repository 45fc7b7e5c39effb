package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/server"
)

// A client speaks with a server as the page does.
type client struct {
	t     testing.TB
	url   string
	token string
	who   string // the person; "": the request does not say
}

// start serves built-in data.
func start(t testing.TB, example string) (*client, *server.Server) {
	t.Helper()
	s, err := server.New(server.Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	c := serve(t, s)
	if example != "" {
		if err := s.OpenExample(context.Background(), example); err != nil {
			t.Fatal(err)
		}
	}
	return c, s
}

// sameResult are the options that do not change a result.
var sameResult = door.Options{NoSuspects: true}

// serve serves until the test ends.
func serve(t testing.TB, s *server.Server) *client {
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		h.Close()
	})
	return &client{t: t, url: h.URL + "/", token: s.Token()}
}

// do sends a request and returns the status and the body.
func (c *client) do(method, path string, body any) (int, []byte) {
	c.t.Helper()
	var in io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		in = bytes.NewReader(raw)
	}
	r, err := http.NewRequest(method, c.url+path, in)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	if c.who != "" {
		r.Header.Set("Inkling-Person", c.who)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer a.Body.Close()
	out, err := io.ReadAll(a.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return a.StatusCode, out
}

// object is a JSON object.
type object = map[string]any

// call sends a request that must be answered with this status.
func (c *client) call(status int, method, path string, body any) object {
	c.t.Helper()
	got, raw := c.do(method, path, body)
	if got != status {
		c.t.Fatalf("%s %s %v: status %d, not %d: %s", method, path, body, got, status, raw)
	}
	var out object
	if err := json.Unmarshal(raw, &out); err != nil {
		c.t.Fatalf("%s %s: %v: %.200s", method, path, err, raw)
	}
	return out
}

func (c *client) get(path string) object { c.t.Helper(); return c.call(200, "GET", "api/"+path, nil) }

func (c *client) post(path string, body any) object {
	c.t.Helper()
	return c.call(200, "POST", "api/"+path, body)
}

// until waits until the state is as wanted.
func (c *client) until(_ string, is func(state object) bool) object {
	c.t.Helper()
	for { // what never comes about ends with the time that go test allows
		s := c.get("state")
		if is(s) {
			return s
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// settled waits until the last change is followed by a fit.
func (c *client) settled() object {
	c.t.Helper()
	return c.until("a fit", func(s object) bool {
		if s["fit"] == nil || s["running"] != nil {
			return false
		}
		for _, e := range c.get("history")["events"].([]any) {
			e := e.(object)
			if e["op"] != "fit" && e["op"] != "rename" && e["op"] != "mark" && e["n"].(float64) > s["fit"].(object)["n"].(float64) {
				return false
			}
		}
		return true
	})
}

// question waits for a question.
func (c *client) question() object {
	c.t.Helper()
	for {
		if q, ok := c.get("question")["question"].(object); ok {
			return q
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// answer answers a question.
func (c *client) answer(status int, q object, say string) object {
	c.t.Helper()
	return c.call(status, "POST", "api/answer", object{"n": q["n"], "a": q["a"].(object)["point"], "b": q["b"].(object)["point"], "say": say})
}

func TestStateBeforeAnythingIsOpen(t *testing.T) {
	c, _ := start(t, "")
	s := c.get("state")
	if s["kind"] != "none" || len(s["examples"].([]any)) == 0 {
		t.Errorf("got %v", s)
	}
	for _, path := range []string{"rows", "question", "points", "labels"} {
		status, raw := c.do("GET", "api/"+path, nil)
		if status != 409 || !strings.Contains(string(raw), `"kind":"conflict"`) {
			t.Errorf("%s without data: %d %s", path, status, raw)
		}
	}
}

func TestEntry(t *testing.T) {
	c, _ := start(t, "iris")
	h := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	try := func(path string, cookie *http.Cookie) *http.Response {
		r, _ := http.NewRequest("GET", c.url+path, nil)
		if cookie != nil {
			r.AddCookie(cookie)
		}
		a, err := h.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		return a
	}
	if a := try("", nil); a.StatusCode != 401 {
		t.Errorf("without a token: %d", a.StatusCode)
	}
	if a := try("?token=wrong", nil); a.StatusCode != 401 || len(a.Cookies()) > 0 {
		t.Errorf("with a wrong token: %d", a.StatusCode)
	}
	a := try("?token="+c.token, nil)
	if a.StatusCode != 303 || a.Header.Get("Location") != "./" || len(a.Cookies()) != 1 {
		t.Fatalf("with the token: %d %v", a.StatusCode, a.Header)
	}
	cookie := a.Cookies()[0]
	if cookie.MaxAge != 0 || !cookie.Expires.IsZero() { // it ends with the browser
		t.Errorf("the cookie stays: %v", cookie)
	}
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || !strings.HasPrefix(cookie.Name, "inkling_") {
		t.Errorf("the cookie is %v", cookie)
	}
	if a := try("api/state", cookie); a.StatusCode != 200 || a.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("with the cookie: %d %v", a.StatusCode, a.Header)
	}
}
