//go:build !unix

package harness

// Process is not measured on this system.
func Process() (cpu, peak float64) { return 0, 0 }
