package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/server"
)

// own is the address under which the servers of these tests are reached.
const own = "127.0.0.1:8080"

// secret is what a file outside the folder of the server holds.
const secret = "TOP-SECRET-7413"

// script is what hostile data try to run in a page.
const script = "<script>alert(1)</script>"

// hostileTable has scripts, formulas and letters of control wherever a table has texts.
const hostileTable = "name,<script>alert(1)</script>,b,note\n" +
	"<script>alert(1)</script>,1,1,=1+1\n" +
	"\"</script><img src=x onerror=alert(1)>\",1.1,1,@SUM(A1)\n" +
	"../../etc/passwd,1,1.2,+1\n" +
	"\"two\nlines\",1.2,1.1,-1+1\n" +
	"\"event: state\",1,1.3,<b>bold</b>\n" +
	"🦑 squid,9,9,\"javascript:alert(1)\"\n" +
	"\"a \"\"quote\"\"\",9.1,9,\u2028\n" +
	"g,9,9.2,'; DROP TABLE rows\n" +
	"h,9.2,9.1,${7*7}\n" +
	"i,9.1,9.3,{{7*7}}\n"

// A guarded server has a token and a name, and hostile data; files outside its folder are
// watched.
type guarded struct {
	t       testing.TB
	s       *server.Server
	token   string
	outside string // holds the data, a secret file and the folder
	folder  string
	session string
}

func guard(t testing.TB, maxUpload int64) *guarded {
	t.Helper()
	g := &guarded{t: t, outside: t.TempDir()}
	g.folder = filepath.Join(g.outside, "work")
	g.session = filepath.Join(g.folder, "hostile.jsonl")
	table := filepath.Join(g.outside, "hostile.csv")
	if err := os.Mkdir(g.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{table: hostileTable, filepath.Join(g.outside, "secret.csv"): "a,b\n" + secret + ",1\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	g.s, err = server.New(server.Options{Hosts: []string{own, "localhost:8080", "[::1]:8080"}, Folder: g.folder, MaxUpload: maxUpload, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	g.token = g.s.Token()
	t.Cleanup(func() {
		if err := g.s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := g.s.Open(context.Background(), server.Data{Path: table, Session: g.session, Source: inkling.Source{ID: "name"}, Options: inkling.Options{K: 2}}); err != nil {
		t.Fatal(err)
	}
	g.settle()
	return g
}

// A sent is a request as it arrives.
type sent struct {
	method, target string
	host           string // "": own
	header         http.Header
	body           io.Reader
	length         int64 // -1: not said
	stranger       bool  // without the token
}

// send gives a request to the handler; nil where a server in front of it refuses the target.
func (g *guarded) send(q sent) *httptest.ResponseRecorder {
	g.t.Helper()
	u, err := url.ParseRequestURI(q.target)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if strings.HasSuffix(u.Path, "api/stream") {
		time.AfterFunc(50*time.Millisecond, cancel) // it does not end by itself
	}
	r := (&http.Request{Method: q.method, URL: u, RequestURI: q.target, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Host: own,
		Body: http.NoBody, RemoteAddr: "127.0.0.1:50000"}).WithContext(ctx)
	if q.host != "" {
		r.Host = strings.TrimPrefix(q.host, "EMPTY")
	}
	if q.body != nil {
		r.Body, r.ContentLength = io.NopCloser(q.body), q.length
	}
	if q.method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		if q.body == nil {
			r.Body = io.NopCloser(strings.NewReader("{}"))
		}
	}
	if !q.stranger {
		r.Header.Set("Authorization", "Bearer "+g.token)
	}
	for name, values := range q.header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	g.s.ServeHTTP(w, r)
	g.checkHeaders(q, w)
	return w
}

// checkHeaders checks what every answer must have, whatever was asked.
func (g *guarded) checkHeaders(q sent, w *httptest.ResponseRecorder) {
	g.t.Helper()
	h := w.Result().Header
	for name, want := range map[string]string{
		"Content-Security-Policy":      "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := h.Values(name); len(got) != 1 || got[0] != want {
			g.t.Errorf("%s %.80q: status %d: header %s is %q", q.method, q.target, w.Code, name, got)
		}
	}
	for name, values := range h {
		if strings.HasPrefix(name, "Access-Control-") || name == "X-Injected" {
			g.t.Errorf("%s %.80q: header %s: %q", q.method, q.target, name, values)
		}
		for _, v := range values {
			if strings.ContainsAny(v, "\r\n\x00") {
				g.t.Errorf("%s %.80q: header %s has letters of control: %q", q.method, q.target, name, v)
			}
		}
	}
	body := w.Body.Bytes()
	if len(body) > 0 && h.Get("Content-Type") == "" {
		g.t.Errorf("%s %.80q: status %d: no content type", q.method, q.target, w.Code)
	}
	if h.Get("Content-Disposition") == "" && bytes.Contains(bytes.ToLower(body), []byte("<script>alert")) {
		g.t.Errorf("%s %.80q: status %d: a script in the answer: %.300s", q.method, q.target, w.Code, body)
	}
	if bytes.Contains(body, []byte(secret)) || bytes.Contains(body, []byte("root:x:0")) {
		g.t.Errorf("%s %.80q: status %d: a file outside: %.300s", q.method, q.target, w.Code, body)
	}
	if w.Code >= 500 {
		g.t.Errorf("%s %.80q: status %d: %.300s", q.method, q.target, w.Code, body)
	}
}

// get reads JSON.
func (g *guarded) get(call string) (out map[string]any) {
	g.t.Helper()
	w := g.send(sent{method: "GET", target: "/api/" + call})
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != 200 {
		g.t.Fatalf("%s: status %d, %v: %.300s", call, w.Code, err, w.Body)
	}
	return out
}

func (g *guarded) post(call, body string) *httptest.ResponseRecorder {
	g.t.Helper()
	return g.send(sent{method: "POST", target: "/api/" + call, body: strings.NewReader(body), length: int64(len(body))})
}

// settle waits until no fit is under way.
func (g *guarded) settle() {
	g.t.Helper()
	quiet := 0
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if s := g.get("state"); s["running"] == nil && (s["fit"] != nil || s["error"] != nil) {
			if quiet++; quiet > 20 { // a fit that a change asks for begins a moment after it
				return
			}
			continue
		}
		quiet = 0
	}
	g.t.Fatal("the fits do not end")
}

// files lists all files below a folder with their sizes, those of one folder left out.
func (g *guarded) files(root, except string) (out []string) {
	g.t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == except {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			path = fmt.Sprintf("%s %d", path, info.Size())
		}
		out = append(out, path)
		return err
	})
	if err != nil {
		g.t.Fatal(err)
	}
	return out
}

