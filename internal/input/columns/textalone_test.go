package columns_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// Columns that have nothing to do with each other give way to documents beside them; columns that have, titles, and columns that
// somebody named, do not.
func TestDocumentsAmongUnrelatedColumns(t *testing.T) {
	words := []string{"parcel", "invoice", "login", "crash", "refund", "order", "screen", "address"}
	for _, c := range []struct {
		about   string
		words   int
		related bool
		rules   columns.Rules
		want    bool
	}{
		{"a message", 12, false, columns.Rules{}, true},
		{"a title", 4, false, columns.Rules{}, false},
		{"related columns", 12, true, columns.Rules{}, false},
		{"a named column", 12, false, columns.Rules{Category: []string{"state"}}, false},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		ds := read(t, numbersTable("id,state,urgency,hours,body", 300, func(i int) string {
			urgency := r.IntN(7)
			hours := r.NormFloat64()
			if c.related {
				hours += 3 * float64(urgency)
			}
			text := ""
			for range c.words {
				text += " " + words[r.IntN(len(words))]
			}
			return fmt.Sprintf("m%d,%s,%d,%.2f,%s %d", i, []string{"open", "closed", "pending"}[r.IntN(3)], urgency, hours, text, i)
		}), dataio.Options{})
		p, err := columns.Decide(ds, c.rules)
		if err != nil {
			t.Fatalf("%s: %v", c.about, err)
		}
		body := p.Columns[4]
		if body.Used != c.want || (ds.Docs != nil) != c.want || p.Columns[1].Used == c.want && !c.related {
			t.Errorf("%s: text used %v, %+v", c.about, body.Used, p.Columns)
		}
		if c.want && (p.Columns[1].Shown == nil || !p.Columns[1].Irrelevant) {
			t.Errorf("%s: the state does not describe: %+v", c.about, p.Columns[1])
		}
	}
}
