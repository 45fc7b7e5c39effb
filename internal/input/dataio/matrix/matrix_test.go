package matrix

import (
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

func TestMatrixReadersPassOnFailures(t *testing.T) {
	for _, c := range []struct {
		in, at string
		read   readertest.ReaderFunc
	}{
		{"0 1\n1 2\n2", "f:3", ReadEdges},
		{"1 1:2\n", "f:2", ReadSVM},
		{"2 1\n2\n", "f:3", ReadMETIS},
		{"%%MatrixMarket matrix array real general\n1 2\n3\n", "f:4", ReadMTX},
		{"\x93NUMPY\x01\x00", "f", ReadNPY},
	} {
		readertest.CheckEndsEarly(t, c.read, c.in, c.at)
	}
}

// A few bytes that promise much must not cost much.
func TestForgedHeadersCostLittle(t *testing.T) {
	for _, c := range []struct {
		name, in string
		read     readertest.ReaderFunc
		opt      source.Options
	}{
		{"npy", npyFile(npyHead("<f8", "True", "(1000000000, 1000000000)"), floats(1, 2)), ReadNPY, source.Options{}},
		{"npy header", "\x93NUMPY\x03\x00\xff\xff\xff\x7f{", ReadNPY, source.Options{}},
		{"svm", "1 2147483646:1\n", ReadSVM, source.Options{}},
		{"mtx rows", mtxFile("coordinate real general", "1048576 16777216 2\n2 1 1\n1 1 1\n"), ReadMTX, source.Options{}},
		{"mtx entries", mtxFile("coordinate real general", "9 9 9999999999999\n1 1 1\n"), ReadMTX, source.Options{}},
		{"mtx array", mtxFile("array real symmetric", "2147483647 2147483647\n1\n"), ReadMTX, source.Options{}},
		{"mtx graph", mtxFile("coordinate pattern general", "1048576 1048576 2\n2 1\n1 2\n"), ReadMTX, source.Options{As: "graph"}},
		{"mtx kernel", mtxFile("coordinate real general", "1048576 1048576 1\n1 1 1\n"), ReadMTX, source.Options{As: "kernel"}},
		{"edges", "0 2147483646\n", ReadEdges, source.Options{}},
		{"metis", "2147483647 2147483647 111 99999\n1\n", ReadMETIS, source.Options{}},
	} {
		readertest.CheckCost(t, c.read, c.name, c.in, c.opt)
	}
}

// A refusal is an input that a reader must refuse in exactly these words.
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
