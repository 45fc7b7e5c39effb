package source

import (
	"bytes"
	"fmt"
	"io"

	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/hint"
)

const (
	sideLine = 1 << 20 // bytes in a line of a file beside the data, at most
	sideFile = 1 << 30 // bytes in such a file
)

// OpenSideFile is OpenFile for a file beside the data, of ids, answers or roles of
// columns: it is held in memory, so that an endless line and an endless file are refused.
func OpenSideFile(path string) (io.ReadCloser, error) {
	r, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	return &opened{&bounded{r: r, name: path, line: 1, most: sideFile}, r.Close}, nil
}

// bounded passes bytes on until a line or the whole is too long.
type bounded struct {
	r       io.Reader
	name    string
	line    int   // the current line, from 1
	length  int   // its bytes so far
	n, most int64 // bytes so far, and at most
	err     error // once given, for good
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.r.Read(p)
	if err != nil && err != io.EOF {
		return n, err
	}
	b.n += int64(n)
	const advice hint.Hint = "name the right file"
	for rest := p[:n]; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		if b.length += len(rest); end >= 0 {
			b.length += end - len(rest)
		}
		if b.length > sideLine {
			b.err = &Error{File: b.name, Line: b.line, Msg: fmt.Sprintf("the line has more than %s", format.Bytes(sideLine)), Hint: advice}
			return n, b.err
		}
		if end < 0 {
			break
		}
		rest, b.line, b.length = rest[end+1:], b.line+1, 0
	}
	if b.n > b.most {
		b.err = &Error{File: b.name, Msg: fmt.Sprintf("the file has more than %s", format.Bytes(b.most)), Hint: advice}
		return n, b.err
	}
	return n, err
}
