package main

import (
	"fmt"

	"github.com/inklinghq/inkling/cmd/inkling-gpu/internal/cuda"
)

// neighbours are the nearest other rows of every row.
type neighbours struct {
	k               int
	index, distance cuda.Pointer
	memory          []cuda.Pointer
}

const (
	// mostNeighbours is what the least scores of the groups of columns can tell.
	mostNeighbours = 40
	// nearSlots is how many candidates of a row are listed: four for each thread of a warp.
	nearSlots = 128
	// nearRows is how many rows are searched at a time.
	nearRows = 1 << 19
)

// Neighbours finds the k nearest other rows of every row. The first neighbour of a row that
// is left to others is -1. Centres must have been set to a sample of the rows.
func (r *Rows) Neighbours(k int) error {
	if k < 1 || k > mostNeighbours || k >= r.n || r.centres.room == 0 {
		return fmt.Errorf("neighbours must be 1 to %d, fewer than the rows, after a sample of them, got %d", mostNeighbours, k)
	}
	if err := r.prepare(); err != nil {
		return err
	}
	r.offset = nil // it is made for this sample
	give(&r.near.memory)
	r.near.k = k
	n := uint64(r.n)
	if err := take(&r.near.memory, block{&r.near.index, n * uint64(k) * 4}, block{&r.near.distance, n * uint64(k) * 8}); err != nil {
		give(&r.near.memory)
		return err
	}
	others, batch := centres{k: r.n}, min(r.n, nearRows)
	padded := uint64(roundUp(r.n, 2*tileCentres))
	var found, list, minima cuda.Pointer
	defer give(&others.memory)
	if err := take(&others.memory, block{&others.image, padded * uint64(r.chunks) * chunkLen * 2}, block{&others.norm, padded * 4}, block{&others.lifted, padded * 4},
		block{&found, uint64(batch) * 4}, block{&list, uint64(batch) * nearSlots * 4}, block{&minima, uint64(batch) * groups * 4}); err != nil {
		return err
	}
	s, err := r.imageOf(r.typed("roundCentres"), r.x, &others)
	if err != nil {
		return err
	}
	s.found, s.slots, s.room, s.minima = found, list, nearSlots, minima
	for lo := 0; lo < r.n; lo += batch {
		if err := r.neighboursOf(*s, lo, min(batch, r.n-lo)); err != nil {
			return err
		}
	}
	return cuda.Wait()
}

// neighboursOf finds those of n rows from first on, the first of a tile.
func (r *Rows) neighboursOf(s scores, first, n int) error {
	all := s.rows
	s.n, s.first = uint64(n), uint32(first)
	s.rows += cuda.Pointer(first) * cuda.Pointer(r.chunks) * chunkLen * 2
	if err := r.score("group", &s); err != nil {
		return err
	}
	if err := r.kernels.Launch("limits", (n+7)/8, 256, 0, &s, int32(r.near.k)); err != nil {
		return err
	}
	if !r.kernels.hopper {
		s.rows = all // its rows are those of a list
	}
	if err := r.score("list", &s); err != nil {
		return err
	}
	at := cuda.Pointer(first) * cuda.Pointer(r.near.k)
	return r.kernels.Launch(r.typed("rank"), (n+7)/8, 256, 0, r.x, int32(r.d), int32(r.near.k), &s, r.near.index+4*at, r.near.distance+8*at)
}
