package columns_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// What was computed from other columns, to its last digit, is left out; what is merely alike is not.
func TestComputedColumnsAreLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 33))
	for name, c := range map[string]struct {
		cell func(a, b, c float64) string
		why  string
	}{
		"a total":          {func(a, b, _ float64) string { return fmt.Sprintf("%.2f", a+b) }, "a + b"},
		"of three":         {func(a, b, c float64) string { return fmt.Sprintf("%.2f", a+b+c) }, "a + b + c"},
		"a ratio":          {func(a, b, _ float64) string { return fmt.Sprintf("%.3f", a/b) }, "a / b"},
		"percent":          {func(a, b, _ float64) string { return fmt.Sprintf("%.1f", 100*a/b) }, "a / b"},
		"a product":        {func(a, b, _ float64) string { return fmt.Sprintf("%.2f", a*b) }, "a · b"},
		"a mean":           {func(a, b, c float64) string { return fmt.Sprintf("%.3f", (a-b)/c) }, "(a - b) / c"},
		"with noise":       {func(a, b, _ float64) string { return fmt.Sprintf("%.2f", a+b+0.1*r.NormFloat64()) }, ""},
		"a coarse sum":     {func(a, b, _ float64) string { return fmt.Sprintf("%.0f", (a+b)/20) }, ""},
		"something else":   {func(a, _, _ float64) string { return fmt.Sprintf("%.3f", math.Sqrt(a)) }, ""},
		"mostly zero":      {func(a, b, _ float64) string { return fmt.Sprintf("%.2f", max(0, r.NormFloat64()-1)) }, ""},
		"a third is wrong": {func(a, b, _ float64) string { return fmt.Sprintf("%.2f", a+b+float64(r.IntN(3)/2)) }, ""},
	} {
		text := "key,kind,a,b,c,t\n"
		for i := range 150 {
			g := float64(i % 3)
			a, b, d := math.Round(100*(20+8*g+4*r.Float64()))/100, math.Round(100*(30-7*g+5*r.Float64()))/100, math.Round(100*(9+3*g+2*r.Float64()))/100
			text += fmt.Sprintf("k%d,%s,%.2f,%.2f,%.2f,%s\n", i, []string{"u", "v", "w"}[i%3], a, b, d, c.cell(a, b, d))
		}
		p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range p.Columns {
			if computed := strings.Contains(got.Why, "computed from"); computed != (got.Name == "t" && c.why != "") || computed && (got.Used || !strings.HasSuffix(got.Why, ": "+c.why)) {
				t.Errorf("%s: %s is used: %v (%s)", name, got.Name, got.Used, got.Why)
			}
		}
		named, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{Number: []string{"t"}})
		if err != nil || !named.Columns[5].Used {
			t.Errorf("%s: a column that was named is left out: %v", name, err)
		}
	}
}

