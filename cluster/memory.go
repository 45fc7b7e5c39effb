package cluster

import (
	"fmt"

	"github.com/inklinghq/inkling/internal/support/format"
)

// A MemoryError says that a fit needs more memory than Settings.Memory allows.
type MemoryError struct {
	What string // the work, as in "the eigenvectors of 300000 nodes"
	Need int64  // bytes, roughly
	Have int64
	Hint string
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s need about %s of memory, and only %s are free", e.What, format.Bytes(e.Need), format.Bytes(e.Have))
}

// Advice returns what would fit.
func (e *MemoryError) Advice() string { return e.Hint }

// CheckMemory returns a *MemoryError if the fit may not take so many bytes.
func (e *Env) CheckMemory(what string, need float64, advice string) error {
	if e.Settings == nil || e.Settings.Memory <= 0 || need <= float64(e.Settings.Memory) {
		return nil
	}
	return &MemoryError{What: what, Need: int64(min(need, 1e18)), Have: e.Settings.Memory, Hint: advice}
}
