package dataio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	headSize  = 1 << 16   // bytes looked at to tell what a source holds
	maxWindow = 128 << 20 // what the long mode of zstd asks of its reader
)

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// A stream is a source of plain bytes: decompressed where need be, its first
// bytes open to inspection, with the faults of the compression put in words.
type stream struct {
	name   string // as people know it
	plain  string // name without .gz or .zst
	br     *bufio.Reader
	packed string      // gzip, zstd or ""
	file   *os.File    // the regular file underneath and its size, if there is one
	size   int64       // of file
	under  *countBytes // what has been read from underneath
	failed *Error      // what stopped the decompression
	close  func()
}

// newStream looks at the first bytes of r and undoes the compression. The
// caller closes the stream; r stays open.
func newStream(r io.Reader, name string) (*stream, error) {
	s := &stream{name: name, plain: name, close: func() {}}
	if f, ok := r.(*os.File); ok {
		from, _ := f.Seek(0, io.SeekCurrent)
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && from == 0 {
			s.file, s.size = f, info.Size()
		}
	}
	s.under = &countBytes{r: r}
	raw := bufio.NewReaderSize(s.under, headSize)
	magic, err := raw.Peek(4)
	if err != nil && err != io.EOF {
		return nil, unreadable(name, 0, err)
	}
	said := ""
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		said = "gzip"
	case ".zst":
		said = "zstd"
	}
	switch {
	case bytes.HasPrefix(magic, gzipMagic):
		s.packed = "gzip"
	case bytes.HasPrefix(magic, zstdMagic):
		s.packed = "zstd"
	}
	if said != "" {
		s.plain = strings.TrimSuffix(name, filepath.Ext(name))
		if s.packed != said {
			return nil, &Error{File: name, Msg: fmt.Sprintf("the name ends in %s, but this is no %s stream", filepath.Ext(name), said),
				Hint: "give the file its right name"}
		}
	}
	return s, s.unpack(raw)
}

// OpenFile opens the file at path as plain bytes, with the compression undone;
// "-" is standard input.
func OpenFile(path string) (io.ReadCloser, error) {
	if path == "-" {
		return plainFile(os.Stdin, "stdin", func() error { return nil })
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, pathFault(path, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, &Error{File: path, Msg: "this is a folder", Hint: "name a file"}
	}
	return plainFile(f, path, f.Close)
}

func plainFile(f *os.File, name string, closeFile func() error) (io.ReadCloser, error) {
	s, err := newStream(f, name)
	if err != nil {
		return nil, errors.Join(err, closeFile())
	}
	return &opened{s, func() error { s.close(); return closeFile() }}, nil
}

type opened struct {
	io.Reader
	close func() error
}

func (o *opened) Close() error { return o.close() }

func (s *stream) unpack(raw *bufio.Reader) error {
	switch s.packed {
	case "gzip":
		z, err := gzip.NewReader(raw)
		if err != nil {
			return s.fault(err, 0)
		}
		s.br = bufio.NewReaderSize(&unpacked{s: s, r: z}, headSize)
	case "zstd":
		z, err := zstd.NewReader(raw, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(2))
		if err != nil {
			return s.fault(err, 0)
		}
		s.close = z.Close
		s.br = bufio.NewReaderSize(&unpacked{s: s, r: z}, headSize)
	default:
		s.br = raw
	}
	mark, _ := s.br.Peek(2) // what is wrong with it is told by who reads
	if is, big := wideMark(mark); is {
		s.br = bufio.NewReaderSize(&wide{r: s.br, big: big}, headSize)
	}
	return nil
}

// head returns the first bytes, at most headSize, without reading past them.
func (s *stream) head() ([]byte, error) {
	b, err := s.br.Peek(headSize)
	if err != nil && err != io.EOF && len(b) == 0 {
		return nil, asError(err, s.name)
	}
	return b, nil
}

// done estimates which part of the source has been read, or 0 if nobody knows.
func (s *stream) done() float64 {
	if s.file == nil || s.size == 0 {
		return 0
	}
	return float64(s.under.n.Load()) / float64(s.size)
}

// Read reads plain bytes.
func (s *stream) Read(p []byte) (int, error) { return s.br.Read(p) }

// fault words what a decompressor said after n good bytes.
func (s *stream) fault(err error, n int64) *Error {
	e := &Error{File: s.name, Err: err, Hint: "the file seems damaged: fetch it again"}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		e.Msg = fmt.Sprintf("%s stream ends early, after %d bytes of content", s.packed, n)
		e.Hint = "the file seems cut off: fetch it again"
	case errors.Is(err, gzip.ErrChecksum) || errors.Is(err, zstd.ErrCRCMismatch):
		e.Msg = fmt.Sprintf("%s checksum does not match", s.packed)
	case errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded):
		e.Msg = fmt.Sprintf("zstd window is over %d MB", maxWindow>>20)
		e.Hint = "compress it again with a smaller window"
	default:
		e.Msg = fmt.Sprintf("%s stream is damaged after %d bytes of content: %v", s.packed, n, err)
	}
	return e
}

// unpacked reads from a decompressor and words its errors.
type unpacked struct {
	s *stream
	r io.Reader
	n int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	u.n += int64(n)
	if err != nil && err != io.EOF {
		var under *fs.PathError
		if errors.As(err, &under) {
			return n, err
		}
		u.s.failed = u.s.fault(err, u.n)
		err = u.s.failed
	}
	return n, err
}

// countBytes may be asked for n while another goroutine reads.
type countBytes struct {
	r io.Reader
	n atomic.Int64
}

func (c *countBytes) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// refusal returns the *Error in err. Where a reader stopped because of the
// decompression, that is the one.
func (s *stream) refusal(err error) *Error {
	if s.failed != nil && errors.Is(err, s.failed) {
		return s.failed
	}
	return asError(err, s.name)
}

// asError finds the *Error inside err, or makes one.
func asError(err error, name string) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return unreadable(name, 0, err)
}
