//go:build !amd64 || purego

package simd

func detect() Level { return Plain }

func (l Level) tileRows() int { return 1 }

func (l Level) registerBytes() int { return 8 }
