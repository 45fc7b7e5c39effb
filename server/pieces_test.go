package server

import (
	"bytes"
	"testing"
)

// TestPieces writes parts of all sizes around that of a piece and reads them back, in order.
func TestPieces(t *testing.T) {
	var p pieces
	var want []byte
	for i, n := range []int{0, 1, pieceSize - 1, 1, pieceSize, 3*pieceSize + 7, 5} {
		b := bytes.Repeat([]byte{byte(i + 1)}, n)
		if got, err := p.Write(b); got != n || err != nil {
			t.Fatalf("Write of %d bytes: %d, %v", n, got, err)
		}
		want = append(want, b...)
	}
	if p.size() != len(want) {
		t.Errorf("%d bytes, want %d", p.size(), len(want))
	}
	if most := (len(want) + pieceSize - 1) / pieceSize; len(p) != most {
		t.Errorf("%d pieces, want %d", len(p), most)
	}
	var got bytes.Buffer
	if err := p.writeTo(&got); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("read back %d bytes, want %d as they were written: %v", got.Len(), len(want), err)
	}
}
