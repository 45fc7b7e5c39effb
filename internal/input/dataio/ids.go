package dataio

import (
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// ReadIDs reads the id of each of n rows from the file at path, one a line: the first
// column where commas or tabs divide the lines. A first line more than there are rows
// names the column.
func ReadIDs(path string, n int) ([]string, error) {
	r, err := source.OpenSideFile(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var ids []string
	l := scan.NewLines(r, path)
	for l.NextLine() {
		id := string(l.Text)
		if len(ids) == 0 {
			id = strings.TrimPrefix(id, string(source.UTF8BOM))
		}
		if at := strings.IndexAny(id, ",\t;"); at >= 0 {
			id = id[:at]
		}
		id = strings.Trim(strings.TrimSpace(id), `"`)
		if id == "" {
			return nil, &Error{File: path, Line: l.Number, Msg: "the line has no id", Hint: "every row needs its own id"}
		}
		if ids = append(ids, id); len(ids) > n+1 {
			break
		}
	}
	if err := l.Failed(); err != nil {
		return nil, err
	}
	first := 1
	if len(ids) == n+1 {
		ids, first = ids[1:], 2
	}
	if len(ids) != n {
		count := fmt.Sprint(len(ids))
		if len(ids) > n {
			count = fmt.Sprintf("more than %d", n)
		}
		return nil, &Error{File: path, Msg: fmt.Sprintf("%s ids for %s", count, source.Counted(n, "row")), Hint: "give one id a line, in the order of the rows"}
	}
	if i, j, ok := scan.FirstDuplicate(ids); ok {
		return nil, &Error{File: path, Line: first + j, Msg: fmt.Sprintf("id %s is already on line %d", source.Clip([]byte(ids[j])), first+i), Hint: "every row needs its own id"}
	}
	return ids, nil
}

// nameRows gives the rows of d the ids of a file.
func nameRows(d *Dataset, opt Options) error {
	if opt.IDs == "" {
		return nil
	}
	switch d.Format {
	case source.NPY, source.SVM, source.MTX, source.METIS, source.Text:
	default:
		return &Error{File: d.Name, Msg: fmt.Sprintf("ids from a file are for formats without columns, not for %s", d.Format), Hint: "{id} names a column of ids"}
	}
	if d.IDs != nil {
		return &Error{File: d.Name, Msg: "the rows have ids already", Hint: "leave out {ids}"}
	}
	ids, err := ReadIDs(opt.IDs, d.Len())
	d.IDs = ids
	return err
}