// isRefusal reports whether an answer is an error in the format of the calls.
func isRefusal(w *httptest.ResponseRecorder) bool {
	var body struct {
		Error *struct{ Kind, Message string }
	}
	err := json.Unmarshal(w.Body.Bytes(), &body)
	return err == nil && body.Error != nil && body.Error.Kind != "" && body.Error.Message != "" && strings.HasPrefix(w.Header().Get("Content-Type"), "application/json")
}

// A described call has a method, a path and the names of what it takes.
type described struct {
	method, path  string
	query, fields []string
	upload        bool
}

// calls reads all calls from their description, and expects those of the contract among them.
func (g *guarded) calls() (out []described) {
	g.t.Helper()
	w := g.send(sent{method: "GET", target: "/api/openapi.json"})
	type schema struct {
		Ref        string         `json:"$ref"`
		Properties map[string]any `json:"properties"`
	}
	var d struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
			Body       struct {
				Content map[string]struct{ Schema schema }
			} `json:"requestBody"`
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil {
		g.t.Fatalf("api/openapi.json: %v: %.200s", err, w.Body)
	}
	for path, methods := range d.Paths {
		for method, operation := range methods {
			c := described{method: strings.ToUpper(method), path: strings.TrimPrefix(path, "/")}
			for _, p := range operation.Parameters {
				if p.In == "query" {
					c.query = append(c.query, p.Name)
				}
			}
			for kind, content := range operation.Body.Content {
				c.upload = c.upload || kind == "application/octet-stream"
				s := content.Schema
				if s.Ref != "" {
					s = d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
				}
				for name := range s.Properties {
					c.fields = append(c.fields, name)
				}
			}
			slices.Sort(c.fields)
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b described) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	for _, want := range []string{"GET api/state", "GET api/rows", "POST api/rows", "GET api/search", "GET api/point", "GET api/pair", "POST api/answer", "POST api/label",
		"POST api/link", "POST api/fit", "POST api/upload", "POST api/begin", "POST api/open", "GET api/export/{file}"} {
		if !slices.ContainsFunc(out, func(c described) bool { return c.method+" "+c.path == want }) {
			g.t.Errorf("api/openapi.json does not have %s", want)
		}
	}
	return out
}

// target is the address of a call.
func (c described) target() string { return "/" + strings.ReplaceAll(c.path, "{file}", "clusters.csv") }

func TestNothingWithoutTheToken(t *testing.T) {
	g := guard(t, 1000)
	type try struct {
		what   string
		header http.Header
	}
	tries := []try{
		{"nothing", nil},
		{"a wrong token", http.Header{"Authorization": {"Bearer " + strings.Repeat("A", len(g.token))}}},
		{"an empty token", http.Header{"Authorization": {"Bearer "}}},
		{"a part of it", http.Header{"Authorization": {"Bearer " + g.token[:len(g.token)-1]}}},
		{"more than it", http.Header{"Authorization": {"Bearer " + g.token + "A"}}},
		{"as a password", http.Header{"Authorization": {"Basic " + g.token}}},
		{"without a scheme", http.Header{"Authorization": {g.token}}},
		{"the cookie of another port", http.Header{"Cookie": {"inkling_9999=" + g.token}}},
		{"a cookie without a port", http.Header{"Cookie": {"inkling=" + g.token + "; inkling_=" + g.token + "; inkling_0=" + g.token}}},
		{"a wrong cookie", http.Header{"Cookie": {"inkling_8080=x"}}},
		{"an empty cookie", http.Header{"Cookie": {"inkling_8080="}}},
		{"in another header", http.Header{"X-Token": {g.token}, "Token": {g.token}}},
	}
	targets := []described{{method: "GET", path: ""}, {method: "GET", path: "index.html"}, {method: "GET", path: "app.js"}, {method: "GET", path: "nothing"}, {method: "GET", path: "api/nothing"},
		{method: "GET", path: "?token=wrong"}, {method: "GET", path: "?token="}, {method: "HEAD", path: ""}, {method: "POST", path: "?token=" + g.token}}
	for _, c := range g.calls() {
		targets = append(targets, c, described{method: c.method, path: c.path + "?token=" + g.token})
	}
	before := g.get("state")["events"]
	for _, c := range targets {
		for _, x := range tries {
			w := g.send(sent{method: c.method, target: c.target(), header: x.header, stranger: true})
			if w.Code != http.StatusUnauthorized || len(w.Result().Cookies()) > 0 || strings.Contains(w.Body.String(), g.token) {
				t.Errorf("%s %s with %s: %d, cookies %v: %.100s", c.method, c.path, x.what, w.Code, w.Result().Cookies(), w.Body)
			}
		}
	}
	if after := g.get("state")["events"]; after != before {
		t.Errorf("there were %v events and are %v", before, after)
	}
	w := g.send(sent{method: "GET", target: "/?token=" + g.token, stranger: true})
	cookies := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || len(cookies) != 1 || cookies[0].Name != "inkling_8080" || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode {
		t.Fatalf("with the token: %d %v", w.Code, cookies)
	}
	if strings.Contains(w.Header().Get("Location"), g.token) {
		t.Error("the token stays in the address")
	}
	if w := g.send(sent{method: "GET", target: "/api/state", stranger: true, header: http.Header{"Cookie": {cookies[0].Name + "=" + cookies[0].Value}}}); w.Code != 200 {
		t.Errorf("with the cookie: %d", w.Code)
	}
}

func TestOnlyUnderItsOwnName(t *testing.T) {
	g := guard(t, 1000)
	for _, host := range []string{"evil.example", "evil.example:8080", "127.0.0.1.:8080", "localhost.:8080", "127.0.0.1:9999", "localhost:9999", "127.0.0.1", "localhost", "[::1]:9999", "[::1]",
		"::1", "[::ffff:127.0.0.1]:8080", "[::]:8080", "127.0.0.1:8080.evil.example", "127.0.0.1:8080@evil.example", "evil.example@127.0.0.1:8080", "127.0.0.1:08080", "127.1:8080",
		"2130706433:8080", "0.0.0.0:8080", " " + own, own + " ", own + ",evil.example", "localhost:8080:8080", "127.0.0.2:8080", "EMPTY", script, script + ":8080", "a\r\nX-Injected: 1"} {
		for _, q := range []sent{{method: "GET", target: "/?token=" + g.token}, {method: "GET", target: "/api/state"}, {method: "GET", target: "/"}, {method: "GET", target: "/nothing"},
			{method: "POST", target: "/api/undo"}, {method: "OPTIONS", target: "/api/state"}} {
			q.host = host
			q.header = http.Header{"X-Forwarded-Host": {own}, "Forwarded": {"host=" + own}}
			w := g.send(q)
			if w.Code != http.StatusMisdirectedRequest && w.Code != http.StatusForbidden || len(w.Result().Cookies()) > 0 || strings.Contains(w.Body.String(), "hostile") {
				t.Errorf("host %q: %s %s: %d: %.100s", host, q.method, q.target, w.Code, w.Body)
			}
		}
	}
	for _, host := range []string{own, "localhost:8080", "LOCALHOST:8080", "LocalHost:8080", "[::1]:8080"} {
		if w := g.send(sent{method: "GET", target: "/api/state", host: host}); w.Code != 200 {
			t.Errorf("host %q: %d", host, w.Code)
		}
	}
}

func TestPostsOfOtherSites(t *testing.T) {
	t.Parallel()
	g := guard(t, 1000)
	before := g.get("state")["events"]
	foreign := []http.Header{
		{"Origin": {"null"}}, {"Origin": {""}}, {"Origin": {"http://evil.example"}}, {"Origin": {"https://" + own}}, {"Origin": {"http://127.0.0.1:9999"}}, {"Origin": {"http://127.0.0.1"}},
		{"Origin": {"http://localhost:8080"}}, {"Origin": {"http://" + own + ".evil.example"}}, {"Origin": {"http://" + own + "@evil.example"}}, {"Origin": {"file://"}}, {"Origin": {own}},
		{"Origin": {"http://" + own, "http://evil.example"}}, {"Origin": {"http://evil.example", "http://" + own}}, {"Origin": {"http://" + own + " http://evil.example"}},
		{"Origin": {"http://" + own + ", http://evil.example"}}, {"Origin": {"*"}}, {"Origin": {"data:,"}}, {"Origin": {"http://" + own + "."}},
		{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Sec-Fetch-Site": {"anything"}},
		{"Sec-Fetch-Site": {"cross-site"}, "Origin": {"http://" + own}}, {"Sec-Fetch-Site": {"same-origin"}, "Origin": {"http://evil.example"}},
		{"Sec-Fetch-Site": {"same-origin", "cross-site"}},
	}
	for _, c := range g.calls() {
		if c.method != "POST" {
			continue
		}
		for _, h := range foreign {
			if c.upload {
				h = h.Clone()
				h["Content-Type"] = []string{"application/octet-stream"}
			}
			if w := g.send(sent{method: "POST", target: c.target(), header: h}); w.Code != http.StatusForbidden || !isRefusal(w) {
				t.Errorf("%s with %v: %d: %.100s", c.path, h, w.Code, w.Body)
			}
		}
		for _, kind := range []string{"text/plain", "text/plain; charset=application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "text/plain, application/json",
			"application/jsonp", "text/json", "APPLICATION/X-WWW-FORM-URLENCODED", ";application/json", map[bool]string{false: "application/octet-stream", true: "application/json"}[c.upload]} {
			if w := g.send(sent{method: "POST", target: c.target(), header: http.Header{"Content-Type": {kind}}}); w.Code != http.StatusUnsupportedMediaType && w.Code != http.StatusForbidden || !isRefusal(w) {
				t.Errorf("%s of type %q: %d: %.100s", c.path, kind, w.Code, w.Body)
			}
		}
	}
	g.settle()
	if after := g.get("state")["events"]; after != before {
		t.Errorf("there were %v events and are %v", before, after)
	}
	for _, h := range []http.Header{{}, {"Origin": {"http://" + own}}, {"Origin": {"http://" + own}, "Sec-Fetch-Site": {"same-origin"}}, {"Sec-Fetch-Site": {"none"}}} {
		if w := g.send(sent{method: "POST", target: "/api/auto", header: h, body: strings.NewReader(`{"on":true}`), length: 11}); w.Code != 200 {
			t.Errorf("with %v: %d: %s", h, w.Code, w.Body)
		}
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	g := guard(t, 1000)
	session, err := os.ReadFile(g.session)
	if err != nil {
		t.Fatal(err)
	}
	before := g.files(g.outside, "")
	takes := map[string][]string{}
	for _, c := range g.calls() {
		takes[c.path] = append(takes[c.path], c.method)
	}
	for path, methods := range takes {
		c := described{path: path}
		for _, method := range []string{"GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT", "PROPFIND", "get", "Post", "", script} {
			if method == "POST" && slices.Contains(methods, "POST") {
				continue
			}
			reads := slices.Contains(methods, "GET") && (method == "GET" || method == "HEAD")
			w := g.send(sent{method: method, target: c.target(), header: http.Header{"X-Http-Method-Override": {"POST"}, "X-Method-Override": {"POST"}, "Origin": {"http://evil.example"},
				"Access-Control-Request-Method": {"POST"}, "Access-Control-Request-Headers": {"authorization"}}})
			if reads == (w.Code == http.StatusMethodNotAllowed) {
				t.Errorf("%s %s: %d: %.100s", method, path, w.Code, w.Body)
			}
			if strings.Contains(w.Body.String(), g.token) {
				t.Errorf("%s %s: the answer holds the token", method, path)
			}
		}
	}
	g.settle()
	// No GET has changed anything, whatever it said.
	for _, q := range []string{"rows?limit=5&say=same&label=x", "question?skip=1&n=1&say=same", "state?undo=1", "point?p=1&label=x", "search?q=x", "labels?fit=0"} {
		g.send(sent{method: "GET", target: "/api/" + q, body: strings.NewReader(`{"points":[0],"label":"x"}`), length: 26})
	}
	if after, err := os.ReadFile(g.session); err != nil || !bytes.Equal(session, after) {
		t.Errorf("the session has changed: %v", err)
	}
	if after := g.files(g.outside, ""); !slices.Equal(before, after) {
		t.Errorf("files before:\n%q\nand after:\n%q", before, after)
	}
}
