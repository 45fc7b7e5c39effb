package workspace

import (
	"encoding/binary"
	"math"
)

// Column returns the numbers of a column by point, as bytes for a page that colours points
// by them: uint32 n, uint32 0, float32 values[n], NaN where a cell holds no number.
func (w *Workspace) Column(name string) ([]byte, error) {
	numbers := w.contents.Numbers(name)
	if numbers == nil {
		return nil, Refuse(KindNotFound, "there is no column of numbers %q", name)
	}
	out := make([]byte, 8, 8+4*len(w.order))
	binary.LittleEndian.PutUint32(out, uint32(len(w.order)))
	for _, row := range w.order {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(numbers[row])))
	}
	return out, nil
}
