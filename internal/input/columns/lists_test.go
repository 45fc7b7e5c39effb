package columns_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// listTable has a number that goes with two groups, and a column whose cells come from cell, which gets values of the group.
func listTable(cell func(list []string) string) string {
	rng := rand.New(rand.NewPCG(8, 1))
	kinds := []string{"Action", "Comedy", "Crime", "Drama", "Family", "War"}
	var b strings.Builder
	b.WriteString("size,width,kinds\n")
	for i := range 200 {
		var list []string
		for f, kind := range kinds {
			if p := .15 + .5*float64((f+i)%2); rng.Float64() < p {
				list = append(list, kind)
			}
		}
		size := 4*float64(i%2) + rng.NormFloat64()
		fmt.Fprintf(&b, "%.2f,%.2f,\"%s\"\n", size, size+rng.NormFloat64(), strings.ReplaceAll(cell(list), `"`, `""`))
	}
	return b.String()
}

func TestListsInCells(t *testing.T) {
	quoted := func(mark, by string) func(list []string) string {
		return func(list []string) string {
			out := slices.Clone(list)
			for i, s := range out {
				out[i] = mark + s + mark
			}
			return "[" + strings.Join(out, by) + "]"
		}
	}
	join := func(by string) func(list []string) string {
		return func(list []string) string { return strings.Join(list, by) }
	}
	places := []string{"Berlin", "Paris", "Rome", "Lyon"}
	lands := map[string]string{"Berlin": "Germany", "Paris": "France", "Rome": "Italy", "Lyon": "France"}
	at := 0
	for _, c := range []struct {
		name string
		cell func(list []string) string
		list bool
	}{
		{"bars", join("|"), true},
		{"bars and blanks", join(" | "), true},
		{"semicolons", join("; "), true},
		{"commas", join(", "), true},
		{"slashes", join("/"), true},
		{"JSON", quoted(`"`, ", "), true},
		{"Python", quoted(`'`, ", "), true},
		{"braces", func(list []string) string { return "{" + strings.Join(list, ",") + "}" }, true},
		{"capitals", func(list []string) string { return strings.ToLower(strings.Join(list, "|")) }, true},
		{"one value", func(list []string) string { return append(list, "none of them")[0] }, false},
		{"place and land", func([]string) string { at++; p := places[at%4]; return p + ", " + lands[p] }, false},
		{"pairs of two lists", func([]string) string { at++; return places[at%4] + "; " + []string{"new", "old", "lost"}[at%3] }, false},
		{"names with a comma", func([]string) string {
			at++
			return []string{"Food, drinks", "Steel, tin, lead", "Wood", "Paper, ink"}[at%4]
		}, false},
		{"sentences", func(list []string) string {
			return "I have seen " + strings.Join(list, ", and then I went home because of ")
		}, false},
		{"names of persons", func([]string) string { at++; return fmt.Sprintf("Smith%d, John", at) }, false},
	} {
		ds := read(t, listTable(c.cell), dataio.Options{})
		p, err := columns.Decide(ds, columns.Rules{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		col := p.Columns[2]
		if got := col.Spec.List != ""; got != c.list {
			t.Errorf("%s: list %v, %s (%s)", c.name, got, col.Role, col.Why)
		}
		if !c.list {
			continue
		}
		if col.Role != columns.Category || !col.Used || col.Levels != 6 || col.Why != "lists of 6 different values" {
			t.Errorf("%s: %s, used %v, %d levels: %s", c.name, col.Role, col.Used, col.Levels, col.Why)
		}
		var plan bytes.Buffer
		if err := p.Write(&plan); err != nil {
			t.Fatal(err)
		}
		rules, err := columns.ReadRules(&plan, "plan.csv")
		if err != nil {
			t.Fatal(err)
		}
		again, err := columns.Decide(read(t, listTable(c.cell), dataio.Options{}), rules)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := col.Spec, again.Columns[2].Spec; a.List != b.List || a.Weight != b.Weight {
			t.Errorf("%s: the plan has %q, weight %v; read again %q, %v", c.name, a.List, a.Weight, b.List, b.Weight)
		}
		one, err := columns.Decide(read(t, listTable(c.cell), dataio.Options{}), columns.Rules{Category: []string{"kinds"}})
		if err != nil {
			t.Fatal(err)
		}
		if one.Columns[2].Spec.List != "" {
			t.Errorf("%s: a named category is a list", c.name)
		}
	}
}

func TestMembersOfLists(t *testing.T) {
	for _, c := range []struct {
		between, cell string
		want          []string
	}{
		{"|", "a|b|a", []string{"a", "b"}},
		{"|", " a | | b ", []string{"a", "b"}},
		{";", "a; n/a; b", []string{"a", "b"}},
		{"[]", `["a, b", "c"]`, []string{"a, b", "c"}},
		{"[]", `["caf\u00e9", "a \"b\"", null]`, []string{"café", `a "b"`}},
		{"[]", `['it is', "it's"]`, []string{"it is", "it's"}},
		{"[]", "[]", nil},
		{"[]", "{a,b}", []string{"a", "b"}},
		{"[]", "a", []string{"a"}},
		{"[]", "[1, 2.5]", []string{"1", "2.5"}},
		{",", "", nil},
	} {
		if got := (columns.Spec{List: c.between}).Members(c.cell); !slices.Equal(got, c.want) {
			t.Errorf("%q between %q: %q, want %q", c.cell, c.between, got, c.want)
		}
	}
	rules, err := columns.ReadRules(strings.NewReader("column,role,transform\nkinds,category,list\n"), "plan.csv")
	if err != nil {
		t.Fatal(err)
	}
	one := listTable(func([]string) string { return "none" })
	if _, err := columns.Decide(read(t, one, dataio.Options{}), rules); err == nil || !strings.Contains(err.Error(), "no cell with several values") {
		t.Errorf("lists of one value: %v", err)
	}
}

func FuzzLists(f *testing.F) {
	for _, s := range []string{"a|b", "a; b, c", `["a", 'b]`, "{x,{y}}", "[", "]", "[]", "||", "['", "\xff|\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		for _, between := range []string{"[]", "|", ";", ",", "/"} {
			seen := map[string]bool{}
			for _, part := range (columns.Spec{List: between}).Members(cell) {
				if part == "" || seen[part] || len(part) > 3*len(cell)+400 || between != "[]" && strings.Contains(part, between) {
					t.Fatalf("%q between %q: part %q", cell, between, part)
				}
				seen[part] = true
			}
		}
	})
}
