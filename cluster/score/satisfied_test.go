package score

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/constraint"
)

func TestSatisfiedByHand(t *testing.T) {
	labels := []int{0, 0, 1, 1, -1, -1}
	s := &constraint.Set{
		Must:    []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 2, J: 0, W: 2}, {I: 4, J: 5, W: 1}, {I: 3, J: 99, W: 1}, {I: 4, J: 4, W: 1}},
		Cannot:  []constraint.Pair{{I: 0, J: 2, W: 1}, {I: 3, J: 2, W: 3}, {I: 4, J: 5, W: 1}, {I: -7, J: 0, W: 1}},
		Beliefs: []constraint.Pair{{I: 0, J: 1, W: 0.5}, {I: 0, J: 1, W: -0.5}, {I: 0, J: 2, W: 0.2}, {I: 0, J: 2, W: 0}},
		Labels: []constraint.Label{
			{I: 0, Class: 4, W: 1}, {I: 1, Class: 4, W: 1}, {I: 2, Class: 4, W: 1}, {I: 3, Class: 6, W: 0.5},
			{I: 4, Class: 6, W: 1},
			{I: 5, Class: 4, W: 0.7}, {I: 5, Class: 6, W: 0.3}, // a soft seed
		},
	}
	got := Satisfied(s, labels)
	want := Kept{Must: Count{5, 2}, Cannot: Count{4, 3}, Beliefs: Count{3, 1}, Labels: LabelCount{5, 3}}
	if got != want {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	wantV := []Violation{{2, 0, Must, 2}, {4, 5, Must, 1}, {3, 99, Must, 1}, {3, 2, Cannot, 3}, {0, 1, Belief, -0.5}, {0, 2, Belief, 0.2}}
	if v := Violations(s, labels); !slices.Equal(v, wantV) {
		t.Errorf("\n got %v\nwant %v", v, wantV)
	}
	wantL := []constraint.Label{{I: 2, Class: 4, W: 1}, {I: 4, Class: 6, W: 1}}
	if l := Misplaced(s, labels); !slices.Equal(l, wantL) {
		t.Errorf("misplaced %v, want %v", l, wantL)
	}
	if k := Satisfied(nil, labels); k != (Kept{}) || Violations(nil, labels) != nil || Misplaced(nil, labels) != nil {
		t.Errorf("nothing known: %+v", k)
	}
}

