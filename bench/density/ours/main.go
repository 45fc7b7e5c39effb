// Command ours is our side of bench/density: it reads rows, builds core distances, spanning tree and
// condensed tree, and prints one JSON object: the seconds and CPU seconds of that alone, the sum of the
// weights of the spanning tree, by which the caller sees that both sides found the same, and the number of
// clusters.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ours:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("ours ROWS.f64 FEATURES MIN-SAMPLES MIN-CLUSTER-SIZE")
	}
	var numbers [3]int
	for i := range numbers {
		var err error
		if numbers[i], err = strconv.Atoi(args[i+1]); err != nil {
			return err
		}
	}
	x, err := readRows(args[0], numbers[0])
	if err != nil {
		return err
	}
	runtime.GC()
	wall, cpu := time.Now(), harness.CPU()
	_, edges, err := hierarchy.Build(context.Background(), x, numbers[1]+1, 0, nil)
	if err != nil {
		return err
	}
	tree, err := hierarchy.Condense(x.Len(), edges, numbers[2])
	if err != nil {
		return err
	}
	clusters := excessOfMass(tree)
	out := map[string]any{"seconds": time.Since(wall).Seconds(), "cpu": harness.CPU() - cpu, "clusters": clusters, "threads": runtime.GOMAXPROCS(0)}
	sum := 0.0
	for _, e := range edges {
		sum += e.Weight
	}
	out["check"] = sum
	return json.NewEncoder(os.Stdout).Encode(out)
}

// excessOfMass labels the points by the clusters of greatest stability, the root aside, and returns the
// number of clusters.
func excessOfMass(t *hierarchy.Tree) (clusters int) {
	s := t.Stability()
	below, chosen := make([]float64, len(s)), make([]bool, len(s))
	for v := len(s) - 1; v > 0; v-- {
		chosen[v] = s[v] >= below[v]
		below[t.Parent[v]] += max(s[v], below[v])
	}
	cluster := make([]int32, len(s)) // of each node
	for v := range cluster {
		switch up := t.Parent[v]; {
		case v == 0:
			cluster[v] = -1
		case cluster[up] >= 0:
			cluster[v] = cluster[up]
		case chosen[v]:
			cluster[v] = int32(clusters)
			clusters++
		default:
			cluster[v] = -1
		}
	}
	labels := make([]int32, len(t.Node))
	for p, v := range t.Node {
		labels[p] = cluster[v]
	}
	return clusters
}

// readRows reads float64 numbers, little-endian, without a header.
func readRows(path string, d int) (*data.Dense, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	v := make([]float64, len(b)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return data.NewDense(d, v)
}
