package segment

import (
	"context"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// A path 0–1–2–3 with weights 1, 2, 2, of which the ends are known. Resistances
// are 1, ½ and ½: half of the way is done at node 1, three quarters at node 2.
// With a pull of weight 2 of node 2 to segment 0,
// 3x₁ = 2x₂ and 6x₂ = 2x₁ + 2, so x₂ = 3/7 and x₁ = 2/7.
func TestHarmonicByHand(t *testing.T) {
	g, err := data.NewGraph(4, []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 2}, {U: 2, V: 3, W: 2}})
	if err != nil {
		t.Fatal(err)
	}
	f := &harmonicProblem{graph: g, known: []uint8{0, unknown, unknown, 1}, k: 2}
	for _, c := range []struct {
		pull []float64
		want [4]float64
	}{{nil, [4]float64{0, 0.5, 0.75, 1}}, {[]float64{0, 0, 2, 0}, [4]float64{0, 2. / 7, 3. / 7, 1}}} {
		f.pull, f.toward = c.pull, make([]uint8, 4)
		got, _, err := f.solve(context.Background(), 1e-10, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if math.Abs(got[1][i]-want) > 1e-8 || math.Abs(got[0][i]-1+want) > 1e-8 {
				t.Errorf("pull %v, node %d: %v and %v, want %v", c.pull, i, got[0][i], got[1][i], want)
			}
		}
	}
}

// Shares are what walks say: the chance to meet a stroke first, counted.
func TestHarmonicIsWalks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var edges []data.Edge
	for i := range 12 {
		edges = append(edges, data.Edge{U: i, V: (i + 1) % 12, W: 0.2 + rng.Float64()}, data.Edge{U: i, V: (i + 5) % 12, W: rng.Float64()})
	}
	g, err := data.NewGraph(12, edges)
	if err != nil {
		t.Fatal(err)
	}
	known := make([]uint8, 12)
	for i := range known {
		known[i] = unknown
	}
	known[0], known[4], known[9] = 0, 1, 2
	f := &harmonicProblem{graph: g, known: known, k: 3}
	share, _, err := f.solve(context.Background(), 1e-8, 1)
	if err != nil {
		t.Fatal(err)
	}
	const walks = 20_000
	for _, from := range []int{2, 7} {
		met := [3]float64{}
		for range walks {
			at := from
			for known[at] == unknown {
				to, w := g.Neighbours(at)
				left := rng.Float64() * g.Degree(at)
				next := len(to) - 1
				for e := range to {
					if left -= w[e]; left < 0 {
						next = e
						break
					}
				}
				at = int(to[next])
			}
			met[known[at]]++
		}
		for h := range met {
			if d := math.Abs(met[h]/walks - share[h][from]); d > 0.02 { // five standard errors
				t.Errorf("from %d, segment %d: %v of the walks, share %v", from, h, met[h]/walks, share[h][from])
			}
		}
	}
}

// Every superpixel is connected, has pixels, and none is lost.
func TestSuperpixelsAreConnected(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	m := image.NewGray(image.Rect(0, 0, 61, 47))
	for i := range m.Pix {
		m.Pix[i] = uint8(rng.IntN(256))
	}
	c, err := newCanvas(context.Background(), m, 2)
	if err != nil {
		t.Fatal(err)
	}
	number, count, err := superpixels(context.Background(), c, 5, compactness, 2)
	if err != nil {
		t.Fatal(err)
	}
	fresh := make([]int32, len(number))
	for i := range fresh {
		fresh[i] = -1
	}
	patches := 0
	for i := range number {
		if fresh[i] >= 0 {
			continue
		}
		if int(number[i]) != patches {
			t.Fatalf("pixel %d begins patch %d, which has number %d", i, patches, number[i])
		}
		if n := len(c.floodPatch(nil, int32(i), number, fresh, number[i])); n < 25/4 && patches > 0 {
			t.Errorf("patch %d has %d pixels", patches, n)
		}
		patches++
	}
	if patches != count || count < 20 {
		t.Errorf("%d patches, %d reported", patches, count)
	}
}
