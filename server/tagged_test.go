package server_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/server"
)

// tagged serves rows in four groups on a line, the first rows of which have tags: those of groups 0 and 1
// their own, and some of all groups another one. There are so many that confidences come after the fit.
func tagged(t *testing.T) *client {
	t.Helper()
	c, s := start(t, "")
	path := filepath.Join(t.TempDir(), "tagged.csv")
	var text strings.Builder
	text.WriteString("id,tag,x,y\n")
	for i := range 5_200 {
		tag := ""
		if i < 40 {
			tag = [4]string{"north", "south", "south", "north"}[i%4]
		}
		fmt.Fprintf(&text, "g%d-%d,%s,%d,%d\n", i%4, i, tag, i%4*300+i*7%97, i*13%89)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Open(context.Background(), server.Data{Path: path, Source: inkling.Source{ID: "id", LabelColumn: "tag"}, Options: inkling.Options{K: 4}}); err != nil {
		t.Fatal(err)
	}
	return c
}

// row returns the row with an id.
func (c *client) row(id string) object {
	c.t.Helper()
	for _, r := range c.get("rows?limit=500&q=" + id)["rows"].([]any) {
		if r.(object)["id"] == id {
			return r.(object)
		}
	}
	c.t.Fatalf("there is no row %s", id)
	return nil
}

func groupNames(state object) (names []string) {
	for _, g := range state["fit"].(object)["clusters"].([]any) {
		names = append(names, g.(object)["name"].(string))
	}
	return names
}

// Groups can be merged although the tags of their rows differ, and the groups that were asked for
// are there from the first fit on.
func TestTaggedGroupsAreMerged(t *testing.T) {
	t.Parallel()
	c := tagged(t)
	names := groupNames(c.settled())
	if len(names) != 4 {
		t.Fatalf("four groups were asked for, there are %q", names)
	}
	tried := map[int]bool{} // by how many of the two are called like a tag
	for i, one := range names {
		for _, two := range names[:i] {
			tags := strings.Count("north south", one) + strings.Count("north south", two)
			if tried[tags] {
				continue
			}
			tried[tags] = true
			out := c.post("merge", object{"clusters": []string{one, two}})
			if (tags == 2) != (out["did"] != nil) {
				t.Errorf("%s and %s are merged: %v", one, two, out["did"])
			}
			if got := c.settled(); got["totals"].(object)["must"] != 5.0 || got["error"] != nil || got["fit"].(object)["k"] != 3.0 {
				t.Errorf("%s and %s are merged: %v, %v groups, %v", one, two, got["totals"], got["fit"].(object)["k"], got["error"])
			}
			c.post("undo", object{})
			if got := c.settled(); got["error"] != nil || got["fit"].(object)["k"] != 4.0 {
				t.Errorf("after the merger was undone: %v, %v groups", got["error"], got["fit"].(object)["k"])
			}
			names = groupNames(c.get("state"))
		}
	}
	if len(tried) != 3 {
		t.Errorf("only some kinds of groups were merged: %v", tried)
	}
}

// A row that is taken out of the group of its tag loses the tag, in one act.
func TestTaggedRowsAreTakenOut(t *testing.T) {
	t.Parallel()
	c := tagged(t)
	c.settled()
	both := 0
	for _, id := range []string{"g0-0", "g0-4", "g1-1", "g2-2", "g3-3", "g0-44"} {
		row := c.row(id)
		out := c.post("remove", object{"point": row["point"]})
		want := 1
		if row["label"] != "" && row["label"] == row["cluster"] {
			want = 2
			both++
		}
		if got := len(out["events"].([]any)); got != want || (out["did"] != nil) != (want == 2) {
			t.Errorf("%v: %d events, %v", row, got, out["did"])
		}
		label := func() any { return c.get(fmt.Sprint("point?p=", row["point"]))["label"] }
		if want == 2 && label() != "" {
			t.Errorf("%v is still labelled %v", row["id"], label())
		}
		c.post("undo", object{})
		if label() != row["label"] {
			t.Errorf("%v is labelled %q after undo, not %q", row["id"], label(), row["label"])
		}
	}
	if got := c.settled(); got["error"] != nil {
		t.Error(got["error"])
	}
	if both < 3 {
		t.Errorf("only %d of the rows are in the group of their tag", both)
	}
}

// What contradicts tags of the data says so, and offers to forget them.
func TestTagsThatContradict(t *testing.T) {
	t.Parallel()
	c := tagged(t)
	c.settled()
	link := object{"kind": "must", "a": c.row("g0-36")["point"], "b": c.row("g1-37")["point"]}
	proof := c.call(409, "POST", "api/link", link)["contradicts"].(object)
	chain, repairs := fmt.Sprint(proof["chain"]), proof["repairs"].([]any)
	if !strings.Contains(chain, "g0-36 is north, in the data") || !strings.Contains(chain, "g1-37 is south, in the data") || len(repairs) != 2 {
		t.Fatalf("got %v", proof)
	}
	c.post("forget", object{"points": repairs[1].(object)["points"]})
	c.post("link", link)
	c.post("undo", object{})
	c.post("undo", object{})
	link["force"] = true
	c.post("link", link)
	if got := c.settled(); got["error"] != nil || got["fit"].(object)["violated"] == 0.0 {
		t.Errorf("what contradicts was kept: %v, %v violated", got["error"], got["fit"].(object)["violated"])
	}
}

// Groups whose rows are kept apart by what was said are merged when that is forgotten, or when somebody
// insists.
func TestGroupsThatAreKeptApart(t *testing.T) {
	t.Parallel()
	c, _ := start(t, "iris")
	names := groupNames(c.settled())
	of := func(name string) any {
		return c.get("rows?limit=1&cluster=" + url.QueryEscape(name))["rows"].([]any)[0].(object)["point"]
	}
	c.post("link", object{"kind": "cannot", "a": of(names[0]), "b": of(names[1])})
	c.settled()
	names = groupNames(c.get("state"))
	merge := object{"clusters": names[:2]}
	proof := c.call(409, "POST", "api/merge", merge)["contradicts"].(object)
	repairs := proof["repairs"].([]any)
	if len(proof["chain"].([]any)) != 1 || len(repairs) != 1 {
		t.Fatalf("got %v", proof)
	}
	c.post("forget", object{"events": repairs[0].(object)["forget"]})
	c.post("merge", merge)
	c.post("undo", object{})
	c.post("undo", object{})
	c.settled()
	c.post("merge", object{"clusters": groupNames(c.get("state"))[:2], "force": true})
	if got := c.settled(); got["error"] != nil {
		t.Error(got["error"])
	}
}
