package server_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/server"
)

// Points have places in the square, labels one byte and flags each, and the same table the
// same numbers.
func TestPointsAndLabels(t *testing.T) {
	c, _ := start(t, "iris")
	c.settled()
	_, points := c.do("GET", "api/points", nil)
	if n := binary.LittleEndian.Uint32(points); n != 150 || len(points) != 8+8*150 {
		t.Fatalf("%d points in %d bytes", n, len(points))
	}
	for i := range 300 {
		v := math.Float32frombits(binary.LittleEndian.Uint32(points[8+4*i:]))
		if !(v >= -1 && v <= 1) {
			t.Fatalf("a place is %v", v)
		}
	}
	_, labels := c.do("GET", "api/labels", nil)
	if n, wide := binary.LittleEndian.Uint32(labels), binary.LittleEndian.Uint32(labels[4:]); n != 150 || wide != 1 || len(labels) != 8+300 {
		t.Fatalf("%d labels of %d bytes in %d", n, wide, len(labels))
	}
	sizes := map[byte]int{}
	for _, h := range labels[8 : 8+150] {
		sizes[h]++
	}
	for _, k := range c.get("state")["fit"].(object)["clusters"].([]any) {
		k := k.(object)
		if got := sizes[byte(k["index"].(float64))]; float64(got) != k["size"] {
			t.Errorf("cluster %v has %d labels", k, got)
		}
	}
	other, _ := start(t, "iris")
	if _, again := other.do("GET", "api/points", nil); !bytes.Equal(again, points) {
		t.Error("the same table has other places")
	}
}

// A column of numbers has those of the rows, in the order of the points.
func TestColumn(t *testing.T) {
	c, _ := start(t, "iris")
	_, raw := c.do("GET", "api/column?name=petal_width", nil)
	if n := binary.LittleEndian.Uint32(raw); n != 150 || len(raw) != 8+4*150 {
		t.Fatalf("%d numbers in %d bytes", n, len(raw))
	}
	list := c.get("rows?limit=150")
	at := slices.Index(list["columns"].([]any), any("petal_width"))
	for i, row := range list["rows"].([]any) {
		v := math.Float32frombits(binary.LittleEndian.Uint32(raw[8+4*i:]))
		if cell := row.(object)["cells"].([]any)[at]; strconv.FormatFloat(float64(v), 'g', -1, 32) != cell {
			t.Errorf("point %d: %v, and the cell is %v", i, v, cell)
		}
	}
	if status, raw := c.do("GET", "api/column?name=none", nil); status != 404 || !strings.Contains(string(raw), "no column of numbers") {
		t.Errorf("an unknown column: %d %s", status, raw)
	}
}

// Events about pairs name the points, and the settings say whether k was given.
func TestHistoryNamesPoints(t *testing.T) {
	c, _ := start(t, "iris")
	c.post("link", object{"kind": "must", "a": 7, "b": 3})
	c.post("label", object{"points": []int{5}, "label": "x"})
	for _, e := range c.get("history")["events"].([]any) {
		e := e.(object)
		if e["op"] == "must" && (e["a"] != 7.0 || e["b"] != 3.0) || e["op"] == "label" && e["a"] != nil {
			t.Errorf("got %v", e)
		}
	}
	c.post("fit", object{"k": 0})
	if got := c.get("state")["settings"].(object); got["kFixed"] != false {
		t.Errorf("where k is left open: %v", got)
	}
	c.post("fit", object{"k": 4})
	if got := c.get("state")["settings"].(object); got["kFixed"] != true || got["k"] != 4.0 {
		t.Errorf("where k is given: %v", got)
	}
}

