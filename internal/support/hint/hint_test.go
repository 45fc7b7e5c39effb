package hint_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/internal/support/hint"
)

func ExampleHint_Render() {
	h := hint.Hint("use {missing=drop}, or name the column with {id}")
	fmt.Println(h)
	fmt.Println(h.Render(func(o hint.Option) string { return "--" + o.Name + " " + o.Value }))
	// Output:
	// use missing=drop, or name the column with id
	// use --missing drop, or name the column with --id
}

func TestBracesThatAreNotClosedStay(t *testing.T) {
	for _, h := range []hint.Hint{"", "no option", "a { alone", "{"} {
		if got := h.String(); got != string(h) {
			t.Errorf("%q became %q", h, got)
		}
		if o := h.Options(); o != nil {
			t.Errorf("%q has options %v", h, o)
		}
	}
}

func TestOptionsAreListedInOrder(t *testing.T) {
	got := hint.Hint("{a=1} or {b}").Options()
	if want := []hint.Option{{"a", "1"}, {"b", ""}}; !slices.Equal(got, want) {
		t.Errorf("%v, wanted %v", got, want)
	}
}

func TestAHintIsFoundInTheChain(t *testing.T) {
	cause := errors.New("the cell is empty")
	err := fmt.Errorf("a.csv: %w", hint.Wrap(cause, "use {missing=drop}"))
	if h := hint.Of(err); h != "use {missing=drop}" {
		t.Errorf("the hint is %q", h)
	}
	if err.Error() != "a.csv: the cell is empty" || !errors.Is(err, cause) {
		t.Errorf("the error is %v", err)
	}
	if h := hint.Of(cause); h != "" {
		t.Errorf("an error without a hint has %q", h)
	}
}

func TestTextFromElsewhereNamesNoOption(t *testing.T) {
	for _, name := range []string{"{id}", "a}", "{", "}}", "{{x", "a=b}c", "plain"} {
		h := hint.Sprintf("leave out column %q with {drop=%s}, or use %s", name, name, hint.Hint("{missing=drop}"))
		want := fmt.Sprintf("leave out column %q with drop=%s, or use missing=drop", name, name)
		if got := h.String(); got != want {
			t.Errorf("%q became %q, wanted %q", h, got, want)
		}
		if got, want := h.Options(), []hint.Option{{"drop", name}, {"missing", "drop"}}; !slices.Equal(got, want) {
			t.Errorf("%q has the options %q, wanted %q", h, got, want)
		}
	}
	if h := hint.Sprintf("%s", errors.New("no {id}")); h.Names("id") || h.String() != "no {id}" {
		t.Errorf("%q names an option of the text of an error", h)
	}
	if h := hint.Hint("name it with {text}"); !h.Names("text") || h.Names("id") {
		t.Errorf("%q names %v", h, h.Options())
	}
}
