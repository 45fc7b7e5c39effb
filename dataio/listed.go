package dataio

import (
	"fmt"
	"strings"
)

// listed writes words one after the other, the first few of many.
func listed(words []string) string {
	const most = 12
	if len(words) > most {
		return fmt.Sprintf("%s, … (%d in all)", strings.Join(words[:most], ", "), len(words))
	}
	return strings.Join(words, ", ")
}
