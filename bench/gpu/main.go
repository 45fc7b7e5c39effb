// Command gpu compares fits on a GPU with the same fits on the cores: their bits, and how
// long they take. It needs inkling-gpu beside it, on the PATH or named by INKLING_GPU.
//
//	go run ./bench/gpu methods          every method on both, with the SHA-256 of its result
//	go run ./bench/gpu fit -n 10000000 -d 128 -k 1024
//	go run ./bench/gpu iterations -n 10000000 -d 128 -k 1024
//	go run ./bench/gpu neighbours -n 1000000 -d 128 -k 1000
//	go run ./bench/gpu fit -method pc-kmeans -effort low -n 10000000 -d 128 -k 1024 -pairs 1000000
//	go run ./bench/gpu predict -n 100000000 -d 64 -k 1000
package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door/gpu"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/numeric/device"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

type options struct {
	n, d, k, pairs, iterations int
	method, on, effort         string
	spread                     float64
	double                     bool
}

func main() {
	var o options
	f := flag.NewFlagSet("gpu", flag.ExitOnError)
	f.IntVar(&o.n, "n", 1_000_000, "rows")
	f.IntVar(&o.d, "d", 64, "features")
	f.IntVar(&o.k, "k", 300, "clusters")
	f.IntVar(&o.pairs, "pairs", 0, "true pairs, half of them cannot-links")
	f.IntVar(&o.iterations, "iterations", 20, "iterations at the most")
	f.StringVar(&o.method, "method", "kmeans", "method of fit")
	f.StringVar(&o.on, "on", "cpu,gpu", "cpu, gpu, both, or auto: the GPU, and the cores where it fails")
	f.Float64Var(&o.spread, "spread", 1, "standard deviation around the centres, which have 1")
	f.StringVar(&o.effort, "effort", string(cluster.EffortNormal), "how long to search for a low minimum")
	f.BoolVar(&o.double, "double", false, "rows in float64")
	harness.Run(f, &o, map[string]func(context.Context, options) error{"fit": fit, "iterations": iterations, "methods": methods, "neighbours": neighbours, "predict": predict})
}

// centresOf draws centres.
func centresOf(o options) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	centres := make([]float32, o.k*o.d)
	for i := range centres {
		centres[i] = float32(r.NormFloat64())
	}
	return centres
}

// draw writes rows around centres to x, and of which centre each is, to class; first is the number of the first row.
func draw(o options, centres []float32, first int, x []float32, class []int32) {
	const block = 4096
	var wait sync.WaitGroup
	for w := range runtime.NumCPU() {
		wait.Go(func() {
			for lo := w * block; lo < len(class); lo += runtime.NumCPU() * block {
				r := rand.New(rand.NewPCG(3, uint64(first+lo)))
				for i := lo; i < min(lo+block, len(class)); i++ {
					class[i] = int32(r.IntN(o.k))
					for f := range o.d {
						x[i*o.d+f] = centres[int(class[i])*o.d+f] + float32(o.spread*r.NormFloat64())
					}
				}
			}
		})
	}
	wait.Wait()
}

// problem draws rows around centres, and pairs that are true of them.
func problem(o options) *cluster.Problem {
	x, class := make([]float32, o.n*o.d), make([]int32, o.n)
	draw(o, centresOf(o), 0, x, class)
	r := rand.New(rand.NewPCG(4, 5))
	p := &cluster.Problem{X: &data.Dense32{Cols: o.d, V: x}, K: o.k}
	if o.double {
		wide := make([]float64, len(x))
		for i, v := range x {
			wide[i] = float64(v) / 3
		}
		p.X = &data.Dense{Cols: o.d, V: wide}
	}
	if o.pairs > 0 {
		var s constraint.Set
		rows := make([][]int, o.k)
		for i, c := range class {
			rows[c] = append(rows[c], i)
		}
		for len(s.Must) < (o.pairs+1)/2 {
			i := r.IntN(o.n)
			of := rows[class[i]]
			if j := of[r.IntN(len(of))]; i != j {
				s.Must = append(s.Must, constraint.Pair{I: i, J: j, W: 1})
			}
		}
		for len(s.Cannot) < o.pairs/2 {
			if i, j := r.IntN(o.n), r.IntN(o.n); class[i] != class[j] {
				s.Cannot = append(s.Cannot, constraint.Pair{I: i, J: j, W: 1})
			}
		}
		p.Constraints = &s
	}
	return p
}

// result is the outcome of a fit on one device.
type result struct {
	seconds, first float64 // until the end; until the start was there
	iterations     int
	searches       int
	sum            string // SHA-256 of labels and objective
}

// A place is where a fit runs: cpu, gpu, or auto.
type place string

