package server_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// groupSizes returns the sizes of the groups by index, and how many rows have none. Names are no keys here: better ones are
// proposed once a fit has been described.
func groupSizes(state object) (sizes map[int]float64, none float64) {
	fit := state["fit"].(object)
	sizes = map[int]float64{}
	for _, g := range fit["clusters"].([]any) {
		if size := g.(object)["size"].(float64); size > 0 {
			sizes[int(g.(object)["index"].(float64))] = size
		}
	}
	return sizes, fit["unassigned"].(float64)
}

// groupName returns the name of a group in a state.
func groupName(state object, index int) string {
	for _, g := range state["fit"].(object)["clusters"].([]any) {
		if int(g.(object)["index"].(float64)) == index {
			return g.(object)["name"].(string)
		}
	}
	return ""
}

// card returns what the page shows of a group. A name of the latest fit is understood also after a better one was proposed.
func (c *client) card(index int) object {
	c.t.Helper()
	return c.get("cluster?name=" + url.QueryEscape(groupName(c.get("state"), index)))
}

// largest returns the index of the largest group.
func largest(sizes map[int]float64) int {
	best := -1
	for g, n := range sizes {
		if best < 0 || n > sizes[best] || n == sizes[best] && g < best {
			best = g
		}
	}
	return best
}

// A session by density: nobody says how many groups there are, rows stay without one, and the tree is walked: a group is split into its parts
// and merged with its nearest, all others stay as they are, and undo takes it back.
func TestDensityWalksTheTree(t *testing.T) {
	t.Parallel()
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

	whole := largest(sizes)
	parts := c.card(whole)["branch"].(object)["parts"].([]any)
	if len(parts) != 2 || parts[0].(float64)+parts[1].(float64) > sizes[whole] {
		t.Fatalf("the parts of %v rows are %v", sizes[whole], parts)
	}
	c.post("split", object{"cluster": groupName(s, whole)})
	s = c.settled()
	three, noneThen := groupSizes(s)
	if len(three) != 3 || noneThen != none {
		t.Fatalf("after a split: %v, %v without a group, before %v and %v", three, noneThen, sizes, none)
	}
	for other, n := range sizes {
		if other != whole && three[other] != n {
			t.Errorf("group %d had %v rows and has %v", other, n, three[other])
		}
	}
	// The two parts are nearest to each other.
	halves := []int{}
	for g := range three {
		if g == whole || sizes[g] == 0 {
			halves = append(halves, g)
		}
	}
	if len(halves) != 2 {
		t.Fatalf("the parts are %d of %v", halves, three)
	}
	before, near, after := c.get("state"), c.card(halves[0])["branch"].(object)["nearest"].(string), c.get("state")
	if near != groupName(before, halves[1]) && near != groupName(after, halves[1]) {
		t.Errorf("nearest to %q is %q, not %q", groupName(after, halves[0]), near, groupName(after, halves[1]))
	}
	// Merging them needs the links of the split to go, and says so; undo has the same effect.
	both := []string{groupName(after, halves[0]), groupName(after, halves[1])}
	if status, body := c.do("POST", "api/merge", object{"clusters": both}); status != 409 || !strings.Contains(string(body), "cannot-link") {
		t.Errorf("a merger of what was split: %d %s", status, body)
	}
	c.post("undo", object{})
	s = c.settled()
	if again, noneAgain := groupSizes(s); len(again) != 2 || noneAgain != none {
		t.Errorf("after undo: %v, %v", again, noneAgain)
	}
	// A merger of all leaves one group, with the noise outside.
	names := []string{}
	for g := range sizes {
		names = append(names, groupName(s, g))
	}
	c.post("merge", object{"clusters": names})
	if one, noneOne := groupSizes(c.settled()); len(one) != 1 || noneOne != none {
		t.Errorf("after a merger: %v, %v without a group", one, noneOne)
	}
	status, file := c.do("GET", "api/export/clusters.csv", nil)
	if status != 200 || strings.Count(string(file), ",\n") != int(none) {
		t.Errorf("the export has status %d, %d rows without a group", status, strings.Count(string(file), ",\n"))
	}
	status, body := c.do("POST", "api/split", object{"cluster": names[0], "points": []int{1, 2}})
	if status != 400 && status != 422 {
		t.Errorf("points and a cluster: %d %s", status, body)
	}
}

// Other methods have no tree: their cards offer no split by one, and asking for it says what to do.
func TestSplitNeedsATree(t *testing.T) {
	c, _ := start(t, "wine")
	s := c.settled()
	sizes, _ := groupSizes(s)
	group := largest(sizes)
	if card := c.card(group); card["branch"] != nil {
		t.Errorf("the card has %v", card["branch"])
	}
	if status, body := c.do("POST", "api/split", object{"cluster": groupName(s, group)}); status == 200 || !strings.Contains(string(body), "density") {
		t.Errorf("status %d: %s", status, body)
	}
}
