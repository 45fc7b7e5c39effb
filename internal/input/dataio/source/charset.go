package source

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// ReadAsLatin1 is the note on text that is not UTF-8.
const ReadAsLatin1 = "not UTF-8, read as Latin-1"

// high is what the bytes from 0x80 to 0x9f mean in Windows-1252, which is what
// programs write that say Latin-1; a blank stands for those that mean nothing.
var high = []rune("€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ")

// Latin1Rune returns the letter of a byte of Latin-1, as Windows extends it.
func Latin1Rune(c byte) rune {
	if c >= 0x80 && c < 0xa0 && high[c-0x80] != ' ' {
		return high[c-0x80]
	}
	return rune(c) // Latin-1 is the first 256 code points
}

// DecodeLatin1 returns b with every byte that is part of no letter in UTF-8 read as
// Latin-1.
func DecodeLatin1(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/8)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			out = utf8.AppendRune(out, Latin1Rune(b[0]))
		} else {
			out = append(out, b[:size]...)
		}
		b = b[size:]
	}
	return out
}

// UTF16Mark recognizes UTF-16 by its first bytes, and whether the high ones come
// first.
func UTF16Mark(head []byte) (is, big bool) {
	big = bytes.HasPrefix(head, []byte{0xfe, 0xff})
	return big || bytes.HasPrefix(head, []byte{0xff, 0xfe}), big
}

// A UTF16Reader reads UTF-16 as UTF-8.
type UTF16Reader struct {
	Source    *bufio.Reader
	BigEndian bool
	out       []byte // what is read but not handed out
	err       error
}

// Read reads UTF-8.
func (w *UTF16Reader) Read(p []byte) (int, error) {
	for len(w.out) < len(p) && w.err == nil {
		w.out = utf8.AppendRune(w.out, w.decodeRune())
		if w.err != nil {
			w.out = w.out[:len(w.out)-utf8.RuneLen(utf8.RuneError)]
		}
	}
	n := copy(p, w.out)
	w.out = w.out[:copy(w.out, w.out[n:])]
	if n == 0 && len(p) > 0 {
		return 0, w.err
	}
	return n, nil
}

// decodeRune reads one letter; where there is none it sets err and returns
// utf8.RuneError.
func (w *UTF16Reader) decodeRune() rune {
	var b [2]byte
	if _, w.err = io.ReadFull(w.Source, b[:]); w.err != nil {
		return utf8.RuneError
	}
	r := w.codeUnit(b[:])
	if !utf16.IsSurrogate(r) {
		return r
	}
	if next, err := w.Source.Peek(2); err == nil {
		if r = utf16.DecodeRune(r, w.codeUnit(next)); r != utf8.RuneError {
			w.Source.Discard(2)
			return r
		}
	}
	return utf8.RuneError
}

func (w *UTF16Reader) codeUnit(b []byte) rune {
	if w.BigEndian {
		return rune(b[0])<<8 | rune(b[1])
	}
	return rune(b[1])<<8 | rune(b[0])
}

// UTF8BOM is the mark with which some programs begin UTF-8.
var UTF8BOM = []byte("\xef\xbb\xbf")
