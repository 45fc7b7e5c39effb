// Package dataio turns bytes into a Dataset and results back into bytes. It and
// the packages below it are the only ones below the command line that open files.
//
// Readers stream, never panic, and refuse what they do not understand with an
// *Error that names file, line and column and says what to do.
package dataio

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/dataio/matrix"
	"github.com/inklinghq/inkling/dataio/source"
	"github.com/inklinghq/inkling/dataio/table"
	"github.com/inklinghq/inkling/hint"
	"github.com/inklinghq/inkling/internal/suggest"
)

// A reader reads one format. What is wrong with the input is an *Error.
type reader struct {
	read func(r io.Reader, name string, opt Options) (*Dataset, error)
	as   []string // what it can be read as
}

var readers = map[string]reader{
	"csv":     {table.ReadCSV, []string{"vectors", "kernel", "text"}},
	"tsv":     {table.ReadTSV, []string{"vectors", "kernel", "text"}},
	"jsonl":   {table.ReadJSONL, []string{"vectors", "kernel", "text"}},
	"npy":     {matrix.ReadNPY, []string{"vectors", "kernel"}},
	"parquet": {table.ReadParquet, []string{"vectors", "kernel", "text"}},
	"svm":     {matrix.ReadSVM, []string{"vectors"}},
	"mtx":     {matrix.ReadMTX, []string{"vectors", "graph", "kernel"}},
	"edges":   {matrix.ReadEdges, []string{"graph"}},
	"metis":   {matrix.ReadMETIS, []string{"graph"}},
	"text":    {readText, []string{"text"}},
	"image":   {readImage, []string{"image"}},
}

var kinds = []string{"vectors", "graph", "kernel", "text", "image"}

// Open reads the source at path: a file, compressed or not, a folder of text
// documents, or standard input, which is "-". What it cannot make sense of is
// an *Error.
func Open(path string, opt Options) (*Dataset, error) {
	if path == "-" {
		return Read(os.Stdin, "stdin", opt)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, source.PathError(path, err)
	}
	if info.IsDir() {
		if opt.Format != "" && opt.Format != "text" {
			return nil, &Error{File: path, Msg: "a folder is read as text documents, not as " + opt.Format, Hint: "name a file"}
		}
		return readTextDir(path, opt)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, source.PathError(path, err)
	}
	defer f.Close()
	return Read(f, path, opt)
}

// Read reads a source that is already open. Its name stands in errors, and
// where it ends in an extension it helps to tell the format.
func Read(r io.Reader, name string, opt Options) (*Dataset, error) {
	if err := checkKind(name, opt); err != nil {
		return nil, err
	}
	s, err := source.NewStream(r, name)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	head, err := s.Head()
	if err != nil {
		return nil, err
	}
	if len(head) == 0 {
		return nil, &Error{File: name, Msg: "there is nothing in it"}
	}
	format, reason, err := pickFormat(s.PlainName, head, opt, name)
	if err != nil {
		return nil, err
	}
	how := readers[format]
	if opt.As != "" && !slices.Contains(how.as, opt.As) {
		return nil, &Error{File: name, Msg: fmt.Sprintf("%s cannot be read as %s, only as %s", format, opt.As, strings.Join(how.as, " or ")),
			Hint: formatsHint(opt.As)}
	}
	if opt.As == "text" && opt.Text == "" && format != "text" {
		return nil, &Error{File: name, Msg: "which column of the table is the text?", Hint: "name it with {text}"}
	}
	d, err := how.read(s, name, opt)
	if err != nil {
		return nil, s.RefusalOf(err)
	}
	d.Name, d.Format = name, format
	note := hint.Sprintf("read as %s%s: %s", format, reason, shape(d))
	for _, n := range d.Notes {
		note += ", " + n
	}
	d.Notes = []hint.Hint{note}
	return d, nil
}

// shape says how much d holds.
func shape(d *Dataset) string {
	switch {
	case d.Width > 0:
		return fmt.Sprintf("%d by %d pixels", d.Width, d.Height)
	case d.X != nil:
		return source.Counted(d.X.Len(), "row") + ", " + source.Counted(d.X.Dim(), "column")
	case d.Graph != nil:
		return source.Counted(d.Graph.Len(), "node") + ", " + source.Counted(d.Graph.Edges(), "edge")
	case d.Kernel != nil:
		return fmt.Sprintf("a kernel of %s", source.Counted(d.Kernel.Len(), "row"))
	}
	return source.Counted(len(d.Docs), "document")
}

func checkKind(name string, opt Options) error {
	if opt.As != "" && !slices.Contains(kinds, opt.As) {
		return &Error{File: name, Msg: "nothing can be read as " + source.Clip([]byte(opt.As)),
			Hint: source.QuestionAndFacts(suggest.DidYouMean(opt.As, kinds), "there are "+source.Listed(kinds))}
	}
	if opt.Text != "" && opt.As != "" && opt.As != "text" {
		return &Error{File: name, Msg: fmt.Sprintf("a column of text cannot be read as %s", opt.As), Hint: "leave out {as} or {text}"}
	}
	return nil
}

func formatsHint(as string) hint.Hint {
	var formats []string
	for _, f := range Formats {
		if slices.Contains(readers[f].as, as) {
			formats = append(formats, f)
		}
	}
	return hint.Sprintf("%s is read from %s", as, strings.Join(formats, ", "))
}
