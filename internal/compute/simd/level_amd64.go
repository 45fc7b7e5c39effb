//go:build !purego

package simd

import "golang.org/x/sys/cpu"

// detect asks the processor, and through it the system, which must save the
// registers. TZCNT and its like came with AVX2 but are flags of their own.
func detect() Level {
	x := &cpu.X86
	if !x.HasAVX2 || !x.HasFMA || !x.HasBMI1 || !x.HasBMI2 {
		return Plain
	}
	switch {
	case !x.HasAVX512F || !x.HasAVX512DQ || !x.HasAVX512VL:
		return AVX2
	case !x.HasAVX512BW || !x.HasAVX512VNNI:
		return AVX512
	}
	return VNNI
}

// tileRows is the number of rows that a scoring kernel takes at a time.
func (l Level) tileRows() int {
	if l >= AVX512 {
		return 14
	}
	return 6
}

// registerBytes is the width of a register.
func (l Level) registerBytes() int {
	if l >= AVX512 {
		return 64
	}
	return 32
}
