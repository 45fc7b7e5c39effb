package dataio

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// readText reads one document a line. An empty line is an empty document, so
// that row numbers and line numbers go together.
func readText(r io.Reader, name string, opt Options) (*Dataset, error) {
	if err := source.RefuseKind(name, "text", opt, source.AsText); err != nil {
		return nil, err
	}
	if err := source.RefuseColumns(name, "plain text", opt, ""); err != nil {
		return nil, err
	}
	ds := &Dataset{Name: name, Format: source.Text}
	empty, others := 0, 0
	l := scan.NewLines(r, name)
	for l.NextLine() {
		doc, converted, nul := decodeDocument(l.Text)
		if nul >= 0 {
			return nil, binaryText(name, l.Number, nul+1)
		}
		if converted {
			others++
		}
		if scan.IsBlank(l.Text) {
			empty++
		}
		ds.Docs = append(ds.Docs, doc)
	}
	if err := l.Failed(); err != nil {
		return nil, err
	}
	if len(ds.Docs) == 0 {
		return nil, &Error{File: name, Msg: "there is no text in it"}
	}
	if empty > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s kept as empty documents", source.Counted(empty, "blank line")))
	}
	if others > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s %s", source.Counted(others, "line"), source.ReadAsLatin1))
	}
	return ds, nil
}

// decodeDocument returns b as text: as it is when it is UTF-8, else as Latin-1. nul
// is the place of the first NUL byte, -1 if there is none.
func decodeDocument(b []byte) (doc string, converted bool, nul int) {
	if nul = bytes.IndexByte(b, 0); nul >= 0 {
		return "", false, nul
	}
	if utf8.Valid(b) {
		return string(b), false, -1
	}
	out := make([]byte, 0, len(b)+len(b)/8)
	for _, c := range b {
		out = utf8.AppendRune(out, source.Latin1Rune(c))
	}
	return string(out), true, -1
}

func binaryText(name string, line, col int) *Error {
	return &Error{File: name, Line: line, Col: col, Msg: "a NUL byte: this is binary, not text",
		Hint: "name the format if it is another one"}
}
