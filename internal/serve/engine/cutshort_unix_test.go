//go:build unix

package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// answerOf runs one request by a handler of the test.
func answerOf(t *testing.T, do handler) *Error {
	t.Helper()
	var out bytes.Buffer
	e := &Engine{out: &out, running: map[uint64]context.CancelFunc{}, handlers: map[Op]handler{"touch": do}}
	c, err := e.begin(context.Background(), []byte(`{"id":1,"op":"touch"}`))
	if err != nil {
		t.Fatal(err)
	}
	e.serve(c)
	b, err := ReadFrame(&out)
	if err != nil {
		t.Fatal(err)
	}
	var reply Reply
	if err := json.Unmarshal(b, &reply); err != nil {
		t.Fatal(err)
	}
	return reply.Error
}

// An array whose file somebody cuts short while it is used ends its request, on whichever
// goroutine it is read, and not the engine.
func TestFileCutShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows")
	for _, workers := range []int{1, 3} {
		if err := os.WriteFile(path, make([]byte, 64<<12), 0o666); err != nil {
			t.Fatal(err)
		}
		err := answerOf(t, func(c *call) (any, error) {
			b, err := c.mem.bytes(&Array{DType: Float64, Shape: []int{64 << 9}, Path: path})
			if err != nil {
				return nil, err
			}
			if err := os.Truncate(path, 0); err != nil {
				return nil, err
			}
			var sum atomic.Int64
			err = blocks.Tasks(c.ctx, workers, 64, func(i int) { sum.Add(int64(b[i<<12])) })
			return sum.Load(), err
		})
		if err == nil || err.Kind != KindArray || !strings.Contains(err.Message, "cut short") {
			t.Errorf("%d workers: got %+v", workers, err)
		}
	}
}

// A pipe has no size: it is refused, and not waited for.
func TestPipeAsArray(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	_, err := newMemory().bytes(&Array{DType: Float64, Shape: []int{4}, Path: path})
	if err == nil || !strings.Contains(err.Error(), "must be a regular file") {
		t.Errorf("got %v", err)
	}
}
