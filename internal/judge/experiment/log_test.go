package experiment

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestReadLog(t *testing.T) {
	var one bytes.Buffer
	if err := appendFit(&one, &Fit{Key: Key{Program: "p", Method: "m"}}); err != nil {
		t.Fatal(err)
	}
	line := one.String()
	for _, row := range []struct {
		name, log string
		fits      int
		whole     int
		bad       int // the line to blame
	}{
		{"empty", "", 0, 0, 0},
		{"two fits", line + line, 2, 2 * len(line), 0},
		{"no end of line", line + strings.TrimSpace(line), 1, len(line), 0},
		{"torn early", line + `{"pro`, 1, len(line), 0},
		{"torn at once", `{"program":"p","da`, 0, 0, 0},
		{"not a log", "x,y\n1,2\n", 0, 0, 1},
		{"not a log, no end of line", "x,y", 0, 0, 1},
		{"torn in the middle", line[:20] + "\n" + line, 0, 0, 1},
		{"an unknown field", line + `{"program":"p","colour":3}` + "\n", 0, 0, 2},
		{"two on a line", strings.TrimSpace(line) + line, 0, 0, 1},
		{"an empty line", line + "\n" + line, 0, 0, 2},
	} {
		fits, whole, err := ReadLog(strings.NewReader(row.log))
		var bad *LogError
		if errors.As(err, &bad) != (row.bad > 0) || bad != nil && bad.Line != row.bad {
			t.Errorf("%s: %v, want line %d to blame", row.name, err, row.bad)
		}
		if len(fits) != row.fits || whole != int64(row.whole) {
			t.Errorf("%s: %d fits and %d bytes, want %d and %d", row.name, len(fits), whole, row.fits, row.whole)
		}
	}
}

// Whatever a log holds, what is read of it can be written and read again.
func FuzzReadLog(f *testing.F) {
	f.Add([]byte(`{"program":"p","data":"d","method":"kmeans","k":3,"pairs":2,"score":{"n":3,"ari":0.5}}` + "\n" + `{"program":`))
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"program":"","seeds":1e999}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		fits, whole, err := ReadLog(bytes.NewReader(b))
		if err != nil {
			return
		}
		if whole > int64(len(b)) || bytes.Count(b[:whole], []byte("\n")) != len(fits) {
			t.Fatalf("%d fits in %d of %d bytes", len(fits), whole, len(b))
		}
		var out bytes.Buffer
		for i := range fits {
			if err := appendFit(&out, &fits[i]); err != nil {
				t.Fatal(err)
			}
		}
		if again, _, err := ReadLog(&out); err != nil || len(again) != len(fits) {
			t.Fatalf("%d fits, then %d: %v", len(fits), len(again), err)
		}
	})
}
