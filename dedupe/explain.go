package dedupe

import (
	"cmp"
	"math"
	"slices"
)

// An Explanation says why two records are together or apart.
type Explanation struct {
	A, B        int
	Together    bool
	Equal       bool    // nothing differs once case, marks and blanks are taken away
	Link        string  // "must" or "cannot" where a link says so, or what follows from links; else empty
	Alone       float64 // probability of a match, by their fields alone
	Probability float64 // and given what is known of other records: matches are transitive
	Compared    bool    // whether the search for candidates found the pair
	Fields      []FieldEvidence
	Path        []Step // from A to B: the chain of compared pairs that joins them, the one whose weakest pair is the strongest; of two that are apart none
}

// A FieldEvidence says what a field of two records contributes.
type FieldEvidence struct {
	Name     string
	Kind     string
	Level    string  // equal, near, similar, replaced, weak, different or missing
	Evidence float64 // what it adds to the log-odds of a match
	Records  int     // different records that have the value, where it is equal
}

// A Step is one pair of a chain.
type Step struct {
	A, B        int
	Probability float64
	Link        bool // a must-link joins the two
}

// A WeakGroup is an entity that one weak pair holds together: without it the entity is in two parts, since no other pair
// between them is as likely.
type WeakGroup struct {
	Entity      int
	Records     int
	A, B        int // records of the pair
	Probability float64
}

// weakBelow is the probability below which a pair is weak.
const weakBelow = 0.7

var levelNames = [levels]string{"equal", "near", "similar", "replaced", "weak", "different"}

// Explain explains two records, numbered from 0, that are not the same one.
func (r *Result) Explain(a, b int) *Explanation {
	d := r.d
	x := &Explanation{A: a, B: b, Together: r.Entity[a] == r.Entity[b], Alone: 1}
	if r.closed.MustApart(a, b) {
		x.Link = "cannot"
	} else if r.closed.Component(a) == r.closed.Component(b) {
		x.Link = "must"
	}
	u, v := d.of[a], d.of[b]
	x.Equal = u == v
	p := orderedPair(u, v)
	c := make(comparison, d.width())
	d.compare(p, c)
	evidence := r.model.fieldEvidence(p, c)
	for f := range d.fields {
		e := FieldEvidence{Name: r.Fields[f].Name, Kind: d.kinds[f].String(), Level: "missing"}
		if c[f] != missing {
			e.Level, e.Evidence = levelNames[c[f]], evidence[f]
		}
		if c[f] == equal {
			e.Records = int(d.shared(p, f, c[d.fields] > 0))
		}
		x.Fields = append(x.Fields, e)
	}
	if x.Equal {
		x.Alone = sigmoid(d.copyLogOdds(u))
		x.Probability, x.Compared = x.Alone, true
	} else {
		in := make([]float64, len(r.model.weights))
		r.model.inputs(p, c, make([]float64, d.fields), in)
		x.Alone = sigmoid(dot(r.model.weights, in))
		x.Probability = x.Alone
		if i := slices.Index(r.pairs, p); i >= 0 {
			x.Probability, x.Compared = sigmoid(r.logOdds[i]), true
		}
	}
	switch x.Link {
	case "must":
		x.Probability = 1
	case "cannot":
		x.Probability = 0
	}
	if x.Together {
		x.Path = r.path(a, b)
	}
	return x
}

