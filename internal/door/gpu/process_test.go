package gpu

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/numeric/device"
	"github.com/inklinghq/inkling/internal/numeric/device/wire"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// TestMain is the program that drives a GPU where the environment asks for one of its kinds.
func TestMain(m *testing.M) {
	kind := os.Getenv("INKLING_TEST_GPU")
	if kind == "" {
		os.Exit(m.Run())
	}
	if err := serve(kind, os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, Program+":", err)
		os.Exit(1)
	}
}

// A set is rows of the reference program.
type set struct {
	d, width, k int
	sums        int // how many
	labels, was []int32
	arrays      map[wire.Array][]byte
}

// little returns numbers as they are in the window.
func little(numbers any) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, numbers)
	return b
}

func (s *set) float64s(a wire.Array) []float64 {
	y := make([]float64, len(s.arrays[a])/8)
	binary.Decode(s.arrays[a], binary.LittleEndian, y) //nolint:errcheck // there are as many
	return y
}

// list lists what a search has moved.
func (s *set) list(anew bool) (moved uint64) {
	var moves []device.Move
	for i, h := range s.labels {
		from := s.was[i]
		if anew {
			from = -1
		}
		if h != from {
			moves = append(moves, device.Move{Row: int32(i), From: from, To: h})
		}
	}
	copy(s.was, s.labels)
	s.arrays[wire.Labels], s.arrays[wire.Moves] = little(s.labels), little(moves)
	return uint64(len(moves))
}

// addMoves adds the moves to the sums.
func (s *set) addMoves() {
	moves := make([]device.Move, len(s.arrays[wire.Moves])/wire.MoveSize)
	binary.Decode(s.arrays[wire.Moves], binary.LittleEndian, moves) //nolint:errcheck // there are as many
	sums := make([]float64, 2*s.sums*s.d)
	binary.Decode(s.arrays[wire.Sums], binary.LittleEndian, sums) //nolint:errcheck // there are as many
	half := len(sums) / 2
	more := make([]int32, s.sums)
	for _, m := range moves {
		for _, to := range []struct {
			h    int32
			sign float64
		}{{m.From, -1}, {m.To, 1}} {
			if to.h < 0 {
				continue
			}
			more[to.h] += int32(to.sign)
			for f := range s.d {
				at := int(to.h)*s.d + f
				sums[at], sums[half+at] = simd.TwoSum(sums[at], sums[half+at], to.sign*s.number(int(m.Row)*s.d+f))
			}
		}
	}
	s.arrays[wire.Sums] = append(little(sums), little(more)...)
}

// neighbours finds neighbours of all rows but every tenth.
func (s *set) neighbours(k int) {
	n := len(s.labels)
	var idx []int32
	var dist []float64
	for i := range n {
		order, y := make([]int32, 0, n), make([]float64, n)
		for j := range n {
			if j != i {
				order = append(order, int32(j))
			}
			for f := range s.d {
				e := s.number(i*s.d+f) - s.number(j*s.d+f)
				y[j] += float64(e * e)
			}
		}
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(y[a], y[b]) })
		for q, j := range order[:k] {
			idx, dist = append(idx, j), append(dist, y[j])
			if i%10 == 0 && q == 0 {
				idx[len(idx)-1] = -1
			}
		}
	}
	s.arrays[wire.Near], s.arrays[wire.Distances] = little(idx), little(dist)
}

func (s *set) number(i int) float64 {
	if s.width == 4 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(s.arrays[wire.Values][4*i:])))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(s.arrays[wire.Values][8*i:]))
}

func (s *set) search() {
	row, all := make([]float64, s.d), s.float64s(wire.Centres)
	for i := range s.labels {
		for f := range row {
			row[f] = s.number(i*s.d + f)
		}
		best := math.Inf(1)
		for h := range s.k {
			if y := simd.Dist2(row, all[h*s.d:(h+1)*s.d]); y < best {
				best, s.labels[i] = y, int32(h)
			}
		}
	}
}

