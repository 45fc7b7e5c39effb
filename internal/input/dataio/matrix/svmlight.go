package matrix

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// ReadSVM reads lines `target index:value … # comment`, as svmlight and libsvm
// do. Indices count from 1, or from 0 if a 0 occurs. Targets are labels only
// if Options.Label is "target".
func ReadSVM(r io.Reader, name string, opt source.Options) (*source.Dataset, error) {
	if err := source.RefuseKind(name, "svmlight data", opt, source.AsVectors); err != nil {
		return nil, err
	}
	if err := source.RefuseColumns(name, "svmlight data", opt, "target"); err != nil {
		return nil, err
	}
	s := svmReader{Lines: scan.NewLines(r, name), opt: opt, start: []int{0}, least: math.MaxInt}
	for s.NextLine() {
		if err := s.parseRow(); err != nil {
			return nil, err
		}
	}
	if err := s.Failed(); err != nil {
		return nil, err
	}
	return s.dataset()
}

type svmReader struct {
	*scan.Lines
	opt         source.Options
	start       []int
	idx         []int32
	val         []float64
	labels      []string
	qid         bool
	least, most int // of the indices as written
}

func (s *svmReader) parseRow() error {
	if k := bytes.IndexByte(s.Text, '#'); k >= 0 {
		s.Text = s.Text[:k]
	}
	lo, hi := scan.NextField(s.Text, 0)
	if lo == hi {
		return nil
	}
	target := s.Text[lo:hi]
	if bytes.IndexByte(target, ':') >= 0 {
		return s.Refusef(lo, "every line is: target index:value …", "the line starts with %s, not with a target", source.Clip(target))
	}
	if s.opt.Label != "" {
		s.labels = append(s.labels, knownLabel(target))
	}
	last := -1
	for lo, hi = scan.NextField(s.Text, hi); lo < hi; lo, hi = scan.NextField(s.Text, hi) {
		var err error
		if last, err = s.parsePair(lo, hi, last); err != nil {
			return err
		}
	}
	s.start = append(s.start, len(s.idx))
	return nil
}

// parsePair takes index:value at lo to hi of the line and returns the index.
func (s *svmReader) parsePair(lo, hi, last int) (int, error) {
	tok := s.Text[lo:hi]
	colon := bytes.IndexByte(tok, ':')
	if colon < 0 {
		return 0, s.Refusef(lo, "", "%s is not index:value", source.Clip(tok))
	}
	if string(tok[:colon]) == "qid" {
		s.qid = true
		return last, nil
	}
	f, ok := scan.ParseNatural(tok[:colon])
	if !ok || f >= math.MaxInt32 {
		return 0, s.Refusef(lo, "", "index %s is not a whole number from 0 to %d", source.Clip(tok[:colon]), math.MaxInt32-1)
	}
	if f <= last {
		return 0, s.Refusef(lo, "", "index %d after %d, indices must ascend", f, last)
	}
	y, err := s.ParseNumber(lo+colon+1, hi, s.opt.Missing)
	if err != nil {
		return 0, err
	}
	s.least, s.most = min(s.least, f), max(s.most, f)
	if y != 0 {
		s.idx, s.val = append(s.idx, int32(f)), append(s.val, y)
	}
	return f, nil
}

func (s *svmReader) dataset() (*source.Dataset, error) {
	if len(s.start) == 1 {
		return nil, &source.Error{File: s.Name, Msg: "there are no rows in it"}
	}
	if s.least == math.MaxInt {
		return nil, &source.Error{File: s.Name, Msg: "no row has an index:value", Hint: "every line is: target index:value …"}
	}
	ds := &source.Dataset{Name: s.Name, Format: "svm", Labels: s.labels}
	cols := s.most
	if s.least == 0 {
		cols++
		ds.Notes = append(ds.Notes, "index 0 occurs: indices count from 0")
	} else {
		for p := range s.idx {
			s.idx[p]--
		}
	}
	if source.OutOfProportion(cols, source.FreeColumns, len(s.idx)) {
		return nil, &source.Error{File: s.Name, Msg: fmt.Sprintf("index %d is out of proportion to %s", s.most, source.Counted(len(s.idx), "value"))}
	}
	if s.opt.Label == "" {
		ds.Notes = append(ds.Notes, `the targets are not used; name the label column "target" to use them as labels`)
	} else {
		ds.Notes = append(ds.Notes, "the targets are used as labels")
	}
	if s.qid {
		ds.Notes = append(ds.Notes, "qid is ignored")
	}
	ds.X = fullRows(&data.Sparse{Cols: cols, Start: s.start, Idx: s.idx, Val: s.val})
	return ds, nil
}

// knownLabel returns a label, "" where it is one of the signs for unknown.
func knownLabel(tok []byte) string {
	if s := string(tok); s != "?" && s != "NA" {
		return s
	}
	return ""
}
