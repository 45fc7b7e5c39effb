package prepare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// groupsTable has three groups that differ in x, y and z, which are not related within them, and u, which goes with none. Every twelfth
// y and u is missing; whole has them all.
func groupsTable(n int) (holes, whole string) {
	rng := rand.New(rand.NewPCG(9, 4))
	centre := [][]float64{{0, 0, 0}, {9, 0, 5}, {4, 9, 0}}
	var a, b strings.Builder
	a.WriteString("x,y,z,u\n")
	b.WriteString("x,y,z,u\n")
	for i := range n {
		c := centre[rng.IntN(3)]
		row := make([]string, 4)
		for f := range row {
			row[f] = fmt.Sprintf("%.3f", rng.NormFloat64())
			if f < 3 {
				row[f] = fmt.Sprintf("%.3f", c[f]+rng.NormFloat64())
			}
		}
		fmt.Fprintln(&b, strings.Join(row, ","))
		if i%12 == 3 {
			row[1], row[3] = "", ""
		}
		fmt.Fprintln(&a, strings.Join(row, ","))
	}
	return a.String(), b.String()
}

// A missing number is filled in from similar rows where the other columns predict it, and stays average where they do not.
func TestMissingNumbersAreFilledFromSimilarRows(t *testing.T) {
	holes, whole := groupsTable(400)
	fit := func(text string, missing Missing) (*Recipe, *Prepared) {
		rules := columns.Rules{Number: []string{"x", "y", "z", "u"}, Log: []string{"none"}}
		ds, plan := openMixed(t, text, dataio.Options{}, rules)
		r, p, err := Fit(ds, Options{Scale: Standard, Missing: missing, Plan: plan})
		if err != nil {
			t.Fatal(err)
		}
		return r, p
	}
	_, want := fit(whole, Fill)
	for _, missing := range []Missing{Fill, Mean} {
		r, got := fit(holes, missing)
		var off, most float64
		count := 0.0
		for i := 3; i < 400; i += 12 {
			a, b := data.Copy(got.X, i), data.Copy(want.X, i)
			off += (a[1] - b[1]) * (a[1] - b[1])
			most = max(most, math.Abs(a[3]))
			count++
		}
		off /= count
		if missing == Mean && (off < 0.7 || most != 0 || r.Encoding.Likely != nil) {
			t.Errorf("with the mean, y is %.2f off and u up to %.2f", off, most)
		}
		if missing == Fill && (off > 0.2 || most > 0.3) {
			t.Errorf("filled in, y is %.2f off and u up to %.2f", off, most)
		}
		says := map[Missing]string{Fill: "filled in from similar rows", Mean: "they count as average"}[missing]
		if note := fmt.Sprint(got.Notes); !strings.Contains(note, says) {
			t.Errorf("%s: the notes are %s", missing, note)
		}
	}
}

// In a table of few rows missing numbers stay average.
func TestMissingNumbersOfFewRowsStayAverage(t *testing.T) {
	holes, _ := groupsTable(20)
	ds, plan := openMixed(t, holes, dataio.Options{}, columns.Rules{Number: []string{"x", "y", "z", "u"}})
	r, _, err := Fit(ds, Options{Scale: Standard, Missing: Fill, Plan: plan})
	if err != nil || r.Encoding.Likely != nil {
		t.Errorf("%+v, %v", r.Encoding.Likely, err)
	}
}
