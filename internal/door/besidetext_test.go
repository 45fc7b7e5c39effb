package door_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
)

// goods returns a table of things with a title that hardly says what they are, a shelf and a price that say it with the
// given probability, and a column that says nothing; and what they are.
func goods(n int, says float64) (string, []int) {
	r := rand.New(rand.NewPCG(8, 34))
	own := [][]string{strings.Fields("lamp bulb shade desk"), strings.Fields("tent pole rope camping"), strings.Fields("pan lid steel cooking"), strings.Fields("cable plug usb charger")}
	common := strings.Fields("new best original set edition model pro gift large small classic modern")
	var b strings.Builder
	b.WriteString("key,title,shelf,price,stock\n")
	truth := make([]int, n)
	for i := range n {
		k := r.IntN(4)
		truth[i] = k
		var words []string
		for range 5 {
			words = append(words, common[r.IntN(len(common))])
		}
		if r.Float64() < 0.55 {
			words = append(words, own[k][r.IntN(4)])
		}
		shelf, price := k, k
		if r.Float64() >= says {
			shelf, price = r.IntN(4), r.IntN(4)
		}
		fmt.Fprintf(&b, "k%d,%s,s%d,%.2f,%d\n", i, strings.Join(words, " "), shelf, math.Exp(2+1.2*float64(price)+0.3*r.NormFloat64()), r.IntN(50))
	}
	return b.String(), truth
}

// With labels, columns beside a text count where they tell more of the held-out labels right, and only there; the model
// places the table as the fit did.
func TestLabelsSpeakForColumnsBesideText(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, c := range []struct {
		says   float64
		labels bool
		beside bool
	}{{0.9, true, true}, {0, true, false}, {0.9, false, false}} {
		text, truth := goods(240, c.says)
		table, err := door.Read(ctx, strings.NewReader(text), "goods.csv", door.Source{Text: "title"})
		if err != nil {
			t.Fatal(err)
		}
		known := door.NewConstraints(table)
		for i := 0; i < 60 && c.labels; i++ {
			known.Label(fmt.Sprintf("k%d", i), fmt.Sprintf("kind %d", truth[i]))
		}
		var told []string
		r, err := door.Cluster(ctx, table, known, door.Options{K: 4, NeedModel: true, Notify: func(n door.Note) { told = append(told, string(n.Text)) }})
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Count(strings.Join(told, "\n"), "beside the text"); said != map[bool]int{true: 1}[c.beside] {
			t.Errorf("columns that say %.1f, labels %v: said %d times that columns count\n%s", c.says, c.labels, said, strings.Join(told, "\n"))
		}
		used := map[string]bool{}
		for _, p := range r.Plan {
			used[p.Name] = p.Used
		}
		if used["shelf"] != c.beside || !used["title"] || used["stock"] {
			t.Errorf("columns that say %.1f, labels %v: used %v", c.says, c.labels, used)
		}
		if !c.beside {
			continue
		}
		if ari, err := score.ARI(truth, r.Assignment()); err != nil || ari < 0.6 {
			t.Errorf("ARI %.2f (%v)", ari, err)
		}
		var b bytes.Buffer
		model, err := r.Model()
		if err == nil {
			err = model.Save(&b)
		}
		if err != nil {
			t.Fatal(err)
		}
		placed, err := model.Predict(ctx, table, 0)
		if err != nil {
			t.Fatal(err)
		}
		if placed.Dropped != 0 || len(placed.Clusters) != 4 {
			t.Errorf("the model places the table: %d rows left out, %d clusters", placed.Dropped, len(placed.Clusters))
		}
	}
}

// Where forty labels cannot tell which is better, columns of which each differs between the classes count beside the text.
func TestColumnsThatTellClassesCountBesideText(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	text, truth := goods(240, 0.55)
	table, err := door.Read(ctx, strings.NewReader(text), "goods.csv", door.Source{Text: "title"})
	if err != nil {
		t.Fatal(err)
	}
	known := door.NewConstraints(table)
	for i := range 40 {
		known.Label(fmt.Sprintf("k%d", i), fmt.Sprintf("kind %d", truth[i]))
	}
	var told []string
	var ari [2]float64
	for at, c := range []*door.Constraints{nil, known} {
		r, err := door.Cluster(ctx, table, c, door.Options{K: 4, Notify: func(n door.Note) { told = append(told, string(n.Text)) }})
		if err != nil {
			t.Fatal(err)
		}
		if ari[at], err = score.ARI(truth, r.Assignment()); err != nil {
			t.Fatal(err)
		}
	}
	if said := strings.Join(told, "\n"); !strings.Contains(said, "beside the text, since each differs between the labelled classes") {
		t.Error(said)
	}
	if ari[1] < ari[0] {
		t.Errorf("ARI %.2f by the text alone, %.2f with the columns beside it", ari[0], ari[1])
	}
}

// k-means on texts has thirty starts, where a person gave no number.
func TestTextsHaveMoreStarts(t *testing.T) {
	ctx := context.Background()
	text, _ := goods(240, 0)
	table, err := door.Read(ctx, strings.NewReader(text), "goods.csv", door.Source{Text: "title"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ given, want int }{{0, 30}, {4, 4}} {
		r, err := door.Cluster(ctx, table, nil, door.Options{K: 4, Restarts: c.given})
		if err != nil {
			t.Fatal(err)
		}
		if r.Runs != c.want {
			t.Errorf("restarts %d: %d starts, want %d", c.given, r.Runs, c.want)
		}
	}
}
