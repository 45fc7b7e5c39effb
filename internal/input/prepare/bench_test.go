package prepare_test

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// news returns the raw messages of 20 Newsgroups.
func news(b *testing.B) []string {
	dir := os.Getenv("INKLING_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	file, err := os.Open(filepath.Join(dir, "20news", "messages.tar.gz"))
	if err != nil {
		b.Skip("20 Newsgroups is not there (INKLING_DATA names its folder): ", err)
	}
	defer file.Close()
	unzip, err := gzip.NewReader(file)
	if err != nil {
		b.Fatal(err)
	}
	var docs []string
	for r := tar.NewReader(unzip); ; {
		h, err := r.Next()
		if err == io.EOF {
			return docs
		}
		if err != nil {
			b.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			text, err := io.ReadAll(r)
			if err != nil {
				b.Fatal(err)
			}
			docs = append(docs, string(text))
		}
	}
}

func BenchmarkTFIDF20News(b *testing.B) {
	ds := &dataio.Dataset{Docs: news(b)}
	size := 0
	for _, d := range ds.Docs {
		size += len(d)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("n=%d/workers=%d", len(ds.Docs), workers), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				r, p, err := prepare.Fit(ds, prepare.Options{MinDF: 8, MaxDF: 0.15, Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Dim), "words")
				b.ReportMetric(float64(len(p.X.(*data.Sparse).Val)), "nonzeros")
			}
		})
	}
}

func BenchmarkFit(b *testing.B) {
	const n, d = 1_000_000, 32
	rng := rand.New(rand.NewPCG(1, 2))
	x := &data.Dense{Cols: d, V: make([]float64, n*d)}
	for i := range x.V {
		x.V[i] = rng.NormFloat64()
	}
	for _, scale := range []prepare.Scale{prepare.None, prepare.Standard, prepare.MinMax, prepare.L2} {
		b.Run(fmt.Sprintf("scale=%s/n=%d/d=%d", scale, n, d), func(b *testing.B) {
			b.SetBytes(8 * n * d)
			for b.Loop() {
				if _, _, err := prepare.Fit(&dataio.Dataset{X: x}, prepare.Options{Scale: scale}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
