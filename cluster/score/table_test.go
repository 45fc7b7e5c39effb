package score

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func mustTable(t testing.TB, truth, pred []int) *Table {
	t.Helper()
	table, err := NewTable(truth, pred)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestTableByHand(t *testing.T) {
	table := mustTable(t, []int{7, 7, 7, -2, -2, 7}, []int{1, 1, 5, 5, 5, 1})
	if got, want := table.cells, []cell{{0, 1, 2}, {1, 0, 3}, {1, 1, 1}}; !slices.Equal(got, want) {
		t.Errorf("cells %v, want %v", got, want)
	}
	if got := table.classes.values; !slices.Equal(got, []int{-2, 7}) {
		t.Errorf("classes %v", got)
	}
	if got := table.clusters.values; !slices.Equal(got, []int{1, 5}) {
		t.Errorf("clusters %v", got)
	}
	if got := table.classes.sizes; !slices.Equal(got, []int{2, 4}) {
		t.Errorf("class sizes %v", got)
	}
	if got := table.clusters.sizes; !slices.Equal(got, []int{3, 3}) {
		t.Errorf("cluster sizes %v", got)
	}
	if table.n != 6 {
		t.Errorf("n = %d", table.n)
	}
}

func TestTableLengths(t *testing.T) {
	if _, err := NewTable([]int{1}, nil); err == nil {
		t.Error("no error for 1 and 0 labels")
	}
	if _, err := ARI([]int{1}, nil); err == nil {
		t.Error("no error from ARI")
	}
	if _, err := NMI([]int{1}, nil); err == nil {
		t.Error("no error from NMI")
	}
}

// The cells by a map of values, whatever way the table counted them.
func checkCells(t *testing.T, table *Table, truth, pred []int) {
	t.Helper()
	want := make(map[[2]int]int)
	for i := range truth {
		want[[2]int{truth[i], pred[i]}]++
	}
	got := make(map[[2]int]int)
	classes, clusters := table.classes.values, table.clusters.values
	rows, cols := make([]int, len(classes)), make([]int, len(clusters))
	last := cell{class: -1}
	for _, c := range table.cells {
		if c.class < last.class || c.class == last.class && c.cluster <= last.cluster || c.n < 1 {
			t.Fatalf("cell %v after %v", c, last)
		}
		last = c
		got[[2]int{classes[c.class], clusters[c.cluster]}] = c.n
		rows[c.class] += c.n
		cols[c.cluster] += c.n
	}
	if !maps.Equal(got, want) {
		t.Errorf("%d cells, want %d, or they differ", len(got), len(want))
	}
	if !slices.Equal(rows, table.classes.sizes) || !slices.Equal(cols, table.clusters.sizes) {
		t.Error("sizes are not the sums of the cells")
	}
	if table.n != len(truth) {
		t.Errorf("n = %d, want %d", table.n, len(truth))
	}
}

// Every way of counting: one dense table, several workers, look-up codes,
// hashed codes, dense and sorted cells.
func TestTableWays(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, k, m int // points, distinct labels, distance between two labels
	}{
		{"dense", 1000, 7, 1},
		{"dense, several workers", 300_000, 20, 1},
		{"dense with gaps", 1000, 7, 5},
		{"codes by look-up, sorted cells", 20_000, 3000, 1},
		{"codes by hashing, dense cells", 1000, 7, 1 << 40},
		{"codes by hashing, sorted cells", 20_000, 3000, 1 << 50},
		{"all distinct", 9000, 1 << 30, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			a, b := make([]int, c.n), make([]int, c.n)
			for i := range a {
				a[i], b[i] = (r.IntN(c.k)-c.k/2)*c.m, (r.IntN(c.k)-c.k/2)*c.m
			}
			checkCells(t, mustTable(t, a, b), a, b)
		})
	}
}

func TestTableExtremeLabels(t *testing.T) {
	a := []int{math.MinInt, math.MaxInt, 0, math.MaxInt, math.MinInt}
	b := []int{math.MaxInt, math.MaxInt, math.MaxInt, math.MinInt, math.MaxInt - 1}
	checkCells(t, mustTable(t, a, b), a, b)
	// Near an end the offset of the dense table wraps around.
	a = []int{math.MinInt, math.MinInt + 2, math.MinInt}
	b = []int{math.MaxInt, math.MaxInt - 1, math.MaxInt}
	checkCells(t, mustTable(t, a, b), a, b)
}

// FuzzTable feeds labels of any size: bytes as such, and stretched over the
// whole range of int.
func FuzzTable(f *testing.F) {
	f.Add([]byte{}, []byte{}, uint(1))
	f.Add([]byte{1, 1, 2}, []byte{0, 255, 0}, uint(1))
	f.Add([]byte{1, 1, 200}, []byte{0, 255, 0}, uint(1)<<56)
	f.Fuzz(func(t *testing.T, x, y []byte, stretch uint) {
		n := min(len(x), len(y))
		a, b := make([]int, n), make([]int, n)
		for i := range a {
			a[i], b[i] = int(uint(x[i])*stretch), int(uint(y[i])*stretch)
		}
		table := mustTable(t, a, b)
		checkCells(t, table, a, b)
		checkBounds(t, table.Card())
	})
}
