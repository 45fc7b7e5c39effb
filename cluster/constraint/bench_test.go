package constraint

import (
	"math/rand/v2"
	"testing"
)

const million = 1_000_000

// chain links 0 to 1, 1 to 2, …; backwards, to be unkind to union-find.
func chainSet(n int) *Set {
	s := &Set{Must: make([]Pair, 0, n-1)}
	for i := n - 1; i > 0; i-- {
		s.Must = append(s.Must, Pair{i, i - 1, 1})
	}
	return s
}

// star links every point to the last.
func starSet(n int) *Set {
	s := &Set{Must: make([]Pair, 0, n-1)}
	for i := range n - 1 {
		s.Must = append(s.Must, Pair{n - 1, i, 1})
	}
	return s
}

func classSet(n, classes int) *Set {
	s := &Set{Labels: make([]Label, n)}
	for i := range s.Labels {
		s.Labels[i] = Label{i, i % classes, 1}
	}
	return s
}

// mixedSet is n/2 must-links in small components and as many cannot-links.
func mixedSet(n int) *Set {
	rng := rand.New(rand.NewPCG(1, 1))
	truth := make([]int, n)
	for i := range truth {
		truth[i] = i * 10 / n
	}
	s := &Set{}
	for range n / 2 {
		i, j := rng.IntN(n), rng.IntN(n)
		if truth[i] != truth[j] {
			s.Cannot = append(s.Cannot, Pair{i, j, 1})
		}
		i -= i % (n / 10)
		s.Must = append(s.Must, Pair{i + rng.IntN(n/10), i + rng.IntN(n/10), 1})
	}
	return s
}

func BenchmarkClose(b *testing.B) {
	for _, bb := range []struct {
		name string
		set  func() *Set
	}{
		{"chain/n=1000000", func() *Set { return chainSet(million) }},
		{"star/n=1000000", func() *Set { return starSet(million) }},
		{"labels/n=1000000/classes=1000", func() *Set { return classSet(million, 1000) }},
		{"mixed/n=1000000", func() *Set { return mixedSet(million) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			s := bb.set()
			b.ReportAllocs()
			b.SetBytes(int64(24 * (len(s.Must) + len(s.Cannot) + len(s.Labels))))
			for b.Loop() {
				if _, err := Close(million, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkConflicts(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	cannot := make([]Pair, 100000)
	for at := range cannot {
		cannot[at] = Pair{rng.IntN(million), rng.IntN(million), 1}
	}
	cyclic := chainSet(million)
	for range million / 2 {
		cyclic.Must = append(cyclic.Must, Pair{rng.IntN(million), rng.IntN(million), 1})
	}
	two := chainSet(million)
	two.Labels = []Label{{0, 0, 1}, {million - 1, 1, 1}}
	for _, bb := range []struct {
		name   string
		s      *Set
		cannot []Pair
	}{
		{"chain/n=1000000/cannot=1", chainSet(million), []Pair{{0, million - 1, 1}}},
		{"chain/n=1000000/cannot=100000", chainSet(million), cannot},
		{"star/n=1000000/cannot=100000", starSet(million), cannot},
		{"cyclic/n=1000000/cannot=100000", cyclic, cannot},
		{"labels/n=1000000", two, nil},
	} {
		b.Run(bb.name, func(b *testing.B) {
			s := bb.s.clone()
			s.Cannot = bb.cannot
			b.ReportAllocs()
			for b.Loop() {
				if len(Conflicts(million, s, 10)) == 0 {
					b.Fatal("no conflict")
				}
			}
		})
	}
}

func BenchmarkFeasible(b *testing.B) {
	for _, bb := range []struct {
		name    string
		n, m, k int
	}{
		{"n=1000000/m=1000000/k=10", million, million, 10},
		{"n=2000/m=9000/k=3", 2000, 9000, 3},
		{"n=300/m=2500/k=4", 300, 2500, 4},
	} {
		b.Run(bb.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			s := &Set{}
			for range bb.m {
				if i, j := rng.IntN(bb.n), rng.IntN(bb.n); i%bb.k != j%bb.k {
					s.Cannot = append(s.Cannot, Pair{i, j, 1})
				}
			}
			c := mustClose(b, bb.n, s)
			b.ReportAllocs()
			for b.Loop() {
				c.Feasible(bb.k)
			}
		})
	}
}

func BenchmarkLint(b *testing.B) {
	s := mixedSet(million)
	b.Run("n=1000000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Lint(million, s)
		}
	})
}
