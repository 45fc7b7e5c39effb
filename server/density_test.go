package server_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// groupSizes returns the sizes of the groups by name, and how many rows have none.
func groupSizes(state object) (sizes map[string]float64, none float64) {
	fit := state["fit"].(object)
	sizes = map[string]float64{}
	for _, g := range fit["clusters"].([]any) {
		if size := g.(object)["size"].(float64); size > 0 {
			sizes[g.(object)["name"].(string)] = size
		}
	}
	return sizes, fit["unassigned"].(float64)
}

// largest returns the name of the largest group.
func largest(sizes map[string]float64) (name string) {
	for g, n := range sizes {
		if name == "" || n > sizes[name] || n == sizes[name] && g < name {
			name = g
		}
	}
	return name
}

// A session by density: nobody says how many groups there are, rows stay without one, and the tree is walked: a group is split into its parts
// and merged with its nearest, all others stay as they are, and undo takes it back.
func TestDensityWalksTheTree(t *testing.T) {
	moons, found, err := door.Builtin("example:noisy-moons.csv")
	if !found || err != nil {
		t.Fatal(err)
	}
	c, _ := start(t, "")
	c.post("begin", object{"upload": c.send("moons.csv", string(moons))["upload"]})
	c.settled()
	c.post("fit", object{"method": "density"})
	s := c.until("a fit by density", func(s object) bool { return s["fit"].(object)["method"] == "density" && s["running"] == nil })
	sizes, none := groupSizes(s)
	if len(sizes) != 2 || none < 30 || none > 100 {
		t.Fatalf("the groups are %v, %v rows have none", sizes, none)
	}
	if s["settings"].(object)["kFixed"] != false {
		t.Errorf("the settings are %v", s["settings"])
	}
	rows := c.get("rows?unassigned=true&limit=500")
	if got := float64(len(rows["rows"].([]any))); got != none {
		t.Errorf("%v rows are listed without a group, not %v", got, none)
	}
	// An answer about noise is kept, and the next fit finds the number of groups again.
	q := c.question()
	c.answer(200, q, "same")
	s = c.settled()
	if sizes, _ := groupSizes(s); len(sizes) < 2 || s["settings"].(object)["kFixed"] != false {
		t.Errorf("after an answer: %v, %v", sizes, s["settings"])
	}
	c.post("undo", object{})
	s = c.settled()
	sizes, none = groupSizes(s)

	name := largest(sizes)
	branch := c.get("cluster?name=" + url.QueryEscape(name))["branch"].(object)
	parts := branch["parts"].([]any)
	if len(parts) != 2 || parts[0].(float64)+parts[1].(float64) > sizes[name] {
		t.Fatalf("the parts of %v rows are %v", sizes[name], parts)
	}
	c.post("split", object{"cluster": name})
	s = c.settled()
	three, noneThen := groupSizes(s)
	if len(three) != 3 || noneThen != none {
		t.Fatalf("after a split: %v, %v without a group, before %v and %v", three, noneThen, sizes, none)
	}
	for other, n := range sizes {
		if other != name && three[other] != n {
			t.Errorf("group %s had %v rows and has %v", other, n, three[other])
		}
	}
	// The two parts are nearest to each other.
	halves := []string{}
	for g := range three {
		if g == name || sizes[g] == 0 {
			halves = append(halves, g)
		}
	}
	if len(halves) != 2 {
		t.Fatalf("the parts are %q of %v", halves, three)
	}
	if near := c.get("cluster?name=" + url.QueryEscape(halves[0]))["branch"].(object)["nearest"]; near != halves[1] {
		t.Errorf("nearest to %q is %q", halves, near)
	}
	// Merging them needs the links of the split to go, and says so; undo has the same effect.
	if status, body := c.do("POST", "api/merge", object{"clusters": halves}); status != 409 || !strings.Contains(string(body), "cannot-link") {
		t.Errorf("a merger of what was split: %d %s", status, body)
	}
	c.post("undo", object{})
	if again, noneAgain := groupSizes(c.settled()); len(again) != 2 || noneAgain != none {
		t.Errorf("after undo: %v, %v", again, noneAgain)
	}
	// A merger of all leaves one group, with the noise outside.
	names := []string{}
	for g := range sizes {
		names = append(names, g)
	}
	c.post("merge", object{"clusters": names})
	if one, noneOne := groupSizes(c.settled()); len(one) != 1 || noneOne != none {
		t.Errorf("after a merger: %v, %v without a group", one, noneOne)
	}
	status, file := c.do("GET", "api/export/clusters.csv", nil)
	if status != 200 || strings.Count(string(file), ",\n") != int(none) {
		t.Errorf("the export has status %d, %d rows without a group", status, strings.Count(string(file), ",\n"))
	}
	status, body := c.do("POST", "api/split", object{"cluster": name, "points": []int{1, 2}})
	if status != 400 && status != 422 {
		t.Errorf("points and a cluster: %d %s", status, body)
	}
}

// Other methods have no tree: their cards offer no split by one, and asking for it says what to do.
func TestSplitNeedsATree(t *testing.T) {
	c, _ := start(t, "wine")
	s := c.settled()
	sizes, _ := groupSizes(s)
	name := largest(sizes)
	if card := c.get("cluster?name=" + url.QueryEscape(name)); card["branch"] != nil {
		t.Errorf("the card has %v", card["branch"])
	}
	if status, body := c.do("POST", "api/split", object{"cluster": name}); status == 200 || !strings.Contains(string(body), "density") {
		t.Errorf("status %d: %s", status, body)
	}
}
