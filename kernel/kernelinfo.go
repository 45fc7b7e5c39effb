package kernel

import (
	"fmt"
	"strings"
)

// Seen is what a kernel method tells of how it saw its rows; Result.Learned is
// one.
type KernelInfo struct {
	Width       float64 `json:"width,omitempty"`      // of the rbf kernel
	WidthRule   string  `json:"width_rule,omitempty"` // where it is from: given, median or held-out
	HeldOut     int     `json:"held_out,omitempty"`   // pairs that widths were judged by
	HeldOutKept int     `json:"held_out_kept,omitempty"`
	Shift       float64 `json:"shift,omitempty"`
	// Features stand for the kernel; Residual is the share of its trace that
	// they miss.
	Features int     `json:"features,omitempty"`
	Residual float64 `json:"residual,omitempty"`
}

// Where a width comes from, beside RuleMedian.
const (
	widthGiven   = "given"
	widthHeldOut = "held-out" // chosen by held-out pairs
)

// String says it in a line.
func (s *KernelInfo) String() string {
	var parts []string
	switch s.WidthRule {
	case RuleMedian:
		parts = append(parts, fmt.Sprintf("width %.4g, half the median distance of two rows", s.Width))
	case widthHeldOut:
		parts = append(parts, fmt.Sprintf("width %.4g, which keeps %d of %d pairs that were held back", s.Width, s.HeldOutKept, s.HeldOut))
	case widthGiven:
		parts = append(parts, fmt.Sprintf("width %.4g", s.Width))
	}
	if s.Features > 0 {
		parts = append(parts, fmt.Sprintf("%d features stand for the kernel and miss %.2g of its trace", s.Features, s.Residual))
	}
	if s.Shift > 0 {
		parts = append(parts, fmt.Sprintf("shift %.4g", s.Shift))
	}
	return strings.Join(parts, "; ")
}
