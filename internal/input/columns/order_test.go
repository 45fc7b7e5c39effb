package columns_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// planOf decides on a table of n rows with an id and the cells that f returns.
func planOf(t *testing.T, header string, n int, f func(i int) string) (*dataio.Dataset, *columns.Plan) {
	t.Helper()
	ds := read(t, numbersTable(header, n, f), dataio.Options{})
	p, err := columns.Decide(ds, columns.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return ds, p
}

func TestOrder(t *testing.T) {
	cases := []struct {
		levels []string
		want   []float64 // nil: no numbers
	}{
		{[]string{"Strongly disagree", "disagree", "Neutral", "Agree", "Strongly agree"}, []float64{1, 2, 3, 4, 5}},
		{[]string{"trifft nicht zu", "trifft eher zu", "Trifft voll zu"}, []float64{1, 2, 3}},
		{[]string{"toujours", "jamais", "souvent"}, []float64{3, 1, 2}},
		{[]string{"siempre", "nunca", "a veces"}, []float64{3, 1, 2}},
		{[]string{"zawsze", "nigdy", "rzadko", "często", "czasami"}, []float64{5, 1, 2, 4, 3}},
		{[]string{"çok memnunum", "hiç memnun değilim", "memnun değilim", "memnunum"}, []float64{4, 1, 2, 3}},
		{[]string{"A++", "B", "A", "G", "A+"}, []float64{5, 2, 3, 1, 4}},
		{[]string{"Hi", "Lo", "Med"}, []float64{3, 1, 2}},
		{[]string{"Semi-Furnished", "Unfurnished", "Furnished"}, []float64{2, 1, 3}},
		{[]string{"high", "low", "medium"}, []float64{3, 1, 2}},
		{[]string{"3 - agree", "1 - disagree", "2 - neither"}, []float64{3, 1, 2}},
		{[]string{"(2) so so", "(1) bad", "(3) fine"}, []float64{2, 1, 3}},
		{[]string{"11-50", "1-10", "51-200", "201+"}, []float64{2, 1, 3, 4}},
		{[]string{"18–24", "under 18", "25–34", "35–49", "50+"}, []float64{2, 1, 3, 4, 5}},
		{[]string{"0-20 cm", "20-40 cm", "40-60 cm"}, []float64{1, 2, 3}},
		{[]string{"$10,000 - $19,999", "< $10,000", "$20,000 - $49,999", "$50,000 and over"}, []float64{2, 1, 3, 4}},
		{[]string{"red", "green", "blue"}, nil},
		{[]string{"agree", "red", "disagree"}, nil},
		{[]string{"10-20", "15-30", "40-50"}, nil}, // they overlap
		{[]string{"20-10", "30-5", "40-50"}, nil},
		{[]string{"often", "never"}, nil}, // two levels are a category as well
	}
	for _, c := range cases {
		ds, p := planOf(t, "id;a;b", 120, func(i int) string { return fmt.Sprintf("r%d;%s;%d", i, c.levels[i%len(c.levels)], i%len(c.levels)) })
		got := p.Columns[1]
		if c.want == nil {
			if got.Role != columns.Category {
				t.Errorf("%v: %s (%s), want a category", c.levels, got.Role, got.Why)
			}
			continue
		}
		if got.Role != columns.Number {
			t.Errorf("%v: %s (%s), want a number", c.levels, got.Role, got.Why)
			continue
		}
		values, bad := got.Spec.Numbers(ds, got.At)
		if len(bad) > 0 || !slices.Equal(values[:len(c.want)], c.want) {
			t.Errorf("%v: %v, %d bad, want %v", c.levels, values[:len(c.want)], len(bad), c.want)
		}
	}
}

// TestMarks: an x or nothing says yes or no; beside a word for a missing value an empty cell is unknown.
func TestMarks(t *testing.T) {
	for _, mark := range []string{"x", "1", "yes", "✓"} {
		ds, p := planOf(t, "id;a;b;c", 200, func(i int) string {
			m := ""
			if i%2 == 0 {
				m = mark
			}
			return fmt.Sprintf("r%d;%s;%d.5;%d.25", i, m, i%2*7+i%3, i%2*5+i%4)
		})
		c := p.Columns[1]
		if c.Role != columns.Category || !c.Used || !strings.HasPrefix(c.Why, "marks: "+mark) {
			t.Fatalf("%s: %s, used %v, %s", mark, c.Role, c.Used, c.Why)
		}
		if texts := c.Spec.Texts(ds, c.At); texts[0] == texts[1] || texts[0] == "" || texts[1] == "" {
			t.Errorf("%s: levels %q", mark, texts[:2])
		}
	}
	_, p := planOf(t, "id;a;b;c", 200, func(i int) string {
		return fmt.Sprintf("r%d;%s;%d.5;%d.25", i, []string{"x", "", "unknown"}[i%3], i%2*7+i%3, i%2*5+i%4)
	})
	if c := p.Columns[1]; strings.HasPrefix(c.Why, "marks") {
		t.Errorf("x, nothing and unknown: %s", c.Why)
	}
}

// TestTotals: the sum of all other numbers is left out; one that is merely alike stays.
// A total of some of the columns stands right after or before them, and other numbers beside them all.
func TestTotalOfARun(t *testing.T) {
	for _, header := range []string{"id;lat;a;b;c;d;total;lon", "id;lat;total;a;b;c;d;lon"} {
		r := rand.New(rand.NewPCG(3, 4))
		_, p := planOf(t, header, 150, func(i int) string {
			level := 100 + 400*r.Float64()
			parts, sum := "", 0.0
			for range 4 {
				y := float64(int(level * (.5 + r.Float64())))
				parts, sum = parts+fmt.Sprintf(";%.0f", y), sum+y
			}
			row := parts + fmt.Sprintf(";%.0f", sum)
			if strings.Contains(header, "total;a") {
				row = fmt.Sprintf(";%.0f", sum) + parts
			}
			return fmt.Sprintf("r%d;%.3f%s;%.3f", i, 40+r.Float64(), row, 3+r.Float64())
		})
		for _, c := range p.Columns {
			if left := strings.Contains(c.Why, "the sum of the 4 columns"); left != (c.Name == "total") {
				t.Errorf("%s: %s used %v, %s", header, c.Name, c.Used, c.Why)
			}
		}
	}
}

// Whole numbers of the first column that differ in every row and have nothing to do with the others name the rows.
func TestUnrelatedNumbersNameTheRows(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 4))
	order := r.Perm(900)
	ds, p := planOf(t, "estación;a;b;c;kind", 200, func(i int) string {
		y := r.NormFloat64()
		return fmt.Sprintf("%d;%.2f;%.2f;%.2f;%s", 100+order[i], y+.1*r.NormFloat64(), y+.1*r.NormFloat64(), 2*y+.1*r.NormFloat64(), []string{"new", "old"}[r.IntN(2)])
	})
	if p.IDColumn() != "estación" || len(ds.IDs) != 200 || ds.IDs[0] != fmt.Sprint(100+order[0]) {
		t.Errorf("ids %q, %v", p.IDColumn(), p.Columns[0])
	}
}

func TestTotals(t *testing.T) {
	for _, noise := range []float64{0, 40} {
		r := rand.New(rand.NewPCG(3, 3))
		_, p := planOf(t, "id;a;b;c;d;e;total", 150, func(i int) string {
			level := 100 + 400*r.Float64()
			row, sum := fmt.Sprintf("r%d", i), 0.0
			for range 5 {
				y := float64(int(level * (.5 + r.Float64())))
				row += fmt.Sprintf(";%.0f", y)
				sum += y
			}
			return row + fmt.Sprintf(";%.0f", sum+noise*r.NormFloat64())
		})
		c := p.Columns[6]
		if left := !c.Used && strings.Contains(c.Why, "sum of all other numbers"); left != (noise == 0) {
			t.Errorf("noise %v: used %v, %s", noise, c.Used, c.Why)
		}
	}
}