// serve is the reference program: what inkling-gpu does, on the cores.
func serve(kind, path string, in io.Reader, out io.Writer) error {
	window, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	sets, searches := map[uint32]*set{}, 0
	for {
		q, err := wire.ReadRequest(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var y wire.Reply
		var text []byte
		s := sets[q.Rows]
		fail := func(why string) { y.Failure, text = 1, []byte(why) }
		switch q.Op {
		case wire.Describe:
			about := wire.Description{Protocol: wire.Version, Name: "a test"}
			switch kind {
			case "old":
				about.Protocol = 0
			case "none":
				fail("the driver found no GPU")
			case "mute":
				select {}
			case "garbage":
				out.Write(slices.Repeat([]byte{0xFF}, 64)) //nolint:errcheck // the reader may be gone
				return nil
			case "silent":
				return nil
			}
			if y.Failure == 0 {
				text, _ = json.Marshal(about)
			}
		case wire.Rows:
			if kind == "memory" || kind == "full" && len(sets) == 1 {
				fail("cuMemAlloc failed: out of memory")
				break
			}
			sets[q.Rows] = &set{d: int(q.Size), width: int(q.From), labels: make([]int32, q.At), was: slices.Repeat([]int32{-1}, int(q.At)),
				arrays: map[wire.Array][]byte{wire.Values: make([]byte, q.At*q.Size*q.From)}}
		case wire.Fill:
			_, err = window.ReadAt(s.arrays[q.Array][q.At:q.At+q.Size], int64(q.From))
		case wire.Read:
			_, err = window.WriteAt(s.arrays[q.Array][q.At:q.At+q.Size], int64(q.From))
		case wire.SetCentres:
			s.k, s.arrays[wire.Centres] = int(q.At), make([]byte, q.At*uint64(s.d)*8)
		case wire.SetSums:
			if k := int(q.At); k != s.sums {
				s.sums, s.arrays[wire.Sums] = k, make([]byte, 16*k*s.d+4*k)
			}
		case wire.Search:
			if searches++; kind == "dies" && searches == 2 {
				return fmt.Errorf("the GPU has fallen off the bus")
			}
			s.search()
			y.Count = s.list(q.At != 0)
			if m := s.arrays[wire.Moves]; uint64(len(m)) <= q.Size {
				_, err = window.WriteAt(m, int64(q.From))
			}
		case wire.AddMoves:
			if kind == "sums" {
				return fmt.Errorf("the GPU has fallen off the bus")
			}
			s.addMoves()
		case wire.Neighbours:
			s.neighbours(int(q.At))
		case wire.Drop:
			delete(sets, q.Rows)
		}
		if err != nil {
			return err
		}
		y.Length = uint32(len(text))
		if err := wire.Write(out, y, text); err != nil {
			return err
		}
	}
}

// start starts the reference program of a kind.
func start(t *testing.T, kind string) (device.Backend, wire.Description, error) {
	t.Helper()
	t.Setenv("INKLING_TEST_GPU", kind)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	if kind == "mute" {
		cancel()
	}
	b, about, err := Start(ctx, self)
	if b != nil {
		t.Cleanup(func() { b.Close() })
	}
	return b, about, err
}

func rows(n, d int) (device.Numbers, []float64) {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	x := make([]float64, n*d)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return device.Numbers{F64: x}, x
}

// Labels are those of the definition, also where rows, centres and labels do not fit into
// the window at once.
func TestLabelsThroughTheWindow(t *testing.T) {
	b, about, err := start(t, "good")
	if err != nil {
		t.Fatal(err)
	}
	if about.Name != "a test" {
		t.Errorf("the GPU must be called a test, got %q", about.Name)
	}
	sizes := []struct{ n, d, k int }{{1, 1, 2}, {700, 3, 4}, {2, 3, wire.Half/24 + 9}, {wire.Half/4 + 7, 1, 2}}
	if testing.Short() {
		sizes = sizes[:2] // what the race detector sees there is the same, a hundred times
	}
	for _, c := range sizes {
		x, flat := rows(c.n, c.d)
		_, centres := rows(c.k, c.d)
		number, err := b.Upload(context.Background(), x, c.d)
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]int32, c.n)
		moved, list, err := b.Nearest(context.Background(), number, c.k, centres, false, c.n)
		if err != nil || moved != c.n || len(list) != c.n && c.n*wire.MoveSize <= wire.Half {
			t.Fatalf("%v: all rows must have moved, got %d and %d in the list, %v", c, moved, len(list), err)
		}
		if err := b.Labels(context.Background(), number, labels); err != nil {
			t.Fatal(err)
		}
		for i, m := range list {
			if m != (device.Move{Row: int32(i), From: -1, To: labels[i]}) {
				t.Fatalf("%v: move %d must be of that row to %d, got %v", c, i, labels[i], m)
			}
		}
		for i := 0; i < c.n; i += 1 + c.n/50 {
			best, want := math.Inf(1), int32(0)
			for h := range c.k {
				if y := simd.Dist2(flat[i*c.d:(i+1)*c.d], centres[h*c.d:(h+1)*c.d]); y < best {
					best, want = y, int32(h)
				}
			}
			if labels[i] != want {
				t.Fatalf("%v: label %d must be %d, got %d", c, i, want, labels[i])
			}
		}
		if err := b.Drop(number); err != nil {
			t.Fatal(err)
		}
	}
}

