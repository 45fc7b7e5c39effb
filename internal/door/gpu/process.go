// Package gpu starts the program that drives a GPU and is a backend of package device by
// it. A program of its own keeps inkling free of the C library that a driver takes, and a GPU
// that fails takes nothing else with it.
package gpu

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/inklinghq/inkling/internal/door/gpu/window"
	"github.com/inklinghq/inkling/internal/numeric/device"
	"github.com/inklinghq/inkling/internal/numeric/device/wire"
)

// Program is the name of the program that drives a GPU.
const Program = "inkling-gpu"

// Find returns the path of the program: that of the environment variable INKLING_GPU, or
// one beside this program, or one on the PATH.
func Find() (string, error) {
	if p := os.Getenv("INKLING_GPU"); p != "" {
		return exec.LookPath(p)
	}
	name := Program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if p, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return p, nil
		}
	}
	p, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("the program %s, which drives a GPU, is neither beside inkling nor on the PATH", Program)
	}
	return p, nil
}

// A process is a Backend that is another program.
type process struct {
	about   wire.Description
	command *exec.Cmd
	in      io.WriteCloser
	answers chan answer
	window  *window.Window
	stderr  *tail
	next    uint32
	waiting int            // replies that are still to come
	ending  bool           // there will be no more
	half    int            // of the window that is filled next
	dims    map[uint32]int // features of sets of rows
	once    sync.Once
}

type answer struct {
	wire.Reply
	text []byte
	err  error
}

// startLimit bounds how long a driver may take to open: seconds on a machine with many GPUs.
const startLimit = time.Minute

