package workspace

import "testing"

// A cluster is found by its name, and by the one that it had before a better one was proposed.
func TestFormerNamesAreFound(t *testing.T) {
	f := &Fit{names: []string{"0", "1"}}
	f.former.Store("low spend", 1)
	if f.find("0", nil) != 0 || f.find("low spend", nil) != 1 || f.find("high spend", nil) != -1 || f.indexOf("low spend", nil) != -1 {
		t.Error("names are not found as they should be")
	}
}
