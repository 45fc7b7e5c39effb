package shards

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"

	"github.com/inklinghq/inkling/internal/door"
)

// A head is what the head of an NPY file says, and the size of the file.
type head struct {
	rows, cols int
	double     bool
	offset     int64
	size, time int64
}

// errOther is the error for a file that cannot be read in place and may be converted.
type errOther struct{ path string }

func (e *errOther) Error() string {
	return e.path + ": not an NPY array of float32 or float64 by rows, which could be read in place"
}

// The parts of the head of an NPY file, a Python dictionary.
var (
	descrPart   = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	fortranPart = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shapePart   = regexp.MustCompile(`'shape':\s*\(\s*(\d+)\s*,\s*(\d+)\s*,?\s*\)`)
)

// maxHead bounds the length of a head.
const maxHead = 1 << 16

func readHead(path string) (h head, err error) {
	f, err := os.Open(path)
	if err != nil {
		return h, unreadable(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return h, unreadable(path, err)
	}
	if info.IsDir() {
		return h, &door.InputError{File: path, Msg: "this is a folder; name the files in it"}
	}
	h.size, h.time = info.Size(), info.ModTime().UnixNano()
	start := make([]byte, 12)
	n, _ := io.ReadFull(f, start)
	if n < 10 || string(start[:6]) != "\x93NUMPY" {
		return h, &errOther{path}
	}
	length, at := int(binary.LittleEndian.Uint16(start[8:])), 10
	if start[6] > 1 && n == 12 {
		length, at = int(min(binary.LittleEndian.Uint32(start[8:]), maxHead+1)), 12
	}
	if length > maxHead {
		return h, &errOther{path}
	}
	text := make([]byte, length)
	if _, err := f.ReadAt(text, int64(at)); err != nil {
		return h, cutShort(path, h.size, int64(at+length))
	}
	descr, fortran, shape := descrPart.FindSubmatch(text), fortranPart.FindSubmatch(text), shapePart.FindSubmatch(text)
	if descr == nil || fortran == nil || shape == nil || string(fortran[1]) == "True" {
		return h, &errOther{path}
	}
	switch string(descr[1]) {
	case "<f4":
	case "<f8":
		h.double = true
	default:
		return h, &errOther{path}
	}
	rows, err1 := strconv.Atoi(string(shape[1]))
	cols, err2 := strconv.Atoi(string(shape[2]))
	if err1 != nil || err2 != nil || cols < 1 || rows > 1<<40/cols {
		return h, &errOther{path}
	}
	h.rows, h.cols, h.offset = rows, cols, int64(at+length)
	if need := h.offset + int64(rows)*int64(cols)*int64(4+4*one(h.double)); h.size < need {
		return h, cutShort(path, h.size, need)
	} else if h.size > need {
		return h, &door.InputError{File: path, Msg: fmt.Sprintf("there is more data than the header's %d by %d numbers", rows, cols)}
	}
	return h, nil
}

func cutShort(path string, size, need int64) error {
	return &door.InputError{File: path, Msg: fmt.Sprintf("the file is cut short: %d bytes, its header says %d", size, need), Hint: "fetch it again"}
}
