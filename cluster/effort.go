package cluster

import "github.com/inklinghq/inkling/internal/support/enum"

// An Effort says how much work a fit spends on leaving local minima.
type Effort string

// The efforts. The zero value is EffortLow.
const (
	EffortLow    Effort = "low"    // stop each run in its first local minimum, as the papers do
	EffortNormal Effort = "normal" // leave local minima while that costs about as much as a few runs
	EffortHigh   Effort = "high"   // search much longer, from more starts
)

// Values returns all efforts.
func (Effort) Values() []string {
	return []string{string(EffortLow), string(EffortNormal), string(EffortHigh)}
}

// Searches reports whether runs should leave local minima.
func (e Effort) Searches() bool { return e == EffortNormal || e == EffortHigh }

// Check returns an error if e is neither one of Values nor empty.
func (e Effort) Check() error {
	if e == "" {
		return nil
	}
	return enum.Check("effort", e)
}