// Answers, labels and links are events; undo and redo turn them back and forth, a selection
// as one.
func TestChangesAndUndo(t *testing.T) {
	c, _ := start(t, "iris")
	q := c.question()
	a := c.answer(200, q, "same")
	if a["next"].(object)["totals"].(object)["must"] != 1.0 {
		t.Errorf("got %v", a)
	}
	c.answer(409, q, "same")
	c.post("label", object{"points": []int{1, 2, 3}, "label": "rosy"})
	if got := c.get("state"); got["totals"].(object)["labels"] != 3.0 || !strings.Contains(got["undo"].(string), "and 2 more") {
		t.Errorf("got %v", got)
	}
	c.post("undo", object{})
	if got := c.get("state"); got["totals"].(object)["labels"] != 0.0 || got["redo"] == nil {
		t.Errorf("after undo: %v", got)
	}
	c.post("redo", object{})
	if got := c.get("state"); got["totals"].(object)["labels"] != 3.0 || got["redo"] != nil {
		t.Errorf("after redo: %v", got)
	}
	c.post("undo", object{})
	c.post("undo", object{})
	if got := c.get("state"); got["totals"].(object)["must"] != 0.0 || got["undo"] != nil {
		t.Errorf("after two undos: %v", got)
	}
	c.call(409, "POST", "api/undo", object{})
	for _, bad := range []struct {
		path string
		body object
	}{
		{"label", object{"points": []int{150}, "label": "x"}}, {"label", object{"points": []int{}, "label": "x"}}, {"link", object{"kind": "must", "a": 1, "b": 1}},
		{"link", object{"kind": "wish", "a": 1, "b": 2}}, {"link", object{"kind": "belief", "a": 1, "b": 2, "weight": 7}}, {"answer", object{"a": 1, "b": 2, "say": "perhaps"}},
		{"fit", object{"method": "magic"}}, {"fit", object{"k": -1}}, {"rename", object{"cluster": "none", "name": "x"}}, {"forget", object{"event": 900}}, {"soften", object{"event": 0}},
		{"merge", object{"clusters": []string{"a"}}}, {"split", object{"points": []int{}}}, {"remove", object{"point": -1}},
	} {
		if status, raw := c.do("POST", "api/"+bad.path, bad.body); status < 400 || status >= 500 || !strings.Contains(string(raw), `"message"`) {
			t.Errorf("%s %v: %d %s", bad.path, bad.body, status, raw)
		}
	}
}

// A contradiction is refused with the chain that proves it, and kept where somebody insists.
func TestContradictions(t *testing.T) {
	c, _ := start(t, "iris")
	c.post("link", object{"kind": "must", "a": 1, "b": 2})
	c.post("link", object{"kind": "must", "a": 2, "b": 3})
	out := c.call(409, "POST", "api/link", object{"kind": "cannot", "a": 1, "b": 3})
	proof := out["contradicts"].(object)
	if len(proof["chain"].([]any)) != 3 || len(proof["repairs"].([]any)) != 2 {
		t.Fatalf("got %v", proof)
	}
	forget := proof["repairs"].([]any)[0].(object)["forget"].([]any)
	c.post("forget", object{"events": forget})
	c.post("link", object{"kind": "cannot", "a": 1, "b": 3})
	c.post("link", object{"kind": "must", "a": 1, "b": 3, "force": true})
}

// named waits until clusters have the names of their descriptions, which come after a fit: the suspects are judged last.
func (c *client) named() object {
	c.t.Helper()
	c.settled()
	return c.until("names", func(s object) bool { return s["running"] == nil && s["suspects"].(object)["ready"] == true })
}

