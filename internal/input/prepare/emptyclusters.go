package prepare

import (
	"encoding/binary"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// tooSmall is where squares vanish, or soon would.
const tooSmall = 1e-150

// WhyEmpty says why some of k clusters of the rows are empty, as the end of a
// sentence; "" where the reason is unknown.
func WhyEmpty(x data.Rows, k int) string {
	seen, most := map[string]bool{}, 0.0
	row, key := make([]float64, x.Dim()), []byte(nil)
	for i := 0; i < x.Len() && (len(seen) < k || most < tooSmall); i++ {
		v := x.Row(i, row)
		key = key[:0]
		for p, y := range v.Val {
			if v.Idx != nil {
				key = binary.LittleEndian.AppendUint32(key, uint32(v.Idx[p]))
			}
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(y+0)) // -0 is 0
			most = max(most, math.Abs(y))
		}
		if len(seen) < k {
			seen[string(key)] = true
		}
	}
	switch {
	case len(seen) < k:
		return "there are fewer distinct rows than clusters"
	case most < tooSmall:
		return "the values are too small to square; use {scale=standard}, or multiply them by a power of ten"
	}
	return ""
}
