package table

import (
	"io"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// ReadCSV reads a table of values with commas or another delimiter between them.
func ReadCSV(r io.Reader, name string, opt source.Options) (*source.Dataset, error) {
	return readDelimited(scan.NewChunks(r, true), name, 0, opt)
}

// ReadTSV reads a table whose delimiter is the tab.
func ReadTSV(r io.Reader, name string, opt source.Options) (*source.Dataset, error) {
	return readDelimited(scan.NewChunks(r, true), name, '\t', opt)
}

func readDelimited(s *scan.Chunks, name string, delim byte, opt source.Options) (*source.Dataset, error) {
	opt = opt.ForTable()
	t := &Table{Name: name, opt: opt, Dialect: Dialect{delim, s.Longest}}
	line, err := t.ReadHeader(s)
	if err != nil {
		return nil, err
	}
	d, err := newCollector(&t.layout, t.featureNames(), name, line, opt).collectAll(s, t.parseChunk, &t.spare)
	if err != nil {
		return nil, err
	}
	d.Notes = append(t.headerNotes(), d.Notes...)
	if s.Latin1 {
		d.Notes = append(d.Notes, "some of it "+source.ReadAsLatin1)
	}
	return d, nil
}
