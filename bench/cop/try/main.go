// Command cop fits COP-KMeans to published instances and prints how the least
// inertia compares.
package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/inklinghq/inkling/centroid"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
)

func main() {
	trials := flag.Int("trials", centroid.NewCOP().Trials, "")
	restarts := flag.Int("restarts", 1, "")
	seed := flag.Uint64("seed", 1, "")
	verbose := flag.Bool("v", false, "")
	flag.Parse()
	for _, dir := range flag.Args() {
		p := load(dir)
		s := cluster.Default()
		s.Restarts, s.Seed, s.MaxIter = *restarts, *seed, 10000
		a := centroid.NewCOP()
		a.Trials = *trials
		t0 := time.Now()
		if *verbose {
			s.Observe = func(e cluster.Event) {
				if e.Objective != nil {
					fmt.Printf("%.2fs run %d iter %d %s %.4f moved %d\n", time.Since(t0).Seconds(), e.Run, e.Iter, e.Stage, e.Objective.Sum(), e.Moved)
				}
			}
		}
		r, err := cluster.Fit(context.Background(), p, a, s)
		if err != nil {
			fmt.Println(dir, err)
			continue
		}
		bad := 0
		for _, q := range p.Known.Must {
			if r.Labels[q.I] != r.Labels[q.J] {
				bad++
			}
		}
		for _, q := range p.Known.Cannot {
			if r.Labels[q.I] == r.Labels[q.J] {
				bad++
			}
		}
		fmt.Printf("%-10s %.4f  %.1f s  violations %d iterations %d\n", filepath.Base(dir), r.Objective.Sum(), time.Since(t0).Seconds(), bad, r.Iterations)
	}
}

func load(dir string) *cluster.Problem {
	p := &cluster.Problem{Known: &constraint.Set{}}
	x := &data.Dense{Cols: 2}
	for _, r := range read(dir + "/rows.csv") {
		a, _ := strconv.ParseFloat(r[1], 64)
		b, _ := strconv.ParseFloat(r[2], 64)
		x.V = append(x.V, a, b)
	}
	for _, r := range read(dir + "/links.csv") {
		i, _ := strconv.Atoi(r[0])
		j, _ := strconv.Atoi(r[1])
		q := constraint.Pair{I: i, J: j, W: 1}
		if r[2] == "must" {
			p.Known.Must = append(p.Known.Must, q)
		} else {
			p.Known.Cannot = append(p.Known.Cannot, q)
		}
	}
	p.X = x
	var n int
	fmt.Sscanf(filepath.Base(dir), "n%d-k%d", &n, &p.K)
	return p
}

func read(name string) [][]string {
	f, err := os.Open(name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		panic(err)
	}
	return rows[1:]
}
