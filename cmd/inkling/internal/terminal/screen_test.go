package terminal

import "testing"

func TestBrokenBetweenWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"read as csv":            "read as\ncsv",
		"  two in front":         "  two in\nfront",
		"incomprehensible words": "incomprehensible\nwords",
		"änderung ja":            "änderung\nja",
		"12345678":               "12345678",
	} {
		if got := brokenBetweenWords(text, 8); got != want {
			t.Errorf("%q is broken into %q, not %q", text, got, want)
		}
	}
}
