package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/server"
)

// hostileTexts are what an attacker gives for a parameter.
func (g *guarded) hostileTexts() []string {
	return []string{"", " ", ".", "..", "../secret.csv", "../../secret.csv", filepath.Join(g.outside, "secret.csv"), "file://" + filepath.Join(g.outside, "secret.csv"), "../../../../../../../../etc/passwd",
		"/etc/passwd", "..%2f..%2fsecret.csv", "%2e%2e%2fsecret.csv", `..\..\secret.csv`, "secret.csv\x00", "example:../secret.csv", "example:" + filepath.Join(g.outside, "secret.csv"),
		script, `"><img src=x onerror=alert(1)>`, "\xff\xfe", "\r\nX-Injected: 1", "$(touch injected)", "`touch injected`", "|touch injected", "-", "--help", "CON", strings.Repeat("a", 100_000), strings.Repeat("../", 10_000),
		"0", "-1", "-9223372036854775808", "9223372036854775807", "18446744073709551616", "1e309", "NaN", "Inf", "0x10", "1,,2", "1,-1,99999999", "null", "[]", "{}"}
}

// hostileValues are what an attacker gives for a field of a body.
func (g *guarded) hostileValues() (out []string) {
	for _, text := range g.hostileTexts() {
		raw, _ := json.Marshal(text)
		out = append(out, string(raw), "["+string(raw)+"]")
	}
	return append(out, "-1", "0", "1", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e308", "1e309", "-0", "1.5", "NaN", "null", "true", "[]", "{}", "[null]", "[-1]", "[0,0]", "[0,99999999]",
		"[9223372036854775807]", "[[0,1]]", "[[0,0]]", "[[-1,0]]", "[[0]]", "[[]]", "[[0,1,2]]", `{"a":{"b":"`+script+`"}}`, `["0","1"]`, `["0","0"]`)
}

// TestPathsAndValues gives hostile values to every parameter of every call. What every
// answer must be is checked where it is sent.
func TestPathsAndValues(t *testing.T) {
	t.Parallel()
	g := guard(t, 100_000)
	calls, texts, values := g.calls(), g.hostileTexts(), g.hostileValues()
	g.post("auto", `{"on":false}`)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	before := append(g.files(g.outside, g.folder), g.files(here, "")...)
	for _, text := range texts {
		for _, target := range []string{"/" + text, "/api/" + text, "/api/export/" + text, "/api/state/" + text, "/assets/" + text, "//" + text, "/api/../" + text, "/%2e%2e/" + text, "/" + url.PathEscape(text),
			"/api/export/" + url.PathEscape(text), "/?token=" + url.QueryEscape(text)} {
			w := g.send(sent{method: "GET", target: target})
			if w != nil && strings.HasPrefix(target, "/api/export/") && w.Code == 200 {
				t.Errorf("%.80q: %d: %.100s", target, w.Code, w.Body)
			}
		}
	}
	last := []string{"api/close", "api/open", "api/begin"} // they replace the table
	for _, c := range calls {
		for _, name := range c.query {
			for _, text := range texts {
				body := io.Reader(nil)
				q := sent{method: c.method, target: c.target() + "?" + url.Values{name: {text}}.Encode()}
				if c.upload {
					body, q.header = strings.NewReader("a,b\n1,2\n3,4\n"), http.Header{"Content-Type": {"application/octet-stream"}}
				}
				q.body, q.length = body, -1
				g.send(q)
			}
		}
		if slices.Contains(last, c.path) {
			continue
		}
		for _, name := range c.fields {
			for _, value := range values {
				g.post(strings.TrimPrefix(c.target(), "/api/"), `{"`+name+`":`+value+`}`)
			}
		}
		g.post("auto", `{"on":false}`)
		g.post("cancel", `{}`)
	}
	// Fields that mean something only together.
	for _, value := range values {
		for _, body := range []string{`answer {"a":%s,"b":0,"say":"same"}`, `answer {"a":0,"b":%s,"say":"different","n":1}`, `label {"points":%s,"label":"x"}`, `label {"points":[0],"label":%s}`,
			`link {"kind":"must","a":%s,"b":1}`, `link {"kind":"belief","a":0,"b":1,"weight":%s}`, `link {"kind":%s,"a":0,"b":1}`, `links {"kind":"cannot","pairs":%s}`, `rename {"cluster":"0","name":%s}`,
			`rename {"cluster":%s,"name":"x"}`, `soften {"event":1,"weight":%s}`, `rows {"points":[0,1],"sort":%s,"limit":9}`, `fit {"method":"kmeans","parameters":%s}`, `fit {"kMin":2,"kMax":%s}`} {
			call, body, _ := strings.Cut(body, " ")
			g.post(call, fmt.Sprintf(body, value))
		}
	}
	g.post("cancel", `{}`)
	for _, path := range []string{"begin", "open"} {
		for _, c := range calls {
			if c.method+" "+c.path != "POST api/"+path {
				continue
			}
			for _, name := range c.fields {
				for _, value := range values {
					g.post(path, `{"`+name+`":`+value+`}`)
				}
			}
		}
	}
	if after := append(g.files(g.outside, g.folder), g.files(here, "")...); !slices.Equal(before, after) {
		t.Errorf("files before:\n%q\nand after:\n%q", before, after)
	}
}

