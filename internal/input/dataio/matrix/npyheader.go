package matrix

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// maxNPYHeader bounds the header; one that says dtype, order and shape of a
// plain array takes 128 bytes.
const maxNPYHeader = 1 << 16

// npyHeader is what the head of an NPY file says.
type npyHeader struct {
	kind       byte // f, i, u or b
	size       int  // bytes a number takes
	order      binary.ByteOrder
	fortran    bool
	rows, cols int
	there      int64 // bytes of the file; 0: not known
}

func readNPYHeader(r io.Reader, name string) (npyHeader, error) {
	bad := func(advice hint.Hint, format string, a ...any) (npyHeader, error) {
		return npyHeader{}, &source.Error{File: name, Msg: fmt.Sprintf(format, a...), Hint: advice}
	}
	var head [12]byte
	if _, err := io.ReadFull(r, head[:10]); err != nil {
		if err == io.EOF {
			return bad("", "the file is empty")
		}
		return npyHeader{}, source.Unreadable(name, 0, err)
	}
	if string(head[:6]) != "\x93NUMPY" {
		return bad("an NPY file is what numpy.save writes", "not an NPY file: it does not start with \\x93NUMPY")
	}
	length := int(binary.LittleEndian.Uint16(head[8:]))
	switch major := head[6]; {
	case head[7] != 0 || major < 1 || major > 3:
		return bad("", "NPY version %d.%d, supported are 1.0, 2.0 and 3.0", major, head[7])
	case major > 1:
		if _, err := io.ReadFull(r, head[10:]); err != nil {
			return npyHeader{}, cutOff(name, err)
		}
		length = int(min(binary.LittleEndian.Uint32(head[8:]), math.MaxInt32))
	}
	if length > maxNPYHeader {
		return bad("", "an NPY header of %d bytes, at most %d are read", length, maxNPYHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return npyHeader{}, cutOff(name, err)
	}
	h, err := parseNPYHeader(string(text))
	if err != nil {
		err.File = name
		return npyHeader{}, err
	}
	return h, nil
}

// cutOff makes of an end in the middle of something the error that says so.
func cutOff(name string, err error) *source.Error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return source.Unreadable(name, 0, err)
}

// npyDict parses the Python literal in the header: a dictionary of exactly
// descr, fortran_order and shape, and nothing that would need evaluation.
type npyDict struct {
	s  string
	at int
}

func parseNPYHeader(s string) (h npyHeader, fault *source.Error) {
	p := &npyDict{s: s}
	seen := map[string]bool{}
	if !p.takeByte('{') {
		return h, p.refuseAt("{")
	}
	for !p.takeByte('}') {
		key, ok := p.readString()
		if !ok {
			return h, p.refuseAt("a key in quotes")
		}
		if seen[key] {
			return h, &source.Error{Msg: fmt.Sprintf("the NPY header gives %q twice", key)}
		}
		seen[key] = true
		if !p.takeByte(':') {
			return h, p.refuseAt(":")
		}
		switch key {
		case "descr":
			fault = p.readDescr(&h)
		case "fortran_order":
			fault = p.readOrder(&h)
		case "shape":
			fault = p.readShape(&h)
		default:
			fault = &source.Error{Msg: fmt.Sprintf("the NPY header has an unknown key %s", source.Clip([]byte(key)))}
		}
		if fault != nil {
			return h, fault
		}
		if !p.takeByte(',') && !strings.HasPrefix(p.remaining(), "}") {
			return h, p.refuseAt(", or }")
		}
	}
	if p.remaining() != "" {
		return h, p.refuseAt("nothing more")
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return h, &source.Error{Msg: fmt.Sprintf("the NPY header lacks %q", key)}
		}
	}
	return h, nil
}

