package server

import "io"

// pieceSize is how many bytes a piece has at most.
const pieceSize = 256 << 10

// pieces keep what is written in parts of one size: nothing is copied while it grows, and there is never more than was written
// and one part.
type pieces [][]byte

func (p *pieces) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		if last := len(*p) - 1; last < 0 || len((*p)[last]) == cap((*p)[last]) {
			*p = append(*p, make([]byte, 0, pieceSize))
		}
		last := &(*p)[len(*p)-1]
		fits := min(len(b), cap(*last)-len(*last))
		*last, b = append(*last, b[:fits]...), b[fits:]
	}
	return n, nil
}

func (p pieces) size() (n int) {
	for _, one := range p {
		n += len(one)
	}
	return n
}

// writeTo writes all of it.
func (p pieces) writeTo(w io.Writer) error {
	for _, one := range p {
		if _, err := w.Write(one); err != nil {
			return err
		}
	}
	return nil
}