// TestBodies sends bodies that are not what a call takes.
func TestBodies(t *testing.T) {
	t.Parallel()
	g := guard(t, 1000)
	before := g.get("state")["events"]
	deep := strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)
	for what, body := range map[string]string{
		"nothing": "", "spaces": "  \n", "null": "null", "an array": "[]", "a text": `"x"`, "a number": "1", "half an object": `{"points":[0],"label":"x"`, "two objects": `{"points":[0],"label":"x"}{}`,
		"something after it": `{"points":[0],"label":"x"} x`, "a form": "points=0&label=x", "XML": "<label/>", "single quotes": "{'points':[0],'label':'x'}", "a comma too much": `{"points":[0],"label":"x",}`,
		"comments": `{"points":[0],/* */"label":"x"}`, "deep arrays": deep, "a deep field": `{"points":[0],"label":` + deep + `}`, "deep objects": strings.Repeat(`{"points":`, 100_000) + "1" + strings.Repeat("}", 100_000),
		"a field twice": `{"points":[0],"label":"x","label":"y"}`, "a field twice in other letters": `{"points":[0],"label":"x","LABEL":"y"}`, "an unknown field": `{"points":[0],"label":"x","path":"../secret.csv"}`,
		"a number for a text": `{"points":[0],"label":7}`, "a text for numbers": `{"points":"0","label":"x"}`, "texts for numbers": `{"points":["0"],"label":"x"}`, "half a point": `{"points":[0.5],"label":"x"}`,
		"a huge point": `{"points":[1e400],"label":"x"}`, "a point that is not there": `{"points":[1000000000],"label":"x"}`, "a negative point": `{"points":[-1],"label":"x"}`, "NaN": `{"points":[NaN],"label":"x"}`,
		"no points": `{"points":[],"label":"x"}`, "UTF-16": "\xff\xfe{\x00}\x00", "a byte order mark": "\ufeff" + `{"points":[0],"label":"x"}`,
	} {
		w := g.post("label", body)
		if w.Code < 400 || !isRefusal(w) {
			t.Errorf("%s: %d: %.200s", what, w.Code, w.Body)
		}
		if w.Body.Len() > 1000 {
			t.Errorf("%s: the answer has %d bytes", what, w.Body.Len())
		}
	}
	// A point that is left out is not point 0.
	for _, body := range []string{`answer {"b":1,"say":"same"}`, `answer {"a":1,"say":"same"}`, `answer {"a":null,"b":1,"say":"same"}`, `link {"kind":"must","b":1}`, `link {"kind":"must","a":1}`,
		`link {"kind":"must","a":null,"b":1}`, `links {"kind":"must","pairs":[[1]]}`, `links {"kind":"must","pairs":[[1,2,3]]}`, `links {"kind":"must","pairs":[null]}`, `links {"kind":"must"}`, `remove {}`,
		`label {"points":[0]}`, `label {"label":"x"}`, `label {"points":[0],"label":""}`, `split {}`, `accept {}`, `merge {}`, `rename {"name":"x"}`, `soften {"event":1}`, `forget {}`, `auto {}`, `open {}`, `begin {}`, `export/rows.csv {}`} {
		call, body, _ := strings.Cut(body, " ")
		if w := g.post(call, body); w.Code < 400 || !isRefusal(w) {
			t.Errorf("%s %s: %d: %.200s", call, body, w.Code, w.Body)
		}
	}
	const large = 100 << 20
	taken := &counting{from: io.MultiReader(strings.NewReader(`{"label":"`), &endless{letter: 'x', left: large})}
	w := g.send(sent{method: "POST", target: "/api/label", body: taken, length: -1})
	if w.Code != http.StatusRequestEntityTooLarge || !isRefusal(w) || taken.bytes > large/2 {
		t.Errorf("100 MB: %d after %d bytes: %.200s", w.Code, taken.bytes, w.Body)
	}
	if after := g.get("state")["events"]; after != before {
		t.Errorf("there were %v events and are %v", before, after)
	}
}

