package reproduce

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// A MissingError is the error for a data set that is not in the data folder.
type MissingError struct {
	Set    string
	Folder string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("there is no data set %s in %s (%s)", e.Set, e.Folder, sources[e.Set])
}

// sources says where the sets come from, for people who are online.
// papers/evidence/DATA.md says how to bring them into the form that is read here.
var sources = map[string]string{
	"20news":         "UCI, Twenty Newsgroups, https://doi.org/10.24432/C5C323",
	"3sources":       "Greene and Cunningham 2009, http://mlg.ucd.ie/datasets/3sources.html",
	"bsds_elephants": "Berkeley Segmentation Dataset, https://www2.eecs.berkeley.edu/Research/Projects/CS/vision/bsds/",
	"iris":           "UCI, Iris, https://doi.org/10.24432/C56C76",
	"letter":         "UCI, Letter Recognition, https://doi.org/10.24432/C5ZP40",
	"pendigits":      "UCI, Pen-Based Recognition of Handwritten Digits, https://doi.org/10.24432/C5MG6K",
	"protein":        "Xing, Ng, Jordan and Russell 2002",
	"wdbc":           "UCI, Breast Cancer Wisconsin (Diagnostic), https://doi.org/10.24432/C5DW2B",
	"wine":           "UCI, Wine, https://doi.org/10.24432/C5PC7J",
	"yeast_ppi":      "von Mering et al. 2002, in the R package igraphdata",
}

// A set is rows with known classes.
type set struct {
	X     *data.Dense
	Truth []int
	K     int
}

// problem returns the set as a problem with as many clusters as classes.
func (s *set) problem() *cluster.Problem { return &cluster.Problem{X: s.X, K: s.K} }

// open opens a file of a data set. One that is not there is a *MissingError.
func (l *Lab) open(name, file string, opt dataio.Options) (*dataio.Dataset, error) {
	opt.Workers = l.Workers
	ds, err := dataio.Open(path.Join(l.Data, name, file), opt)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &MissingError{name, l.Data}
	}
	return ds, err
}

// rows reads a table and its classes; what is not in the data folder may be
// built in.
func (l *Lab) rows(name string) (x *data.Dense, labels []string, err error) {
	ds, err := l.open(name, "data.csv.gz", dataio.Options{})
	var missing *MissingError
	if errors.As(err, &missing) {
		if s, e := example.Load(name); e == nil {
			x, err = dense(s.X)
			return x, s.Truth, err
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if labels, err = l.lines(name, "labels.txt.gz"); err != nil {
		return nil, nil, err
	}
	if ds.X == nil || len(labels) != ds.X.Len() {
		return nil, nil, fmt.Errorf("%s: %d labels, want one for each row of a table", ds.Name, len(labels))
	}
	x, err = dense(ds.X)
	return x, labels, err
}

// lines reads a file of words, one a line.
func (l *Lab) lines(name, file string) ([]string, error) {
	ds, err := l.open(name, file, dataio.Options{Format: "text"})
	if err != nil {
		return nil, err
	}
	return ds.Docs, nil
}

// pick reads the rows of some classes, all where none are named, and of these
// every so many.
func (l *Lab) pick(name string, every int, classes ...string) (*set, error) {
	return l.pickFrom(name, every, 0, classes...)
}

// pickFrom is pick that begins with row first.
func (l *Lab) pickFrom(name string, every, first int, classes ...string) (*set, error) {
	x, labels, err := l.rows(name)
	if err != nil {
		return nil, err
	}
	if len(classes) == 0 {
		classes = slices.Compact(slices.Sorted(slices.Values(labels)))
	}
	out := &set{X: &data.Dense{Cols: x.Cols}, K: len(classes)}
	at := 0
	for i, label := range labels {
		class := slices.Index(classes, label)
		if class < 0 {
			continue
		}
		if at%every == first {
			out.X.V = append(out.X.V, x.Row(i, nil).Val...)
			out.Truth = append(out.Truth, class)
		}
		at++
	}
	if len(out.Truth) == 0 {
		return nil, fmt.Errorf("%s has no row of %v", name, classes)
	}
	return out, nil
}

// A namedSet is a set with a title, read when it is needed.
type namedSet struct {
	title string
	read  func(*Lab) (*set, error)
}

// from is pickFrom to be called later.
func from(name string, every, first int, classes ...string) func(*Lab) (*set, error) {
	return func(l *Lab) (*set, error) { return l.pickFrom(name, every, first, classes...) }
}

// standardise returns the set with features of mean 0 and variance 1.
func (s *set) standardise() (*set, error) {
	_, ready, err := prepare.Fit(&dataio.Dataset{X: s.X}, prepare.Options{Scale: prepare.Standard})
	if err != nil {
		return nil, err
	}
	x, err := dense(ready.X)
	return &set{x, s.Truth, s.K}, err
}

func dense(x data.Rows) (*data.Dense, error) {
	if d, ok := x.(*data.Dense); ok {
		return d, nil
	}
	return nil, fmt.Errorf("rows are %T, want a dense table", x)
}
