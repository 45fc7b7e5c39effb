package server_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/inklinghq/inkling/server"
)

// Fits have names, and who returns to one finds its clusters, its settings and what was in force;
// that can be undone, and a later opening knows the names.
func TestStates(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	open := func() (*client, *server.Server) {
		s, err := server.New(server.Options{Folder: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		c := serve(t, s)
		if err := s.Open(context.Background(), server.Data{Path: "example:iris.csv", Session: path}); err != nil {
			t.Fatal(err)
		}
		return c, s
	}
	c, s := open()
	fit := func() int { return int(c.settled()["fit"].(object)["n"].(float64)) }
	same := func(when string, as, labels int) {
		t.Helper()
		state := c.settled()
		got := c.get(fmt.Sprintf("compare?from=%d&to=0", as))
		if got["moved"] != 0.0 || got["ari"] != 1.0 {
			t.Errorf("%s: %v rows moved from fit %d, ARI %v", when, got["moved"], as, got["ari"])
		}
		for _, one := range state["states"].([]any) {
			if one := one.(object); one["shown"] != (one["fit"] == float64(as)) {
				t.Errorf("%s: %v", when, one)
			}
		}
		if n := state["totals"].(object)["labels"]; n != float64(labels) {
			t.Errorf("%s: %v labels, not %d", when, n, labels)
		}
	}
	first := fit()
	k := c.get("state")["fit"].(object)["k"]
	c.post("name", object{"name": " plain "})
	c.post("label", object{"points": []int{1, 2, 3}, "label": "rosy"})
	c.post("fit", object{"k": 5})
	c.until("five clusters", func(s object) bool { return s["fit"].(object)["k"] == 5.0 })
	second := fit()
	c.post("name", object{"name": "five"})
	c.call(409, "POST", "api/name", object{"name": "plain"})
	c.call(400, "POST", "api/name", object{"name": " "})
	c.call(404, "POST", "api/name", object{"name": "x", "fit": 2})
	c.call(404, "POST", "api/return", object{"fit": 2})
	c.post("rename", object{"cluster": groupNames(c.settled())[0], "name": "Petals"})
	c.post("label", object{"points": []int{40}, "label": "other"})
	c.settled()

	c.post("return", object{"fit": first})
	c.until("the first again", func(s object) bool { return s["fit"].(object)["k"] == k && s["running"] == nil })
	same("back at the first", first, 0)
	if got := c.get("state"); got["settings"].(object)["kFixed"] != false || got["undo"] != "the return to another state" {
		t.Errorf("back at the first: %v, to undo: %v", got["settings"], got["undo"])
	}
	for _, name := range groupNames(c.get("state")) {
		if name == "Petals" {
			t.Error("a name that was given later is still there")
		}
	}
	c.post("return", object{"fit": second})
	c.until("five clusters again", func(s object) bool { return s["fit"].(object)["k"] == 5.0 && s["running"] == nil })
	same("back at the second", second, 3)
	c.post("undo", object{})
	if got := c.settled()["totals"].(object)["labels"]; got != 0.0 {
		t.Errorf("after the return was undone there are %v labels", got)
	}
	c.post("redo", object{})
	if got := c.settled()["totals"].(object)["labels"]; got != 3.0 {
		t.Errorf("after it was done again there are %v labels", got)
	}

	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	c, _ = open()
	states := c.settled()["states"].([]any)
	if len(states) != 2 || states[0].(object)["name"] != "plain" || states[1].(object)["k"] != 5.0 {
		t.Fatalf("the states are %v", states)
	}
	if got := c.get(fmt.Sprintf("compare?from=%d&to=%d", first, second)); got["moved"] == 0.0 {
		t.Error("two states that differ are the same after opening again")
	}
	c.post("forget", object{"event": states[0].(object)["event"]})
	if got := c.get("state")["states"].([]any); len(got) != 1 {
		t.Errorf("after one was forgotten the states are %v", got)
	}
}
