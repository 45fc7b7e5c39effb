package kernel

import (
	"fmt"
	"strings"
)

// KernelInfo reports which kernel a fit used; Result.Learned is one.
type KernelInfo struct {
	Width       float64 `json:"width,omitempty"`      // of the rbf kernel
	WidthRule   string  `json:"width_rule,omitempty"` // where it comes from: given, median or held-out
	HeldOut     int     `json:"held_out,omitempty"`   // pairs that widths were compared by
	HeldOutKept int     `json:"held_out_kept,omitempty"`
	Shift       float64 `json:"shift,omitempty"`
	// Features is the number of features that approximate the kernel, Residual
	// the share of its trace that they miss.
	Features int     `json:"features,omitempty"`
	Residual float64 `json:"residual,omitempty"`
	// PairWeight is what a constraint of weight 1 weighs beside the affinities.
	PairWeight float64 `json:"pair_weight,omitempty"`
	Isolated   int     `json:"isolated,omitempty"`  // nodes without edges
	Imprecise  bool    `json:"imprecise,omitempty"` // kernel values are too coarse for their differences
}

// Where a width comes from, beside RuleMedian.
const (
	widthGiven   = "given"
	widthHeldOut = "held-out" // chosen by held-out pairs
)

// String returns the report as one line.
func (s *KernelInfo) String() string {
	var parts []string
	switch s.WidthRule {
	case RuleMedian:
		parts = append(parts, fmt.Sprintf("width %.4g, half the median distance of two rows", s.Width))
	case widthHeldOut:
		parts = append(parts, fmt.Sprintf("width %.4g, which satisfies %d of %d held-out pairs", s.Width, s.HeldOutKept, s.HeldOut))
	case widthGiven:
		parts = append(parts, fmt.Sprintf("width %.4g", s.Width))
	}
	if s.Features > 0 {
		parts = append(parts, fmt.Sprintf("%d features approximate the kernel and miss %.2g of its trace", s.Features, s.Residual))
	}
	if s.Shift > 0 {
		parts = append(parts, fmt.Sprintf("shift %.4g", s.Shift))
	}
	if s.PairWeight > 0 {
		parts = append(parts, fmt.Sprintf("a pair of weight 1 weighs %.4g", s.PairWeight))
	}
	return strings.Join(parts, "; ")
}

// Notes returns what is remarkable about the graph or the kernel.
func (s *KernelInfo) Notes() (notes []string) {
	if s.Isolated > 0 {
		notes = append(notes, isolatedNote(s.Isolated))
	}
	if s.Imprecise {
		notes = append(notes, "the kernel's values differ by less than single precision holds, so that clusters and distortion are unreliable: centre or scale the columns")
	}
	return notes
}

// A distortion below coarseDistortion of the sum of the K_ii consists of rounding
// errors of single precision for a hundredth or more; below noDistortion it is 0.
const coarseDistortion, noDistortion = 6e-6, 1e-12
