package dataio

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/hint"
	"github.com/inklinghq/inkling/internal/suggest"
)

// A reader reads one format. What is wrong with the input is an *Error.
type reader struct {
	read func(r io.Reader, name string, opt Options) (*Dataset, error)
	as   []string // what it can be read as
}

var readers = map[string]reader{
	"csv":     {readCSV, []string{"vectors", "kernel", "text"}},
	"tsv":     {readTSV, []string{"vectors", "kernel", "text"}},
	"jsonl":   {readJSONL, []string{"vectors", "kernel", "text"}},
	"npy":     {readNPY, []string{"vectors", "kernel"}},
	"parquet": {readParquet, []string{"vectors", "kernel", "text"}},
	"svm":     {readSVM, []string{"vectors"}},
	"mtx":     {readMTX, []string{"vectors", "graph", "kernel"}},
	"edges":   {readEdges, []string{"graph"}},
	"metis":   {readMETIS, []string{"graph"}},
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
		return nil, pathFault(path, err)
	}
	if info.IsDir() {
		if opt.Format != "" && opt.Format != "text" {
			return nil, &Error{File: path, Msg: "a folder is read as text documents, not as " + opt.Format, Hint: "name a file"}
		}
		return readTextDir(path, opt)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, pathFault(path, err)
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
	s, err := newStream(r, name)
	if err != nil {
		return nil, err
	}
	defer s.close()
	head, err := s.head()
	if err != nil {
		return nil, err
	}
	if len(head) == 0 {
		return nil, &Error{File: name, Msg: "there is nothing in it"}
	}
	format, reason, err := pickFormat(s.plain, head, opt, name)
	if err != nil {
		return nil, err
	}
	how := readers[format]
	if opt.As != "" && !slices.Contains(how.as, opt.As) {
		return nil, &Error{File: name, Msg: fmt.Sprintf("%s cannot be read as %s, only as %s", format, opt.As, strings.Join(how.as, " or ")),
			Hint: asHint(opt.As)}
	}
	if opt.As == "text" && opt.Text == "" && format != "text" {
		return nil, &Error{File: name, Msg: "which column of the table is the text?", Hint: "name it with {text}"}
	}
	d, err := how.read(s, name, opt)
	if err != nil {
		return nil, s.refusal(err)
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
		return counted(d.X.Len(), "row") + ", " + counted(d.X.Dim(), "column")
	case d.Graph != nil:
		return counted(d.Graph.Len(), "node") + ", " + counted(d.Graph.Edges(), "edge")
	case d.Kernel != nil:
		return fmt.Sprintf("a kernel of %s", counted(d.Kernel.Len(), "row"))
	}
	return counted(len(d.Docs), "document")
}

func checkKind(name string, opt Options) error {
	if opt.As != "" && !slices.Contains(kinds, opt.As) {
		return &Error{File: name, Msg: "nothing can be read as " + clip([]byte(opt.As)),
			Hint: orElse(suggest.DidYouMean(opt.As, kinds), "there are "+listed(kinds))}
	}
	if opt.Text != "" && opt.As != "" && opt.As != "text" {
		return &Error{File: name, Msg: fmt.Sprintf("a column of text cannot be read as %s", opt.As), Hint: "leave out {as} or {text}"}
	}
	return nil
}

func asHint(as string) hint.Hint {
	var formats []string
	for _, f := range Formats {
		if slices.Contains(readers[f].as, as) {
			formats = append(formats, f)
		}
	}
	return hint.Sprintf("%s is read from %s", as, strings.Join(formats, ", "))
}
