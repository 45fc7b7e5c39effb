package lloyd

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// PackedCentres are centres in the form in which the kernels for dense rows read
// them. The centres must not change while they are in use.
type PackedCentres struct {
	*Centres
	pack *simd.Centres // nil: for rows that are not dense
}

// Pack returns c ready to meet the rows of x. That costs about as much as the
// search for a few rows does.
func Pack(c *Centres, x data.Rows) *PackedCentres {
	p := &PackedCentres{Centres: c}
	if IsDense(x) {
		p.pack = simd.Pack(c.K, c.D, c.C)
	}
	return p
}

// fewestPacked is the number of rows from which packing the centres pays.
const fewestPacked = 16

// Prepare returns the model that cluster.Predict places the rows of x with.
func (m *Centres) Prepare(x data.Rows) cluster.Model {
	if m.By.Unit || x.Len() < fewestPacked {
		return m
	}
	return Pack(m, x)
}

// Place labels rows lo to hi of x with their nearest centres.
func (p *PackedCentres) Place(x data.Rows, lo, hi int, labels []int) {
	var b simd.Block
	if p.By.Unit || !p.nearestRows(x, lo, hi, &b) {
		p.Centres.Place(x, lo, hi, labels)
		return
	}
	for i, h := range b.Label {
		labels[i] = int(h)
	}
}

// NearestDistances writes the squared distance of each row lo ≤ i < hi of x to its
// nearest centre to dist.
func (p *PackedCentres) NearestDistances(x data.Rows, lo, hi int, dist []float64) {
	var b simd.Block
	if p.nearestRows(x, lo, hi, &b) {
		p.LabelledDistances(x, lo, hi, b.Label, dist)
		return
	}
	buf := make([]float64, p.D)
	for i := lo; i < hi; i++ {
		_, dist[i-lo] = p.Nearest(x.Row(i, buf))
	}
}

// LabelledDistances writes the squared distance of each row lo ≤ i < hi of x to the
// centre of its label to dist.
func (p *PackedCentres) LabelledDistances(x data.Rows, lo, hi int, labels []int32, dist []float64) {
	switch x := x.(type) {
	case *data.Dense:
		p.pack.Measure64(x.V[lo*p.D:hi*p.D], labels, dist)
	case *data.Dense32:
		p.pack.Measure32(x.V[lo*p.D:hi*p.D], labels, dist)
	case *TransformedRows:
		p.pack.Measure64(x.block(lo, hi), labels, dist)
	case StoredRows:
		p.LabelledDistances(x.Load(lo, hi), 0, hi-lo, labels, dist)
	default:
		buf := make([]float64, p.D)
		for i, h := range labels {
			dist[i] = p.Dist2(x.Row(lo+i, buf), int(h))
		}
	}
}

// nearestRows labels rows lo to hi of x in b, if they are dense.
func (p *PackedCentres) nearestRows(x data.Rows, lo, hi int, b *simd.Block) bool {
	switch x := x.(type) {
	case *data.Dense:
		p.pack.Nearest64(x.V[lo*p.D:hi*p.D], b)
	case *data.Dense32:
		p.pack.Nearest32(x.V[lo*p.D:hi*p.D], b)
	case StoredRows:
		return p.nearestRows(x.Load(lo, hi), 0, hi-lo, b)
	default:
		return false
	}
	return true
}
