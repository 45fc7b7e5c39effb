package affinity

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		x := -math.Exp(8*rng.NormFloat64() - 2)
		got, want := exp(x), math.Exp(x)
		// Three units in the last digit, and of the least number where digits
		// run out.
		if math.Abs(got-want) > 3*0x1p-52*want+2*math.SmallestNonzeroFloat64 {
			t.Fatalf("e^%v is %v, it should be %v", x, got, want)
		}
	}
	for x, want := range map[float64]float64{0: 1, math.Inf(-1): 0, -1e300: 0, -746: 0} {
		if got := exp(x); got != want {
			t.Errorf("e^%v is %v", x, got)
		}
	}
}

func TestHalve(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + rng.IntN(400)
		keys, m, side := make([]rowKey, n), rng.IntN(n+1), 1+rng.IntN(300)
		for i, j := range rng.Perm(n) {
			keys[i] = rowKey{float64(rng.IntN(side)), int32(j)}
		}
		seen := map[int32]bool{}
		selectFirst(keys, m)
		for i, a := range keys {
			seen[a.row] = true
			for _, b := range keys[max(i, m):] {
				if i < m && b.before(a) {
					t.Fatalf("%v comes before %v among the first %d", a, b, m)
				}
			}
		}
		if len(seen) != n {
			t.Fatalf("%d keys became %d", n, len(seen))
		}
	}
}

func TestNth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		n := 1 + rng.IntN(300)
		v, m, side := make([]float64, n), rng.IntN(n), 1+rng.IntN(300)
		for i := range v {
			v[i] = float64(rng.IntN(side))
		}
		sorted := slices.Sorted(slices.Values(v))
		if got := SelectNth(v, m); got != sorted[m] || v[m] != got || slices.Max(v[:m+1]) != got {
			t.Fatalf("number %d of %v is reported as %v", m, sorted, got)
		}
		if slices.Sort(v); !slices.Equal(v, sorted) {
			t.Fatalf("%v became %v", sorted, v)
		}
	}
}

func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	count := make([]int, 10)
	for range 3000 {
		last := -1
		for _, i := range drawSorted(rng, 10, 4) {
			if i <= last || i >= 10 {
				t.Fatalf("%d after %d", i, last)
			}
			last = i
			count[i]++
		}
	}
	for i, c := range count { // 1200 each, within five standard deviations
		if math.Abs(float64(c)-1200) > 5*math.Sqrt(3000*0.4*0.6) {
			t.Errorf("%d was drawn %d times of 1200", i, c)
		}
	}
}

func TestCorner(t *testing.T) {
	task := 0
	for a := range 40 {
		for b := range a + 1 {
			if x, y := tileOfTask(task); x != a || y != b {
				t.Fatalf("task %d is tile %d, %d, it should be %d, %d", task, x, y, a, b)
			}
			task++
		}
	}
}
