// Package wire is what inkling and inkling-gpu, the program that drives a GPU, say to one
// another: requests and replies of fixed size over the pipes of the program, and rows,
// centres and labels through a window, a file that both have open.
package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// Version is that of the protocol: both sides must have the same.
const Version = 3

// Half is the length of one of the two halves of the window.
const Half = 64 << 20

// Op is what a Request asks for.
type Op uint32

// What can be asked for. At, Size and From are those of the request.
const (
	Describe   Op = 1 + iota // a Description of the GPU, as JSON
	Rows                     // room for At rows of Size numbers of From bytes each
	Fill                     // Size bytes of an array, from byte At on, are in the window at From
	Read                     // Size bytes of an array, from byte At on, into the window at From
	SetCentres               // room for At centres of the rows
	Search                   // the nearest centre of every row; the reply counts the moves, which are in the window at From if they have at most Size bytes; At 1: all rows move, whatever they had before
	SetSums                  // room for the sums of At clusters, which stay where there was room for so many
	AddMoves                 // the moves of the last search are added to the sums
	Neighbours               // the At nearest other rows of every row; centres are a sample of the rows
	Drop                     // the rows are not needed any more
)

// Array is what belongs to a set of rows.
type Array uint32

// The arrays. Numbers follow each other row by row.
const (
	Values    Array = iota // of the rows
	Centres                // float64
	Labels                 // int32
	Moves                  // of the last search: row, cluster before, cluster now; int32
	Sums                   // float64: of all clusters, and then their rounding errors; then, int32, how many rows more every cluster has by the moves
	Near                   // int32: neighbours, the nearest first; -1 first where a row is left to the cores
	Distances              // float64: their squared distances
)

// MoveSize is the bytes of a move.
const MoveSize = 12

// A Request asks for one thing. Rows is the number of a set of rows, which the asker chooses.
type Request struct {
	Op             Op
	Rows           uint32
	Array          Array
	_              uint32
	At, Size, From uint64
}

// A Reply answers the request before it. Failure says that Text is an error.
type Reply struct {
	Failure, Length uint32
	Count           uint64
}

// A Description is what a GPU says of itself.
type Description struct {
	Protocol int    `json:"protocol"`
	Name     string `json:"name"`
	Memory   uint64 `json:"memory"`  // in bytes
	Free     uint64 `json:"free"`    // in bytes
	Driver   int    `json:"driver"`  // as CUDA counts: 13000 is 13.0
	Compute  string `json:"compute"` // capability
	Units    int    `json:"units"`   // multiprocessors
}

// maxText bounds the text of a reply.
const maxText = 1 << 16

// Write sends v, a Request or a Reply, with text behind it.
func Write(w io.Writer, v any, text []byte) error {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, text...))
	return err
}

// ReadRequest reads a request.
func ReadRequest(r io.Reader) (q Request, err error) {
	err = binary.Read(r, binary.LittleEndian, &q)
	return q, err
}

// ReadReply reads a reply and its text.
func ReadReply(r io.Reader) (y Reply, text []byte, err error) {
	if err := binary.Read(r, binary.LittleEndian, &y); err != nil {
		return y, nil, err
	}
	if y.Length > maxText {
		return y, nil, fmt.Errorf("the text of a reply must have at most %d bytes, got %d", maxText, y.Length)
	}
	text = make([]byte, y.Length)
	_, err = io.ReadFull(r, text)
	return y, text, err
}

// piece is how much of the window one goroutine copies at a time.
const piece = 256 << 10

// Copy moves b between memory and the window, by ReadAt or WriteAt, with several
// goroutines: one alone reaches a fraction of what memory can do.
func Copy(b []byte, from int64, move func([]byte, int64) (int, error)) error {
	parts := (len(b) + piece - 1) / piece
	errs := make([]error, parts)
	var wait sync.WaitGroup
	turn := make(chan struct{}, 8)
	for i := range parts {
		lo, hi := i*piece, min((i+1)*piece, len(b))
		turn <- struct{}{}
		wait.Go(func() {
			_, errs[i] = move(b[lo:hi], from+int64(lo))
			<-turn
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