// open returns a context for fits there, and its device, nil: the cores.
func (on place) open(ctx context.Context) (context.Context, *device.Device, error) {
	if on == "cpu" {
		return ctx, nil, nil
	}
	path, err := gpu.Find()
	if err != nil {
		return ctx, nil, err
	}
	start := func(ctx context.Context) (device.Backend, error) {
		b, _, err := gpu.Start(ctx, path)
		return b, err
	}
	if on == "auto" {
		d := device.Lazy(start, func(why string) { fmt.Println("  " + why) }).All()
		return device.With(ctx, d), d, nil
	}
	b, err := start(ctx)
	if err != nil {
		return ctx, nil, err
	}
	d := device.New(b, nil)
	return device.With(ctx, d), d, nil
}

func run(ctx context.Context, on place, p *cluster.Problem, m catalog.Method, o options) (r result, err error) {
	start := time.Now()
	ctx, d, err := on.open(ctx)
	if err != nil {
		return r, err
	}
	defer d.Close()
	s := cluster.Default()
	s.Restarts, s.MaxIter, s.Effort = 1, o.iterations, cluster.Effort(o.effort)
	s.Observe = func(e cluster.Event) {
		if e.Iter == 0 && r.first == 0 {
			r.first = time.Since(start).Seconds()
		}
	}
	found, err := cluster.Fit(ctx, p, m.New(), s)
	if err != nil {
		return r, err
	}
	r.seconds, r.iterations = time.Since(start).Seconds(), found.Iterations
	if d != nil {
		_, r.searches = d.Used()
	}
	r.sum = digest(found.Labels, found.Objective.Sum())
	return r, nil
}

