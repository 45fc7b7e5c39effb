package flags

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Describe says what a flag takes, for people who gave something else.
func Describe(v pflag.Value) string {
	switch v := v.(type) {
	case *integer:
		return fmt.Sprintf("an integer of at least %d", v.least)
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

// integer is a flag that takes an integer of at least so much.
type integer struct {
	value *int
	least int
}

// Integer adds a flag that takes an integer of at least least.
func Integer(f *pflag.FlagSet, value *int, name, short string, least int, usage string) {
	f.VarP(&integer{value, least}, name, short, usage)
}

func (n *integer) Type() string   { return "integer" }
func (n *integer) String() string { return strconv.Itoa(*n.value) }

func (n *integer) Set(text string) (err error) {
	if *n.value, err = strconv.Atoi(text); err == nil && *n.value < n.least {
		err = strconv.ErrRange
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
