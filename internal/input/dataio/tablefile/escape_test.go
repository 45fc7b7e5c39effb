package tablefile

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"id,cluster\n=1+1,0\n-5,1\n+x,2\n@a,3\nb=c,4\n":   "id,cluster\n'=1+1,0\n-5,1\n'+x,2\n'@a,3\nb=c,4\n",
		"id;name;cluster\n1;\"=a;b\"\"c\";0\n-1e5;-x;0\n": "id;name;cluster\n1;\"'=a;b\"\"c\";0\n-1e5;'-x;0\n",
		"id\tcluster\n=\"x\"\t0\n":                        "id\tcluster\n\"'=\"\"x\"\"\"\t0\n",
		"":                                                "",
	} {
		var out strings.Builder
		if err := Escape(func(w io.Writer) error { _, err := io.WriteString(w, in); return err })(&out); err != nil || out.String() != want {
			t.Errorf("%q becomes %q, %v; want %q", in, out.String(), err, want)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// What writing fails with reaches the caller, on either side.
func TestEscapeFails(t *testing.T) {
	broken := errors.New("broken")
	err := Escape(func(w io.Writer) error { _, _ = io.WriteString(w, "id,cluster\n"); return broken })(io.Discard)
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	err = Escape(func(w io.Writer) error {
		for {
			if _, err := io.WriteString(w, "id,cluster\n"); err != nil {
				return err
			}
		}
	})(full{})
	if !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v", err)
	}
}
