package score

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
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
	if got, want := slices.Collect(table.Cells()), []Cell{{0, 1, 2}, {1, 0, 3}, {1, 1, 1}}; !slices.Equal(got, want) {
		t.Errorf("cells %v, want %v", got, want)
	}
	if got := table.ClassNames(); !slices.Equal(got, []string{"-2", "7"}) {
		t.Errorf("classes %q", got)
	}
	if got := table.ClusterNames(); !slices.Equal(got, []string{"1", "5"}) {
		t.Errorf("clusters %q", got)
	}
	if got := table.ClassSizes(); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("class sizes %v", got)
	}
	if got := table.ClusterSizes(); !slices.Equal(got, []int{3, 3}) {
		t.Errorf("cluster sizes %v", got)
	}
	if table.N() != 6 {
		t.Errorf("n = %d", table.N())
	}
}

func TestTableLengths(t *testing.T) {
	if _, err := NewTable([]int{1}, nil); err == nil {
		t.Error("no error for 1 and 0 labels")
	}
	if _, err := NewTableStrings(nil, []string{"a"}); err == nil {
		t.Error("no error for 0 and 1 names")
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
	want := make(map[[2]string]int)
	for i := range truth {
		want[[2]string{strconv.Itoa(truth[i]), strconv.Itoa(pred[i])}]++
	}
	got := make(map[[2]string]int)
	classes, clusters := table.ClassNames(), table.ClusterNames()
	rows, cols := make([]int, len(classes)), make([]int, len(clusters))
	last := Cell{Class: -1}
	for c := range table.Cells() {
		if c.Class < last.Class || c.Class == last.Class && c.Cluster <= last.Cluster || c.N < 1 {
			t.Fatalf("cell %v after %v", c, last)
		}
		last = c
		got[[2]string{classes[c.Class], clusters[c.Cluster]}] = c.N
		rows[c.Class] += c.N
		cols[c.Cluster] += c.N
	}
	if !maps.Equal(got, want) {
		t.Errorf("%d cells, want %d, or they differ", len(got), len(want))
	}
	if !slices.Equal(rows, table.ClassSizes()) || !slices.Equal(cols, table.ClusterSizes()) {
		t.Error("sizes are not the sums of the cells")
	}
	if table.N() != len(truth) {
		t.Errorf("n = %d, want %d", table.N(), len(truth))
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

func TestTableStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "cat", "Ω"}), 0, 30).Draw(t, "a")
		b := rapid.SliceOfN(rapid.StringN(0, 1, 2), len(a), len(a)).Draw(t, "b")
		table, err := NewTableStrings(a, b)
		if err != nil {
			t.Fatal(err)
		}
		names := [2][]string{table.ClassNames(), table.ClusterNames()}
		if !slices.IsSorted(names[0]) || !slices.IsSorted(names[1]) {
			t.Fatalf("names do not rise: %q", names)
		}
		want := make(map[[2]string]int)
		for i := range a {
			want[[2]string{a[i], b[i]}]++
		}
		got := make(map[[2]string]int)
		for c := range table.Cells() {
			got[[2]string{names[0][c.Class], names[1][c.Cluster]}] = c.N
		}
		if !maps.Equal(got, want) {
			t.Fatalf("cells %v, want %v", got, want)
		}
	})
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