// Every cluster call answers, and merging and splitting change the number of clusters.
func TestClusterCalls(t *testing.T) {
	t.Parallel()
	c, _ := start(t, "iris")
	s := c.named()
	clusters := s["fit"].(object)["clusters"].([]any)
	name := func(i int) string { return clusters[i].(object)["name"].(string) }
	card := c.get("cluster?name=" + url.QueryEscape(name(0)))
	if len(card["typical"].([]any)) == 0 || len(card["traits"].([]any)) == 0 {
		t.Errorf("the card is %v", card)
	}
	c.post("rename", object{"cluster": name(0), "name": "Petals <b>"})
	if got := c.get("state")["fit"].(object)["clusters"].([]any)[0].(object)["name"]; got != "Petals <b>" {
		t.Errorf("the cluster is called %v", got)
	}
	c.post("undo", object{})
	c.post("merge", object{"clusters": []string{name(1), name(2)}})
	if s = c.named(); s["fit"].(object)["k"] != 2.0 {
		t.Errorf("after a merger: %v", s["fit"])
	}
	var points []any
	for _, r := range c.get("rows?limit=20&sort=id&cluster=" + url.QueryEscape(s["fit"].(object)["clusters"].([]any)[0].(object)["name"].(string)))["rows"].([]any) {
		points = append(points, r.(object)["point"])
	}
	c.post("split", object{"points": points})
	if s = c.named(); s["fit"].(object)["k"] != 3.0 {
		t.Errorf("after a split: %v", s["fit"])
	}
	c.call(409, "POST", "api/remove", object{"point": points[0]}) // you just said that these belong together
	other := c.get("rows?limit=1&cluster=" + url.QueryEscape(s["fit"].(object)["clusters"].([]any)[1].(object)["name"].(string)))["rows"].([]any)[0].(object)["point"]
	c.post("remove", object{"point": other})
	c.post("accept", object{"points": points[1:3]})
	c.named()
	c.call(400, "POST", "api/accept", object{"points": points, "above": 1.5})
	p := c.get("point?p=0")
	if len(p["cells"].([]any)) != 4 || len(p["neighbours"].([]any)) != 8 || p["why"] == "" {
		t.Errorf("a point is %v", p)
	}
	pair := c.get("pair?a=0&b=1")
	if len(pair["why"].([]any)) == 0 || pair["pair"] == nil {
		t.Errorf("a pair is %v", pair)
	}
	for _, path := range []string{"violations", "suspects", "links", "history", "command", "compare", "search?q=5.1"} {
		c.get(path)
	}
}

// Rows that are sure enough of their clusters are accepted, and no others.
func TestAcceptAbove(t *testing.T) {
	c, _ := start(t, "iris")
	c.settled()
	var points []int
	sure := 0
	for _, r := range c.get("rows?limit=200")["rows"].([]any) {
		points = append(points, int(r.(object)["point"].(float64)))
		if r.(object)["confidence"].(float64) >= 0.6 {
			sure++
		}
	}
	if sure == 0 || sure == len(points) {
		t.Fatalf("%d of %d rows are sure", sure, len(points))
	}
	c.post("accept", object{"points": points, "above": 0.6})
	if got := c.get("state")["totals"].(object)["labels"]; got != float64(sure) {
		t.Errorf("%v rows are labelled, wanted %d", got, sure)
	}
}

// What the page exports is what the command line makes of the session.
func TestExports(t *testing.T) {
	c, _ := start(t, "iris")
	c.settled()
	c.post("label", object{"points": []int{0, 1}, "label": "first"})
	c.settled()
	for file, begins := range map[string]string{"clusters.csv": "id,cluster\n", "rows.csv": "id,", "rows.jsonl": "{", "rows.parquet": "PAR1", "labels.csv": "id,label\n", "links.csv": "a,b,kind\n",
		"session.jsonl": `{"inkling":"session/1"`, "report.html": "<!doctype html>", "map.svg": "<svg"} {
		status, raw := c.do("GET", "api/export/"+file, nil)
		if status != 200 || !strings.HasPrefix(strings.ToLower(string(raw)), strings.ToLower(begins)) {
			t.Errorf("%s: %d %.80s", file, status, raw)
		}
	}
	_, raw := c.do("POST", "api/export/clusters.csv", object{"points": []int{3, 4}})
	if rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll(); err != nil || len(rows) != 3 {
		t.Errorf("a selection: %v %s", err, raw)
	}
	c.post("label", object{"points": []int{5}, "label": "=sum(1)"})
	for query, want := range map[string]string{"": ",=sum(1)", "?escape=1": ",'=sum(1)"} {
		if _, raw := c.do("GET", "api/export/labels.csv"+query, nil); !strings.Contains(string(raw), want) {
			t.Errorf("labels.csv%s: %s", query, raw)
		}
	}
	if status, _ := c.do("GET", "api/export/..%2fsecret", nil); status != 404 {
		t.Errorf("another file: %d", status)
	}
}

