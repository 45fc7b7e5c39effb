// Package enum checks parameters of an enumerated type: a string type whose
// method Values lists everything it may be.
package enum

import (
	"fmt"
	"slices"
	"strings"
)

// A Value is a value of an enumerated type. Values returns the same list
// whatever the receiver.
type Value interface {
	~string
	Values() []string
}

// Check refuses a value that its type does not list. The error names the
// parameter and lists the values.
func Check[V Value](parameter string, value V) error {
	if all := value.Values(); !slices.Contains(all, string(value)) {
		return fmt.Errorf("%s must be one of %s, got %q", parameter, strings.Join(all, ", "), string(value))
	}
	return nil
}
