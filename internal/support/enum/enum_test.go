package enum

import "testing"

type size string

func (size) Values() []string { return []string{"small", "large"} }

func TestCheck(t *testing.T) {
	for _, s := range []size{"small", "large"} {
		if err := Check("size", s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	const want = `size must be one of small, large, got "medium"`
	if err := Check("size", size("medium")); err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
