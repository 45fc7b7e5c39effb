package dataio

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/dataio/source"
	"github.com/inklinghq/inkling/dataio/table"
	"github.com/inklinghq/inkling/hint"
	"github.com/inklinghq/inkling/internal/suggest"
)

// Formats are the names of the formats that can be read.
var Formats = []string{"csv", "tsv", "jsonl", "npy", "parquet", "svm", "mtx", "edges", "metis", "text", "image"}

var extensions = map[string]string{
	".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".npy": "npy",
	".parquet": "parquet", ".svm": "svm", ".libsvm": "svm", ".svmlight": "svm", ".mtx": "mtx",
	".edges": "edges", ".edgelist": "edges", ".metis": "metis", ".graph": "metis", ".txt": "text",
	".png": "image", ".jpg": "image", ".jpeg": "image",
}

// pickFormat decides how to read a source: by what was asked for, by what it
// unmistakably is, by its name, by its first bytes. The reason, for people, is
// empty where it goes without saying.
func pickFormat(plain string, head []byte, opt Options, name string) (format, reason string, err error) {
	if opt.Format != "" {
		if !slices.Contains(Formats, opt.Format) {
			return "", "", &Error{File: name, Msg: "there is no format " + source.Clip([]byte(opt.Format)),
				Hint: source.QuestionAndFacts(suggest.DidYouMean(opt.Format, Formats), "the formats are "+source.Listed(Formats))}
		}
		return opt.Format, "", source.CheckSignature(opt.Format, head, name)
	}
	if ext := strings.ToLower(filepath.Ext(plain)); extensions[ext] != "" {
		format = extensions[ext]
		if opt.As == "graph" && (format == "csv" || format == "tsv" || format == "text") {
			format = "edges"
		}
		return format, "", source.CheckSignature(format, head, name)
	}
	format, err = sniff(head, opt, name)
	return format, " by its content", err
}

// sniff tells the format by the first bytes.
func sniff(head []byte, opt Options, name string) (string, error) {
	if format := source.FormatBySignature(head); format != "" {
		return format, nil
	}
	if err := source.CheckSignature("text or a table", head, name); err != nil {
		return "", err
	}
	if source.IsBinary(head) {
		return "", &Error{File: name, Msg: "this is binary data in no format that is known here", Hint: hint.Sprintf("{format} names one of %s", source.Listed(Formats))}
	}
	switch opt.As {
	case "graph":
		return "edges", nil
	case "text":
		if opt.Text == "" {
			return "text", nil
		}
	}
	body := bytes.TrimLeft(source.SkipBlank(head), "\t")
	if len(body) == 0 {
		return "", &Error{File: name, Msg: "there is nothing in it"}
	}
	if body[0] == '{' || body[0] == '[' {
		return "jsonl", nil
	}
	line, _, _ := bytes.Cut(body, []byte{'\n'})
	if table.SniffDelimiter(line) == '\t' {
		return "tsv", nil
	}
	line = bytes.TrimSpace(line)
	if !bytes.ContainsAny(line, ",;|") && bytes.IndexByte(line, ' ') > 0 {
		return "", &Error{File: name, Line: 1, Msg: "the format is not clear: no comma, semicolon, bar or tab in its first line",
			Hint: "put one between the cells of a table, or say {format=edges}, svm, metis or text"}
	}
	return "csv", nil
}
