package table

import (
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// refusal is an input that a reader must refuse in exactly these words.
type refusal struct {
	name string
	in   string
	opt  source.Options
	want string
}

func checkRefusals(t *testing.T, read readertest.ReaderFunc, cases []refusal) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { readertest.CheckRefusal(t, read, c.in, c.opt, c.want) })
	}
}
