package dataio

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/records"
)

// Every format of text is refused before it takes more memory than there is, while it is
// read from a pipe, whose length nobody knows.
func TestEveryFormatLooksAtMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads much: not in short mode")
	}
	many := func(line func(i int) string, n int) func() []byte {
		return func() []byte {
			var b bytes.Buffer
			for i := range n {
				b.WriteString(line(i))
			}
			return b.Bytes()
		}
	}
	read := func(format Format) func([]byte) error {
		return func(b []byte) error {
			_, err := Read(bytes.NewReader(b), "given", Options{Format: format})
			return err
		}
	}
	const n = 1 << 20
	for name, c := range map[string]struct {
		make func() []byte
		read func([]byte) error
	}{
		"csv":   {many(func(i int) string { return fmt.Sprintf("%d.5,%d.25\n", i, i) }, n), read("csv")},
		"jsonl": {many(func(i int) string { return fmt.Sprintf("{\"x\":%d.5,\"y\":%d}\n", i, i) }, n), read("jsonl")},
		"edges": {many(func(i int) string { return fmt.Sprintf("node%d node%d 1.5\n", i, i/2) }, n), read("edges")},
		"svm":   {many(func(i int) string { return fmt.Sprintf("1 1:%d.5 7:2.5 9:1\n", i) }, n), read("svm")},
		"text":  {many(func(i int) string { return fmt.Sprintf("word%d and others, many of them\n", i) }, n), read("text")},
		"records": {many(func(i int) string { return fmt.Sprintf("name %d,street %d,town\n", i, i) }, n), func(b []byte) error {
			_, err := records.Read(bytes.NewReader(b), "given")
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			content := c.make()
			limitMemory(t, 10<<20)
			err := c.read(content)
			var refused *Error
			if !errors.As(err, &refused) || !strings.Contains(refused.Msg, "memory") || refused.Hint == "" {
				t.Errorf("%d MB of content: %v", len(content)>>20, err)
			}
		})
	}
}
