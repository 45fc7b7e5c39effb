package kernel

import (
	"fmt"
	"math"
	"strconv"
)

// The words for a weight and a width; a number is one too.
const (
	WeightAuto  = "auto"
	WidthMedian = "median"
	WidthAuto   = "auto"
)

// WidthHeldOut is the rule of a width that was chosen by pairs held back.
const WidthHeldOut = "held-out"

// parseWeight reads the weight of a pair: auto, which is 0 here, or a number.
func parseWeight(text string) (float64, error) {
	if text == WeightAuto {
		return 0, nil
	}
	w, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(w) || math.IsInf(w, 0) || w < 0 {
		return 0, fmt.Errorf("weight %q, it must be auto or a number that is not negative (0 chooses it too)", text)
	}
	return w, nil
}

// parseWidth reads the width of an rbf kernel: median or auto, which are 0
// here, or a number.
func parseWidth(text string) (float64, error) {
	if text == WidthMedian || text == WidthAuto {
		return 0, nil
	}
	w, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(w) || math.IsInf(w, 0) || w < 0 {
		return 0, fmt.Errorf("width %q, it must be a number above 0, median or auto", text)
	}
	return w, nil
}
