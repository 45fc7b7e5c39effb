package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// send uploads a file as the page does.
func (c *client) send(name, content string) object {
	c.t.Helper()
	r, err := http.NewRequest("POST", c.url+"api/upload?name="+name, strings.NewReader(content))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Content-Type", "application/octet-stream")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer a.Body.Close()
	var out object
	if err := json.NewDecoder(a.Body).Decode(&out); err != nil {
		c.t.Fatal(err)
	}
	if a.StatusCode != 200 {
		c.t.Fatalf("%s is refused with %d: %v", name, a.StatusCode, out)
	}
	return out
}

// rolesOf returns the roles of a description of columns, by name.
func rolesOf(t object) map[string]string {
	out := map[string]string{}
	for _, c := range t["columns"].([]any) {
		c := c.(object)
		out[c["name"].(string)] = c["role"].(string)
	}
	return out
}

func reading(roles ...string) object {
	list := []object{}
	for i := 0; i < len(roles); i += 2 {
		list = append(list, object{"column": roles[i], "role": roles[i+1]})
	}
	return object{"roles": list}
}

// shops have a zip code that looks like a number, and an id.
func shops(n int) string {
	var b strings.Builder
	b.WriteString("shop,zip,revenue,staff,note\n")
	for i := range n {
		h := i % 3
		fmt.Fprintf(&b, "s%03d,%d,%.1f,%d,visited by number %d of the team and found %s\n", i, []int{10115, 50667, 80331}[h], []float64{100, 300, 600}[h]+float64(i%7), []int{3, 12, 6}[h]+i%2, i,
			[]string{"open", "closed", "busy"}[i%3])
	}
	return b.String()
}

