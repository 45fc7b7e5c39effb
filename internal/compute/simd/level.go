package simd

import "fmt"

// A Level is a set of instructions.
type Level int

// The levels, from the one that every machine has.
const (
	Plain  Level = iota // Go alone
	AVX2                // with FMA
	AVX512              // F, DQ and VL
	VNNI                // AVX512 with BW and products of integers
)

func (l Level) String() string {
	switch l {
	case Plain:
		return "plain"
	case AVX2:
		return "avx2"
	case AVX512:
		return "avx512"
	case VNNI:
		return "vnni"
	}
	return fmt.Sprintf("simd.Level(%d)", int(l))
}

// A number is how rows are stored.
type number interface{ float32 | float64 }
