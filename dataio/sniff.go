package dataio

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

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

var magics = []struct{ start, format, called string }{
	{"\x93NUMPY", "npy", "a NumPy array"},
	{"PAR1", "parquet", "a Parquet file"},
	{"\x89PNG\r\n\x1a\n", "image", "a PNG image"},
	{"\xff\xd8\xff", "image", "a JPEG image"},
	{"%%MatrixMarket", "mtx", "a Matrix Market file"},
	{"PK\x03\x04", "", "a zip archive (a spreadsheet, or .npz)"},
	{"%PDF", "", "a PDF document"},
	{"SQLite format 3\x00", "", "an SQLite database"},
	{"\x89HDF", "", "an HDF5 file"},
	{"BZh", "", "a bzip2 stream"},
	{"\xfd7zXZ\x00", "", "an xz stream"},
}

// tarMark is where a tar archive says that it is one.
const tarMark = 257

// pickFormat decides how to read a source: by what was asked for, by what it
// unmistakably is, by its name, by its first bytes. The reason, for people, is
// empty where it goes without saying.
func pickFormat(plain string, head []byte, opt Options, name string) (format, reason string, err error) {
	if opt.Format != "" {
		if !slices.Contains(Formats, opt.Format) {
			return "", "", &Error{File: name, Msg: "there is no format " + clip([]byte(opt.Format)),
				Hint: orElse(suggest.DidYouMean(opt.Format, Formats), "the formats are "+listed(Formats))}
		}
		return opt.Format, "", checkMagic(opt.Format, head, name)
	}
	if ext := strings.ToLower(filepath.Ext(plain)); extensions[ext] != "" {
		format = extensions[ext]
		if opt.As == "graph" && (format == "csv" || format == "tsv" || format == "text") {
			format = "edges"
		}
		return format, "", checkMagic(format, head, name)
	}
	format, err = sniff(head, opt, name)
	return format, " by its content", err
}

// checkMagic refuses to read as format what starts like another one.
func checkMagic(format string, head []byte, name string) error {
	for _, m := range magics {
		if !bytes.HasPrefix(head, []byte(m.start)) || m.format == format {
			continue
		}
		// Two letters are no proof: BZh may begin a word.
		if m.format == "" && len(m.start) < 4 && !unprintable(head) {
			continue
		}
		e := &Error{File: name, Msg: "this is " + m.called + ", not " + format}
		if m.format != "" {
			e.Hint = hint.Sprintf("use {format=%s}", m.format)
		} else if strings.HasPrefix(m.start, "PK") {
			e.Hint = "save the sheet as CSV, or take the .npy out of the archive"
		}
		return e
	}
	if len(head) >= tarMark+5 && string(head[tarMark:tarMark+5]) == "ustar" {
		return &Error{File: name, Msg: "this is a tar archive, not " + format, Hint: "unpack it, and name a file or, for documents, the folder"}
	}
	if format != "npy" && format != "parquet" && format != "image" && bytes.IndexByte(head, 0) >= 0 {
		return &Error{File: name, Msg: "this is binary data, not " + format, Hint: "{format} names another format"}
	}
	return nil
}

// sniff tells the format by the first bytes.
func sniff(head []byte, opt Options, name string) (string, error) {
	for _, m := range magics {
		if m.format != "" && bytes.HasPrefix(head, []byte(m.start)) {
			return m.format, nil
		}
	}
	if err := checkMagic("text or a table", head, name); err != nil {
		return "", err
	}
	if unprintable(head) {
		return "", &Error{File: name, Msg: "this is binary data in no format that is known here", Hint: hint.Sprintf("{format} names one of %s", listed(Formats))}
	}
	switch opt.As {
	case "graph":
		return "edges", nil
	case "text":
		if opt.Text == "" {
			return "text", nil
		}
	}
	body := bytes.TrimLeft(skipBlank(head), "\t")
	if len(body) == 0 {
		return "", &Error{File: name, Msg: "there is nothing in it"}
	}
	if body[0] == '{' || body[0] == '[' {
		return "jsonl", nil
	}
	line, _, _ := bytes.Cut(body, []byte{'\n'})
	if sniffDelimiter(line) == '\t' {
		return "tsv", nil
	}
	line = bytes.TrimSpace(line)
	if !bytes.ContainsAny(line, ",;|") && bytes.IndexByte(line, ' ') > 0 {
		return "", &Error{File: name, Line: 1, Msg: "cannot tell what this is: no comma, semicolon, bar or tab in its first line",
			Hint: "put one between the cells of a table, or say {format=edges}, svm, metis or text"}
	}
	return "csv", nil
}

// skipBlank returns the bytes from the first line that is not blank.
func skipBlank(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, utf8BOM), " \r\n")
}

// unprintable reports whether the first bytes are no text: a NUL, or many bytes
// that are control characters or no UTF-8.
func unprintable(head []byte) bool {
	odd, all := 0, 0
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		if r == utf8.RuneError && size == 1 && len(head) < utf8.UTFMax {
			break // the head may end within a letter
		}
		switch {
		case r == 0:
			return true
		case r == utf8.RuneError && size == 1, r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f':
			odd++
		}
		all++
		head = head[size:]
	}
	return odd*10 > all
}
