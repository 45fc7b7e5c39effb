package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/inklinghq/inkling/cmd/inkling-gpu/internal/cuda"
	"github.com/inklinghq/inkling/internal/door/gpu/window"
	"github.com/inklinghq/inkling/internal/numeric/device/wire"
)

// A server answers the requests of one inkling.
type server struct {
	gpu     *cuda.GPU
	kernels *Kernels // nil: not compiled yet
	window  *window.Window
	host    []byte // memory that the GPU reads; nil: none yet
	own     bool   // it is not that of the window
	rows    map[uint32]*Rows
}

// serve answers until there are no more requests. A request that fails is answered by its
// error; after one that leaves the GPU in doubt, serve ends.
func (s *server) serve(in io.Reader, out io.Writer) error {
	for {
		q, err := wire.ReadRequest(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		reply, text, err := s.answer(q)
		if err != nil {
			if err := fail(out, err); err != nil {
				return err
			}
			if e := new(cuda.Error); errors.As(err, &e) && !e.OutOfMemory() {
				return err
			}
			continue
		}
		reply.Length = uint32(len(text))
		if err := wire.Write(out, reply, text); err != nil {
			return err
		}
	}
}

func fail(out io.Writer, err error) error {
	text := []byte(err.Error())
	return wire.Write(out, wire.Reply{Failure: 1, Length: uint32(len(text))}, text)
}

func (s *server) answer(q wire.Request) (y wire.Reply, text []byte, err error) {
	if q.Op == wire.Describe {
		d, err := describe(s.gpu)
		if err != nil {
			return y, nil, err
		}
		text, err = json.Marshal(d)
		return y, text, err
	}
	if q.Op == wire.Rows {
		return y, nil, s.newRows(q)
	}
	r := s.rows[q.Rows]
	if r == nil {
		return y, nil, fmt.Errorf("there are no rows %d", q.Rows)
	}
	switch q.Op {
	case wire.Fill:
		b, own, err := s.part(q)
		if err == nil && own {
			err = wire.Copy(b, int64(q.From), s.window.ReadAt)
		}
		if err == nil {
			err = r.Fill(q.Array, q.At, b)
		}
		return y, nil, err
	case wire.Read:
		return y, nil, s.read(r, q)
	case wire.SetCentres:
		return y, nil, r.SetCentres(int(q.At))
	case wire.Search:
		_, err := r.Search()
		if err != nil {
			return y, nil, err
		}
		moved, err := r.Moves(q.At != 0)
		y.Count = uint64(moved)
		if size := y.Count * wire.MoveSize; err == nil && size > 0 && size <= q.Size {
			q.Array, q.At, q.Size = wire.Moves, 0, size
			err = s.read(r, q)
		}
		return y, nil, err
	case wire.SetSums:
		return y, nil, r.SetSums(int(q.At))
	case wire.AddMoves:
		return y, nil, r.AddMoves()
	case wire.Neighbours:
		return y, nil, r.Neighbours(int(q.At))
	case wire.Drop:
		r.Drop()
		delete(s.rows, q.Rows)
		return y, nil, nil
	}
	return y, nil, fmt.Errorf("there is no operation %d", q.Op)
}

func (s *server) newRows(q wire.Request) (err error) {
	if s.kernels == nil {
		s.kernels = LoadKernels(isHopper(s.gpu)) // while rows come
	}
	if old := s.rows[q.Rows]; old != nil {
		old.Drop()
		delete(s.rows, q.Rows)
	}
	if q.At > 1<<31 || q.Size > 1<<31 {
		return fmt.Errorf("rows must be at most %d, got %d of %d numbers", 1<<31, q.At, q.Size)
	}
	r, err := NewRows(s.gpu, s.kernels, int(q.At), int(q.Size), int(q.From))
	if err == nil {
		s.rows[q.Rows] = r
	}
	return err
}

// read writes part of an array to the window.
func (s *server) read(r *Rows, q wire.Request) error {
	b, own, err := s.part(q)
	if err == nil {
		err = r.Read(q.Array, q.At, b)
	}
	if err == nil && own {
		err = wire.Copy(b, int64(q.From), s.window.WriteAt)
	}
	return err
}

// part returns memory that the GPU reads, for the bytes of a request: those of the window itself, or, where own is true,
// others, into which they are to be copied.
func (s *server) part(q wire.Request) (b []byte, own bool, err error) {
	if q.Size > wire.Half || q.From > wire.Half {
		return nil, false, fmt.Errorf("%d bytes at %d are not in the window", q.Size, q.From)
	}
	if s.host == nil {
		if b := s.window.Memory(); b != nil && cuda.Lock(b) == nil {
			s.host = b
		} else {
			s.own = true
			if s.host, err = cuda.HostMemory(wire.Half); err != nil {
				return nil, false, err
			}
		}
	}
	if s.own {
		return s.host[:q.Size], true, nil
	}
	return s.host[q.From : q.From+q.Size], false, nil
}