func TestCardJSON(t *testing.T) {
	c := mustTable(t, []int{0, 1}, []int{0, 0}).Card()
	y := 0.25
	c.Silhouette = &y
	c.SetKept(Kept{Must: Count{3, 2}, Labels: LabelCount{5, 4}})
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"n":2,"mi":0,"nmi":0,"ari":0,"rand":0,"precision":0,"recall":1,"f":0,"homogeneity":0,"completeness":1,"v":0,"purity":0.5,` +
		`"silhouette":0.25,"must":{"given":3,"satisfied":2},"cannot":{"given":0,"satisfied":0},"labels":{"given":5,"kept":4}}`
	if string(b) != want {
		t.Errorf("\n got %s\nwant %s", b, want)
	}
}

// Satisfied and Violations tell the same story.
func TestViolationsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		labels := rapid.SliceOfN(rapid.IntRange(-1, 3), n, n).Draw(t, "labels")
		pairs := func(name string) []constraint.Pair {
			return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) constraint.Pair {
				return constraint.Pair{I: rapid.IntRange(0, n).Draw(t, "i"), J: rapid.IntRange(0, n).Draw(t, "j"), W: rapid.SampledFrom([]float64{-1, -0.5, 0, 1}).Draw(t, "w")}
			}), 0, 10).Draw(t, name)
		}
		s := &constraint.Set{Must: pairs("must"), Cannot: pairs("cannot"), Beliefs: pairs("beliefs")}
		broken := make(map[Kind]int)
		for _, v := range Violations(s, labels) {
			broken[v.Kind]++
		}
		k := Satisfied(s, labels)
		for kind, c := range map[Kind]Count{Must: k.Must, Cannot: k.Cannot, Belief: k.Beliefs} {
			if c.Given-c.Satisfied != broken[kind] {
				t.Fatalf("%s: %+v, but %d violations", kind, c, broken[kind])
			}
		}
	})
}

func TestNameClusters(t *testing.T) {
	l := func(i, class int, w float64) constraint.Label { return constraint.Label{I: i, Class: class, W: w} }
	for _, c := range []struct {
		name   string
		labels []int
		k      int
		known  []constraint.Label
		want   []int
	}{
		{"nothing known", []int{0, 1}, 2, nil, []int{-1, -1}},
		{"each its own", []int{1, 0, 2}, 4, []constraint.Label{l(0, 0, 1), l(1, 1, 1)}, []int{1, 0, -1, -1}},
		{"one class in two clusters", []int{0, 1, 1}, 2, []constraint.Label{l(0, 5, 1), l(1, 5, 1), l(2, 5, 1)}, []int{-1, 5}},
		// Taking the heaviest first would give 3 + 0; the best is 2 + 2.
		{"not greedy", []int{0, 0, 0, 0, 0, 1, 1}, 2,
			[]constraint.Label{l(0, 0, 1), l(1, 0, 1), l(2, 0, 1), l(3, 1, 1), l(4, 1, 1), l(5, 0, 1), l(6, 0, 1)}, []int{1, 0}},
		{"by weight", []int{0, 1}, 2, []constraint.Label{l(0, 0, 0.2), l(1, 0, 0.3)}, []int{-1, 0}},
		{"odd labels", []int{0, -1, 7}, 2,
			[]constraint.Label{l(0, -3, 1), l(0, 1, math.NaN()), l(0, 2, math.Inf(1)), l(0, 3, -1), l(1, 4, 1), l(2, 5, 1), l(9, 6, 1)}, []int{-1, -1}},
		{"no clusters", []int{0}, -1, []constraint.Label{l(0, 0, 1)}, []int{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := NameClusters(c.labels, c.k, &constraint.Set{Labels: c.known}); !slices.Equal(got, c.want) {
				t.Errorf("names %v, want %v", got, c.want)
			}
		})
	}
	if got := NameClusters([]int{0}, 1, nil); !slices.Equal(got, []int{-1}) {
		t.Errorf("nil set: %v", got)
	}
}

func weightOf(names []int, labels []int, s *constraint.Set) (w float64) {
	for _, l := range s.Labels {
		if names[labels[l.I]] == l.Class {
			w += l.W
		}
	}
	return w
}

// bestWeight tries every one-to-one naming of the clusters from c on.
func bestWeight(names []int, c, classes int, labels []int, s *constraint.Set) float64 {
	if c == len(names) {
		return weightOf(names, labels, s)
	}
	names[c] = -1
	best := bestWeight(names, c+1, classes, labels, s)
	for y := range classes {
		if !slices.Contains(names[:c], y) {
			names[c] = y
			best = max(best, bestWeight(names, c+1, classes, labels, s))
		}
	}
	names[c] = -1
	return best
}

func TestNameClustersIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, classes := rapid.IntRange(1, 4).Draw(t, "k"), rapid.IntRange(1, 5).Draw(t, "classes")
		labels := rapid.SliceOfN(rapid.IntRange(0, k-1), 12, 12).Draw(t, "labels")
		s := &constraint.Set{Labels: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) constraint.Label {
			return constraint.Label{
				I:     rapid.IntRange(0, 11).Draw(t, "i"),
				Class: rapid.IntRange(0, classes-1).Draw(t, "class"),
				W:     float64(rapid.IntRange(1, 8).Draw(t, "w")) / 4,
			}
		}), 0, 12).Draw(t, "known")}
		names := NameClusters(labels, k, s)
		used := make(map[int]bool)
		for _, y := range names {
			if y >= 0 && used[y] {
				t.Fatalf("two clusters are named %d: %v", y, names)
			}
			used[y] = true
		}
		if got, want := weightOf(names, labels, s), bestWeight(make([]int, k), 0, classes, labels, s); got != want {
			t.Fatalf("names %v agree by %v, the best by %v", names, got, want)
		}
	})
}

// So many classes that they are named greedily: still one-to-one, and right
// where the agreement is clear.
func TestNameManyClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	const k, each = 1500, 8
	labels := make([]int, k*each)
	s := &constraint.Set{}
	for i := range labels {
		labels[i] = i / each
		class := (labels[i] + 7) % k
		if i%each == 0 {
			class = r.IntN(k)
		}
		s.Labels = append(s.Labels, constraint.Label{I: i, Class: class, W: 1})
	}
	for c, class := range NameClusters(labels, k, s) {
		if class != (c+7)%k {
			t.Fatalf("cluster %d is named %d, want %d", c, class, (c+7)%k)
		}
	}
}
