package columns_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// sparseTable has columns of amounts that are 0 in most rows, with heavy tails where there is a value, or without; one has a value in few rows only.
func sparseTable(heavy bool, width int) string {
	rng := rand.New(rand.NewPCG(4, 9))
	var b strings.Builder
	b.WriteString("level")
	for f := range width {
		fmt.Fprintf(&b, ",w%c", 'a'+f)
	}
	b.WriteString(",rare\n")
	for i := range 400 {
		group := i % 2
		fmt.Fprintf(&b, "%.3f", rng.NormFloat64())
		for f := range width {
			y := 0.0
			if rng.Float64() < .15+.25*float64((group+f)%2) {
				y = 5 + rng.NormFloat64()
				if heavy {
					y = math.Exp(1.2 * rng.NormFloat64())
				}
			}
			fmt.Fprintf(&b, ",%.3f", y)
		}
		rare := 0.0
		if i%20 == 0 {
			rare = math.Exp(rng.NormFloat64())
		}
		fmt.Fprintf(&b, ",%.3f\n", rare)
	}
	return b.String()
}

// Of amounts that are mostly 0 the tail of the others decides, and where most of many such columns have a heavy one, all are logged.
func TestLogarithmsOfAmountsThatAreMostlyZero(t *testing.T) {
	for _, c := range []struct {
		heavy bool
		width int
		logs  bool // of columns with many values
		rare  bool // of the one with few
	}{{true, 9, true, true}, {true, 3, true, false}, {false, 9, false, false}} {
		p, err := columns.Decide(read(t, sparseTable(c.heavy, c.width), dataio.Options{Mixed: true}), columns.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		for _, col := range p.Columns {
			want := c.logs
			switch col.Name {
			case "level":
				want = false
			case "rare":
				want = c.rare
			}
			if col.Spec.Log != want {
				t.Errorf("heavy %v, %d columns: %s: log %v (%s)", c.heavy, c.width, col.Name, col.Spec.Log, col.Why)
			}
			if col.Spec.Log && col.Spec.LogScale <= 0 {
				t.Errorf("%s has zeros, and a logarithm without a scale", col.Name)
			}
			if col.Spec.Log && !strings.Contains(col.Why, "not 0") && !strings.Contains(col.Why, "mostly 0") {
				t.Errorf("%s: %s", col.Name, col.Why)
			}
		}
	}
}

// A number that counts the rows says nothing, wherever it stands.
func TestRowNumbers(t *testing.T) {
	for _, c := range []struct {
		name  string
		value func(i int) int
		used  bool
	}{
		{"from 0", func(i int) int { return i }, false},
		{"from 1", func(i int) int { return i + 1 }, false},
		{"years", func(i int) int { return 1900 + i }, true},
		{"shuffled", func(i int) int { return 7 * i % 40 }, true},
	} {
		text := "group,size,record,width\n"
		rng := rand.New(rand.NewPCG(2, 7))
		for i := range 40 {
			text += fmt.Sprintf("%c,%.2f,%d,%.2f\n", 'a'+i%2, 3*float64(i%2)+rng.NormFloat64(), c.value(i), 3*float64(i%2)+rng.NormFloat64())
		}
		p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Columns[2]; (got.Role == columns.Number) != c.used || !c.used && got.Why != "counts the rows" {
			t.Errorf("%s: %s, %s", c.name, got.Role, got.Why)
		}
	}
}

// Of counts 0 and 1 are apart; of sizes that were brought to bytes 0 is no farther from the others than they are from each other.
func TestScaleOfLogarithms(t *testing.T) {
	for _, c := range []struct {
		name, unit string
		want       float64
	}{{"counts", "", 1}, {"sizes", "K", 4000}} {
		r := rand.New(rand.NewPCG(4, 5))
		p, err := columns.Decide(read(t, numbersTable("id,kind,v", 201, func(i int) string {
			v := fmt.Sprintf("%.0f%s", 45*math.Exp(math.Round(8*r.NormFloat64())/8), c.unit)
			if i%50 == 0 {
				v = "0"
			}
			if i == 7 && c.unit != "" {
				v = "1.1M"
			}
			return fmt.Sprintf("r%d,%s,%s", i, []string{"u", "v"}[i%2], v)
		}), dataio.Options{}), columns.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		if s := p.Columns[2].Spec; !s.Log || math.Abs(s.LogScale-c.want) > .1*c.want {
			t.Errorf("%s: log %v, scale %v (%s); want %v", c.name, s.Log, s.LogScale, p.Columns[2].Why, c.want)
		}
	}
}

// What a logarithm is taken of: prices in groups that are skewed after it too, where they span a wide range, and levels that grow by factors.
func TestLogarithmsOfGroupsAndLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	pick := func(i int, levels ...float64) float64 { return levels[i%len(levels)] }
	for _, c := range []struct {
		name string
		cell func(i int) float64
		want bool
	}{
		{"prices in groups", func(i int) float64 { return math.Exp(pick(i, 0, 3.6, 3.6, 3.6, 4, 5) + .4*r.NormFloat64()) }, true},
		{"the same groups nearer to each other", func(i int) float64 { return math.Exp(pick(i, 3, 3.8, 3.8, 4, 4.5) + .15*r.NormFloat64()) }, false},
		{"story points", func(i int) float64 { return pick(i*i/3, 1, 1, 2, 2, 3, 3, 5, 5, 8, 13, 21) }, true},
		{"doublings", func(i int) float64 { return pick(i*i/3, 32, 32, 64, 64, 64, 128, 128, 256, 512) }, true},
		{"a scale of answers", func(i int) float64 { return pick(i*i/3, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4, 5) }, false},
		{"rooms", func(i int) float64 { return pick(i*i/3, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6, 8, 12) }, false},
	} {
		p, err := columns.Decide(read(t, numbersTable("kind,size,v", 400, func(i int) string {
			return fmt.Sprintf("%s,%.2f,%.2f", []string{"u", "v", "w"}[i%3], r.NormFloat64(), c.cell(i))
		}), dataio.Options{}), columns.Rules{Number: []string{"v"}})
		if err != nil {
			t.Fatal(err)
		}
		if v := p.Columns[2]; v.Spec.Log != c.want {
			t.Errorf("%s: logarithm %v, want %v (%s)", c.name, v.Spec.Log, c.want, v.Why)
		}
	}
}
