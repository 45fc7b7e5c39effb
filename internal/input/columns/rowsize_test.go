package columns_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// sizeTable has n rows of d amounts that are the profile of a row's group times the size of the row; code returns further cells.
func sizeTable(n, d int, size float64, whole bool, more string, code func(i int, rng *rand.Rand) string) string {
	rng := rand.New(rand.NewPCG(4, 2))
	var b strings.Builder
	b.WriteString("name" + more)
	for f := range d {
		fmt.Fprintf(&b, ",h%d", f)
	}
	for i := range n {
		fmt.Fprintf(&b, "\nr%d%s", i, code(i, rng))
		times := math.Exp(size * rng.NormFloat64())
		for f := range d {
			y := 20 * times * (1 + 1.5*math.Sin(float64(f+d*(i%3)/3)/float64(d)*2*math.Pi)*.6) * math.Exp(.25*rng.NormFloat64())
			if whole {
				y = math.Round(y)
			}
			fmt.Fprintf(&b, ",%.3f", y)
		}
	}
	return b.String() + "\n"
}

// TestSizeOfRows: what differs by a factor in all columns is compared by shares, also beside columns that have nothing to do with it.
func TestSizeOfRows(t *testing.T) {
	none := func(int, *rand.Rand) string { return "" }
	beside := func(i int, rng *rand.Rand) string {
		return fmt.Sprintf(",%d,%s", 10115+rng.IntN(4), []string{"day", "night"}[rng.IntN(2)])
	}
	places := func(_ int, rng *rand.Rand) string {
		return fmt.Sprintf(",%.3f,%.4f,%d,%s", 40+rng.Float64(), -3-rng.Float64(), 10+rng.IntN(30), []string{"day", "night"}[rng.IntN(2)])
	}
	for _, c := range []struct {
		about string
		text  string
		want  columns.Shape
	}{
		{"sizes", sizeTable(200, 24, 1.1, false, "", none), columns.Shares},
		{"counts", sizeTable(200, 24, .7, true, "", none), columns.Shares},
		{"sizes beside a number of an area and a tariff", sizeTable(200, 24, 1.1, false, ",zip,tariff", beside), columns.Shares},
		{"sizes beside places and docks of the size of the counts", sizeTable(200, 24, .7, true, ",lat,lon,docks,tariff", places), columns.Shares},
		{"rows of one size", sizeTable(200, 24, .05, false, "", none), ""},
		{"many counts", sizeTable(60, 150, .7, true, "", none), columns.RowShape},
	} {
		p, err := columns.Decide(read(t, c.text, dataio.Options{}), columns.Rules{})
		if err != nil || p.Shape != c.want {
			t.Errorf("%s: %q, %v, want %q", c.about, p.Shape, err, c.want)
			continue
		}
		for _, col := range p.Columns {
			if slices.Contains([]string{"zip", "tariff", "lat", "lon", "docks"}, col.Name) && col.Used {
				t.Errorf("%s: %s is used", c.about, col.Name)
			}
			if logged := c.about == "many counts"; col.Used && c.want != "" && col.Spec.Log != logged {
				t.Errorf("%s: %s has a logarithm: %v", c.about, col.Name, col.Spec.Log)
			}
		}
	}
}

// Two groups of sizes are what sets rows apart: they are compared by their amounts.
func TestGroupsOfSizesAreGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	text := numbersTable("a0,a1,a2,a3,a4,a5,a6,a7,a8,a9", 200, func(i int) string {
		times := math.Exp(2.5*float64(i%2) + .1*rng.NormFloat64())
		cells := make([]string, 10)
		for f := range cells {
			cells[f] = fmt.Sprintf("%.3f", 5*times*math.Exp(.3*rng.NormFloat64()))
		}
		return strings.Join(cells, ",")
	})
	p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{})
	if err != nil || p.Shape != "" {
		t.Errorf("%q, %v", p.Shape, err)
	}
}

// The values of lists predict each other, and columns of noise beside them do not hide it.
func TestListsPredictThemselves(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	shelves := [][]string{{"tofu", "rice", "ginger", "sesame", "chili"}, {"tomato", "basil", "pasta", "oregano", "cheese"}, {"flour", "sugar", "butter", "milk", "cocoa"}}
	all := append(append(append([]string{}, shelves[0]...), shelves[1]...), shelves[2]...)
	p, err := columns.Decide(read(t, numbersTable("serves;parts;stars", 300, func(i int) string {
		list := []string{}
		for _, s := range append(shelves[i%3], all[rng.IntN(15)], all[rng.IntN(15)]) {
			if rng.Float64() < .6 {
				list = append(list, s)
			}
		}
		rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		return fmt.Sprintf("%d;%s;%.1f", 2+rng.IntN(9), strings.Join(list, ", "), 3+rng.NormFloat64())
	}), dataio.Options{}), columns.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Columns[1]; c.Spec.List == "" || !c.Used || c.Spec.Weight < 1 {
		t.Errorf("%+v", c)
	}
	for _, at := range []int{0, 2} {
		if p.Columns[at].Used {
			t.Errorf("%+v is used", p.Columns[at])
		}
	}
}

// Names of persons are ids only where no column is called so.
func TestNamesOfPersonsGiveWayToIDs(t *testing.T) {
	row := func(i int) string {
		return fmt.Sprintf("%c%s Mel%c%s,%d,%d.5", 'A'+i%26, "nna", 'a'+i/26, "in", 7000+i*7%4001, i*i%97)
	}
	for header, want := range map[string]string{"student,sid,points": "student", "student,student id,points": "student id"} {
		p, err := columns.Decide(read(t, numbersTable(header, 200, row), dataio.Options{}), columns.Rules{})
		if err != nil || p.IDColumn() != want {
			t.Errorf("%s: %q, %v", header, p.IDColumn(), err)
		}
	}
}