// Whether there is a value counts where the other columns predict that and not the value; a value that is missing here and
// there is unknown, and so are those that are missing together.
func TestAbsenceAsAState(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 33))
	table := func(absent func(g, i int) bool) string {
		text := "key,x,y,z,cart,other\n"
		for i := range 600 {
			g := i % 3
			cart, other := fmt.Sprintf("%.2f", 10+5*r.Float64()), fmt.Sprintf("%.2f", r.Float64())
			if absent(g, i) {
				cart = ""
			}
			text += fmt.Sprintf("k%d,%.3f,%.3f,%.3f,%s,%s\n", i, float64(g)+.3*r.NormFloat64(), -float64(g)+.3*r.NormFloat64(), float64(g*g)+.5*r.NormFloat64(), cart, other)
		}
		return text
	}
	state := table(func(g, _ int) bool { return (g == 0) != (r.Float64() < .2) })
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"a state":      {state, true},
		"unknown":      {table(func(int, int) bool { return r.Float64() < .3 }), false},
		"seldom":       {table(func(g, _ int) bool { return g == 0 && r.Float64() < .15 }), false},
		"said already": {table(func(g, _ int) bool { return g == 0 }), false},
	} {
		p, err := columns.Decide(read(t, c.text, dataio.Options{}), columns.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(p.Columns, func(c columns.Column) bool { return c.Name == "cart" })
		if got := p.Columns[at]; got.Used != c.want || got.Spec.Presence != c.want {
			t.Errorf("%s: used %v, presence %v (%s, relevance %v)", name, got.Used, got.Spec.Presence, got.Why, *got.Relevance)
		}
	}
	ds := read(t, state, dataio.Options{})
	p, err := columns.Decide(ds, columns.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Columns {
		if c.Name != "cart" {
			continue
		}
		texts := c.Spec.Texts(ds, c.At)
		if slices.Sort(texts); !slices.Equal(slices.Compact(texts), []string{"absent", "present"}) {
			t.Errorf("levels %v", slices.Compact(texts))
		}
	}
}

// A plan that is written and read decides the same about missing values, weights and presence, and an edited one decides so.
func TestEditsOfPlans(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 33))
	text := "key,x,y,score,likes_tea,likes_beer,likes_wine,likes_milk,likes_mate\n"
	for i := range 300 {
		g := float64(i % 3)
		score := fmt.Sprintf("%.1f", 10+g+r.Float64())
		if i%9 == 0 {
			score = "-999"
		}
		if i%31 == 0 {
			score = "offline"
		}
		text += fmt.Sprintf("k%d,%.3f,%.3f,%s", i, g+.3*r.NormFloat64(), -g+.3*r.NormFloat64(), score)
		for f := range 5 {
			text += fmt.Sprintf(",%d", (i%3+f)%2)
		}
		text += "\n"
	}
	p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	find := func(p *columns.Plan, name string) columns.Column {
		return p.Columns[slices.IndexFunc(p.Columns, func(c columns.Column) bool { return c.Name == name })]
	}
	if c := find(p, "score"); !slices.Equal(c.Spec.Sentinels, []float64{-999}) || !slices.Equal(c.Spec.Gone, []string{"offline"}) {
		t.Fatalf("the table tests nothing: %+v", c)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	decide := func(file string) *columns.Plan {
		rules, err := columns.ReadRules(strings.NewReader(file), "plan.csv")
		if err != nil {
			t.Fatal(err)
		}
		p, err := columns.Decide(read(t, text, dataio.Options{ID: rules.ID, Drop: rules.Drop}), rules)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	again := decide(b.String())
	for _, c := range p.Columns {
		d := find(again, c.Name)
		if c.Used != d.Used || c.Missing != d.Missing || c.Spec.Weight != d.Spec.Weight || !slices.Equal(c.Spec.Sentinels, d.Spec.Sentinels) || !slices.Equal(c.Spec.Gone, d.Spec.Gone) {
			t.Errorf("%+v became %+v", c, d)
		}
	}
	edited := decide("column,role,transform,missing,weight\nkey,id,,,\nx,number,,,2\ny,number,,,\nscore,category,presence,-999|offline,\nlikes_tea,number,,,0.5\n")
	if c := find(edited, "x"); c.Spec.Weight != 2 {
		t.Errorf("weight %v", c.Spec.Weight)
	}
	if c := find(edited, "likes_tea"); c.Spec.Weight != .5 {
		t.Errorf("weight %v", c.Spec.Weight)
	}
	if c := find(edited, "score"); !c.Used || !c.Spec.Presence {
		t.Errorf("%+v", c)
	}
	if c := find(decide("column,role,transform,missing\nkey,id,,\nscore,number,,offline\n"), "score"); len(c.Spec.Sentinels) > 0 || c.Missing != 10 {
		t.Errorf("%+v", c)
	}
}

// Columns that are zero in most rows are not ratios of each other because zero divided by something is zero.
func TestZerosProveNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 33))
	text := "kind,a,b,c,d,e,f\n"
	for i := range 400 {
		text += []string{"u", "v"}[i%2]
		for range 6 {
			text += fmt.Sprintf(",%.2f", 5*max(0, r.NormFloat64()-.8))
		}
		text += "\n"
	}
	p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Columns {
		if strings.Contains(c.Why, "computed") {
			t.Errorf("%s: %s", c.Name, c.Why)
		}
	}
}
