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

	"github.com/inklinghq/inkling/internal/input/dataio/matrix"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/input/dataio/table"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// A reader reads one format. What is wrong with the input is an *Error.
type reader struct {
	read func(r io.Reader, name string, opt Options) (*Dataset, error)
	as   []As // what it can be read as
}

var readers = map[Format]reader{
	source.CSV:     {table.ReadCSV, []As{source.AsVectors, source.AsKernel, source.AsText}},
	source.TSV:     {table.ReadTSV, []As{source.AsVectors, source.AsKernel, source.AsText}},
	source.JSONL:   {table.ReadJSONL, []As{source.AsVectors, source.AsKernel, source.AsText}},
	source.NPY:     {matrix.ReadNPY, []As{source.AsVectors, source.AsKernel}},
	source.Parquet: {table.ReadParquet, []As{source.AsVectors, source.AsKernel, source.AsText}},
	source.SVM:     {matrix.ReadSVM, []As{source.AsVectors}},
	source.MTX:     {matrix.ReadMTX, []As{source.AsVectors, source.AsGraph, source.AsKernel}},
	source.Edges:   {matrix.ReadEdges, []As{source.AsGraph}},
	source.METIS:   {matrix.ReadMETIS, []As{source.AsGraph}},
	source.Text:    {readText, []As{source.AsText}},
	source.Image:   {readImage, []As{source.AsImage}},
}

// Open reads the source at path: a file, compressed or not, a folder of text
// documents or pictures, or standard input, which is "-". What it cannot make sense of is
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
		return readDir(path, opt)
	}
	if opt.Embeddings != "" {
		return nil, &Error{File: path, Msg: "embeddings are for a folder of pictures, and this is a file", Hint: "leave out {embeddings}"}
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
	s.StopWhen(opt.Ended)
	head, err := s.Head()
	if err != nil {
		return nil, err
	}
	if len(head) == 0 {
		return nil, &Error{File: name, Msg: "the file is empty"}
	}
	format, reason, err := pickFormat(s.PlainName, head, opt, name)
	if err != nil {
		return nil, err
	}
	how := readers[format]
	if opt.As != "" && !slices.Contains(how.as, opt.As) {
		return nil, &Error{File: name, Msg: fmt.Sprintf("%s cannot be read as %s, only as %s", format, opt.As, strings.Join(asNames(how.as), " or ")),
			Hint: formatsHint(opt.As)}
	}
	if opt.As == source.AsText && opt.Text == "" && format != source.Text {
		return nil, &Error{File: name, Msg: "which column of the table is the text?", Hint: "name it with {text}"}
	}
	if opt.Watch != nil {
		opt.Watch(s.Share)
	}
	var from io.Reader = s
	if opt.Transpose {
		if from, err = transpose(s, name, format); err != nil {
			return nil, s.RefusalOf(err)
		}
		reason += ", transposed"
		how.read = table.ReadCSV
	}
	d, err := how.read(from, name, opt)
	if err != nil {
		return nil, s.RefusalOf(err)
	}
	d.Name, d.Format = name, format
	if err := nameRows(d, opt); err != nil {
		return nil, err
	}
	note := hint.Sprintf("read as %s%s: %s", format, reason, shape(d))
	for _, n := range d.Notes {
		note += ", " + n
	}
	d.Notes = []hint.Hint{note}
	return d, nil
}

// transpose returns a table with its rows as columns.
func transpose(s *source.Stream, name string, format Format) (io.Reader, error) {
	switch format {
	case source.CSV:
		return table.Transpose(s, name, 0)
	case source.TSV:
		return table.Transpose(s, name, '\t')
	}
	return nil, &Error{File: name, Msg: fmt.Sprintf("%s cannot be transposed, only csv and tsv can", format), Hint: "leave out {transpose}"}
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
	if all := opt.As.Values(); opt.As != "" && !slices.Contains(all, string(opt.As)) {
		return &Error{File: name, Msg: "nothing can be read as " + source.Clip([]byte(opt.As)),
			Hint: source.QuestionAndFacts(suggest.DidYouMean(string(opt.As), all), "there are "+source.Listed(all))}
	}
	if opt.Text != "" && opt.As != "" && opt.As != source.AsText {
		return &Error{File: name, Msg: fmt.Sprintf("a column of text cannot be read as %s", opt.As), Hint: "leave out {as} or {text}"}
	}
	return nil
}

func formatsHint(as As) hint.Hint {
	var formats []string
	for _, f := range Format("").Values() {
		if slices.Contains(readers[Format(f)].as, as) {
			formats = append(formats, f)
		}
	}
	return hint.Sprintf("%s is read from %s", as, strings.Join(formats, ", "))
}

func asNames(as []As) (names []string) {
	for _, a := range as {
		names = append(names, string(a))
	}
	return names
}
