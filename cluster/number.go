package cluster

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Number is a parameter that is a number, or the name of a rule by which the
// algorithm finds one from the data, such as auto. The tag `rules` of a field
// lists the rules that it knows. In text and JSON it is written as the rule or
// the number, "auto" or "0.5"; JSON may have a bare number too.
type Number struct {
	Rule  string // "": Value counts
	Value float64
}

// RuleAuto is the rule that most parameters have: the algorithm decides.
const RuleAuto = "auto"

// Fixed returns x as a Number.
func Fixed(x float64) Number { return Number{Value: x} }

// ByRule returns the Number that a rule finds.
func ByRule(rule string) Number { return Number{Rule: rule} }

// String returns the rule, or the number in the fewest digits that give it back.
func (n Number) String() string {
	if n.Rule != "" {
		return n.Rule
	}
	return strconv.FormatFloat(n.Value, 'g', -1, 64)
}

// MarshalText writes what String returns.
func (n Number) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads a number, or anything else as the name of a rule.
func (n *Number) UnmarshalText(text []byte) error {
	if x, err := strconv.ParseFloat(string(text), 64); err == nil {
		*n = Fixed(x)
		return nil
	}
	*n = ByRule(string(text))
	return nil
}

// UnmarshalJSON reads a string as UnmarshalText does, or a number.
func (n *Number) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err == nil {
		return n.UnmarshalText([]byte(text))
	}
	n.Rule = ""
	return json.Unmarshal(b, &n.Value)
}

// Check refuses a rule that is not among rules, and a number that is not finite
// or below least.
func (n Number) Check(name string, least float64, rules ...string) error {
	if n.Rule != "" {
		if slices.Contains(rules, n.Rule) {
			return nil
		}
		return fmt.Errorf("%s must be %s or a number, got %q", name, strings.Join(rules, ", "), n.Rule)
	}
	if math.IsNaN(n.Value) || math.IsInf(n.Value, 0) || n.Value < least {
		number := "a finite number"
		if !math.IsInf(least, -1) {
			number += fmt.Sprintf(" of at least %v", least)
		}
		return fmt.Errorf("%s must be %s, got %v", name, strings.Join(append(slices.Clone(rules), number), " or "), n.Value)
	}
	return nil
}
