package scan

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

const (
	chunkSize = 1 << 20 // bytes read and parsed at a time
	MaxRecord = 8 << 20 // longest line, quoted line ends included
)

// A Chunks cuts a source into chunks of whole records. Every chunk ends in a
// line end that is outside quotes; one is added where the last line has none.
//
// Inside or outside follows from the parity of the quotes before. That is right
// up to the first record whose quotes are wrong, and that record is refused by
// whoever parses it.
type Chunks struct {
	r         io.Reader
	quotes    bool // line ends inside double quotes do not end a record
	ChunkSize int  // bytes read at a time
	Longest   int  // bytes of a record

	partRead func() float64 // which part of the source has been read, 0 if unknown
	SetAhead func(int64)    // says how many bytes of memory were taken for what is still to be read

	carry      []byte // the unfinished record at the end of the last chunk
	pushedBack []byte // given back by unread
	err        error  // why there is no more; io.EOF at the end
	free       chan []byte

	Latin1 bool // some of it was not UTF-8
}

// NewChunks returns the chunks of r; quotes says that line ends inside double
// quotes do not end a record.
func NewChunks(r io.Reader, quotes bool) *Chunks {
	s := &Chunks{r: r, quotes: quotes, ChunkSize: chunkSize, Longest: MaxRecord, free: make(chan []byte, 64)}
	s.partRead = func() float64 { return 0 }
	if src, ok := r.(interface{ PartRead() float64 }); ok {
		s.partRead = src.PartRead
	}
	s.SetAhead = func(int64) {}
	if src, ok := r.(interface{ SetAhead(int64) }); ok {
		s.SetAhead = src.SetAhead
	}
	return s
}

// NextChunk returns the next chunk, to be given back by recycle. A record that is
// too long comes alone, cut off after longest+1 bytes and without a line end.
// After the last chunk the error is io.EOF or what reading said. What is not
// UTF-8 is made so.
func (s *Chunks) NextChunk() ([]byte, error) {
	if s.pushedBack != nil {
		b := s.pushedBack
		s.pushedBack = nil
		return b, nil
	}
	b, err := s.readChunk()
	if err == nil && !utf8.Valid(b) {
		s.Latin1 = true
		return source.DecodeLatin1(b), nil
	}
	return b, err
}

// readChunk reads the next chunk.
func (s *Chunks) readChunk() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	b := append(s.buffer(), s.carry...)
	scanned, open := 0, false // quotes in b[:scanned] are counted in open
	for {
		from := len(b)
		b = append(b, make([]byte, s.ChunkSize)...)
		n, err := readFull(s.r, b[from:])
		b = b[:from+n]
		if err != nil {
			s.err = err
			return s.lastChunk(b)
		}
		cut := -1
		if cut, open = s.lastEnd(b, scanned, open); cut >= 0 {
			s.carry = append(s.carry[:0], b[cut:]...)
			return b[:cut], nil
		}
		scanned = len(b)
		if len(b) > s.Longest {
			s.err = io.EOF
			return b[:s.Longest+1], nil
		}
	}
}

// readFull reads until b is full or r has no more. Other than io.ReadFull it
// leaves the error as it is.
func readFull(r io.Reader, b []byte) (n int, err error) {
	for idle := 0; n < len(b) && err == nil; {
		var k int
		if k, err = r.Read(b[n:]); k > 0 {
			idle = 0
		} else if idle++; idle > 100 && err == nil {
			err = io.ErrNoProgress
		}
		n += k
	}
	if n == len(b) {
		err = nil
	}
	return n, err
}

// lastChunk returns what remains when the source is at its end or fails. The
// unfinished record of a source that fails is not handed out.
func (s *Chunks) lastChunk(b []byte) ([]byte, error) {
	if s.err != io.EOF {
		cut, _ := s.lastEnd(b, 0, false)
		b = b[:max(cut, 0)]
	} else if len(b) > 0 && b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	if len(b) == 0 {
		return nil, s.err
	}
	return b, nil
}

// lastEnd returns the place after the last line end outside quotes at or
// after from, or -1, and whether a quote is open at the end of b; open says
// whether one is at from.
func (s *Chunks) lastEnd(b []byte, from int, open bool) (int, bool) {
	if !s.quotes {
		return afterLastNewline(b, from), false
	}
	rest := b[from:]
	count := bytes.Count(rest, quote)
	if count == 0 {
		if open {
			return -1, true
		}
		return afterLastNewline(b, from), false
	}
	cut := -1
	for at := 0; ; {
		q := bytes.IndexByte(rest[at:], '"')
		end := len(rest)
		if q >= 0 {
			end = at + q
		}
		if !open {
			if k := bytes.LastIndexByte(rest[at:end], '\n'); k >= 0 {
				cut = from + at + k + 1
			}
		}
		if q < 0 {
			return cut, open
		}
		open = !open
		at = end + 1
	}
}

var quote = []byte{'"'}

func afterLastNewline(b []byte, from int) int {
	if k := bytes.LastIndexByte(b[from:], '\n'); k >= 0 {
		return from + k + 1
	}
	return -1
}

// Unread makes b the next chunk.
func (s *Chunks) Unread(b []byte) {
	if len(b) > 0 {
		s.pushedBack = b
	}
}

// buffer returns an empty buffer to fill.
func (s *Chunks) buffer() []byte {
	select {
	case b := <-s.free:
		return b[:0]
	default:
		return make([]byte, 0, s.ChunkSize+s.ChunkSize/8)
	}
}

// Recycle takes back the memory of a chunk.
func (s *Chunks) Recycle(b []byte) {
	select {
	case s.free <- b:
	default:
	}
}

// LineTooLong refuses a record that does not end in time.
func LineTooLong(longest int) *source.Error {
	return &source.Error{Msg: fmt.Sprintf("the line is longer than %d bytes", longest),
		Hint: "is this the right format? {format} names another"}
}
