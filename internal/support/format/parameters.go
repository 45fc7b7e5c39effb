package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Parameters lists the parameters of a method, a JSON object, in one line.
func Parameters(object json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var words []string
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return string(object)
	}
	for d.More() {
		name, err := d.Token()
		var value any
		if err != nil || d.Decode(&value) != nil {
			return string(object)
		}
		words = append(words, fmt.Sprintf("%s %v", strings.ReplaceAll(fmt.Sprint(name), "_", "-"), value))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
