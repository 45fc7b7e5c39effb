package source

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/inklinghq/inkling/internal/support/hint"
)

var signatures = []struct {
	start  string
	format Format // "" is not read
	called string
}{
	{"\x93NUMPY", NPY, "a NumPy array"},
	{"PAR1", Parquet, "a Parquet file"},
	{"\x89PNG\r\n\x1a\n", Image, "a PNG image"},
	{"\xff\xd8\xff", Image, "a JPEG image"},
	{"%%MatrixMarket", MTX, "a Matrix Market file"},
	{"PK\x03\x04", "", "a zip archive (a spreadsheet, or .npz)"},
	{"%PDF", "", "a PDF document"},
	{"SQLite format 3\x00", "", "an SQLite database"},
	{"\x89HDF", "", "an HDF5 file"},
	{"BZh", "", "a bzip2 stream"},
	{"\xfd7zXZ\x00", "", "an xz stream"},
}

// tarMark is where a tar archive says that it is one.
const tarMark = 257

// FormatBySignature returns the format that the first bytes prove, "" if none.
func FormatBySignature(head []byte) Format {
	for _, m := range signatures {
		if m.format != "" && bytes.HasPrefix(head, []byte(m.start)) {
			return m.format
		}
	}
	return ""
}

// CheckSignature refuses to read as format what starts like another one.
func CheckSignature(format string, head []byte, name string) error {
	for _, m := range signatures {
		if !bytes.HasPrefix(head, []byte(m.start)) || string(m.format) == format {
			continue
		}
		// Two letters are no proof: BZh may begin a word.
		if m.format == "" && len(m.start) < 4 && !IsBinary(head) {
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
	if !slices.Contains([]Format{NPY, Parquet, Image}, Format(format)) && bytes.IndexByte(head, 0) >= 0 {
		return &Error{File: name, Msg: "this is binary data, not " + format, Hint: "{format} names another format"}
	}
	return nil
}

// SkipBlank returns the bytes from the first line that is not blank.
func SkipBlank(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, UTF8BOM), " \r\n")
}

// IsBinary reports whether the first bytes are no text: a NUL, or many bytes
// that are control characters or no UTF-8.
func IsBinary(head []byte) bool {
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
