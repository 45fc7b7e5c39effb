package simd

import (
	"math/rand/v2"
	"testing"
)

// sameRounded fails unless rows that are rounded once get the labels of naive by
// any centres that they serve, all rows of a block or some of them, and bounds
// that hold. It reports whether rows were rounded.
func sameRounded[T number](t testing.TB, x []T, wide, first, c []float64, d int, b *Block) bool {
	t.Helper()
	r := Round(Pack(len(first)/d, d, first), x)
	if r == nil {
		return false
	}
	n := len(x) / d
	for block := range (n + RoundedLen - 1) / RoundedLen {
		r.Fill(block, b)
	}
	p := Pack(len(c)/d, d, c)
	if !r.Serves(p) {
		return false
	}
	want, dist, second := naive(wide, c, d)
	for lo := 0; lo < n; lo += RoundedLen {
		some := []int32{}
		for i := range int32(min(RoundedLen, n-lo)) {
			if i%3 == 1 {
				some = append(some, i)
			}
		}
		for _, which := range [][]int32{nil, some, {}} {
			for _, bounds := range []bool{false, true} {
				b.Bounds = bounds
				r.Nearest(p, lo/RoundedLen, which, b)
				for j, h := range b.Label {
					i := lo + j
					if which != nil {
						i = lo + int(which[j])
					}
					if h != want[i] {
						t.Fatalf("row %d of %d, d %d, k %d: label %d, want %d", i, n, d, len(c)/d, h, want[i])
					}
					if bounds && !(b.Least[j] <= dist[i] && dist[i] <= b.Most[j] && b.Second[j] <= second[i]) {
						t.Fatalf("row %d: %g and %g about %g, %g below %g", i, b.Least[j], b.Most[j], dist[i], b.Second[j], second[i])
					}
				}
			}
		}
	}
	return true
}

// Rows are rounded for the first centres and searched for others: such as have
// moved little, such as have come together, and some of them alone.
func TestRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	eachLevel(t, func(t *testing.T) {
		served, b := 0, new(Block)
		for _, s := range []struct{ n, d, k int }{{1, 4, 2}, {13, 5, 3}, {1024, 4, 17}, {1025, 7, 33}, {2500, 32, 100}, {1100, 33, 40}, {1030, 128, 70}, {300, 3, 5}} {
			x, first := normal(r, s.n*s.d), normal(r, s.k*s.d)
			for i := range x {
				x[i] += 100 // far from the origin
			}
			for i := range first {
				first[i] += 100
			}
			moved, near := make([]float64, len(first)), make([]float64, len(first))
			for i, y := range first {
				moved[i] = y + 0.01*r.NormFloat64()
				near[i] = 100 + 0.7*(y-100)
			}
			for _, c := range [][]float64{first, moved, near, moved[:s.d*(1+s.k/3)]} {
				if sameRounded(t, x, x, first, c, s.d, b) {
					served++
				}
				small := narrow(x)
				if sameRounded(t, small, widen(small), first, c, s.d, b) {
					served++
				}
			}
		}
		if want := 40; level >= VNNI && served < want {
			t.Errorf("rows were searched as integers %d times, want %d", served, want)
		}
	})
}

// Centres that lie too far out, or all at the offset, are not served, and rows
// that belong to other rounded rows' centres are not either.
func TestRoundedServes(t *testing.T) {
	if level < VNNI {
		t.Skip("this machine does not search in integers")
	}
	r := rand.New(rand.NewPCG(53, 54))
	const d, k = 8, 6
	x, first := normal(r, 50*d), normal(r, k*d)
	rows, others := Round(Pack(k, d, first), x), Round(Pack(k, d, first), x)
	far, one := make([]float64, k*d), make([]float64, k*d)
	for i, y := range first {
		far[i] = 9 * y
		one[i%d] += y / k
	}
	for i := range one {
		one[i] = one[i%d] // where the offset is
	}
	if rows.Serves(Pack(k, d, far)) || rows.Serves(Pack(k, d, one)) {
		t.Error("centres are served that must not be")
	}
	p := Pack(k, d, first)
	if !rows.Serves(p) || others.Serves(p) {
		t.Error("centres are to be served by the rows that they met first, and by no others")
	}
}

// A huge row, one that is not finite in float32 and many equal ones among others.
func TestRoundedHard(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 56))
	eachLevel(t, func(t *testing.T) {
		const n, d, k = 1500, 6, 12
		x, first := normal(r, n*d), normal(r, k*d)
		for f := range d {
			x[3*d+f] *= 1e30
			x[5*d+f] *= 1e200
			x[7*d+f] *= 300
		}
		for i := 600; i < 900; i++ {
			copy(x[i*d:(i+1)*d], first[:d]) // at a centre
		}
		copy(first[2*d:3*d], first[:d]) // an equal centre
		b := new(Block)
		sameRounded(t, x, x, first, first, d, b)
	})
}
