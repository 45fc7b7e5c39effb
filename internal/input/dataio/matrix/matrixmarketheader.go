package matrix

import (
	"math"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

type mtxReader struct {
	*scan.Lines
	mtxHeader
	graph, missing bool
	got            int          // entries or values read
	e              entries      // of a coordinate file
	v              []float64    // of an array, column by column as in the file
	lines          scan.LineMap // of e, or for a graph of v
}

// mtxHeader is what the first lines of a Matrix Market file say.
type mtxHeader struct {
	array      bool // else coordinate
	pattern    bool // no values: each entry is 1
	integer    bool
	symmetric  bool // one triangle is given
	skew       bool // the other triangle has the opposite sign
	rows, cols int
	count      int // entries or values that follow
}

// readMTXHeader reads the banner and the line of sizes.
func readMTXHeader(l *scan.Lines, as source.As) (h mtxHeader, err error) {
	if !l.NextLine() {
		if err := l.Failed(); err != nil {
			return h, err
		}
		return h, &source.Error{File: l.Name, Msg: "the file is empty"}
	}
	if err := h.readBanner(l); err != nil {
		return h, err
	}
	if h.skew && (as == source.AsGraph || as == source.AsKernel) {
		return h, l.Refusef(0, "read it as vectors", "a skew-symmetric matrix is not a %s, whose two triangles are equal", as)
	}
	for l.NextLine() {
		if scan.IsBlank(l.Text) || l.Text[0] == '%' {
			continue
		}
		return h, h.readSize(l, as)
	}
	if err := l.Failed(); err != nil {
		return h, err
	}
	return h, &source.Error{File: l.Name, Line: l.Number, Msg: "the line of sizes is missing"}
}

// readBanner reads the first line into h.
func (h *mtxHeader) readBanner(l *scan.Lines) error {
	var word [5]string
	var at [5]int
	k := 0
	for lo, hi := scan.NextField(l.Text, 0); lo < hi; lo, hi = scan.NextField(l.Text, hi) {
		if k == 5 {
			return l.Refusef(lo, "", "%s after the five words of a Matrix Market file", source.Clip(l.Text[lo:hi]))
		}
		word[k], at[k] = strings.ToLower(string(l.Text[lo:hi])), lo
		k++
	}
	if k == 0 || word[0] != "%%matrixmarket" {
		return l.Refusef(0, "the first line is: %%MatrixMarket matrix coordinate real general", "not a Matrix Market file")
	}
	if k < 5 {
		return l.Refusef(len(l.Text), "the first line is: %%MatrixMarket matrix coordinate real general", "the first line has %d words of 5", k)
	}
	wrong := func(p int, known string) error {
		return l.Refusef(at[p], "", "%s is not read, known are %s", source.Clip([]byte(word[p])), known)
	}
	if word[1] != "matrix" {
		return wrong(1, "matrix")
	}
	switch word[2] {
	case "coordinate":
	case "array":
		h.array = true
	default:
		return wrong(2, "coordinate and array")
	}
	switch word[3] {
	case "real", "double":
	case "integer", "unsigned-integer":
		h.integer = true
	case "pattern":
		h.pattern = true
		if h.array {
			return l.Refusef(at[3], "", "an array cannot be a pattern: it has no values")
		}
	default:
		return wrong(3, "real, integer and pattern")
	}
	switch word[4] {
	case "general":
	case "symmetric":
		h.symmetric = true
	case "skew-symmetric":
		h.symmetric, h.skew = true, true
		if h.pattern {
			return l.Refusef(at[4], "", "a pattern cannot be skew-symmetric: it has no signs")
		}
	default:
		return wrong(4, "general, symmetric and skew-symmetric")
	}
	return nil
}

// readSize reads the line of sizes into h.
func (h *mtxHeader) readSize(l *scan.Lines, as source.As) error {
	want, form := 3, "rows columns entries"
	if h.array {
		want, form = 2, "rows columns"
	}
	var size [3]int
	k := 0
	for lo, hi := scan.NextField(l.Text, 0); lo < hi; lo, hi = scan.NextField(l.Text, hi) {
		if k == want {
			return l.Refusef(lo, "", "the line of sizes must be: %s", form)
		}
		y, ok := scan.ParseNatural(l.Text[lo:hi])
		if !ok || k < 2 && (y < 1 || y > math.MaxInt32) || y > math.MaxInt/16 {
			return l.Refusef(lo, "", "%s is not a size", source.Clip(l.Text[lo:hi]))
		}
		size[k] = y
		k++
	}
	if k < want {
		return l.Refusef(len(l.Text), "", "the line of sizes must be: %s", form)
	}
	h.rows, h.cols, h.count = size[0], size[1], size[2]
	square := h.symmetric || as == source.AsGraph || as == source.AsKernel
	if square && h.rows != h.cols {
		return l.Refusef(0, "", "the matrix must be square, got %d rows and %d columns", h.rows, h.cols)
	}
	if h.array {
		h.count = h.rows * h.cols
		if h.skew {
			h.count = h.rows * (h.rows - 1) / 2
		} else if h.symmetric {
			h.count = h.rows * (h.rows + 1) / 2
		}
	}
	return nil
}
