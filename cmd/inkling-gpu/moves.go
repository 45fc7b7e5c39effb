package main

import (
	"errors"
	"fmt"

	"github.com/inklinghq/inkling/cmd/inkling-gpu/internal/cuda"
	"github.com/inklinghq/inkling/internal/numeric/device/wire"
)

// moves are what is known of the rows that have other labels than before.
type moves struct {
	n           int // of the last search
	was         cuda.Pointer
	list, start cuda.Pointer
	total       cuda.Pointer
	memory      []cuda.Pointer

	sumsLen, clusters      int // numbers in all sums; how many sums
	sums, more             cuda.Pointer
	changes, count         cuda.Pointer
	changesRoom, countRoom uint64
	totals                 cuda.Pointer
	sumMemory              []cuda.Pointer
}

const (
	rowSegment  = 2048 // rows that a warp looks at
	moveSegment = 1024 // moves
)

// Moves lists the rows whose labels the last search has changed, or all where none had any before, and returns how
// many they are. anew: what they had before is forgotten.
func (r *Rows) Moves(anew bool) (int, error) {
	m, segments := &r.moves, (r.n+rowSegment-1)/rowSegment
	if m.memory == nil {
		if err := take(&m.memory, block{&m.was, uint64(r.n) * 4}, block{&m.list, uint64(r.n) * wire.MoveSize}, block{&m.start, uint64(segments) * 4}, block{&m.total, 4}); err != nil {
			give(&m.memory)
			return 0, err
		}
		anew = true
	}
	if anew {
		if err := cuda.Fill(m.was, 0xFF, uint64(r.n)*4); err != nil {
			return 0, err
		}
	}
	n, segment := uint64(r.n), int32(rowSegment)
	err := r.kernels.Launch("countMoves", segments, 32, 0, r.label, m.was, n, segment, m.start)
	if err == nil {
		err = r.kernels.Launch("scanRow", 1, 256, 0, m.start, int32(segments), m.total)
	}
	if err == nil {
		err = r.kernels.Launch("listMoves", segments, 32, 0, r.label, m.was, n, segment, m.start, m.list)
	}
	if err != nil {
		return 0, err
	}
	var total [1]int32
	err = cuda.Download(total[:], m.total)
	m.n = int(total[0])
	return m.n, err
}

// SetSums makes room for the sums of k clusters and their rounding errors, which are to be filled in.
func (r *Rows) SetSums(k int) error {
	if k < 1 || k > 1<<24 {
		return fmt.Errorf("sums must be 1 to %d, got %d", 1<<24, k)
	}
	m, segments := &r.moves, (r.moves.n+moveSegment-1)/moveSegment
	changes, count := 2*uint64(m.n)*4, uint64(k)*uint64(segments)*4
	if m.sumMemory != nil && m.clusters == k && changes <= m.changesRoom && count <= m.countRoom {
		return nil
	}
	give(&m.sumMemory)
	m.clusters, m.sumsLen, m.changesRoom, m.countRoom = k, k*r.d, changes, count
	err := take(&m.sumMemory, block{&m.sums, uint64(m.sumsLen) * 16}, block{&m.more, uint64(k) * 4}, block{&m.totals, uint64(2*k+1) * 4}, block{&m.changes, changes}, block{&m.count, count})
	if err != nil {
		give(&m.sumMemory)
	}
	return err
}

// AddMoves adds the rows that have moved to the sums of their clusters, and subtracts them from those that they were in:
// as package simd does it, in the order of the rows.
func (r *Rows) AddMoves() error {
	m, k := &r.moves, r.moves.clusters
	if m.sumMemory == nil || m.n == 0 {
		return errors.New("there are no sums, or no rows have moved")
	}
	segments := (m.n + moveSegment - 1) / moveSegment
	start, total := m.totals, m.totals+cuda.Pointer(4*k)
	n, segment, row := int32(m.n), int32(moveSegment), int32(segments)
	rest := m.sums + cuda.Pointer(8*m.sumsLen)
	if err := errors.Join(cuda.Clear(m.count, 4*uint64(k)*uint64(segments)), cuda.Clear(m.more, 4*uint64(k))); err != nil {
		return err
	}
	for _, l := range []struct {
		kernel          string
		blocks, threads int
		args            []any
	}{
		{"countChanges", segments, 32, []any{m.list, n, segment, row, m.count, m.more}},
		{"scanRow", k, 256, []any{m.count, row, total}},
		{"copyInts", (k + 255) / 256, 256, []any{total, start, int32(k)}},
		{"scanRow", 1, 256, []any{start, int32(k), m.total}},
		{"sortChanges", segments, 32, []any{m.list, n, segment, row, m.count, start, m.changes}},
		{r.typed("addChanges"), k * ((r.d + 127) / 128), 128, []any{r.x, int32(r.d), start, total, m.changes, m.sums, rest}},
	} {
		if err := r.kernels.Launch(l.kernel, l.blocks, l.threads, 0, l.args...); err != nil {
			return err
		}
	}
	return cuda.Wait()
}