func TestRolesBeforeOpening(t *testing.T) {
	c, _ := start(t, "")
	file := shops(90)
	out := c.send("shops.csv", file)
	view := out["preview"].(object)
	path := filepath.Join(t.TempDir(), "shops.csv")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := door.Open(context.Background(), path, door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	roles := rolesOf(view)
	for _, line := range table.Plan().Lines() {
		if roles[line.Name] != string(line.Serves()) {
			t.Errorf("column %s is shown as %s, the plan says %s", line.Name, roles[line.Name], line.Serves())
		}
	}
	head := view["head"].(object)
	if names := fmt.Sprint(head["columns"]); names != "[shop zip revenue staff note]" {
		t.Errorf("the first rows have the columns %s", names)
	}
	if rows := head["rows"].([]any); len(rows) != 50 || rows[0].([]any)[1] != "10115" {
		t.Errorf("the first rows are %v", rows[:1])
	}
	again := c.post("look", object{"upload": out["upload"], "reading": reading("zip", "category", "revenue", "drop", "staff", "describe")})
	roles = rolesOf(again)
	if roles["zip"] != "category" || roles["revenue"] != "drop" || roles["staff"] != "describe" || roles["shop"] != "id" {
		t.Errorf("with other roles the columns are %v", roles)
	}
	c.call(400, "POST", "api/look", object{"upload": out["upload"], "reading": reading("zip", "colour")})
	c.call(400, "POST", "api/look", object{"upload": out["upload"], "reading": reading("nothing", "number")})
	c.post("begin", object{"upload": out["upload"], "reading": reading("zip", "category")})
	s := c.settled()
	for _, col := range s["columns"].([]any) {
		if col := col.(object); col["name"] == "zip" && (col["role"] != "category" || col["holds"] != "category") {
			t.Errorf("zip is %v after opening", col)
		}
	}
}

func TestRolesAfterOpening(t *testing.T) {
	t.Parallel()
	c, s := start(t, "")
	out := c.send("shops.csv", shops(90))
	c.post("begin", object{"upload": out["upload"]})
	c.settled()
	rows := c.get("rows?sort=id&limit=500")["rows"].([]any)
	point := func(i int) int { return int(rows[i].(object)["point"].(float64)) }
	c.post("label", object{"points": []int{point(0), point(3)}, "label": "small"})
	c.post("link", object{"kind": "cannot", "a": point(1), "b": point(2)})
	c.post("undo", object{})
	c.post("link", object{"kind": "must", "a": point(1), "b": point(4)})
	before := c.settled()

	view := c.post("look", object{"head": true})
	if roles := rolesOf(view); roles["zip"] != "number" && roles["zip"] != "describe" {
		t.Fatalf("zip is %v", roles)
	}
	if len(view["head"].(object)["rows"].([]any)) == 0 {
		t.Error("the first rows are not shown")
	}
	c.call(400, "POST", "api/reopen", reading("zip", "colour"))
	if got := c.get("state")["session"]; got != before["session"] {
		t.Errorf("a refused change has opened session %v", got)
	}
	done := c.post("reopen", reading("zip", "category", "shop", "drop", "note", "id"))
	if done["answers"] != 3.0 || done["lost"] != 0.0 {
		t.Errorf("kept %v answers, lost %v; 3 were given", done["answers"], done["lost"])
	}
	after := c.settled()
	if after["session"] == before["session"] {
		t.Error("the session before was written over")
	}
	totals := after["totals"].(object)
	if totals["labels"] != 2.0 || totals["must"] != 1.0 || totals["cannot"] != 0.0 {
		t.Errorf("in force are %v", totals)
	}
	// Rows are called by their notes now, and the answers are about the same rows.
	said := fmt.Sprint(c.get("history")["events"])
	if !strings.Contains(said, "visited by number 0 of the team and found open is small") {
		t.Errorf("the label is not with its row: %s", said)
	}
	c.post("undo", object{})
	if got := c.settled()["totals"].(object)["must"]; got != 0.0 {
		t.Errorf("what was said before cannot be undone: %v must-links", got)
	}
	_ = s
}

// A table in which an id stands twice can be opened: the page shows why, and another role mends it.
func TestRolesMendATableThatCannotBeClustered(t *testing.T) {
	c, _ := start(t, "")
	file := strings.Replace(shops(90), "s007", "s006", 1)
	out := c.send("shops.csv", file)
	view := out["preview"].(object)
	if view["error"] == nil || !strings.Contains(fmt.Sprint(view["error"]), "s006") {
		t.Fatalf("the id that stands twice is not named: %v", view["error"])
	}
	if len(view["head"].(object)["rows"].([]any)) != 50 {
		t.Error("the first rows are not shown")
	}
	if again := c.post("look", object{"upload": out["upload"], "reading": reading("shop", "drop")}); again["error"] != nil {
		t.Fatalf("without the column it is still refused: %v", again["error"])
	}
	c.post("begin", object{"upload": out["upload"], "reading": reading("shop", "drop")})
	c.settled()
}

func TestTextsByUpload(t *testing.T) {
	c, _ := start(t, "")
	topics := [][]string{strings.Fields("refund money charged bank card payment twice"), strings.Fields("parcel late courier address tracking box lost"), strings.Fields("password login account reset email locked code")}
	var b strings.Builder
	b.WriteString("comment\n")
	for i := range 120 {
		words := topics[i%3]
		for j := range 9 {
			b.WriteString(words[(i*i/7+i*j+j*j)%len(words)] + " ")
		}
		fmt.Fprintf(&b, "please order %d\n", i)
	}
	out := c.send("comments.csv", b.String())
	if roles := rolesOf(out["preview"].(object)); roles["comment"] != "text" {
		t.Fatalf("the texts are read as %v", roles)
	}
	c.post("begin", object{"upload": out["upload"]})
	s := c.settled()
	fit := s["fit"].(object)
	if fit["k"].(float64) < 2 {
		t.Fatalf("%v groups", fit["k"])
	}
	s = c.until("names", func(s object) bool {
		for _, g := range s["fit"].(object)["clusters"].([]any) {
			if strings.Trim(g.(object)["name"].(string), "0123456789") == "" {
				return false
			}
		}
		return true
	})
	_ = s
}

func TestNotesHaveButtons(t *testing.T) {
	c, _ := start(t, "")
	out := c.send("shops.csv", shops(90))
	c.post("begin", object{"upload": out["upload"]})
	s := c.settled()
	found := false
	for _, n := range s["notes"].([]any) {
		n := n.(object)
		if strings.Contains(n["text"].(string), "text=") {
			t.Errorf("a note names an option of the command line: %s", n["text"])
		}
		for _, o := range n["offers"].([]any) {
			if o := o.(object); o["column"] == "note" && o["role"] == "text" {
				found = true
			}
		}
	}
	if !found {
		t.Errorf("no note offers to compare the texts: %v", s["notes"])
	}
}

func TestFacets(t *testing.T) {
	c, _ := start(t, "")
	out := c.send("shops.csv", shops(90)+"x1,10115,100,3,a note\n")
	c.post("begin", object{"upload": out["upload"], "reading": reading("zip", "category", "revenue", "describe")})
	c.settled()
	f := c.get("facet?name=zip")
	if f["holds"] != "category" || len(f["levels"].([]any)) != 3 || f["levels"].([]any)[0].(object)["rows"] != 31.0 {
		t.Errorf("zip is %v", f)
	}
	if f := c.get("facet?name=revenue"); f["holds"] != "number" {
		t.Errorf("a column that describes is %v", f)
	}
	c.call(404, "GET", "api/facet?name=none", nil)
	c.call(404, "GET", "api/facet?name=note", nil)
	if status, raw := c.do("GET", "api/column?name=zip", nil); status != 200 || len(raw) != 8+4*91 {
		t.Errorf("%d: %d bytes", status, len(raw))
	}
}
