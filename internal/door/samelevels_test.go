package door_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// Clusters that are the levels of a category are called so; others, and those of somebody who gave labels, are not.
func TestClustersThatAreLevels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about         string
		batch, labels bool
	}{{"batches", true, false}, {"groups", false, false}, {"labels", true, true}} {
		r := rand.New(rand.NewPCG(3, 1))
		var b strings.Builder
		b.WriteString("sample,batch,x,y,z,w,group\n")
		for i := range 240 {
			g, shift := r.IntN(3), r.IntN(3)
			if !c.batch && r.IntN(4) > 0 {
				shift = g
			}
			at := float64(6 * g)
			if c.batch {
				at = float64(6 * shift)
			}
			label := ""
			if c.labels && i < 30 {
				label = fmt.Sprint("g", g)
			}
			fmt.Fprintf(&b, "s%d,b%d,%.2f,%.2f,%.2f,%.2f,%s\n", i, shift, at+r.NormFloat64(), at*at/9+r.NormFloat64(), -at+r.NormFloat64(), at/2+r.NormFloat64(), label)
		}
		source := door.Source{LabelColumn: "group"}
		read, err := door.Read(context.Background(), strings.NewReader(b.String()), "t.csv", source)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		given, err := door.ReadConstraints(context.Background(), read, door.ConstraintFiles{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := door.Cluster(context.Background(), read, given, door.Options{K: 3, Notify: func(n door.Note) { said = append(said, string(n.Text)) }}); err != nil {
			t.Fatal(err)
		}
		got := strings.Contains(strings.Join(said, "\n"), "the clusters are the levels of batch")
		if want := c.batch && !c.labels; got != want {
			t.Errorf("%s: said %v, want %v:\n%s", c.about, got, want, strings.Join(said, "\n"))
		}
	}
}
