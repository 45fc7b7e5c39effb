package columns_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// curves is a table of rows that differ mostly by their level.
func curves() string {
	r := rand.New(rand.NewPCG(9, 9))
	var b strings.Builder
	b.WriteString("id")
	for f := range 12 {
		fmt.Fprintf(&b, ";m%d", f)
	}
	b.WriteString("\n")
	for i := range 150 {
		fmt.Fprintf(&b, "r%d", i)
		level := 40 + 6*r.NormFloat64()
		for f := range 12 {
			fmt.Fprintf(&b, ";%.2f", level+float64((f+4*(i%3))%12)/3+.3*r.NormFloat64())
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestPlanScale: a plan keeps how rows are compared, and changes it.
func TestPlanScale(t *testing.T) {
	p, err := columns.Decide(read(t, curves(), dataio.Options{}), columns.Rules{})
	if err != nil || p.Shape != columns.RowShape {
		t.Fatalf("shape %q, %v", p.Shape, err)
	}
	var text bytes.Buffer
	if err := p.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old, new string
		want           columns.Shape
	}{{"kept", "", "", columns.RowShape}, {"taken out", ",rows,", ",,", ""}, {"changed", ",rows,", ",l2,", columns.Direction}} {
		edited := text.String()
		if c.old != "" {
			edited = strings.ReplaceAll(edited, c.old, c.new)
		}
		rules, err := columns.ReadRules(strings.NewReader(edited), "plan.csv")
		if err != nil {
			t.Fatal(err)
		}
		q, err := columns.Decide(read(t, curves(), dataio.Options{ID: "id"}), rules)
		if err != nil || q.Shape != c.want {
			t.Errorf("%s: shape %q, want %q, %v", c.name, q.Shape, c.want, err)
		}
	}
	for _, bad := range []string{strings.Replace(text.String(), ",rows,", ",columns,", 1), strings.Replace(text.String(), ",rows,", ",l2,", 1)} {
		if _, err := columns.ReadRules(strings.NewReader(bad), "plan.csv"); err == nil {
			t.Errorf("read: %s", strings.SplitN(bad, "\n", 4)[2])
		}
	}
}

// TestPlanUnit: the unit of a plan is that of the numbers; one that they cannot be brought to is refused.
func TestPlanUnit(t *testing.T) {
	text := numbersTable("id;width;height", 60, func(i int) string { return fmt.Sprintf("r%d;%d mm;%d", i, 1000+i*7%50, 3+i%9) })
	decide := func(width, height string) (*dataio.Dataset, *columns.Plan, error) {
		rules, err := columns.ReadRules(strings.NewReader("column,role,unit\nid,id,\nwidth,number,"+width+"\nheight,number,"+height+"\n"), "plan.csv")
		if err != nil {
			t.Fatal(err)
		}
		ds := read(t, text, dataio.Options{ID: "id"})
		p, err := columns.Decide(ds, rules)
		return ds, p, err
	}
	ds, p, err := decide("m", "kg")
	if err != nil {
		t.Fatal(err)
	}
	if v, bad := p.Columns[1].Spec.Numbers(ds, p.Columns[1].At); math.Abs(v[1]-1.007) > 1e-9 || len(bad) > 0 {
		t.Errorf("width %v m, %d bad", v[1], len(bad))
	}
	if v, _ := p.Columns[2].Spec.Numbers(ds, p.Columns[2].At); v[1] != 4 || p.Columns[2].Spec.Unit != "kg" {
		t.Errorf("height %v %s", v[1], p.Columns[2].Spec.Unit)
	}
	if _, _, err := decide("kg", ""); err == nil || !strings.Contains(err.Error(), "cannot be brought to kg") {
		t.Errorf("mm as kg: %v", err)
	}
}
