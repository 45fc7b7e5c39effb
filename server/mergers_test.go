package server_test

import "testing"

// TestMergersChangeTheNumberOfClusters: one less after a merger, as many as before when it is
// taken back, also where a person said how many there are.
func TestMergersChangeTheNumberOfClusters(t *testing.T) {
	t.Parallel()
	c, _ := start(t, "wine")
	c.settled()
	k := func() (shown, found float64) {
		s := c.settled()
		return s["settings"].(object)["k"].(float64), s["fit"].(object)["k"].(float64)
	}
	expect := func(when string, want float64) {
		t.Helper()
		if shown, found := k(); shown != want || found != want {
			t.Errorf("%s: %v clusters, the settings say %v, not %v", when, found, shown, want)
		}
	}
	c.post("fit", object{"k": 6})
	c.until("six clusters", func(s object) bool { return s["fit"].(object)["k"] == 6.0 })
	clusters := c.settled()["fit"].(object)["clusters"].([]any)
	name := func(i int) string { return clusters[i].(object)["name"].(string) }
	c.post("merge", object{"clusters": []string{name(0), name(1)}})
	expect("after a merger", 5)
	c.post("undo", object{})
	expect("after it was undone", 6)
	c.post("redo", object{})
	expect("after it was done again", 5)
	c.post("fit", object{"k": 4})
	c.until("four clusters", func(s object) bool { return s["fit"].(object)["k"] == 4.0 })
	c.post("undo", object{})
	expect("after the merger before was undone", 5)
}
