package starts

import (
	"encoding/binary"
	"math"
)

// A startKey names centres by their bits, and what they are for.
type startKey struct{ what, centres string }

func newStartKey(what string, centres ...[]float64) startKey {
	var bits []byte
	for _, c := range centres {
		bits = binary.LittleEndian.AppendUint64(bits, uint64(len(c)))
		for _, y := range c {
			bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(y))
		}
	}
	return startKey{what, string(bits)}
}
