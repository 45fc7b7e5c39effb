package source

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

// A Stream is a source of plain bytes: decompressed where need be, its first
// bytes open to inspection, with the faults of the compression put in words.
type Stream struct {
	name        string // as people know it
	PlainName   string // name without .gz or .zst
	br          *bufio.Reader
	compression string       // gzip, zstd or ""
	file        *os.File     // the regular file underneath and its size, if there is one
	size        int64        // of file
	counter     *byteCounter // what has been read from underneath
	failed      *Error       // what stopped the decompression
	ended       func() error // see Options.Ended; or nil
	memory      memoryGuard
	full        error // what memory said, for good: readers may not look at an error that comes with bytes
	Close       func()
}

// NewStream looks at the first bytes of r and undoes the compression. The
// caller closes the stream; r stays open.
func NewStream(r io.Reader, name string) (*Stream, error) {
	s := &Stream{name: name, PlainName: name, Close: func() {}}
	if f, ok := r.(*os.File); ok {
		from, _ := f.Seek(0, io.SeekCurrent)
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && from == 0 {
			s.file, s.size = f, info.Size()
		}
	}
	s.counter = &byteCounter{r: r}
	raw := bufio.NewReaderSize(s.counter, headSize)
	magic, err := raw.Peek(4)
	if err != nil && err != io.EOF {
		return nil, Unreadable(name, 0, err)
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
		s.compression = "gzip"
	case bytes.HasPrefix(magic, zstdMagic):
		s.compression = "zstd"
	}
	if said != "" {
		s.PlainName = strings.TrimSuffix(name, filepath.Ext(name))
		if s.compression != said {
			return nil, &Error{File: name, Msg: fmt.Sprintf("the name ends in %s, but this is not a %s stream", filepath.Ext(name), said),
				Hint: "give the file its right name"}
		}
	}
	return s, s.unpack(raw)
}

func (s *Stream) unpack(raw *bufio.Reader) error {
	switch s.compression {
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
		s.Close = z.Close
		s.br = bufio.NewReaderSize(&unpacked{s: s, r: z}, headSize)
	default:
		s.br = raw
	}
	mark, _ := s.br.Peek(2) // whoever reads gets the error
	if is, big := UTF16Mark(mark); is {
		s.br = bufio.NewReaderSize(&UTF16Reader{Source: s.br, BigEndian: big}, headSize)
	}
	return nil
}

// Head returns the first bytes, at most headSize, without reading past them.
func (s *Stream) Head() ([]byte, error) {
	b, err := s.br.Peek(headSize)
	if err != nil && err != io.EOF && len(b) == 0 {
		return nil, AsError(err, s.name)
	}
	return b, nil
}

// PartRead estimates which part of the source has been read, or 0 if that is unknown.
func (s *Stream) PartRead() float64 {
	if s.file == nil || s.size == 0 {
		return 0
	}
	return float64(s.counter.n.Load()) / float64(s.size)
}

// StopWhen has reading fail once ended returns an error.
func (s *Stream) StopWhen(ended func() error) { s.ended = ended }

// Read reads plain bytes.
func (s *Stream) Read(p []byte) (int, error) {
	if s.ended != nil {
		if err := s.ended(); err != nil {
			return 0, err
		}
	}
	if s.full != nil {
		return 0, s.full
	}
	n, err := s.br.Read(p)
	if s.full = s.memory.check(s.name, n, s.PartRead()); s.full != nil {
		return n, s.full
	}
	return n, err
}

// fault words what a decompressor said after n good bytes.
func (s *Stream) fault(err error, n int64) *Error {
	e := &Error{File: s.name, Err: err, Hint: "the file seems damaged: fetch it again"}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		e.Msg = fmt.Sprintf("%s stream ends early, after %d bytes of content", s.compression, n)
		e.Hint = "the file seems cut off: fetch it again"
	case errors.Is(err, gzip.ErrChecksum) || errors.Is(err, zstd.ErrCRCMismatch):
		e.Msg = fmt.Sprintf("%s checksum does not match", s.compression)
	case errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded):
		e.Msg = fmt.Sprintf("zstd window is over %d MB", maxWindow>>20)
		e.Hint = "compress it again with a smaller window"
	default:
		e.Msg = fmt.Sprintf("%s stream is damaged after %d bytes of content: %v", s.compression, n, err)
	}
	return e
}

// unpacked reads from a decompressor and words its errors.
type unpacked struct {
	s *Stream
	r io.Reader
	n int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.decode(p)
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

// decode has the decompressor, which is code of others, read.
func (u *unpacked) decode(p []byte) (n int, err error) {
	defer RefusePanics(u.s.name, "the "+u.s.compression+" stream is damaged", &err)
	return u.r.Read(p)
}

// RandomAccess returns the file underneath r, or all of r in memory. What is read of the file
// counts for Share.
func RandomAccess(r io.Reader) (io.ReaderAt, int64, error) {
	if s, ok := r.(*Stream); ok && s.file != nil && s.compression == "" {
		s.counter.n.Store(0) // the first bytes are read again
		return countedFile{s}, s.size, nil
	}
	b, err := io.ReadAll(r)
	return bytes.NewReader(b), int64(len(b)), err
}

// PlainSize returns how many bytes r has where that is known, because it is a file that is
// not compressed; otherwise 0.
func PlainSize(r io.Reader) int64 {
	if s, ok := r.(*Stream); ok && s.file != nil && s.compression == "" {
		return s.size
	}
	return 0
}

// Share returns the share of the file underneath that has been read, from 0 to 1; 0 where
// its size is not known. Any goroutine may call it.
func (s *Stream) Share() float64 {
	if s.size <= 0 {
		return 0
	}
	return min(1, float64(s.counter.n.Load())/float64(s.size))
}

// countedFile is the file underneath a stream.
type countedFile struct{ s *Stream }

func (f countedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.s.file.ReadAt(p, at)
	f.s.counter.n.Add(int64(n))
	return n, err
}

// byteCounter may be asked for n while another goroutine reads.
type byteCounter struct {
	r io.Reader
	n atomic.Int64
}

func (c *byteCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// RefusalOf returns the *Error in err. Where a reader stopped because of the
// decompression, that is the one.
func (s *Stream) RefusalOf(err error) *Error {
	if s.failed != nil && errors.Is(err, s.failed) {
		return s.failed
	}
	return AsError(err, s.name)
}
