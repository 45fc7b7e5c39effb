package dataio

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkCSV(b *testing.B) {
	for _, digits := range []int{6, 17} {
		b.Run(fmt.Sprintf("rows=1000000/cols=32/digits=%d", digits), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "x.csv")
			size := writeNumbers(b, path, 1000000, 32, digits)
			b.SetBytes(size)
			b.ResetTimer()
			for b.Loop() {
				if _, err := Open(path, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func writeNumbers(b *testing.B, path string, rows, cols, digits int) int64 {
	r := rand.New(rand.NewPCG(1, 2))
	verb := "%.6f"
	if digits > 6 {
		verb = "%.17g"
	}
	err := WriteFile(path, func(w io.Writer) error {
		var line []byte
		for range rows {
			line = line[:0]
			for range cols {
				line = append(fmt.Appendf(line, verb, r.NormFloat64()), ',')
			}
			line[len(line)-1] = '\n'
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}
