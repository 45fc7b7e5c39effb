package columns_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// A logarithm, a square and another unit of a column count once; a column that only goes with it, one that lacks
// other cells, and one that was named stay.
func TestRestatedColumnsCountOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	text := numbersTable("kind,wage,lwage,wagesq,euros,debt,tenure,sparse", 200, func(i int) string {
		g := i % 2
		wage := 20 + 15*float64(g) + 3*r.NormFloat64()
		sparse := fmt.Sprint(2 * wage)
		if i%7 == 0 {
			sparse = ""
		}
		return fmt.Sprintf("%s,%.3f,%.4f,%.2f,%.2f,%.3f,%.2f,%s", []string{"u", "v"}[g], wage, math.Log(wage), wage*wage, .9*wage, -wage, wage+2*r.NormFloat64(), sparse)
	})
	p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for i, used := range []bool{true, true, false, false, false, false, true, true} {
		if c := p.Columns[i]; c.Used != used || !used && c.Why != "says the same as wage" {
			t.Errorf("%s: used %v (%s), want %v", c.Name, c.Used, c.Why, used)
		}
	}
	named, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{Number: []string{"lwage"}})
	if err != nil || !named.Columns[2].Used {
		t.Errorf("%+v, %v", named, err)
	}
}

// Differences to both sides of 0 stay as they are, however skewed; balances over orders of magnitude are logged.
func TestSignedNumbersAreLoggedOnlyWithWideTails(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	ds := read(t, numbersTable("change,balance,kind", 400, func(i int) string {
		change := math.Exp(.5*r.NormFloat64()) - 1
		balance := 100 * math.Exp(2*r.NormFloat64())
		if i%5 == 0 {
			balance = -balance / 4
		}
		return fmt.Sprintf("%.3f,%.2f,%s", change, balance, []string{"u", "v", "w"}[i%3])
	}), dataio.Options{})
	p, err := columns.Decide(ds, columns.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Columns[0].Spec.Log || !p.Columns[1].Spec.Log {
		t.Errorf("%+v", p.Columns)
	}
}

// A code, a date and a second name of a category count once, and do not make it relevant; what only goes with it stays, and what was
// named.
func TestRenamedCategoriesCountOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	text := numbersTable("x,y,z,branch,branch_id,opened,town,near", 300, func(i int) string {
		g := float64(4 * (i % 2))
		b := r.IntN(5)
		near := b
		if i%9 == 0 {
			near = (b + 1) % 5
		}
		return fmt.Sprintf("%.2f,%.2f,%.2f,%s,%d,2020-0%d-01,%s,%s", g+r.NormFloat64(), g+r.NormFloat64(), g+r.NormFloat64(), []string{"north", "south", "east", "west", "mid"}[b], 17-2*b, b+1,
			[]string{"Ulm", "Bonn", "Kiel", "Hof", "Jena"}[b], []string{"a", "b", "c", "d", "e"}[near])
	})
	for _, c := range []struct {
		rules columns.Rules
		want  []string // used
	}{
		{columns.Rules{Drop: []string{"near"}}, []string{"x", "y", "z"}},
		{columns.Rules{}, []string{"x", "y", "z", "branch", "near"}},
		{columns.Rules{Drop: []string{"near"}, Category: []string{"town"}}, []string{"x", "y", "z", "branch", "town"}},
	} {
		ds := read(t, text, dataio.Options{Drop: c.rules.Drop})
		c.rules.Drop = nil
		p, err := columns.Decide(ds, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		var used []string
		for _, column := range p.Columns {
			if column.Used {
				used = append(used, column.Name)
			}
		}
		if !slices.Equal(used, c.want) {
			t.Errorf("%v: used %q, want %q", c.rules.Category, used, c.want)
		}
	}
}
