package dataio

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/inklinghq/inkling/data"
)

// readSVM reads lines `target index:value … # comment`, as svmlight and libsvm
// do. Indices count from 1, or from 0 if a 0 occurs. Targets are labels only
// if Options.Label is "target".
func readSVM(r io.Reader, name string, opt Options) (*Dataset, error) {
	if err := refuseAs(name, "svmlight data", opt, "vectors"); err != nil {
		return nil, err
	}
	if err := refuseColumns(name, "svmlight data", opt, "target"); err != nil {
		return nil, err
	}
	s := svmReader{textLines: newTextLines(r, name), opt: opt, start: []int{0}, least: math.MaxInt}
	for s.next() {
		if err := s.row(); err != nil {
			return nil, err
		}
	}
	if err := s.failed(); err != nil {
		return nil, err
	}
	return s.dataset()
}

type svmReader struct {
	*textLines
	opt         Options
	start       []int
	idx         []int32
	val         []float64
	labels      []string
	qid         bool
	least, most int // of the indices as written
}

func (s *svmReader) row() error {
	if k := bytes.IndexByte(s.text, '#'); k >= 0 {
		s.text = s.text[:k]
	}
	lo, hi := field(s.text, 0)
	if lo == hi {
		return nil
	}
	target := s.text[lo:hi]
	if bytes.IndexByte(target, ':') >= 0 {
		return s.bad(lo, "every line is: target index:value …", "the line starts with %s, not with a target", clip(target))
	}
	if s.opt.Label != "" {
		s.labels = append(s.labels, knownLabel(target))
	}
	last := -1
	for lo, hi = field(s.text, hi); lo < hi; lo, hi = field(s.text, hi) {
		var err error
		if last, err = s.pair(lo, hi, last); err != nil {
			return err
		}
	}
	s.start = append(s.start, len(s.idx))
	return nil
}

// pair takes index:value at lo to hi of the line and returns the index.
func (s *svmReader) pair(lo, hi, last int) (int, error) {
	tok := s.text[lo:hi]
	colon := bytes.IndexByte(tok, ':')
	if colon < 0 {
		return 0, s.bad(lo, "", "%s is not index:value", clip(tok))
	}
	if string(tok[:colon]) == "qid" {
		s.qid = true
		return last, nil
	}
	f, ok := natural(tok[:colon])
	if !ok || f >= math.MaxInt32 {
		return 0, s.bad(lo, "", "index %s is not a whole number from 0 to %d", clip(tok[:colon]), math.MaxInt32-1)
	}
	if f <= last {
		return 0, s.bad(lo, "", "index %d after %d, indices must rise", f, last)
	}
	y, err := s.number(lo+colon+1, hi, s.opt.Missing)
	if err != nil {
		return 0, err
	}
	s.least, s.most = min(s.least, f), max(s.most, f)
	if y != 0 {
		s.idx, s.val = append(s.idx, int32(f)), append(s.val, y)
	}
	return f, nil
}

func (s *svmReader) dataset() (*Dataset, error) {
	if len(s.start) == 1 {
		return nil, &Error{File: s.name, Msg: "there are no rows in it"}
	}
	if s.least == math.MaxInt {
		return nil, &Error{File: s.name, Msg: "no row has an index:value", Hint: "every line is: target index:value …"}
	}
	ds := &Dataset{Name: s.name, Format: "svm", Labels: s.labels}
	cols := s.most
	if s.least == 0 {
		cols++
		ds.Notes = append(ds.Notes, "index 0 occurs: indices count from 0")
	} else {
		for p := range s.idx {
			s.idx[p]--
		}
	}
	if outOfProportion(cols, freeColumns, len(s.idx)) {
		return nil, &Error{File: s.name, Msg: fmt.Sprintf("index %d is out of proportion to %s", s.most, counted(len(s.idx), "value"))}
	}
	if s.opt.Label == "" {
		ds.Notes = append(ds.Notes, `the targets are not used; name the label column "target" to use them as labels`)
	} else {
		ds.Notes = append(ds.Notes, "the targets are used as labels")
	}
	if s.qid {
		ds.Notes = append(ds.Notes, "qid is ignored")
	}
	ds.X = &data.Sparse{Cols: cols, Start: s.start, Idx: s.idx, Val: s.val}
	return ds, nil
}

// knownLabel returns a label, "" where it is one of the signs for unknown.
func knownLabel(tok []byte) string {
	if s := string(tok); s != "?" && s != "NA" {
		return s
	}
	return ""
}
