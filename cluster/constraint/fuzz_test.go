package constraint

import (
	"errors"
	"testing"
)

// FuzzClose reads a Set from bytes, four for each entry: list, point, point or
// class, weight.
func FuzzClose(f *testing.F) {
	f.Add(uint8(0), []byte{})
	f.Add(uint8(4), []byte{0, 0, 1, 8, 0, 1, 2, 8, 1, 0, 2, 8})
	f.Add(uint8(5), []byte{2, 0, 1, 8, 2, 0, 2, 8, 2, 3, 1, 8, 0, 3, 4, 8})
	f.Add(uint8(5), []byte{2, 0, 1, 8, 2, 0, 2, 4, 1, 3, 3, 8, 3, 1, 2, 200})
	f.Add(uint8(3), []byte{1, 0, 1, 8, 1, 1, 2, 8, 1, 2, 0, 8})
	f.Fuzz(func(t *testing.T, size uint8, raw []byte) {
		n, s := int(size%32), &Set{}
		for ; len(raw) >= 4; raw = raw[4:] {
			i, j, w := int(int8(raw[1])), int(int8(raw[2])), float64(int8(raw[3]))/8
			switch raw[0] % 4 {
			case 0:
				s.Must = append(s.Must, Pair{i, j, w})
			case 1:
				s.Cannot = append(s.Cannot, Pair{i, j, w})
			case 2:
				s.Labels = append(s.Labels, Label{i, j << (raw[0] & 24), w}) // classes far apart too
			case 3:
				s.Beliefs = append(s.Beliefs, Pair{i, j, w})
			}
		}
		Lint(n, s)
		c, err := Close(n, s)
		var conflict *ConflictError
		var problem *EntryError
		switch {
		case errors.As(err, &conflict):
			for _, x := range Conflicts(n, s, 3) {
				checkConflict(t, n, s, x)
			}
			if conflict.Error() == "" {
				t.Fatal("a conflict says nothing")
			}
		case errors.As(err, &problem):
			if problem.Message == "" {
				t.Fatal("a problem says nothing")
			}
		case err != nil:
			t.Fatalf("unexpected error %v", err)
		default:
			checkNumbering(t, c)
			apart := separated(c, s)
			for k := range 4 {
				checkVerdict(t, c, apart, k)
			}
		}
	})
}