// counting counts the bytes that are taken from a reader.
type counting struct {
	from  io.Reader
	bytes int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.bytes += int64(n)
	return n, err
}

// endless is one letter, again and again.
type endless struct {
	letter byte
	left   int64
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(b)), e.left))
	for i := range b[:n] {
		b[i] = e.letter
	}
	e.left -= int64(n)
	return n, nil
}

func (g *guarded) upload(name string, body io.Reader, length int64) *httptest.ResponseRecorder {
	g.t.Helper()
	return g.send(sent{method: "POST", target: "/api/upload?name=" + url.QueryEscape(name), header: http.Header{"Content-Type": {"application/octet-stream"}}, body: body, length: length})
}

func TestUploadsBeyondTheLimit(t *testing.T) {
	const limit = 1000
	g := guard(t, limit)
	before := g.files(g.outside, "")
	taken := &counting{from: &endless{letter: '1', left: 1 << 30}}
	if w := g.upload("large.csv", taken, 1<<30); w.Code != http.StatusRequestEntityTooLarge || !isRefusal(w) || taken.bytes > 0 {
		t.Errorf("1 GB that is announced: %d after %d bytes: %.200s", w.Code, taken.bytes, w.Body)
	}
	if w := g.upload("large.csv", taken, -1); w.Code != http.StatusRequestEntityTooLarge || !isRefusal(w) || taken.bytes > 1<<20 {
		t.Errorf("1 GB that is not announced: %d after %d bytes: %.200s", w.Code, taken.bytes, w.Body)
	}
	// A length that is said and exceeded.
	if w := g.upload("large.csv", &endless{letter: '1', left: limit + 1}, 10); w.Code != http.StatusRequestEntityTooLarge || !isRefusal(w) {
		t.Errorf("more than is said: %d: %.200s", w.Code, w.Body)
	}
	table := "a,b\n" + strings.Repeat("1,2\n2,1\n", limit)
	if w := g.upload("large.csv", strings.NewReader(table[:limit+4]), -1); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("just beyond the limit: %d: %.200s", w.Code, w.Body)
	}
	// What cannot be read leaves nothing either.
	for name, text := range map[string]string{"broken.csv": "a,b\n1\n\"", "empty.csv": "", "x.png": "no picture", "x.gz": "\x1f\x8b\x08", "x.xlsx": "PK\x03\x04", "x.npy": "\x93NUMPY\x01\x00\xff\xff", "x.parquet": "PAR1"} {
		if w := g.upload(name, strings.NewReader(text), -1); w.Code < 400 || !isRefusal(w) || strings.Contains(w.Body.String(), g.folder) {
			t.Errorf("%s: %d: %.200s", name, w.Code, w.Body)
		}
	}
	// Neither does a small file that is large when it is unpacked.
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, table[:limit+4])
	if err := z.Close(); err != nil || packed.Len() > limit {
		t.Fatalf("%d bytes, %v", packed.Len(), err)
	}
	if w := g.upload("packed.csv.gz", &packed, -1); w.Code != http.StatusRequestEntityTooLarge || !isRefusal(w) {
		t.Errorf("large when unpacked: %d: %.200s", w.Code, w.Body)
	}
	// A client that leaves in the middle.
	if w := g.upload("left.csv", io.MultiReader(strings.NewReader("a,b\n1,2\n"), failing{}), -1); w.Code == 200 {
		t.Errorf("a body that ends with an error: %d: %.200s", w.Code, w.Body)
	}
	if after := g.files(g.outside, ""); !slices.Equal(before, after) {
		t.Errorf("files before:\n%q\nand after:\n%q", before, after)
	}
	if w := g.upload("fits.csv", strings.NewReader(table[:limit-4]), limit-4); w.Code != 200 {
		t.Errorf("below the limit: %d: %.200s", w.Code, w.Body)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestUploadsAreNotHeld sends many bytes, which must go to the disk and not to memory.
func TestUploadsAreNotHeld(t *testing.T) {
	const limit = 48 << 20
	g := guard(t, limit)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := g.upload("large.csv", &endless{letter: '1', left: limit + 1}, -1)
	runtime.ReadMemStats(&after)
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d: %.200s", w.Code, w.Body)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > limit/4 {
		t.Errorf("%d bytes were allocated for an upload of %d", used, limit)
	}
}

