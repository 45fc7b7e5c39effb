package catalog

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// densityTree is the cluster tree of Campello and others 2015, made by its definition: the components of
// the graph of mutual reachability distances, from the longest distance down.
type densityTree struct {
	reach   [][]float64 // mutual reachability distances
	least   int         // rows of a cluster
	mass    float64     // Σ λ_i over all rows
	unclear bool        // equal distances leave more than one tree
}

// best returns the largest sum of stabilities of clusters within the rows, which are a cluster born at
// density birth: of itself (unless it is the root) or of the clusters below it, equations (3) and (5).
func (d *densityTree) best(rows []int, birth float64, root bool) float64 {
	own := 0.0
	for {
		distance, parts := d.next(rows)
		leaving := 1 / distance
		large := slices.DeleteFunc(slices.Clone(parts), func(p []int) bool { return len(p) < d.least })
		small := len(rows)
		for _, p := range large {
			small -= len(p)
		}
		if len(large) == 1 && len(parts) > 2 && small >= d.least {
			d.unclear = true
		}
		if len(large) == 1 {
			own, d.mass, rows = own+float64(small)*(leaving-birth), d.mass+float64(small)*leaving, large[0]
			continue
		}
		own, d.mass = own+float64(len(rows))*(leaving-birth), d.mass+float64(small)*leaving
		below := 0.0
		for _, p := range large {
			below += d.best(p, leaving, false)
		}
		if root {
			return below
		}
		return max(own, below)
	}
}

// next returns the longest distance that holds rows together, and the parts that remain without
// edges of that length.
func (d *densityTree) next(rows []int) (distance float64, parts [][]int) {
	var edges [][2]int
	for a := range rows {
		for b := range a {
			edges = append(edges, [2]int{a, b})
		}
	}
	length := func(e [2]int) float64 { return d.reach[rows[e[0]]][rows[e[1]]] }
	slices.SortFunc(edges, func(e, f [2]int) int { return cmp.Compare(length(e), length(f)) })
	part := make([]int, len(rows))
	for a := range part {
		part[a] = a
	}
	join := func(e [2]int) {
		from, to := part[e[0]], part[e[1]]
		for a := range part {
			if part[a] == from {
				part[a] = to
			}
		}
	}
	for _, e := range edges {
		if part[e[0]] != part[e[1]] {
			distance = length(e)
			join(e)
		}
	}
	for a := range part {
		part[a] = a
	}
	for _, e := range edges {
		if length(e) < distance {
			join(e)
		}
	}
	byPart := map[int][]int{}
	for a, h := range part {
		byPart[h] = append(byPart[h], rows[a])
	}
	for _, p := range byPart {
		parts = append(parts, p)
	}
	return distance, parts
}

// With published settings and without links the objective of density is the largest sum of stabilities, by the definitions
// of the paper, as a share of the mass of all rows.
func TestPublishedDensity(t *testing.T) {
	clear := 0
	for trial := range uint64(30) {
		rng := rand.New(rand.NewPCG(trial, 34))
		const n, size = 45, 5
		x := &data.Dense{Cols: 2}
		for i := range n {
			at := 6 * float64(i%3)
			x.V = append(x.V, at+rng.NormFloat64(), at*float64(i%2)+rng.NormFloat64())
		}
		core := make([]float64, n)
		distance := func(i, j int) float64 { return math.Sqrt(squared(data.Copy(x, i), data.Copy(x, j), []float64{1, 1})) }
		for i := range n {
			var all []float64
			for j := range n {
				all = append(all, distance(i, j))
			}
			slices.Sort(all)
			core[i] = all[size] // its own 0 is the first
		}
		d := &densityTree{least: size}
		var rows []int
		for i := range n {
			rows = append(rows, i)
			d.reach = append(d.reach, make([]float64, n))
			for j := range n {
				d.reach[i][j] = max(core[i], core[j], distance(i, j))
			}
		}
		best := d.best(rows, 0, true)
		if d.unclear {
			continue
		}
		clear++
		s := cluster.Default()
		s.Seed, s.Restarts, s.Effort, s.Audit = trial, 1, cluster.EffortLow, true
		r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x}, published(t, "density"), s)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Objective.Sum(), -best/d.mass; math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("trial %d: the objective is %v, by the paper's formula %v", trial, got, want)
		}
	}
	if clear < 10 {
		t.Errorf("only %d of 30 tables have one tree", clear)
	}
}
