package constraint_test

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster/constraint"
)

func ExampleClose() {
	s := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}},
		Cannot: []constraint.Pair{{I: 1, J: 4, W: 1}},
		Labels: []constraint.Label{{I: 1, Class: 0, W: 1}, {I: 3, Class: 0, W: 1}},
		Names:  []string{"setosa"},
	}
	c, err := constraint.Close(5, s)
	if err != nil {
		fmt.Println(err)
		return
	}
	for q := range c.Components() {
		fmt.Println(q, c.Members(q), "class", c.Class(q), "apart from", c.CannotLinked(q))
	}
	fmt.Println(c.MustTogether(0, 3), c.MustApart(3, 4))
	// Output:
	// 0 [0 1 3] class 0 apart from [2]
	// 1 [2] class -1 apart from []
	// 2 [4] class -1 apart from [0]
	// true true
}

func ExampleConflictError() {
	s := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}, {I: 2, J: 3, W: 1}},
		Cannot: []constraint.Pair{{I: 3, J: 0, W: 1}},
	}
	_, err := constraint.Close(4, s)
	fmt.Println(err)
	var conflict *constraint.ConflictError
	if errors.As(err, &conflict) {
		ids := []string{"ann", "bob", "cid", "dot"}
		fmt.Println(conflict.Describe(func(i int) string { return ids[i] }))
	}
	// Output:
	// 0 and 3 cannot be together, yet 0 = 1 = 2 = 3
	// ann and dot cannot be together, yet ann = bob = cid = dot
}

func ExampleConflicts() {
	s := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}},
		Cannot: []constraint.Pair{{I: 0, J: 3, W: 1}},
		Labels: []constraint.Label{{I: 1, Class: 0, W: 1}, {I: 3, Class: 0, W: 1}, {I: 0, Class: 1, W: 1}},
		Names:  []string{"cat", "dog"},
	}
	for _, c := range constraint.Conflicts(4, s, 10) {
		fmt.Printf("%s: %s\n", c.Kind, c.Describe(func(i int) string { return fmt.Sprint("#", i) }))
	}
	// Output:
	// labels-joined: #0 is dog and #1 is cat, yet #0 = #1
	// cannot-joined: #0 and #3 cannot be together, yet #0 = #1, #1 and #3 are both cat
}

func ExampleClosure_Feasible() {
	ring := &constraint.Set{Cannot: []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}, {I: 2, J: 0, W: 1}}}
	c, _ := constraint.Close(4, ring)
	for k := 2; k <= 3; k++ {
		v := c.Feasible(k)
		fmt.Println(k, v.Answer, v.Clique, v.Why)
	}
	fmt.Println(c.Colouring(3))
	// Output:
	// 2 no [1 0 2] 3 components exclude each other in an odd cycle
	// 3 yes [] 3 clusters are enough
	// [2 1 0 0] true
}

func ExampleLint() {
	s := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 0, W: 1}, {I: 2, J: 2, W: 1}},
		Cannot: []constraint.Pair{{I: 1, J: 0, W: 1}},
	}
	for _, p := range constraint.Lint(3, s) {
		fmt.Printf("%s[%d] %s: %s\n", p.List, p.Index, p.Kind, p.Message)
	}
	// Output:
	// must[1] duplicate: point 0 and point 1 are paired again
	// must[2] self-pair: point 2 is paired with itself
	// cannot[0] both-kinds: point 0 and point 1 must and cannot be together
}

func ExampleRandomPairs() {
	truth := []int{0, 0, 1, 1, -1}
	s := constraint.RandomPairs(truth, 100, rand.New(rand.NewPCG(1, 2)))
	fmt.Println(len(s.Must), "must,", len(s.Cannot), "cannot: all pairs of the four known points")
	// Output:
	// 2 must, 4 cannot: all pairs of the four known points
}

func ExampleFlipLabels() {
	rng := rand.New(rand.NewPCG(1, 2))
	s, _ := constraint.LabelFraction([]int{0, 0, 0, 0, 1, 1, 1, 1}, 0.5, rng)
	noisy, err := constraint.FlipLabels(s, 0.25, 2, rng)
	changed := 0
	for at := range s.Labels {
		if s.Labels[at].Class != noisy.Labels[at].Class {
			changed++
		}
	}
	fmt.Println(changed, "of", len(noisy.Labels), err)
	// Output:
	// 1 of 4 <nil>
}

// Two groups of three, and one must-link between them that four cannot-links
// contradict: the fewest to drop is that one.
func ExampleRepair() {
	s := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}, {I: 3, J: 4, W: 1}, {I: 4, J: 5, W: 1}, {I: 2, J: 3, W: 1}},
		Cannot: []constraint.Pair{{I: 0, J: 3, W: 1}, {I: 0, J: 5, W: 1}, {I: 1, J: 4, W: 1}, {I: 2, J: 5, W: 1}},
	}
	fmt.Println(len(constraint.Conflicts(6, s, -1)), "contradictions")
	for _, at := range constraint.Repair(6, s).Must {
		fmt.Println("drop", s.Must[at])
	}
	// Output:
	// 4 contradictions
	// drop {2 3 1}
}

// The same entry with points by number, and by their ids.
func ExampleEntryError() {
	s := &constraint.Set{Must: []constraint.Pair{{I: 0, J: 1, W: 1}}, Cannot: []constraint.Pair{{I: 0, J: 1, W: -2}}}
	var bad *constraint.EntryError
	if err := s.Check(2); errors.As(err, &bad) {
		fmt.Println(bad)
		fmt.Println(bad.Kind == constraint.BadWeight, bad.Describe(func(i int) string { return []string{"ann", "bob"}[i] }))
	}
	// Output:
	// cannot 0: the weight of point 0 and point 1 must be above 0 and at most 1e+100, got -2
	// true the weight of ann and bob must be above 0 and at most 1e+100, got -2
}