// A program that cannot be used is refused with the reason.
func TestStartRefuses(t *testing.T) {
	for kind, want := range map[string]string{"old": "must speak protocol", "none": "found no GPU", "mute": "canceled", "garbage": "at most", "silent": "has ended"} {
		if _, _, err := start(t, kind); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error must say %q, got %v", kind, want, err)
		}
	}
	if _, _, err := Start(context.Background(), filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a program that does not exist must be refused")
	}
}

// A GPU that fails ends the fit that needs it, and leaves to the cores the one that does not.
func TestFailures(t *testing.T) {
	x, _ := rows(50, 2)
	_, centres := rows(3, 2)
	for kind, searches := range map[string]int{"dies": 1, "memory": 0} {
		for _, must := range []bool{false, true} {
			b, _, err := start(t, kind)
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			var ended []error
			d := device.New(b, func(err error) { ended = append(ended, err) })
			if !must {
				d = device.Lazy(func(context.Context) (device.Backend, error) { return b, nil }, func(s string) { told = append(told, s) }).All()
			}
			labels := make([]int32, 50)
			for i := range 4 {
				_, done, err := d.Nearest(context.Background(), x, 2, centres, labels, false, true)
				if done != (i < searches) {
					t.Errorf("%s, must %v: search %d done: %v", kind, must, i, done)
				}
				if failed := i >= searches && must; (err != nil) != failed {
					t.Errorf("%s, must %v: error of search %d: %v", kind, must, i, err)
				}
			}
			if must && (len(ended) != 1 || ended[0] == nil || d.Failure() == nil) {
				t.Errorf("%s: must end the fit once with an error, got %v", kind, ended)
			}
			if !must && len(told) != 1 {
				t.Errorf("%s: must be told once, got %q", kind, told)
			}
		}
	}
}

// Rows that do not fit beside others take their place.
func TestRowsMakeRoom(t *testing.T) {
	b, _, err := start(t, "full")
	if err != nil {
		t.Fatal(err)
	}
	d := device.New(b, nil)
	_, centres := rows(3, 2)
	for i := range 6 {
		x, _ := rows(40+i%2, 2)
		if _, done, err := d.Nearest(context.Background(), x, 2, centres, make([]int32, 40+i%2), false, true); !done || err != nil {
			t.Fatalf("search %d: done %v, %v", i, done, err)
		}
	}
	if name, n := d.Used(); name != "a test" || n != 6 {
		t.Errorf("6 searches on a test, got %d on %s", n, name)
	}
}

// Where the context ends in a search, the search does.
func TestCancel(t *testing.T) {
	b, _, err := start(t, "good")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x, _ := rows(40, 2)
	if _, done, err := device.New(b, nil).Nearest(ctx, x, 2, make([]float64, 8), make([]int32, 40), false, true); done || err != context.Canceled {
		t.Errorf("must be cancelled, got %v, %v", done, err)
	}
}