// digest is the start of the SHA-256 of labels and objective.
func digest(labels []int, objective float64) string {
	h, b := sha256.New(), make([]byte, 0, 8*len(labels)+8)
	for _, l := range labels {
		b = binary.LittleEndian.AppendUint64(b, uint64(l))
	}
	h.Write(binary.LittleEndian.AppendUint64(b, math.Float64bits(objective))) //nolint:errcheck // a hash takes everything
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// iterations runs Lloyd's iteration alone, from every n/k-th row as people write it, with the way of the rows to the GPU
// in the time of the first search.
func iterations(ctx context.Context, o options) error {
	p := problem(o)
	first := make([]float64, o.k*o.d)
	for h := range o.k {
		copy(first[h*o.d:(h+1)*o.d], p.X.Row(h*(o.n/o.k), make([]float64, o.d)).Val)
	}
	fmt.Printf("%d iterations, %d x %d, k = %d\n", o.iterations, o.n, o.d, o.k)
	for _, on := range strings.Split(o.on, ",") {
		ctx, d, err := place(on).open(ctx)
		if err != nil {
			return err
		}
		start := time.Now()
		run, err := lloyd.Start(ctx, lloyd.Space{Problem: p}, &cluster.Env{Workers: runtime.NumCPU()}, lloyd.NewCentres(o.k, o.d, slices.Clone(first)), nil)
		if err != nil {
			return err
		}
		sent := time.Since(start)
		var each []time.Duration
		for range o.iterations {
			began, stages := time.Now(), run.Stages()
			for _, s := range stages {
				if _, err := s.Do(ctx); err != nil {
					return err
				}
			}
			if stages == nil {
				break
			}
			each = append(each, time.Since(began))
		}
		all := time.Since(start)
		d.Close()
		fmt.Printf("  %s %.3f s, of them %.3f for the first labels and sums; iterations: mean %.2f ms, the first %.2f, the last %.2f; %s\n", on, all.Seconds(), sent.Seconds(),
			1000*(all-sent).Seconds()/float64(max(1, len(each))), 1000*each[0].Seconds(), 1000*each[len(each)-1].Seconds(), digest(run.Labels(), run.Tracked().Sum()))
	}
	return nil
}

func fit(ctx context.Context, o options) error {
	m, ok := catalog.Find(o.method)
	if !ok {
		return fmt.Errorf("there is no method %s", o.method)
	}
	p := problem(o)
	fmt.Printf("%s, %d × %d, k = %d, %d pairs\n", o.method, o.n, o.d, o.k, o.pairs)
	for _, on := range strings.Split(o.on, ",") {
		r, err := run(ctx, place(on), p, m, o)
		if err != nil {
			return err
		}
		fmt.Printf("  %s %8.3f s, of them %.3f until the start, %d iterations of %.1f ms, %d searches on the GPU, %s\n", on, r.seconds, r.first,
			r.iterations, 1000*(r.seconds-r.first)/float64(max(1, r.iterations)), r.searches, r.sum)
	}
	return nil
}

// methods fits every method that takes rows on both.
func methods(ctx context.Context, o options) error {
	differ := 0
	for _, m := range catalog.Methods() {
		if !m.Takes(cluster.InputRows) {
			continue
		}
		for _, double := range []bool{false, true} {
			q := options{n: 3000, d: 24, k: 9, pairs: 60, iterations: o.iterations, spread: 1, double: double}
			p := problem(q)
			on := map[string]result{}
			var failed error
			for _, device := range []string{"cpu", "gpu"} {
				if on[device], failed = run(ctx, place(device), p, m, q); failed != nil {
					break
				}
			}
			if failed != nil {
				fmt.Printf("%-24s not fitted: %v\n", m.Name, failed)
				continue
			}
			verdict := "same bits"
			if on["cpu"].sum != on["gpu"].sum {
				verdict = "DIFFERENT"
				differ++
			}
			fmt.Printf("%-24s float%d  %s %s  %4d searches on the GPU  %s\n", m.Name, map[bool]int{false: 32, true: 64}[double], on["cpu"].sum, on["gpu"].sum, on["gpu"].searches, verdict)
		}
	}
	if differ > 0 {
		return errors.New("results differ")
	}
	return nil
}

// neighbours finds the 10 nearest other rows of every row, and compares those of some rows with all distances.
func neighbours(ctx context.Context, o options) error {
	const k, some = 10, 200
	p := problem(o)
	fmt.Printf("%d nearest of %d x %d\n", k, o.n, o.d)
	for _, on := range strings.Split(o.on, ",") {
		start := time.Now()
		ctx, d, err := place(on).open(ctx)
		if err != nil {
			return err
		}
		found, err := affinity.KNN(ctx, p.X, k, affinity.KNNOptions{Method: affinity.SearchExact})
		if err != nil {
			return err
		}
		seconds := time.Since(start).Seconds()
		d.Close()
		h := sha256.New()
		binary.Write(h, binary.LittleEndian, found.Idx)   //nolint:errcheck // a hash takes everything
		binary.Write(h, binary.LittleEndian, found.Dist2) //nolint:errcheck // a hash takes everything
		index, err := affinity.NewIndex(context.Background(), p.X, k, 0)
		if err != nil {
			return err
		}
		wrong, row := 0, make([]float64, o.n)
		for i := 0; i < o.n; i += max(1, o.n/some) {
			index.Distances(i, row)
			row[i] = math.Inf(1)
			idx, dist2 := found.NeighboursOf(i)
			for q, j := range idx {
				least := slices.Index(row, slices.Min(row))
				if int(j) != least || dist2[q] != row[least] {
					wrong++
				}
				row[least] = math.Inf(1)
			}
		}
		fmt.Printf("  %s %8.3f s, %x; of the neighbours of %d rows %d are wrong\n", on, seconds, h.Sum(nil)[:8], some, wrong)
	}
	return nil
}

// predictAtOnce is how many rows predict has in memory at a time, twice.
const predictAtOnce = 1 << 22

// predict places rows with a model while the next are drawn, as from a file that does not fit into memory.
func predict(ctx context.Context, o options) error {
	centres := centresOf(o)
	wide := make([]float64, len(centres))
	for i, y := range centres {
		wide[i] = float64(y)
	}
	model := lloyd.NewCentres(o.k, o.d, wide)
	type batch struct {
		x    []float32
		from []int32
	}
	fmt.Printf("predict %d x %d, k = %d, %d rows at a time\n", o.n, o.d, o.k, predictAtOnce)
	for _, on := range strings.Split(o.on, ",") {
		start := time.Now()
		ctx, d, err := place(on).open(ctx)
		if err != nil {
			return err
		}
		free, drawn := make(chan batch, 2), make(chan batch)
		for range 2 {
			free <- batch{make([]float32, predictAtOnce*o.d), make([]int32, predictAtOnce)}
		}
		go func() {
			for first := 0; first < o.n; first += predictAtOnce {
				b, rows := <-free, min(predictAtOnce, o.n-first)
				b.x, b.from = b.x[:rows*o.d], b.from[:rows]
				draw(o, centres, first, b.x, b.from)
				drawn <- b
			}
			close(drawn)
		}()
		h, own, placing := sha256.New(), 0, time.Duration(0)
		for b := range drawn {
			began := time.Now()
			labels, err := cluster.Predict(ctx, model, &data.Dense32{Cols: o.d, V: b.x}, 0)
			if err != nil {
				return err
			}
			placing += time.Since(began)
			bytes := make([]byte, 0, 4*len(labels))
			for i, l := range labels {
				bytes = binary.LittleEndian.AppendUint32(bytes, uint32(l))
				if l == int(b.from[i]) {
					own++
				}
			}
			h.Write(bytes) //nolint:errcheck // a hash takes everything
			free <- batch{b.x[:cap(b.x)], b.from[:cap(b.from)]}
		}
		d.Close()
		_, peak := harness.Process()
		fmt.Printf("  %s %.2f s with drawing rows, of them %.2f s in predict: %.1f GB/s of rows, %.1f million rows/s; %.1f GB of memory at most; %.4f at the centre they were drawn around; %x\n", on,
			time.Since(start).Seconds(), placing.Seconds(), 4e-9*float64(o.n)*float64(o.d)/placing.Seconds(), 1e-6*float64(o.n)/placing.Seconds(), peak/1024, float64(own)/float64(o.n), h.Sum(nil)[:8])
	}
	return nil
}
