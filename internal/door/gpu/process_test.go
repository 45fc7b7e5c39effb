package gpu

import (
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

	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/device"
	"github.com/inklinghq/inkling/internal/numeric/device/wire"
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
	x, c        []byte
	labels      []int32
}

func (s *set) number(i int) float64 {
	if s.width == 4 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(s.x[4*i:])))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(s.x[8*i:]))
}

func (s *set) search() {
	row, c := make([]float64, s.d), make([]float64, s.d)
	for i := range s.labels {
		for f := range row {
			row[f] = s.number(i*s.d + f)
		}
		best := math.Inf(1)
		for h := range s.k {
			for f := range c {
				c[f] = math.Float64frombits(binary.LittleEndian.Uint64(s.c[8*(h*s.d+f):]))
			}
			if y := simd.Dist2(row, c); y < best {
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
			sets[q.Rows] = &set{d: int(q.Size), width: int(q.From), x: make([]byte, q.At*q.Size*q.From), labels: make([]int32, q.At)}
		case wire.Fill:
			_, err = window.ReadAt(s.x[q.At:q.At+q.Size], int64(q.From))
		case wire.Centres:
			s.k, s.c = int(q.At), make([]byte, q.At*uint64(s.d)*8)
		case wire.FillC:
			_, err = window.ReadAt(s.c[q.At:q.At+q.Size], int64(q.From))
		case wire.Search:
			if searches++; kind == "dies" && searches == 2 {
				return fmt.Errorf("the GPU has fallen off the bus")
			}
			s.search()
		case wire.ReadLabel:
			b, _ := binary.Append(nil, binary.LittleEndian, s.labels[q.At:q.At+q.Size])
			_, err = window.WriteAt(b, int64(q.From))
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
	for _, c := range []struct{ n, d, k int }{{1, 1, 2}, {700, 3, 4}, {wire.Window/8 + 5, 1, 3}, {2, 3, wire.Window/24 + 9}, {wire.Window/4 + 7, 1, 2}} {
		x, flat := rows(c.n, c.d)
		_, centres := rows(c.k, c.d)
		number, err := b.Upload(context.Background(), x, c.d)
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]int32, c.n)
		if err := b.Nearest(context.Background(), number, c.k, centres, labels); err != nil {
			t.Fatal(err)
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
				done, err := d.Nearest(context.Background(), x, 2, centres, labels)
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
		if done, err := d.Nearest(context.Background(), x, 2, centres, make([]int32, 40+i%2)); !done || err != nil {
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
	if done, err := device.New(b, nil).Nearest(ctx, x, 2, make([]float64, 8), make([]int32, 40)); done || err != context.Canceled {
		t.Errorf("must be cancelled, got %v, %v", done, err)
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
