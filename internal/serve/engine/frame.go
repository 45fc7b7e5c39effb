package engine

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// MaxFrame is the length of the longest message in bytes. Large arrays are files.
const MaxFrame = 1 << 28

// ReadFrame reads one message: its length as four bytes, the lowest first, then as
// many bytes. io.EOF says that there is none any more. Memory grows with what was read,
// not with what the length says.
func ReadFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		if err == io.ErrUnexpectedEOF {
			return nil, &Error{Kind: KindProtocol, Message: "the length of a message is cut short", cause: err}
		}
		return nil, err
	}
	size := int64(binary.LittleEndian.Uint32(head[:]))
	if size == 0 || size > MaxFrame {
		return nil, protocolError("a message must have 1 to %d bytes, got %d", MaxFrame, size)
	}
	var b bytes.Buffer
	b.Grow(int(min(size, 1<<16)))
	if n, err := io.CopyN(&b, r, size); err != nil {
		if err == io.EOF {
			return nil, &Error{Kind: KindProtocol, Message: sprintf("a message of %d bytes ends after %d", size, n), cause: io.ErrUnexpectedEOF}
		}
		return nil, fmt.Errorf("a message of %d bytes ends after %d: %w", size, n, err)
	}
	return b.Bytes(), nil
}

// WriteFrame writes one message in a single call of Write.
func WriteFrame(w io.Writer, message []byte) error {
	if len(message) == 0 || len(message) > MaxFrame {
		return fmt.Errorf("a message must have 1 to %d bytes, got %d", MaxFrame, len(message))
	}
	out := make([]byte, 0, 4+len(message))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(message)))
	_, err := w.Write(append(out, message...))
	return err
}
