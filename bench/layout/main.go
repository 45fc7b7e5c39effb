// Command layout lays a table out on a plane as the page does, and prints how long that took. bench/layout/run measures the pictures
// beside those of others.
//
//	go run ./bench/layout -places places.csv -rows rows.mtx DATA
//	go run ./bench/layout -random 200000
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/present/layout"
)

func main() {
	places := flag.String("places", "", "`FILE` for the places: x,y")
	rows := flag.String("rows", "", "`FILE` for the prepared rows, in the coordinate form of Matrix Market")
	linear := flag.Bool("linear", false, "principal components")
	random := flag.Int("random", 0, "`N` rows of 16 features around 20 centres, in place of DATA")
	text := flag.String("text", "", "`COLUMN` of texts")
	profile := flag.String("profile", "", "`FILE` for a profile of the processor")
	flag.Parse()
	if err := harness.Profiled(*profile, func() error { return run(*places, *rows, *text, *linear, *random) }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(places, rows, text string, linear bool, random int) error {
	ctx := context.Background()
	var x data.Rows
	if random > 0 {
		x = blobs(random)
	} else {
		t, err := door.Open(ctx, flag.Arg(0), door.Source{Text: text})
		if err != nil {
			return err
		}
		p, _, err := door.NewProblem(ctx, t, nil, door.Options{})
		if err != nil {
			return err
		}
		x = p.X
	}
	begun, used := time.Now(), harness.CPU()
	var p *layout.Projection
	var err error
	if linear {
		p, err = layout.PCA(ctx, x, 0)
	} else {
		p, err = layout.Neighbours(ctx, x, layout.NeighbourOptions{})
	}
	if err != nil {
		return err
	}
	fmt.Printf("%d rows of %d features: %.2f s, %.2f CPU s\n", x.Len(), x.Dim(), time.Since(begun).Seconds(), harness.CPU()-used)
	if places != "" {
		err = write(places, func(w *bufio.Writer) {
			for i := range p.X {
				fmt.Fprintf(w, "%g,%g\n", p.X[i], p.Y[i])
			}
		})
	}
	if err == nil && rows != "" {
		err = write(rows, func(w *bufio.Writer) { writeRows(w, x) })
	}
	return err
}

func write(path string, do func(*bufio.Writer)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	do(w)
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func writeRows(w *bufio.Writer, x data.Rows) {
	buf, count := make([]float64, x.Dim()), 0
	for i := range x.Len() {
		count += len(x.Row(i, buf).Val)
	}
	fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", x.Len(), x.Dim(), count)
	for i := range x.Len() {
		v := x.Row(i, buf)
		for q, y := range v.Val {
			fmt.Fprintf(w, "%d %d %g\n", i+1, v.Feature(q)+1, y)
		}
	}
}

func blobs(n int) data.Rows {
	r := rand.New(rand.NewPCG(1, 2))
	centres := make([]float64, 20*16)
	for i := range centres {
		centres[i] = 3 * r.NormFloat64()
	}
	v := make([]float64, n*16)
	for i := range v {
		v[i] = centres[i/16%20*16+i%16] + r.NormFloat64()
	}
	x, err := data.NewDense(16, v)
	if err != nil {
		panic(err) // 16 columns fit
	}
	return x
}
