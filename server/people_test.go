package server_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/server"
)

// Two people answer 200 questions: none is given to both, each undoes their own, and the session says who
// said what.
func TestTwoPeople(t *testing.T) {
	t.Parallel()
	c, s := start(t, "")
	path := filepath.Join(t.TempDir(), "rows.csv")
	var text strings.Builder
	text.WriteString("id,x,y\n")
	rng := rand.New(rand.NewPCG(4, 4))
	for i := range 400 {
		fmt.Fprintf(&text, "g%d-%d,%.2f,%.2f\n", i%4, i, 3*float64(i%4)+rng.NormFloat64(), 3*float64(i%4%2)+rng.NormFloat64())
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Open(context.Background(), server.Data{Path: path, Source: inkling.Source{ID: "id"}, Options: inkling.Options{K: 4}}); err != nil {
		t.Fatal(err)
	}
	c.settled()
	c.post("auto", object{"on": false})
	people := []string{"anna", "Zo%C3%AB"}
	as := func(who string) *client { return &client{t, c.url, c.token, who} }
	open, asked := map[string]string{}, map[string]string{}
	question := func(who string) (pair string, q object) {
		t.Helper()
		for {
			got := as(who).get("question")
			if got["preparing"] == true {
				continue
			}
			if got["question"] == nil {
				t.Fatalf("no question for %s: %v", who, got["done"])
			}
			q = got["question"].(object)
			a, b := q["a"].(object)["id"].(string), q["b"].(object)["id"].(string)
			return min(a, b) + " " + max(a, b), q
		}
	}
	events := map[string][]float64{}
	for n := range 200 {
		who, other := people[n%2], people[1-n%2]
		pair, q := question(who)
		if open[other], _ = question(other); open[other] == pair {
			t.Fatalf("question %d, %s, is open with both", n, pair)
		}
		if before, ok := asked[pair]; ok {
			t.Fatalf("question %d, %s, was answered by %s and is given to %s", n, pair, before, who)
		}
		asked[pair] = who
		ids := strings.Fields(pair)
		say := "different"
		if ids[0][:2] == ids[1][:2] {
			say = "same"
		}
		got := as(who).post("answer", object{"a": q["a"].(object)["point"], "b": q["b"].(object)["point"], "say": say})
		events[who] = append(events[who], got["event"].(float64))
	}
	as("anna").post("undo", object{})
	inForce, who := map[float64]bool{}, map[string]int{}
	for _, e := range c.get("history")["events"].([]any) {
		e := e.(object)
		inForce[e["n"].(float64)] = e["inForce"].(bool)
		if name, ok := e["who"].(string); ok && e["op"] != "undo" {
			who[name]++
		}
	}
	annas := events["anna"]
	if inForce[annas[len(annas)-1]] || !inForce[annas[len(annas)-2]] {
		t.Error("undo did not take back the last answer of anna, and that alone")
	}
	for _, n := range events[people[1]] {
		if !inForce[n] {
			t.Errorf("undo took back answer %v of the other person", n)
		}
	}
	if who["anna"] != 100 || who["Zoë"] != 100 || len(who) != 2 {
		t.Errorf("the session says that people answered %v", who)
	}
}