func (p *npyDict) readDescr(h *npyHeader) *source.Error {
	if strings.HasPrefix(p.remaining(), "[") {
		return &source.Error{Msg: "an NPY array of records, plain numbers are needed", Hint: "save the columns as one array of floats"}
	}
	d, ok := p.readString()
	if !ok {
		return p.refuseAt("a dtype in quotes")
	}
	wrong := &source.Error{Msg: fmt.Sprintf("NPY dtype %s, known are f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1", source.Clip([]byte(d)))}
	if len(d) >= 2 && d[1] == 'O' || d == "O" {
		return &source.Error{Msg: "an NPY array of Python objects (a pickle), which is never opened", Hint: "save it as floats: numpy.save(file, x.astype(float))"}
	}
	if len(d) != 3 {
		return wrong
	}
	switch d[1:] {
	case "f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1":
	default:
		return wrong
	}
	h.kind, h.size = d[1], int(d[2]-'0')
	switch {
	case d[0] == '<' || d[0] == '|' && h.size == 1:
		h.order = binary.LittleEndian
	case d[0] == '>':
		h.order = binary.BigEndian
	default:
		return wrong
	}
	return nil
}

func (p *npyDict) readOrder(h *npyHeader) *source.Error {
	switch r := p.remaining(); {
	case strings.HasPrefix(r, "True"):
		p.at += 4
		h.fortran = true
	case strings.HasPrefix(r, "False"):
		p.at += 5
	default:
		return p.refuseAt("True or False")
	}
	return nil
}

func (p *npyDict) readShape(h *npyHeader) *source.Error {
	if !p.takeByte('(') {
		return p.refuseAt("( of the shape")
	}
	var dims []int
	for !p.takeByte(')') {
		r := p.remaining()
		k := 0
		for k < len(r) && '0' <= r[k] && r[k] <= '9' {
			k++
		}
		y, err := strconv.Atoi(r[:k])
		if err != nil || len(dims) == 64 {
			return p.refuseAt("a size")
		}
		dims = append(dims, y)
		p.at += k
		if p.at < len(p.s) && p.s[p.at] == 'L' { // as Python 2 wrote it
			p.at++
		}
		if !p.takeByte(',') && !strings.HasPrefix(p.remaining(), ")") {
			return p.refuseAt(", or )")
		}
	}
	return h.setShape(dims)
}

func (h *npyHeader) setShape(dims []int) *source.Error {
	switch len(dims) {
	case 0:
		return &source.Error{Msg: "an NPY array without dimensions is a single number, rows are needed"}
	case 1:
		h.rows, h.cols = dims[0], 1
	case 2:
		h.rows, h.cols = dims[0], dims[1]
	default:
		return &source.Error{Msg: fmt.Sprintf("an NPY array of %d dimensions, 1 or 2 are needed", len(dims)),
			Hint: "reshape it: numpy.save(file, x.reshape(len(x), -1))"}
	}
	if h.rows == 0 || h.cols == 0 {
		return &source.Error{Msg: fmt.Sprintf("an NPY array of %d by %d numbers is empty", h.rows, h.cols)}
	}
	if h.rows > math.MaxInt/8/h.cols {
		return &source.Error{Msg: fmt.Sprintf("an NPY array of %d by %d numbers fits no memory", h.rows, h.cols)}
	}
	return nil
}

// remaining skips white space and returns what is still to parse.
func (p *npyDict) remaining() string {
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
	return p.s[p.at:]
}

func (p *npyDict) takeByte(c byte) bool {
	if r := p.remaining(); r == "" || r[0] != c {
		return false
	}
	p.at++
	return true
}

// readString takes a string literal without escapes.
func (p *npyDict) readString() (string, bool) {
	r := p.remaining()
	if r == "" || r[0] != '\'' && r[0] != '"' {
		return "", false
	}
	k := strings.IndexByte(r[1:], r[0])
	if k < 0 || strings.IndexByte(r[1:1+k], '\\') >= 0 {
		return "", false
	}
	p.at += k + 2
	return r[1 : 1+k], true
}

func (p *npyDict) refuseAt(want string) *source.Error {
	return &source.Error{Msg: fmt.Sprintf("the NPY header is damaged at byte %d: expected %s", p.at, want)}
}
