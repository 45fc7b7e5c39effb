package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/inklinghq/inkling/cmd/inkling-gpu/internal/cuda"
	"github.com/inklinghq/inkling/internal/numeric/device/wire"
)

// A server answers the requests of one inkling.
type server struct {
	gpu     *cuda.GPU
	kernels *Kernels // nil: not compiled yet
	window  *os.File
	host    []byte // memory that the GPU reads; nil: none yet
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
		b, err := s.part(q)
		if err == nil {
			err = wire.Copy(b, int64(q.From), s.window.ReadAt)
		}
		if err == nil {
			err = r.Fill(q.Array, q.At, b)
		}
		return y, nil, err
	case wire.Read:
		b, err := s.part(q)
		if err == nil {
			err = r.Read(q.Array, q.At, b)
		}
		if err == nil {
			err = wire.Copy(b, int64(q.From), s.window.WriteAt)
		}
		return y, nil, err
	case wire.SetCentres:
		return y, nil, r.SetCentres(int(q.At))
	case wire.Search:
		_, err := r.Search()
		if err != nil {
			return y, nil, err
		}
		moved, err := r.Moves(q.At != 0)
		y.Count = uint64(moved)
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
		if s.kernels, err = LoadKernels(s.gpu); err != nil {
			return err
		}
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

// part returns memory for the bytes of a request that are in the window.
func (s *server) part(q wire.Request) ([]byte, error) {
	if q.Size > wire.Window || q.From > wire.Window {
		return nil, fmt.Errorf("%d bytes at %d are not in the window", q.Size, q.From)
	}
	if s.host == nil {
		var err error
		if s.host, err = cuda.HostMemory(wire.Window); err != nil {
			return nil, err
		}
	}
	return s.host[:q.Size], nil
}