func TestNamesOfUploads(t *testing.T) {
	t.Parallel()
	g := guard(t, 1000)
	before := g.files(g.outside, g.folder)
	for _, name := range append(g.hostileTexts(), "a/b.csv", `a\b.csv`, "..", ".hidden.csv", "-rf.csv", "a b.csv", "ä.csv", "con.csv", "a.csv:stream", "session.jsonl", "hostile.jsonl", script+".csv", "\n.csv") {
		w := g.upload(name, strings.NewReader("a,b\n1,2\n3,4\n"), -1)
		if w.Code == 200 && strings.Contains(w.Body.String(), g.folder) {
			t.Errorf("%.80q: the answer shows where the file is: %.200s", name, w.Body)
		}
	}
	if after := g.files(g.outside, g.folder); !slices.Equal(before, after) {
		t.Errorf("files before:\n%q\nand after:\n%q", before, after)
	}
	for _, name := range g.files(g.folder, "") {
		if base := filepath.Base(name); strings.ContainsAny(base, "<>\n\r\\$`|") || len(base) > 200 {
			t.Errorf("a file is called %q", name)
		}
	}
}

// TestScriptsInData asks for everything about data full of scripts.
func TestScriptsInData(t *testing.T) {
	t.Parallel()
	g := guard(t, 1000)
	raw, _ := json.Marshal(script)
	g.post("label", `{"points":[0,1],"label":`+string(raw)+`}`)
	g.post("rename", `{"cluster":"0","name":`+string(raw)+`}`)
	g.settle()
	targets := []string{"/api/search?q=" + url.QueryEscape(script), "/api/rows?limit=100&q=" + url.QueryEscape(script), "/api/rows?sort=" + url.QueryEscape(script), "/api/cluster?name=" + url.QueryEscape(script),
		"/api/pair?a=0&b=1", "/api/column?name=" + url.QueryEscape(script), "/api/export/" + url.PathEscape(script), "/" + url.PathEscape(script), "/api/" + url.PathEscape(script)}
	for p := range 10 {
		targets = append(targets, fmt.Sprintf("/api/point?p=%d", p))
	}
	for _, c := range g.calls() {
		if c.method == "GET" && c.path != "api/export/{file}" {
			targets = append(targets, c.target())
		}
	}
	for _, target := range targets {
		w := g.send(sent{method: "GET", target: target})
		switch kind := w.Header().Get("Content-Type"); kind {
		case "application/json; charset=utf-8", "application/json", "application/octet-stream", "text/event-stream", "text/event-stream; charset=utf-8", "image/png", "image/jpeg", "text/plain; charset=utf-8":
		default:
			t.Errorf("%s: %d of type %q", target, w.Code, kind)
		}
	}
	// Lines of the stream begin as they must, whatever ids say.
	for _, line := range strings.Split(g.send(sent{method: "GET", target: "/api/stream"}).Body.String(), "\n") {
		if line != "" && !strings.HasPrefix(line, "event: ") && !strings.HasPrefix(line, "data: {") && !strings.HasPrefix(line, ":") {
			t.Errorf("the stream has the line %.100q", line)
		}
	}
	for _, file := range []string{"clusters.csv", "rows.csv", "rows.jsonl", "rows.parquet", "labels.csv", "links.csv", "session.jsonl", "report.html", "map.svg"} {
		w := g.send(sent{method: "GET", target: "/api/export/" + file})
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") {
			t.Errorf("%s: %d, %q: %.200s", file, w.Code, w.Header().Get("Content-Disposition"), w.Body)
		}
		if strings.HasSuffix(file, ".html") || strings.HasSuffix(file, ".svg") {
			for _, bad := range []string{"<script>alert", "<img src=x", "</script><img"} {
				if strings.Contains(w.Body.String(), bad) {
					t.Errorf("%s has %s", file, bad)
				}
			}
		}
		if file != "rows.csv" {
			continue
		}
		lines, err := csv.NewReader(w.Body).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(strings.NewReader(hostileTable)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		// The data of the user are as they were: nothing is put before a formula.
		for i, line := range want[1:] {
			if i+1 >= len(lines) || lines[i+1][0] != line[0] || !slices.Contains(lines[i+1], line[3]) {
				t.Errorf("row %q is not in rows.csv as it was: %q", line, lines[min(i+1, len(lines)-1)])
			}
		}
	}
}

