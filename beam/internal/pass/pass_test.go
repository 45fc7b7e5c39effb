package pass

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/beam/internal/shards"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

func TestLowestBit(t *testing.T) {
	for y, want := range map[float64]int{1: 0, -3: 0, 12: 2, 0.5: -1, 0: noBit, math.SmallestNonzeroFloat64: -1074, 0x1p-1060: -1060, 0x1.8p100: 99} {
		if got := lowestBit(y); got != want {
			t.Errorf("%v: %d, wanted %d", y, got, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		y := r.NormFloat64() * math.Pow(10, 40*r.Float64()-20)
		scaled := new(big.Float).SetMantExp(big.NewFloat(y), -lowestBit(y))
		if n, _ := scaled.Int(nil); !scaled.IsInt() || n.Bit(0) != 1 {
			t.Fatalf("%v is not an odd multiple of 2^%d", y, lowestBit(y))
		}
	}
}

// Where the limits say so, sums in two numbers are exact: the same in any order, and
// those of big numbers.
func TestSumsWithinLimitsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	exact := 0
	for range 60 {
		const n = 500
		x := &data.Dense{Cols: 1, V: make([]float64, n)}
		sizes := 14 * r.Float64()
		for i := range x.V {
			x.V[i] = r.NormFloat64() * math.Pow(10, -sizes*r.Float64())
		}
		l := newLimits(1)
		l.scan(x, 0)
		if !l.ExactSums(n) {
			continue
		}
		exact++
		want := new(big.Float).SetPrec(2000)
		for _, y := range x.V {
			want.Add(want, big.NewFloat(y))
		}
		for range 3 {
			sum, rest := 0.0, 0.0
			for _, i := range r.Perm(n) {
				sum, rest = simd.TwoSum(sum, rest, x.V[i])
			}
			got := new(big.Float).SetPrec(2000).Add(big.NewFloat(sum), big.NewFloat(rest))
			if nearest, _ := want.Float64(); got.Cmp(want) != 0 || nearest != sum {
				t.Fatalf("sum %v and rest %v, wanted %v", sum, rest, want)
			}
		}
	}
	if exact < 10 || exact == 60 {
		t.Errorf("%d of 60 are within the limits: some should be, some not", exact)
	}
}

func TestPartsComeBack(t *testing.T) {
	l := newLimits(2)
	l.scan(&data.Dense{Cols: 2, V: []float64{1, math.Inf(1), 0, 0}}, 7)
	for _, k := range []int{3, 300, 70_000} {
		p := &part{unit: 5, labels: []int32{0, int32(k - 1)}, count: []int{1, 1}, sum: []float64{1, math.Copysign(0, -1)}, rest: []float64{0, 1e-300},
			distortion: []float64{3}, distances: []float64{}, limits: l}
		b := p.encode(k)
		got, err := decodePart(b)
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%+v, %v, wanted %+v", got, err, p)
		}
		for _, n := range []int{0, 9, len(b) - 1} {
			if _, err := decodePart(b[:n]); err == nil {
				t.Errorf("%d of %d bytes are taken for a part", n, len(b))
			}
		}
	}
	if err := l.CheckFinite(); err == nil || !strings.Contains(err.Error(), "row 7, column 1 is +Inf") || l.Zeros() != 1 {
		t.Errorf("%v, %d rows of zeros", err, l.Zeros())
	}
}

// A unit that is lost or comes twice fails the pass.
func TestUnitsAreCounted(t *testing.T) {
	dir := t.TempDir()
	j := &Job{Kind: Scan, Rows: &shards.Set{Cols: 1, Shards: []shards.Shard{{Rows: 5000}}}, UnitRows: 2048, Parts: dir}
	path := filepath.Join(dir, "job")
	if err := j.Write(path); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		units []int64
		says  string
	}{
		{[]int64{2, 0, 1}, ""},
		{[]int64{2, 0}, "unit 1 of 3 is lost"},
		{[]int64{0, 1, 2, 1}, "unit 1 of 3 came twice"},
		{[]int64{0, 1, 3}, "unit 3 of 3"},
	} {
		os.Remove(j.donePath())
		at := 0
		err := (&Count{Job: path}).ProcessElement(0, func(u *int64) bool {
			if at == len(c.units) {
				return false
			}
			*u = c.units[at]
			at++
			return true
		})
		_, done := os.Stat(j.donePath())
		if c.says == "" && (err != nil || done != nil) || c.says != "" && (err == nil || done == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%v: %v", c.units, err)
		}
	}
}
