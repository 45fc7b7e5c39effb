// Package sample makes rows whose sums depend on their order: numbers of very different
// size, so that adding them up in float64 rounds. Tests of equal bits need such rows.
package sample

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/inklinghq/inkling/beam/internal/shards"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// A Sample says what rows to make.
type Sample struct {
	Rows, Cols, Classes int
	Double              bool // float64, with so many sizes that sums are not exact in two numbers either
	Seed                uint64
}

// Class returns the class of row i.
func (s Sample) Class(i int) int {
	r := rand.New(rand.NewPCG(s.Seed, uint64(i)))
	return r.IntN(s.Classes)
}

// fill writes row i to v.
func (s Sample) fill(i int, v []float64) {
	r := rand.New(rand.NewPCG(s.Seed, uint64(i)))
	c := r.IntN(s.Classes)
	sizes := 7.0
	if s.Double {
		sizes = 18
	}
	for f := range v {
		// The centres of the classes lie in half of the columns.
		centre := float64((c*(f+3)*7+c*c)%11) * float64(f%2)
		v[f] = centre + r.NormFloat64()
		if f%2 == 0 {
			v[f] *= math.Pow(10, -sizes*r.Float64())
		}
		if s.Double && f%8 == 0 {
			v[f] *= 1e6
		}
	}
}

// Block returns rows lo to hi.
func (s Sample) Block(lo, hi int) data.Rows {
	v := make([]float64, (hi-lo)*s.Cols)
	for i := lo; i < hi; i++ {
		s.fill(i, v[(i-lo)*s.Cols:(i-lo+1)*s.Cols])
	}
	if s.Double {
		return &data.Dense{Cols: s.Cols, V: v}
	}
	w := make([]float32, len(v))
	for i, y := range v {
		w[i] = float32(y)
	}
	return &data.Dense32{Cols: s.Cols, V: w}
}

// WriteShards writes all rows to count files in dir, of unequal lengths, and returns
// their paths.
func (s Sample) WriteShards(dir string, count int) (paths []string, err error) {
	first := 0
	for i := range count {
		last := s.Rows * (i + 1) / count
		if i+1 < count && i%2 == 0 {
			last -= s.Rows / count / 3
		}
		path := filepath.Join(dir, fmt.Sprintf("part-%05d.npy", i))
		err := dataio.WriteFile(path, func(w io.Writer) error {
			err := shards.WriteHead(w, last-first, s.Cols, s.Double)
			for lo := first; lo < last && err == nil; lo += 1 << 14 {
				err = shards.WriteValues(w, s.Block(lo, min(last, lo+1<<14)))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		paths, first = append(paths, path), last
	}
	return paths, nil
}

// WriteConstraints writes labels.csv with labels of some rows and links.csv with links
// between others, count in each; a tenth of the links are wrong.
func (s Sample) WriteConstraints(dir string, count int) error {
	r := rand.New(rand.NewPCG(s.Seed, 1<<63))
	labels, links := []byte("id,label\n"), []byte("a,b,kind\n")
	given := map[int]bool{}
	for range count {
		if i := r.IntN(s.Rows); !given[i] {
			given[i] = true
			labels = fmt.Appendf(labels, "%d,class-%d\n", i, s.Class(i))
		}
	}
	for range count {
		i, j := r.IntN(s.Rows), r.IntN(s.Rows)
		if i == j {
			continue
		}
		kind := "cannot"
		if (s.Class(i) == s.Class(j)) != (r.IntN(10) == 0) {
			kind = "must"
		}
		links = fmt.Appendf(links, "%d,%d,%s\n", i, j, kind)
	}
	if err := os.WriteFile(filepath.Join(dir, "labels.csv"), labels, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "links.csv"), links, 0o644)
}