// deadlines is a connection that notes when it must have ended.
type deadlines struct {
	*httptest.ResponseRecorder
	read, write time.Time
	late        []string
}

func (d *deadlines) SetReadDeadline(at time.Time) error  { d.read = at; return nil }
func (d *deadlines) SetWriteDeadline(at time.Time) error { d.write = at; return nil }
func (d *deadlines) check(what string, at time.Time) {
	if left := time.Until(at); left <= 0 || left > 10*time.Minute {
		d.late = append(d.late, fmt.Sprintf("%s with a deadline in %v", what, left))
	}
}
func (d *deadlines) Write(b []byte) (int, error) {
	d.check("a write", d.write)
	return d.ResponseRecorder.Write(b)
}

// watched is a body that is read under a deadline.
type watched struct {
	io.Reader
	d *deadlines
}

func (w watched) Read(b []byte) (int, error) { w.d.check("a read", w.d.read); return w.Reader.Read(b) }
func (watched) Close() error                 { return nil }

// TestSlowClientsAreDropped checks that bodies are read and answers written under a
// deadline, so that a client that stops ends.
func TestSlowClientsAreDropped(t *testing.T) {
	g := guard(t, 1000)
	for _, q := range []struct{ method, target, kind, body string }{
		{"POST", "/api/label", "application/json", `{"points":[0],"label":"x"}`},
		{"POST", "/api/rows", "application/json", `{"points":[0,1,2]}`},
		{"POST", "/api/upload?name=a.csv", "application/octet-stream", "a,b\n1,2\n3,4\n"},
		{"GET", "/api/points", "", ""}, {"GET", "/api/labels", "", ""}, {"GET", "/api/state", "", ""}, {"GET", "/api/rows", "", ""}, {"GET", "/api/export/rows.csv", "", ""}, {"GET", "/", "", ""},
	} {
		d := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		r := httptest.NewRequest(q.method, "http://"+own+q.target, watched{strings.NewReader(q.body), d})
		r.Header.Set("Authorization", "Bearer "+g.token)
		r.Header.Set("Content-Type", q.kind)
		g.s.ServeHTTP(d, r)
		if d.Code != 200 || len(d.late) > 0 {
			t.Errorf("%s %s: %d: %q", q.method, q.target, d.Code, d.late)
		}
	}
}

// dial opens a connection, sends the beginning of a request, and stops.
func dial(t *testing.T, address, begun string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, begun); err != nil {
		t.Fatal(err)
	}
}

