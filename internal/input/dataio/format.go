package dataio

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/input/dataio/table"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

var extensions = map[string]Format{
	".csv": source.CSV, ".tsv": source.TSV, ".tab": source.TSV, ".jsonl": source.JSONL, ".ndjson": source.JSONL, ".json": source.JSONL, ".npy": source.NPY,
	".parquet": source.Parquet, ".svm": source.SVM, ".libsvm": source.SVM, ".svmlight": source.SVM, ".mtx": source.MTX,
	".edges": source.Edges, ".edgelist": source.Edges, ".metis": source.METIS, ".graph": source.METIS, ".txt": source.Text,
	".png": source.Image, ".jpg": source.Image, ".jpeg": source.Image,
}

// pickFormat decides how to read a source: by what was asked for, by what it
// unmistakably is, by its name, by its first bytes. The reason, for people, is
// empty where it goes without saying.
func pickFormat(plain string, head []byte, opt Options, name string) (format Format, reason string, err error) {
	if opt.Format != "" {
		if all := opt.Format.Values(); !slices.Contains(all, string(opt.Format)) {
			return "", "", &Error{File: name, Msg: "there is no format " + source.Clip([]byte(opt.Format)),
				Hint: source.QuestionAndFacts(suggest.DidYouMean(string(opt.Format), all), "the formats are "+source.Listed(all))}
		}
		return opt.Format, "", source.CheckSignature(string(opt.Format), head, name)
	}
	if ext := strings.ToLower(filepath.Ext(plain)); extensions[ext] != "" {
		format = extensions[ext]
		if opt.As == source.AsGraph && (format == source.CSV || format == source.TSV || format == source.Text) {
			format = source.Edges
		}
		if mayBeEdges(format, opt) && looksLikeEdges(head, format != source.Text) {
			return source.Edges, " by its content", nil
		}
		if format == source.Text && opt.As == "" && byTabs(head) {
			return source.TSV, " by its content", nil
		}
		if format == source.Text && opt.As == "" && opt.Text == "" && table.ByBlanks(head, 0.5) {
			return source.CSV, " by its content", nil
		}
		return format, "", source.CheckSignature(string(format), head, name)
	}
	format, err = sniff(head, opt, name)
	return format, " by its content", err
}

// byTabs reports whether the lines that begin a source are rows of a table with tabs between three cells or more, which documents on lines are not.
func byTabs(head []byte) bool {
	if at := bytes.LastIndexByte(head, '\n'); at > 0 {
		head = head[:at] // the last line may be cut off
	}
	tabs, rows := 0, 0
	for _, line := range bytes.Split(bytes.TrimPrefix(head, source.UTF8BOM), []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 || rows == 0 && line[0] == '#' {
			continue
		}
		k := bytes.Count(line, []byte("\t"))
		if rows > 0 && k != tabs || k < 2 {
			return false
		}
		tabs = k
		rows++
	}
	return rows > 2
}

// mayBeEdges reports whether content can show that a source is an edge list: nothing
// says that it has columns, or is something else.
func mayBeEdges(format Format, opt Options) bool {
	text := format == source.CSV || format == source.TSV || format == source.Text
	return text && opt.As == "" && opt.ID == "" && opt.Label == "" && opt.Text == "" && opt.IDs == "" &&
		len(opt.Drop)+len(opt.Columns)+len(opt.Features) == 0
}

// sniff recognizes the format by the first bytes.
func sniff(head []byte, opt Options, name string) (Format, error) {
	if format := source.FormatBySignature(head); format != "" {
		return format, nil
	}
	if err := source.CheckSignature("text or a table", head, name); err != nil {
		return "", err
	}
	if source.IsBinary(head) {
		return "", &Error{File: name, Msg: "binary data in an unknown format", Hint: hint.Sprintf("{format} names one of %s", source.Listed(opt.Format.Values()))}
	}
	switch opt.As {
	case source.AsGraph:
		return source.Edges, nil
	case source.AsText:
		if opt.Text == "" {
			return source.Text, nil
		}
	}
	if mayBeEdges(source.Text, opt) && looksLikeEdges(head, false) {
		return source.Edges, nil
	}
	body := bytes.TrimLeft(source.SkipBlank(head), "\t")
	if len(body) == 0 {
		return "", &Error{File: name, Msg: "the file is empty"}
	}
	if body[0] == '{' || body[0] == '[' {
		return source.JSONL, nil
	}
	line, _, _ := bytes.Cut(body, []byte{'\n'})
	if table.SniffDelimiter(line) == '\t' {
		return source.TSV, nil
	}
	line = bytes.TrimSpace(line)
	if !bytes.ContainsAny(line, ",;|") && bytes.IndexByte(line, ' ') > 0 && !table.ByBlanks(body, 0.25) {
		return "", &Error{File: name, Line: 1, Msg: "the format is not clear: no comma, semicolon, bar or tab in its first line",
			Hint: "put one between the cells of a table, or say {format=edges}, svm, metis or text"}
	}
	return source.CSV, nil
}
