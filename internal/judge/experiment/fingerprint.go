package experiment

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// Fingerprint returns a name for what is clustered and the truth about it: the
// first half of the SHA-256 of every number, in hexadecimal. What is known and
// k are not in it.
func Fingerprint(p *cluster.Problem, truth []int) string {
	d := digest{h: sha256.New()}
	d.rows(p.X)
	d.graph(p.Graph)
	if p.Kernel != nil {
		d.rows(p.Kernel)
	}
	d.whole(len(p.Weight))
	for _, w := range p.Weight {
		d.number(w)
	}
	d.whole(len(truth))
	for _, y := range truth {
		d.whole(y)
	}
	for _, v := range p.Views { // without any it is as it always was
		d.rows(v.X)
		d.graph(v.Graph)
	}
	d.flush()
	return hex.EncodeToString(d.h.Sum(nil)[:16])
}

// A digest hashes numbers by the block, since a call for each takes longer than
// the hash.
type digest struct {
	h   hash.Hash
	buf []byte
}

func (d *digest) put(x uint64) {
	if len(d.buf) >= 1<<15 {
		d.flush()
	}
	d.buf = binary.LittleEndian.AppendUint64(d.buf, x)
}

func (d *digest) whole(x int)      { d.put(uint64(x)) }
func (d *digest) number(x float64) { d.put(math.Float64bits(x)) }

func (d *digest) flush() {
	d.h.Write(d.buf) // a hash never fails
	d.buf = d.buf[:0]
}

func (d *digest) rows(x data.Rows) {
	if x == nil {
		d.whole(-1)
		return
	}
	d.whole(x.Len())
	d.whole(x.Dim())
	buf := make([]float64, x.Dim())
	for i := range x.Len() {
		v := x.Row(i, buf)
		d.whole(len(v.Idx))
		for _, f := range v.Idx {
			d.whole(int(f))
		}
		for _, y := range v.Val {
			d.number(y)
		}
	}
}

func (d *digest) graph(g *data.Graph) {
	if g == nil {
		d.whole(-1)
		return
	}
	d.whole(g.Len())
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		d.whole(len(to))
		for p, j := range to {
			d.whole(int(j))
			d.number(w[p])
		}
	}
}