// TestSlowClientsBlockNobody lets many clients stop in the middle, and uses the page
// meanwhile.
func TestSlowClientsBlockNobody(t *testing.T) {
	c, s := start(t, "iris")
	c.settled()
	address := strings.TrimSuffix(strings.TrimPrefix(c.url, "http://"), "/")
	head := " HTTP/1.1\r\nHost: " + address + "\r\nAuthorization: Bearer " + s.Token() + "\r\n"
	for _, begun := range []string{
		"GET /api/state HTT", "GET /api/state" + head, "GET /api/stream" + head + "\r\n", "GET /api/points" + head + "\r\n",
		"POST /api/label" + head + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"points\":[0]",
		"POST /api/upload?name=a.csv" + head + "Content-Type: application/octet-stream\r\nContent-Length: 100\r\n\r\na,b\n1,2\n",
	} {
		for range 3 {
			dial(t, address, begun)
		}
	}
	for i := range 20 {
		c.post("label", object{"points": []int{i}, "label": "x"})
		c.get("state")
		c.get("rows")
	}
	c.settled()
}

// TestNothingIsConfirmedWithoutItsFile removes the session of an open page.
func TestNothingIsConfirmedWithoutItsFile(t *testing.T) {
	g := guard(t, 1000)
	quiet := &guarded{t: silent{t}, s: g.s, token: g.token} // a status of 500 is right here
	before, aside := g.get("state")["events"], g.session+".aside"
	if err := os.Rename(g.session, aside); err != nil {
		t.Fatal(err)
	}
	for _, replaced := range []bool{false, true} {
		if replaced {
			if err := os.WriteFile(g.session, []byte("{}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, body := range []string{`label {"points":[0],"label":"x"}`, `link {"kind":"must","a":0,"b":1}`, `rename {"cluster":"0","name":"x"}`} {
			call, body, _ := strings.Cut(body, " ")
			if w := quiet.post(call, body); w.Code != http.StatusInternalServerError || !isRefusal(w) || strings.Contains(w.Body.String(), g.folder) {
				t.Errorf("%s where the session is gone: %d: %s", call, w.Code, w.Body)
			}
		}
	}
	if err := os.Rename(aside, g.session); err != nil {
		t.Fatal(err)
	}
	if after := g.get("state")["events"]; after != before {
		t.Errorf("there were %v events and are %v", before, after)
	}
	if w := g.post("label", `{"points":[0],"label":"x"}`); w.Code != 200 {
		t.Errorf("where it is back: %d: %s", w.Code, w.Body)
	}
}

// silent takes errors and says nothing.
type silent struct{ testing.TB }

func (silent) Errorf(string, ...any) {}

// TestSmallData opens data that leave little to choose from, without a number of clusters.
func TestSmallData(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"one.csv": "a,b\n1,2\n", "two.csv": "a,b\n1,2\n3,4\n", "three.csv": "a\n1\n2\n9\n", "equal.csv": "a,b\n" + strings.Repeat("1,2\n", 20),
		"six.edges": "a b\nb c\nc a\nd e\ne f\nf d\na d\n"} {
		t.Run(name, func(t *testing.T) {
			g := guard(t, 1000)
			path := filepath.Join(g.outside, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := g.s.Open(context.Background(), server.Data{Path: path, Session: path + ".jsonl"}); err != nil {
				t.Fatal(err)
			}
			g.settle()
			if s := g.get("state"); s["fit"] == nil || s["error"] != nil {
				t.Errorf("fit %v, error %v", s["fit"], s["error"])
			}
			if name == "equal.csv" { // one group has all rows, and the others are not listed
				if f := g.get("state")["fit"].(object); len(f["clusters"].([]any)) != 1 || f["empty"] == 0.0 || f["whyEmpty"] == "" {
					t.Errorf("of equal rows: %v", f)
				}
			}
			for _, call := range []string{"question", "point?p=0", "rows", "violations", "suspects", "history", "links", "command"} {
				g.get(call)
			}
			for _, file := range []string{"clusters.csv", "rows.csv", "report.html", "map.svg"} {
				if w := g.send(sent{method: "GET", target: "/api/export/" + file}); w.Code != 200 {
					t.Errorf("%s: %d: %.200s", file, w.Code, w.Body)
				}
			}
		})
	}
}