// The last fit of the session, made again, is what the page exports.
func TestClustersOfSession(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s, err := server.New(server.Options{Folder: folder, Unguarded: true})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "s.jsonl")
	if err := s.Open(context.Background(), server.Data{Path: "example:wine.csv", Session: path}); err != nil {
		t.Fatal(err)
	}
	c := serve(t, s)
	c.settled()
	for range 3 {
		c.answer(200, c.question(), "different")
	}
	st := c.settled()
	c.post("rename", object{"cluster": st["fit"].(object)["clusters"].([]any)[0].(object)["name"], "name": "Barolo"})
	_, want := c.do("GET", "api/export/clusters.csv", nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := session.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	table, err := again.Table(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := again.LastFit(context.Background(), table, sameResult)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := again.WriteClusters(&got, r); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) || !strings.Contains(got.String(), "Barolo") {
		t.Errorf("the session gives other clusters than the page")
	}
}

// The description names every call that there is, and no other, with a schema for every body.
func TestDescription(t *testing.T) {
	c, _ := start(t, "")
	d := c.get("openapi.json")
	if d["openapi"] != "3.1.0" {
		t.Errorf("the version is %v", d["openapi"])
	}
	schemas := d["components"].(object)["schemas"].(object)
	paths := 0
	for path, methods := range d["paths"].(object) {
		for method, o := range methods.(object) {
			paths++
			raw, _ := json.Marshal(o)
			for _, part := range strings.Split(string(raw), `"#/components/schemas/`)[1:] {
				name, _, _ := strings.Cut(part, `"`)
				if schemas[name] == nil {
					t.Errorf("%s %s refers to %s, which there is not", method, path, name)
				}
			}
			call := strings.ReplaceAll(strings.TrimPrefix(path, "/"), "{file}", "none")
			if path == "/api/stream" {
				continue
			}
			var body any
			if method == "post" {
				body = object{}
			}
			if status, raw := c.do(strings.ToUpper(method), call, body); status == 405 || strings.Contains(string(raw), "there is no such call") {
				t.Errorf("%s %s is described, and answers %d", method, path, status)
			}
		}
	}
	if paths != server.Calls() {
		t.Errorf("%d calls are described of %d", paths, server.Calls())
	}
	if status, _ := c.do("GET", "api/none", nil); status != 404 {
		t.Errorf("a call that there is not: %d", status)
	}
	if status, _ := c.do("GET", "api/undo", nil); status != 405 {
		t.Errorf("a change by GET: %d", status)
	}
}

// A file that is sent is shown, and becomes the current table with the roles that were
// chosen; one that is too large is refused.
func TestUpload(t *testing.T) {
	s, err := server.New(server.Options{Folder: t.TempDir(), Unguarded: true, MaxUpload: 1000})
	if err != nil {
		t.Fatal(err)
	}
	c := serve(t, s)
	send := func(name, text string) (int, object) {
		r, _ := http.NewRequest("POST", c.url+"api/upload?name="+name, strings.NewReader(text))
		r.Header.Set("Content-Type", "application/octet-stream")
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		var out object
		if err := json.NewDecoder(a.Body).Decode(&out); err != nil {
			t.Fatal(err)
		}
		return a.StatusCode, out
	}
	rows := "name,kind,x,y\na,old,1,2\nb,,2,1\nc,,8,9\nd,new,9,8\ne,,9,9\nf,,1,1\n"
	status, out := send("..%2f..%2f<script>.csv", rows)
	if status != 200 || out["rows"] != 6.0 {
		t.Fatalf("%d %v", status, out)
	}
	if name := out["name"].(string); strings.ContainsAny(name, "/<>") || !strings.HasSuffix(name, ".csv") {
		t.Errorf("the file is called %q", name)
	}
	c.post("begin", object{"upload": out["upload"], "id": "name", "label": "kind"})
	st := c.settled()
	if st["rows"] != 6.0 || st["fit"].(object)["k"] != 2.0 {
		t.Errorf("got %v", st)
	}
	if status, out := send("large.csv", strings.Repeat("x", 1001)); status != 413 || out["error"].(object)["kind"] != "too-large" {
		t.Errorf("a large file: %d %v", status, out)
	}
	if status, out := send("wrong.csv", "a,b\n1\n"); status != 400 {
		t.Errorf("a wrong file: %d %v", status, out)
	}
	c.call(404, "POST", "api/begin", object{"upload": "../../etc/passwd"})
}
