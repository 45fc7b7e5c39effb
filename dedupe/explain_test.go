package dedupe_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/dedupe"
)

// An explanation names every field with what it says, and the chain that joins two records is made of pairs of their entity.
func TestExplain(t *testing.T) {
	p := customers(3, 60, 200)
	known := randomAnswers(p.truth, 3)
	r := entities(t, &p.Records, known, dedupe.Options{})
	joined, apart := 0, 0
	for a := range 60 {
		for b := a + 1; b < 200; b += 7 {
			x := r.Explain(a, b)
			if len(x.Fields) != len(p.Fields) || !(x.Alone >= 0 && x.Alone <= 1) || !(x.Probability >= 0 && x.Probability <= 1) {
				t.Fatalf("%d and %d: %+v", a, b, x)
			}
			for _, f := range x.Fields {
				if (f.Level == "missing") != (f.Evidence == 0 && f.Level == "missing") || (f.Level == "equal") != (f.Records > 0) || math.IsNaN(f.Evidence) {
					t.Errorf("%d and %d: %+v", a, b, f)
				}
			}
			if x.Together != (r.Entity[a] == r.Entity[b]) || x.Together != (len(x.Path) > 0) {
				t.Fatalf("%d and %d: together %v, entities %d and %d, path %v", a, b, x.Together, r.Entity[a], r.Entity[b], x.Path)
			}
			if !x.Together {
				apart++
				continue
			}
			joined++
			at := a
			for _, s := range x.Path {
				if s.A != at || r.Entity[s.B] != r.Entity[a] || !(s.Probability > 0 && s.Probability <= 1) {
					t.Errorf("%d and %d: path %+v", a, b, x.Path)
				}
				at = s.B
			}
			if at != b {
				t.Errorf("%d and %d: the path ends at %d", a, b, at)
			}
		}
	}
	if joined == 0 || apart == 0 {
		t.Fatalf("%d pairs together, %d apart", joined, apart)
	}
	for _, l := range known.Must {
		if x := r.Explain(l.I, l.J); x.Link != "must" || x.Probability != 1 || !x.Together {
			t.Errorf("must-link %v: %+v", l, x)
		}
	}
	for _, l := range known.Cannot {
		if x := r.Explain(l.I, l.J); x.Link != "cannot" || x.Probability != 0 || x.Together {
			t.Errorf("cannot-link %v: %+v", l, x)
		}
	}
	same := table([]string{"name", "mail"}, []string{"Alda Brisko", "ab@mail.test"}, []string{"ALDA BRISKO", "ab@mail.test"}, []string{"Torvin Kestrup", "tk@post.test"})
	if x := entities(t, same, nil, dedupe.Options{}).Explain(0, 1); !x.Equal || !x.Together || x.Fields[0].Level != "equal" {
		t.Errorf("equal records: %+v", x)
	}
}

// An entity that a single likely pair and a single unlikely one hold together is named with the unlikely one; links that join it
// are not weak.
func TestWeakGroups(t *testing.T) {
	t.Parallel()
	p := patients(4, 150, 450)
	r := entities(t, &p.Records, nil, dedupe.Options{Threshold: 0.2})
	if len(r.Weak) == 0 {
		t.Fatal("no weak group at a threshold of 0.2")
	}
	if !slices.IsSortedFunc(r.Weak, func(a, b dedupe.WeakGroup) int { return int(math.Copysign(1, a.Probability-b.Probability)) }) {
		t.Errorf("not sorted: %v", r.Weak)
	}
	size := map[int]int{}
	for _, e := range r.Entity {
		size[e]++
	}
	known := &constraint.Set{}
	for _, g := range r.Weak {
		if r.Entity[g.A] != g.Entity || r.Entity[g.B] != g.Entity || g.Records != size[g.Entity] || g.Records < 3 || g.Probability >= 0.7 {
			t.Errorf("%+v", g)
		}
		known.Must = append(known.Must, constraint.Pair{I: g.A, J: g.B, W: 1})
	}
	linked := entities(t, &p.Records, known, dedupe.Options{Threshold: 0.2})
	for _, g := range linked.Weak {
		for _, l := range known.Must {
			if g.A == l.I && g.B == l.J {
				t.Errorf("a must-link is called weak: %+v", g)
			}
		}
	}
}

// Scripts of the world in one column: what is equal is found, and nothing is lost or merged for lack of Latin letters.
func TestMixedScripts(t *testing.T) {
	names := []string{"Иван Петров", "Ivan Petrov", "Γιώργος Παπαδόπουλος", "李小龙", "山田太郎", "محمد علي", "דוד כהן", "กนกวรรณ", "Łukasz Żak", "김철수", "李小龙", "\u0000", "😀", "Zoë Müller", "Zoe Mueller"}
	r := &dedupe.Records{Fields: []string{"name", "code"}, Cells: make([][]string, 2)}
	for i, n := range names {
		code := fmt.Sprintf("K%05d", 7919*i%99991)
		switch i {
		case 1:
			code = r.Cells[1][0]
		case 10:
			code = r.Cells[1][3]
		case 14:
			code = r.Cells[1][13]
		}
		r.Cells[0], r.Cells[1] = append(r.Cells[0], n), append(r.Cells[1], code)
	}
	found := entities(t, r, nil, dedupe.Options{})
	for _, p := range [][2]int{{0, 1}, {3, 10}, {13, 14}} {
		if found.Entity[p[0]] != found.Entity[p[1]] {
			t.Errorf("%s and %s are apart", names[p[0]], names[p[1]])
		}
	}
	if found.Entities != len(names)-3 {
		t.Errorf("%d entities of %d records: %v", found.Entities, len(names), found.Entity)
	}
}

// 10,000 identical records, a table in which all columns are empty, and one in which all cells are equal have an answer at once.
func TestNothingToTellApart(t *testing.T) {
	one := []string{"Alda Brisko", "ab@mail.test", "12 Mill Lane"}
	fields := []string{"name", "mail", "address"}
	same := entities(t, table(fields, repeated(one, 10_000)...), nil, dedupe.Options{})
	if same.Entities != 1 || same.Compared != 0 {
		t.Errorf("10,000 identical records: %d entities, %d pairs compared", same.Entities, same.Compared)
	}
	if x := same.Explain(3, 9_999); !x.Equal || !x.Together || len(x.Path) == 0 {
		t.Errorf("identical records: %+v", x)
	}
	empty := entities(t, table(fields, repeated([]string{"", "-", "n/a"}, 500)...), nil, dedupe.Options{})
	if empty.Entities != 500 {
		t.Errorf("500 records without a value: %d entities", empty.Entities)
	}
	city := entities(t, table([]string{"city"}, repeated([]string{"Birkau"}, 50)...), nil, dedupe.Options{})
	if len(city.Entity) != 50 || city.Entities < 1 || city.Entities > 50 {
		t.Errorf("one column, all equal: %d entities", city.Entities)
	}
}
