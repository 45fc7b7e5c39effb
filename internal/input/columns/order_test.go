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
