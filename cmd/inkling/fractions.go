package main

import (
	"fmt"
	"strconv"
	"strings"
)

// fractions is a flag that takes numbers with commas between them.
type fractions []float64

func (f *fractions) Type() string { return "fractions" }

func (f *fractions) String() string {
	var parts []string
	for _, x := range *f {
		parts = append(parts, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}

// Set adds to what was given before, as lists of whole numbers do.
func (f *fractions) Set(text string) error {
	for _, part := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return fmt.Errorf("%q is no number", part)
		}
		*f = append(*f, x)
	}
	return nil
}
