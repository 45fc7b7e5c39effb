package affinity

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/device"
)

// deviceSample is the number of rows by which a device sees where rows are.
const deviceSample = 512

// onDevice finds the neighbours by the device of the context, if it has one that does it. Rows that the device leaves,
// those with more near rows than it can keep, are searched here.
func (nb *Neighbours) onDevice(ctx context.Context, workers int) (done bool, err error) {
	dev, t := device.From(ctx), nb.table
	if dev == nil || t.dense == nil || t.rows.Len() == 0 {
		return false, nil
	}
	rows := min(t.n, deviceSample)
	sample := make([]float64, rows*t.d)
	for i := range rows {
		t.dense.Row(i*(t.n/rows), sample[i*t.d:(i+1)*t.d])
	}
	if done, err = dev.Neighbours(ctx, t.rows, t.d, nb.K, sample, nb.Idx, nb.Dist2); !done || err != nil {
		return done, err
	}
	var left []int
	for i := range t.n {
		if nb.Idx[i*nb.K] < 0 {
			left = append(left, i)
		}
	}
	return true, blocks.Tasks(ctx, workers, len(left), func(task int) {
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		t.scanTable(ctx, left[task:task+1], []nearestList{nb.emptyList(left[task])}, r)
	})
}
