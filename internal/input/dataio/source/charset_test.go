package source

import (
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestWideIsUTF16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.SliceOf(rapid.Uint16()).Draw(t, "units")
		var b []byte
		for _, u := range units {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		s, err := NewStream(iotest.OneByteReader(strings.NewReader("\xff\xfe"+string(b))), "f")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(s)
		if want := "\ufeff" + string(utf16.Decode(units)); err != nil || string(got) != want {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
	})
}

func FuzzRecode(f *testing.F) {
	f.Add([]byte("caf\xe9 café \xe2\x82"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := DecodeLatin1(b)
		if !utf8.Valid(got) {
			t.Errorf("%q is not UTF-8", got)
		}
		if utf8.Valid(b) && string(got) != string(b) {
			t.Errorf("%q became %q", b, got)
		}
	})
}