// steps returns the pairs that join the rows of an entity, the likeliest first: compared pairs, equal records and links. Of a chain of
// equal or linked records each is joined to the next.
func (r *Result) steps(entity int) (out []Step) {
	first := map[int32]int{} // the first row of a distinct record
	component := map[int]int{}
	for i, e := range r.Entity {
		if e != entity {
			continue
		}
		if q := r.closed.Component(i); r.closed.Size(q) > 1 {
			if at, ok := component[q]; ok {
				out = append(out, Step{at, i, 1, true})
			}
			component[q] = i
		}
		u := r.d.of[i]
		if at, ok := first[u]; ok {
			out = append(out, Step{at, i, sigmoid(r.d.copyLogOdds(u)), false})
		} else {
			first[u] = i
		}
	}
	for i, p := range r.pairs {
		a, inA := first[p.A]
		b, inB := first[p.B]
		if inA && inB && sigmoid(r.logOdds[i]) > 0 {
			out = append(out, Step{min(a, b), max(a, b), sigmoid(r.logOdds[i]), false})
		}
	}
	slices.SortStableFunc(out, func(x, y Step) int {
		return cmp.Or(cmp.Compare(y.Probability, x.Probability), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	return out
}

// path returns the chain between two rows of an entity in its maximum spanning tree (Kruskal), whose weakest pair is the strongest that a
// chain can have. Where even that is less likely than not, a pair on it is held by the rest of the entity.
func (r *Result) path(a, b int) []Step {
	parent := map[int]int{}
	find := func(i int) int {
		for {
			p, ok := parent[i]
			if !ok || p == i {
				return i
			}
			i = p
		}
	}
	tree := map[int][]Step{}
	for _, s := range r.steps(r.Entity[a]) {
		x, y := find(s.A), find(s.B)
		if x == y {
			continue
		}
		parent[max(x, y)] = min(x, y)
		tree[s.A] = append(tree[s.A], s)
		tree[s.B] = append(tree[s.B], Step{s.B, s.A, s.Probability, s.Link})
		if find(a) == find(b) {
			break
		}
	}
	var walk func(at, from int) []Step
	walk = func(at, from int) []Step {
		for _, s := range tree[at] {
			if s.B == from {
				continue
			}
			if s.B == b {
				return []Step{s}
			}
			if rest := walk(s.B, at); rest != nil {
				return append([]Step{s}, rest...)
			}
		}
		return nil
	}
	return walk(a, -1)
}

// weakGroups returns the entities of three or more different records that one weak pair holds together, the weakest first.
func (r *Result) weakGroups() (out []WeakGroup) {
	n := r.d.len()
	entity, sizes, rows := make([]int32, n), make([]int32, r.Entities), make([]int, r.Entities)
	for u, copies := range r.d.copies {
		entity[u] = int32(r.Entity[copies[0]])
		sizes[entity[u]]++
	}
	for _, e := range r.Entity {
		rows[e]++
	}
	var inside []int32
	for i, p := range r.pairs {
		if entity[p.A] == entity[p.B] && sizes[entity[p.A]] > 2 {
			inside = append(inside, int32(i))
		}
	}
	slices.SortStableFunc(inside, func(a, b int32) int { return cmp.Compare(r.logOdds[b], r.logOdds[a]) })
	trees := newForest(n)
	linked := map[int]int32{} // must-links join first: they are certain
	for i := range r.Entity {
		q := r.closed.Component(i)
		if r.closed.Size(q) < 2 {
			continue
		}
		u := r.d.of[i]
		if v, ok := linked[q]; ok && entity[u] == entity[v] {
			trees.join(u, v)
		}
		linked[q] = u
	}
	weakest := map[int32]int32{} // the last pair of the tree of each entity
	for _, i := range inside {
		if a := r.pairs[i].A; trees.join(a, r.pairs[i].B) {
			weakest[entity[a]] = i
		}
	}
	for e, i := range weakest {
		if r.logOdds[i] < logit(weakBelow) {
			a, b := int(r.d.copies[r.pairs[i].A][0]), int(r.d.copies[r.pairs[i].B][0])
			out = append(out, WeakGroup{int(e), rows[e], min(a, b), max(a, b), sigmoid(math.Max(r.logOdds[i], -mostOwn))})
		}
	}
	slices.SortFunc(out, func(a, b WeakGroup) int {
		return cmp.Or(cmp.Compare(a.Probability, b.Probability), cmp.Compare(a.Entity, b.Entity))
	})
	return out
}
