package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/serve/engine"
)

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	if err := engine.WriteFrame(&b, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	whole := bytes.Clone(b.Bytes())
	if got, err := engine.ReadFrame(&b); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := engine.ReadFrame(&b); err != io.EOF {
		t.Errorf("after the last message: %v", err)
	}
	for cut := 1; cut < len(whole); cut++ {
		if _, err := engine.ReadFrame(bytes.NewReader(whole[:cut])); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut after %d bytes: %v", cut, err)
		}
	}
	for _, head := range [][]byte{{0, 0, 0, 0}, {255, 255, 255, 255}} {
		if _, err := engine.ReadFrame(bytes.NewReader(head)); err == nil || err == io.EOF {
			t.Errorf("a length of % x: %v", head, err)
		}
	}
	if engine.WriteFrame(io.Discard, nil) == nil {
		t.Error("an empty message was written")
	}
}

// What is not framed is answered before the engine ends, and is the caller's fault.
func TestMalformedFrames(t *testing.T) {
	for _, in := range []string{"\x00\x00\x00\x00", "\xff\xff\xff\xff", "ab", "\x05\x00\x00\x00{}"} {
		var out bytes.Buffer
		err := engine.Serve(context.Background(), strings.NewReader(in), &out)
		var wrong *engine.Error
		if !errors.As(err, &wrong) || wrong.Kind != engine.KindProtocol {
			t.Errorf("%q: %v", in, err)
		}
		_, _ = engine.ReadFrame(&out) // hello
		b, err := engine.ReadFrame(&out)
		var got reply
		if err != nil || json.Unmarshal(b, &got) != nil || got.Error == nil || got.Error.Kind != engine.KindProtocol {
			t.Errorf("%q is answered by %s, %v", in, b, err)
		}
	}
}

// FuzzReadFrame holds the reader to messages that come back as they are written.
func FuzzReadFrame(f *testing.F) {
	f.Add([]byte{2, 0, 0, 0, '{', '}'})
	f.Add([]byte{0, 0, 0, 0})
	f.Add([]byte{255, 255, 255, 15, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		message, err := engine.ReadFrame(bytes.NewReader(b))
		if err != nil {
			return
		}
		if len(message) > len(b)-4 {
			t.Fatalf("%d bytes of %d", len(message), len(b))
		}
		var again bytes.Buffer
		if err := engine.WriteFrame(&again, message); err != nil || !bytes.Equal(again.Bytes(), b[:4+len(message)]) {
			t.Fatalf("% x was read from % x: %v", message, b, err)
		}
	})
}
