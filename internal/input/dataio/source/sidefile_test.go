package source

import (
	"errors"
	"io"
	"strings"
	"testing"
)

type endless string

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e)
	}
	return n, nil
}

// A file beside the data that never ends is refused, by its first line or by its size.
func TestEndlessSideFiles(t *testing.T) {
	for content, want := range map[endless]string{"\x00": "ids:1: the line has more than 1.0 MB", "0123456789\n": "ids: the file has more than 10 MB"} {
		r := &bounded{r: content, name: "ids", line: 1, most: 10 << 20}
		n, err := io.Copy(io.Discard, r)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) || n > 10<<20+1<<20 {
			t.Errorf("after %d bytes: %v", n, err)
		}
		if _, again := r.Read(make([]byte, 1)); again != err {
			t.Errorf("then %v", again)
		}
	}
	text := strings.Repeat(strings.Repeat("x", 1<<19)+"\n", 5) + "end"
	b, err := io.ReadAll(&bounded{r: strings.NewReader(text), name: "ids", line: 1, most: 10 << 20})
	if err != nil || string(b) != text {
		t.Errorf("%d of %d bytes, %v", len(b), len(text), err)
	}
}
