package eigen_test

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// Two triangles joined by one edge: the second eigenvector tells them apart.
// By symmetry its eigenvalue solves 6λ² − 11λ + 2 = 0: λ = (11 − √73)/12.
func ExampleSmallest() {
	g, _ := data.NewGraph(6, []data.Edge{
		{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}, {U: 0, V: 2, W: 1},
		{U: 3, V: 4, W: 1}, {U: 4, V: 5, W: 1}, {U: 3, V: 5, W: 1},
		{U: 2, V: 3, W: 1},
	})
	l, err := eigen.NewLaplacian(g, eigen.Normalised)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := eigen.Smallest(context.Background(), l, eigen.Options{K: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f %.4f\n", p.Values[0], p.Values[1])
	for _, y := range p.Vectors[1] {
		fmt.Print(y > 0, " ")
	}
	// Output:
	// 0.0000 0.2047
	// true true true false false false
}

// The largest eigenvalue of a path's adjacency matrix is 2cos(π/(n+1)).
func ExampleFew() {
	var edges []data.Edge
	for i := range 999 {
		edges = append(edges, data.Edge{U: i, V: i + 1, W: 1})
	}
	g, _ := data.NewGraph(1000, edges)
	p, err := eigen.Few(context.Background(), eigen.Adjacency(g), eigen.Options{K: 1, End: eigen.High})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %.6f, residual below 1e-7: %v\n", p.Method, p.Values[0], p.Residuals[0] < 1e-7)
	// Output: lanczos: 1.999990, residual below 1e-7: true
}

// A system with a Laplacian is singular: the right side must have no part
// along the null vector, and the solver sees to that.
func ExampleSolver() {
	g, _ := data.NewGraph(4, []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}, {U: 2, V: 3, W: 1}})
	l, _ := eigen.NewLaplacian(g, eigen.Plain)
	pre, err := eigen.NewAMG(l, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := eigen.Solver{A: l, Pre: pre, Null: l.Null(1)}
	x := make([]float64, 4)
	got, err := s.Solve(context.Background(), x, []float64{1, 0, 0, -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f in %d iteration\n", x, got.Iterations)
	// Output: [1.5 0.5 -0.5 -1.5] in 1 iteration
}