// Start starts the program at path and asks which GPU it has.
func Start(ctx context.Context, path string) (device.Backend, wire.Description, error) {
	p := &process{command: exec.Command(path), answers: make(chan answer, 4), stderr: new(tail), dims: map[uint32]int{}}
	if err := p.start(); err != nil {
		p.Close() //nolint:errcheck // the start has failed already
		return nil, wire.Description{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	_, text, err := p.ask(ctx, wire.Request{Op: wire.Describe})
	if err == nil {
		err = json.Unmarshal(text, &p.about)
	}
	if err == nil && p.about.Protocol != wire.Version {
		err = fmt.Errorf("%s must speak protocol %d, got %d: install the one of this version of inkling", path, wire.Version, p.about.Protocol)
	}
	if err != nil {
		p.Close() //nolint:errcheck // the start has failed already
		return nil, wire.Description{}, err
	}
	return p, p.about, nil
}

func (p *process) start() (err error) {
	if p.window, err = window.Make(); err != nil {
		return fmt.Errorf("there is no room for the window through which rows reach the GPU: %w", err)
	}
	p.command.Args = append(p.command.Args, p.window.Name())
	p.command.Stderr = p.stderr
	if p.in, err = p.command.StdinPipe(); err != nil {
		return err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.command.Start(); err != nil {
		return err
	}
	go func() {
		for {
			var a answer
			a.Reply, a.text, a.err = wire.ReadReply(out)
			p.answers <- a
			if a.err != nil {
				return
			}
		}
	}()
	return nil
}

// Name is the GPU's.
func (p *process) Name() string { return p.about.Name }

// Close ends the program.
func (p *process) Close() error {
	p.once.Do(func() {
		if p.in != nil {
			p.in.Close()
		}
		if p.command.Process != nil {
			p.command.Process.Kill() //nolint:errcheck // it may have ended
			go p.command.Wait()      //nolint:errcheck // how it ended says nothing any more
		}
		if p.window != nil {
			p.window.Close()
			os.Remove(p.window.Name())
		}
	})
	return nil
}

// send sends a request whose reply is to be received later.
func (p *process) send(q wire.Request) error {
	if err := wire.Write(p.in, q, nil); err != nil {
		return p.ended(err)
	}
	p.waiting++
	return nil
}

// receive waits for the reply of the oldest request.
func (p *process) receive(ctx context.Context) (wire.Reply, []byte, error) {
	select {
	case a := <-p.answers:
		p.waiting--
		if a.err != nil {
			p.ending = true
			return a.Reply, nil, p.ended(a.err)
		}
		if a.Failure != 0 {
			return a.Reply, nil, errors.New(string(a.text))
		}
		return a.Reply, a.text, nil
	case <-ctx.Done():
		p.ending = true
		p.Close() //nolint:errcheck // it is not waited for
		return wire.Reply{}, nil, ctx.Err()
	}
}

// ended says why the program does not answer any more.
func (p *process) ended(err error) error {
	if s := p.stderr.String(); s != "" {
		return errors.New(s)
	}
	return fmt.Errorf("%s has ended: %w", Program, err)
}

// ask sends a request and waits for its reply and those before, of which an error is returned first.
func (p *process) ask(ctx context.Context, q wire.Request) (y wire.Reply, text []byte, err error) {
	if err := p.send(q); err != nil {
		return y, nil, err
	}
	return p.settle(ctx, 0)
}

// settle waits until no more than so many replies are to come, and returns the last and the first error.
func (p *process) settle(ctx context.Context, left int) (y wire.Reply, text []byte, err error) {
	for p.waiting > left {
		var failed error
		if y, text, failed = p.receive(ctx); failed != nil {
			if err = cmp.Or(err, failed); p.ending {
				return y, nil, err
			}
		}
	}
	return y, text, err
}

// Upload keeps rows on the GPU.
func (p *process) Upload(ctx context.Context, x device.Numbers, d int) (uint32, error) {
	p.next++
	number := p.next
	if _, _, err := p.ask(ctx, wire.Request{Op: wire.Rows, Rows: number, At: uint64(x.Len() / d), Size: uint64(d), From: uint64(x.Width())}); err != nil {
		return 0, err
	}
	if err := p.fill(ctx, wire.Values, number, 0, x.Bytes()); err != nil {
		return 0, err
	}
	if _, _, err := p.settle(ctx, 0); err != nil {
		return 0, err
	}
	p.dims[number] = d
	return number, nil
}

// memory returns the bytes of s.
func memory[T any](s []T) []byte {
	var t T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(t)))
}

// fill sends an array, from its byte first on, through the two halves of the window in turn. It does not wait for the
// last replies.
func (p *process) fill(ctx context.Context, a wire.Array, number uint32, first int, b []byte) error {
	for at := 0; at < len(b); at += wire.Half {
		if _, _, err := p.settle(ctx, 1); err != nil { // the other side has read this half
			return err
		}
		part, from := b[at:min(at+wire.Half, len(b))], p.half*wire.Half
		if err := wire.Copy(part, int64(from), p.window.WriteAt); err != nil {
			return err
		}
		if err := p.send(wire.Request{Op: wire.Fill, Array: a, Rows: number, At: uint64(first + at), Size: uint64(len(part)), From: uint64(from)}); err != nil {
			return err
		}
		p.half = 1 - p.half
	}
	return nil
}

// read receives an array, which is parts one after the other, through the two halves of the window in turn.
func (p *process) read(ctx context.Context, a wire.Array, number uint32, parts ...[]byte) error {
	size, asked := 0, 0
	for _, b := range parts {
		size += len(b)
	}
	for at := 0; at < size; at += wire.Half {
		for ; asked < min(size, at+2*wire.Half); asked += wire.Half {
			if err := p.send(wire.Request{Op: wire.Read, Array: a, Rows: number, At: uint64(asked), Size: uint64(min(wire.Half, size-asked)), From: uint64(asked % (2 * wire.Half))}); err != nil {
				return err
			}
		}
		if _, _, err := p.settle(ctx, max(0, (asked-at-1)/wire.Half)); err != nil {
			return err
		}
		for got, end := 0, min(wire.Half, size-at); got < end; {
			for len(parts[0]) == 0 {
				parts = parts[1:]
			}
			b := parts[0][:min(len(parts[0]), end-got)]
			if err := wire.Copy(b, int64(at%(2*wire.Half)+got), p.window.ReadAt); err != nil {
				return err
			}
			parts[0], got = parts[0][len(b):], got+len(b)
		}
	}
	return nil
}

// setCentres sends centres, and does not wait for the last replies.
func (p *process) setCentres(ctx context.Context, number uint32, k int, c []float64) error {
	if err := p.send(wire.Request{Op: wire.SetCentres, Rows: number, At: uint64(k)}); err != nil {
		return err
	}
	return p.fill(ctx, wire.Centres, number, 0, memory(c))
}

// Nearest finds the nearest centres. It lists moves that fit into half of the window.
func (p *process) Nearest(ctx context.Context, number uint32, k int, c []float64, anew bool, most int) (moved int, list []device.Move, err error) {
	if err := p.setCentres(ctx, number, k, c); err != nil {
		return 0, nil, err
	}
	most = min(most, wire.Half/wire.MoveSize)
	q := wire.Request{Op: wire.Search, Rows: number, Size: uint64(most * wire.MoveSize)}
	if anew {
		q.At = 1
	}
	y, _, err := p.ask(ctx, q)
	if moved = int(y.Count); err != nil || moved > most {
		return moved, nil, err
	}
	list = make([]device.Move, moved)
	return moved, list, wire.Copy(memory(list), 0, p.window.ReadAt)
}

// Labels reads the labels of the last search.
func (p *process) Labels(ctx context.Context, number uint32, labels []int32) error {
	return p.read(ctx, wire.Labels, number, memory(labels))
}

// AddMoves sends the sums where they are not there, has the moves of the last search added and reads what comes of it.
func (p *process) AddMoves(ctx context.Context, number uint32, was, now device.Sums, more []int32, there bool) error {
	if err := p.send(wire.Request{Op: wire.SetSums, Rows: number, At: uint64(len(more))}); err != nil {
		return err
	}
	if !there {
		if err := p.fill(ctx, wire.Sums, number, 0, memory(was.Sum)); err != nil {
			return err
		}
		if err := p.fill(ctx, wire.Sums, number, 8*len(was.Sum), memory(was.Rest)); err != nil {
			return err
		}
	}
	if err := p.send(wire.Request{Op: wire.AddMoves, Rows: number}); err != nil {
		return err
	}
	return p.read(ctx, wire.Sums, number, memory(now.Sum), memory(now.Rest), memory(more))
}

// Neighbours finds the nearest other rows.
func (p *process) Neighbours(ctx context.Context, number uint32, k int, sample []float64, idx []int32, dist2 []float64) error {
	n := len(idx) / k
	d := p.dims[number]
	if err := p.setCentres(ctx, number, len(sample)/d, sample); err != nil {
		return err
	}
	if _, _, err := p.ask(ctx, wire.Request{Op: wire.Neighbours, Rows: number, At: uint64(k)}); err != nil {
		return err
	}
	if err := p.read(ctx, wire.Near, number, memory(idx[:n*k])); err != nil {
		return err
	}
	return p.read(ctx, wire.Distances, number, memory(dist2[:n*k]))
}

// Drop forgets rows.
func (p *process) Drop(number uint32) error {
	delete(p.dims, number)
	_, _, err := p.ask(context.Background(), wire.Request{Op: wire.Drop, Rows: number})
	return err
}

// tail keeps the end of what the program says on its standard error.
type tail struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.b.Len() < 4096 {
		t.b.Write(b)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.TrimPrefix(t.b.String(), Program+": "))
}
