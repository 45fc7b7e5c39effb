package flags

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// WithoutName returns the first flag that was given an empty name of a file or folder, as
// "$OUT" is where OUT is not set, and nil where there is none.
func WithoutName(f *pflag.FlagSet) (found *pflag.Flag) {
	f.Visit(func(flag *pflag.Flag) {
		what, _ := pflag.UnquoteUsage(flag)
		if found != nil || what != "FILE" && what != "FOLDER" {
			return
		}
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		if slices.Contains(values, "") {
			found = flag
		}
	})
	return found
}

// Describe says what a flag takes, for people who gave something else.
func Describe(v pflag.Value) string {
	switch v := v.(type) {
	case *integer:
		if v.most > 0 {
			return fmt.Sprintf("an integer from %d to %d", v.least, v.most)
		}
		return fmt.Sprintf("an integer of at least %d", v.least)
	case *clusterCount:
		return "an integer of at least 1, a range such as 2-12, or auto"
	case *Fractions:
		return "numbers separated by commas"
	}
	switch kind := v.Type(); kind {
	case "intSlice":
		return "integers separated by commas"
	case "uint64":
		return fmt.Sprintf("an integer from 0 to %d", uint64(math.MaxUint64))
	case "int":
		return "an integer"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time with its unit, such as 500ms, 5s or 2m"
	default:
		return "a " + kind
	}
}

// integer is a flag that takes an integer of at least so much, and at most so much where
// most is not 0.
type integer struct {
	value       *int
	least, most int
}

// Integer adds a flag that takes an integer of at least least.
func Integer(f *pflag.FlagSet, value *int, name, short string, least int, usage string) {
	f.VarP(&integer{value, least, 0}, name, short, usage)
}

// MaxWorkers is the largest number of goroutines that can be asked for.
const MaxWorkers = 1 << 16

// Workers adds the flag for the number of goroutines.
func Workers(f *pflag.FlagSet, value *int, usage string) {
	f.Var(&integer{value, 0, MaxWorkers}, "workers", usage)
}

func (n *integer) Type() string   { return "integer" }
func (n *integer) String() string { return strconv.Itoa(*n.value) }

func (n *integer) Set(text string) (err error) {
	if *n.value, err = strconv.Atoi(text); err == nil && (*n.value < n.least || n.most > 0 && *n.value > n.most) {
		err = strconv.ErrRange
	}
	return err
}

// clusterCount is a flag that takes a number of clusters, or numbers to choose from.
type clusterCount struct {
	k, low, high *int
	text         string
}

// The numbers that auto stands for.
const (
	autoLow  = 2
	autoHigh = 1 << 20 // left to the number of rows, see door.AutoKMax
)

// ClusterCount adds a flag that takes an integer, a range or auto. One number sets
// k, the others low and high.
func ClusterCount(f *pflag.FlagSet, k, low, high *int, name, short, usage string) {
	f.VarP(&clusterCount{k: k, low: low, high: high}, name, short, usage)
}

func (c *clusterCount) Type() string   { return "count" }
func (c *clusterCount) String() string { return c.text }

func (c *clusterCount) Set(text string) (err error) {
	*c.k, *c.low, *c.high, c.text = 0, 0, 0, text
	from, to, isRange := strings.Cut(text, "-")
	switch {
	case text == "auto":
		*c.low, *c.high = autoLow, autoHigh
	case isRange:
		if *c.low, err = strconv.Atoi(from); err == nil {
			*c.high, err = strconv.Atoi(to)
		}
		if err == nil && (*c.low < 1 || *c.high < *c.low) {
			err = strconv.ErrRange
		}
	default:
		if *c.k, err = strconv.Atoi(text); err == nil && *c.k < 1 {
			err = strconv.ErrRange
		}
	}
	return err
}

// Fractions are a flag that takes numbers separated by commas.
type Fractions []float64

func (f *Fractions) Type() string { return "fractions" }

func (f *Fractions) String() string {
	var parts []string
	for _, x := range *f {
		parts = append(parts, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}

// Set adds to what was given before, as lists of integers do.
func (f *Fractions) Set(text string) error {
	for _, part := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return err
		}
		*f = append(*f, x)
	}
	return nil
}

// EscapeFormulas adds the flag that makes tables safe to open in a spreadsheet.
func EscapeFormulas(f *pflag.FlagSet, to *bool) {
	f.BoolVar(to, "escape-formulas", false, "write an apostrophe before cells that a spreadsheet would take for formulas")
}