// A run on a device that finds labels and adds sums has the bits of one on the cores, also where the device fails in
// between.
func TestRunsHaveTheBitsOfTheCores(t *testing.T) {
	const n, d, k = 60000, 40, 7
	_, x := rows(n, d)
	for i := range x {
		x[i] += float64(i / d % k)
	}
	run := func(ctx context.Context) ([]int, float64) {
		first := lloyd.NewCentres(k, d, slices.Clone(x[:k*d]))
		r, err := lloyd.Start(ctx, lloyd.Space{Problem: &cluster.Problem{X: &data.Dense{Cols: d, V: x}, K: k}}, &cluster.Env{Workers: 2}, first, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := lloyd.SearchSwaps(r, cluster.EffortNormal, nil, lloyd.AllSwaps)
		for range 6 {
			for _, stage := range s.Stages() {
				if _, err := stage.Do(ctx); err != nil {
					t.Fatal(err)
				}
			}
		}
		return s.Labels(), r.Tracked().Sum()
	}
	labels, cost := run(context.Background())
	for _, kind := range []string{"good", "dies", "sums"} {
		b, _, err := start(t, kind)
		if err != nil {
			t.Fatal(err)
		}
		dev := device.Lazy(func(context.Context) (device.Backend, error) { return b, nil }, func(string) {}).All()
		got, gotCost := run(device.With(context.Background(), dev))
		if _, searches := dev.Used(); searches == 0 {
			t.Errorf("%s: the device was not used", kind)
		}
		if !slices.Equal(got, labels) || math.Float64bits(gotCost) != math.Float64bits(cost) {
			t.Errorf("%s: labels or cost %v differ from those of the cores, %v", kind, gotCost, cost)
		}
	}
}

// Sums are of what was moved for the labels, also where others search the same rows in between: then the cores add.
func TestSumsAreOfTheOwnSearch(t *testing.T) {
	const n, d, k = 500, 3, 4
	b, _, err := start(t, "good")
	if err != nil {
		t.Fatal(err)
	}
	dev, ctx := device.New(b, nil), context.Background()
	x, flat := rows(n, d)
	sums := func() device.Sums {
		return device.Sums{Sum: make([]float64, k*d), Rest: make([]float64, k*d)}
	}
	own, other, more := make([]int32, n), make([]int32, n), make([]int32, k)
	search := func(labels []int32, from int) {
		if _, done, err := dev.Nearest(ctx, x, d, flat[from:from+k*d], labels, true, false); !done || err != nil {
			t.Fatal(done, err)
		}
	}
	search(own, 0)
	search(other, 300)
	if done, err := dev.AddMoves(ctx, x, d, own, sums(), sums(), more, false); done || err != nil {
		t.Errorf("the moves of another search must not be added, got %v, %v", done, err)
	}
	search(own, 0)
	now := sums()
	if done, err := dev.AddMoves(ctx, x, d, own, sums(), now, more, false); !done || err != nil {
		t.Fatal(done, err)
	}
	want := make([]int32, k)
	for _, h := range own {
		want[h]++
	}
	if !slices.Equal(more, want) {
		t.Errorf("clusters must have %v rows more, got %v", want, more)
	}
}

// Neighbours by a device are those of the cores, with the rows that it leaves.
func TestNeighboursHaveTheBitsOfTheCores(t *testing.T) {
	const n, d, k = 300, 70, 5
	_, x := rows(n, d)
	find := func(ctx context.Context) *affinity.Neighbours {
		nb, err := affinity.KNN(ctx, &data.Dense{Cols: d, V: x}, k, affinity.KNNOptions{Method: affinity.SearchExact})
		if err != nil {
			t.Fatal(err)
		}
		return nb
	}
	want := find(context.Background())
	b, _, err := start(t, "good")
	if err != nil {
		t.Fatal(err)
	}
	dev := device.New(b, nil)
	got := find(device.With(context.Background(), dev))
	if _, searches := dev.Used(); searches != 1 {
		t.Errorf("one search on the device, got %d", searches)
	}
	if !slices.Equal(got.Idx, want.Idx) || !slices.Equal(got.Dist2, want.Dist2) {
		t.Error("neighbours differ from those of the cores")
	}
}

func FuzzReply(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'n', 'o'})
	f.Fuzz(func(t *testing.T, b []byte) {
		y, text, err := wire.ReadReply(strings.NewReader(string(b)))
		if err == nil && len(text) != int(y.Length) {
			t.Errorf("a text of %d bytes, got %d", y.Length, len(text))
		}
	})
}
