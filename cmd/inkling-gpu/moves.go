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

	clusters               int // that have sums
	sums, totals           cuda.Pointer
	sumsSize               uint64
	sumMemory              []cuda.Pointer
	changes, count         cuda.Pointer
	changesRoom, countRoom uint64
	changeMemory           []cuda.Pointer
}

const (
	rowSegment     = 2048    // rows that a warp looks at, a multiple of 128
	manySegments   = 1 << 8  // of moves, where these are not few
	mostMoveCounts = 1 << 26 // of segments times clusters
)

// Moves lists the rows whose labels the last search has changed, or all where none had any before, and returns how
// many they are. anew: what they had before is forgotten.
func (r *Rows) Moves(anew bool) (int, error) {
	m, segments := &r.moves, (r.n+rowSegment-1)/rowSegment
	if m.memory == nil {
		if err := take(&m.memory, block{&m.was, uint64(roundUp(r.n, tileRows)) * 4}, block{&m.list, uint64(r.n) * wire.MoveSize}, block{&m.start, uint64(segments) * 4}, block{&m.total, 4}); err != nil {
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
		err = r.kernels.Launch("listMoves", segments, 32, 0, r.label, m.was, n, segment, m.start, m.total, m.list)
	}
	if err != nil {
		return 0, err
	}
	var total [1]int32
	err = cuda.Download(total[:], m.total)
	m.n = int(total[0])
	return m.n, err
}

// SetSums makes room for the sums of k clusters, their rounding errors and how many rows more each has. They stay as they
// are where there was room for so many.
func (r *Rows) SetSums(k int) error {
	if k < 1 || k > 1<<24 {
		return fmt.Errorf("sums must be 1 to %d, got %d", 1<<24, k)
	}
	m := &r.moves
	if m.sumMemory != nil && m.clusters == k {
		return nil
	}
	give(&m.sumMemory)
	m.clusters, m.sumsSize = k, uint64(k)*uint64(r.d)*16+uint64(k)*4
	err := take(&m.sumMemory, block{&m.sums, m.sumsSize}, block{&m.totals, uint64(2*k+1) * 4})
	if err != nil {
		give(&m.sumMemory)
		m.sums = 0
	}
	return err
}

// segment returns how many moves a warp looks at.
func (m *moves) segment() int {
	s := max(1, mostMoveCounts/m.clusters)
	return roundUp(max(min(1024, max(64, m.n/manySegments)), (m.n+s-1)/s), 16)
}

// makeRoom is for the changes of so many moves, and more.
func (m *moves) makeRoom(segments int) error {
	changes, count := 2*uint64(m.n)*4, uint64(m.clusters)*uint64(segments)*4
	if m.changeMemory != nil && changes <= m.changesRoom && count <= m.countRoom {
		return nil
	}
	give(&m.changeMemory)
	m.changesRoom, m.countRoom = max(changes, m.changesRoom)*5/4, max(count, m.countRoom)*5/4
	err := take(&m.changeMemory, block{&m.changes, m.changesRoom}, block{&m.count, m.countRoom})
	if err != nil {
		give(&m.changeMemory)
		m.changesRoom, m.countRoom = 0, 0
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
	segment := m.segment()
	segments := (m.n + segment - 1) / segment
	if err := m.makeRoom(segments); err != nil {
		return err
	}
	start, total := m.totals, m.totals+cuda.Pointer(4*k)
	n, moves, row := int32(m.n), int32(segment), int32(segments)
	rest := m.sums + cuda.Pointer(8*k*r.d)
	more := rest + cuda.Pointer(8*k*r.d)
	if err := cuda.Clear(m.count, 4*uint64(k)*uint64(segments)); err != nil {
		return err
	}
	for _, l := range []struct {
		kernel          string
		blocks, threads int
		args            []any
	}{
		{"countChanges", segments, 32, []any{m.list, n, moves, row, m.count}},
		{"scanRow", k, 256, []any{m.count, row, total}},
		{"copyInts", (k + 255) / 256, 256, []any{total, start, int32(k)}},
		{"scanRow", 1, 256, []any{start, int32(k), m.total}},
		{"sortChanges", segments, 32, []any{m.list, n, moves, row, m.count, start, m.changes}},
		{r.typed("addChanges"), k * ((r.d + 127) / 128), 128, []any{r.x, int32(r.d), start, total, m.changes, m.sums, rest, more}},
	} {
		if err := r.kernels.Launch(l.kernel, l.blocks, l.threads, 0, l.args...); err != nil {
			return err
		}
	}
	return nil
}
