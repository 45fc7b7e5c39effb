package lloyd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// Centres is the model of the k-means family: a point belongs to the nearest of
// K centres, the lowest on ties.
type Centres struct {
	K, D int
	C    []float64       // K rows of D numbers
	By   metric.Distance // the zero value is Euclidean
	norm []float64       // Σ_f μ_hf², for sparse rows
}

// NewCentres returns the k rows of c, of d numbers each, as centres.
func NewCentres(k, d int, c []float64) *Centres { return NewCentresIn(k, d, c, metric.Distance{}) }

// NewCentresIn is NewCentres for a distance by which they are compared; they have length 1 where that asks for it.
func NewCentresIn(k, d int, c []float64, by metric.Distance) *Centres {
	m := &Centres{K: k, D: d, C: c, By: by, norm: make([]float64, max(k, 0))}
	for h := range k {
		if (h+1)*d <= len(c) { // else Check refuses it
			m.norm[h] = data.Norm2(m.At(h))
		}
	}
	return m
}

// Check refuses centres that are none: too few, or of no features. It does not
// look at their numbers, so that it costs nothing where one row is placed.
func (m *Centres) Check() error {
	if m == nil || m.K < 1 || m.D < 1 || len(m.C) != m.K*m.D {
		if m == nil {
			m = &Centres{}
		}
		return fmt.Errorf("%d values for %d centres of %d features", len(m.C), m.K, m.D)
	}
	return nil
}

// At returns centre h; the caller must not change it.
func (m *Centres) At(h int) []float64 { return m.C[h*m.D : (h+1)*m.D : (h+1)*m.D] }

// Dim returns the number of features.
func (m *Centres) Dim() int { return m.D }

// Clusters returns the number of centres.
func (m *Centres) Clusters() int { return m.K }

// Distance returns the name of the distance by which points are placed.
func (m *Centres) Distance() string { return cmp.Or(m.By.Name, metric.Euclidean) }

// Nearest returns the centre nearest to v and the squared distance to it; for
// the cosine, v must have length 1.
func (m *Centres) Nearest(v data.Vec) (h int, dist float64) {
	dist = math.Inf(1)
	for g := range m.K {
		if d := m.Dist2(v, g); d < dist {
			h, dist = g, d
		}
	}
	return h, dist
}

func (m *Centres) Dist2(v data.Vec, h int) float64 {
	at := m.C[h*m.D : (h+1)*m.D]
	if m.norm == nil { // of a literal
		return data.Dist2(v, at, data.Norm2(at))
	}
	return data.Dist2(v, at, m.norm[h])
}

// PointCost returns the distortion of v at centre h.
func (m *Centres) PointCost(v data.Vec, h int) float64 {
	if !m.By.Unit {
		return m.Dist2(v, h)
	}
	return 1 - data.Dot(unitRow(v, make([]float64, len(v.Val))), m.At(h))
}

// Place labels rows lo to hi of x with their nearest centres, one row after the
// other. Pack them first where there are many rows.
func (m *Centres) Place(x data.Rows, lo, hi int, labels []int) {
	buf, scaled := make([]float64, m.D), make([]float64, m.D)
	for i := lo; i < hi; i++ {
		v := x.Row(i, buf)
		if m.By.Unit {
			v = unitRow(v, scaled)
		}
		labels[i-lo], _ = m.Nearest(v)
	}
}

type centresFile struct {
	Distortion Distortion  `json:"distortion"`
	Centres    [][]float64 `json:"centres"`
}

// MarshalJSON writes the centres as a list of rows.
func (m *Centres) MarshalJSON() ([]byte, error) {
	rows := make([][]float64, m.K)
	for h := range rows {
		rows[h] = m.At(h)
	}
	return json.Marshal(centresFile{Distortion(m.Distance()), rows})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (m *Centres) UnmarshalJSON(b []byte) error {
	var in centresFile
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	if err := in.Distortion.Check(); err != nil {
		return err
	}
	k, d, c, err := FlattenRows(in.Centres)
	if err != nil {
		return err
	}
	read := NewCentresIn(k, d, c, in.Distortion.Distance())
	m.K, m.D, m.C, m.By, m.norm = read.K, read.D, read.C, read.By, read.norm
	return nil
}

// FlattenRows returns the centres of a model file one after the other.
func FlattenRows(centres [][]float64) (k, d int, c []float64, err error) {
	if len(centres) == 0 || len(centres[0]) == 0 {
		return 0, 0, nil, fmt.Errorf("the model has no centres")
	}
	k, d = len(centres), len(centres[0])
	for h, row := range centres {
		if len(row) != d {
			return 0, 0, nil, fmt.Errorf("centre %d has %d numbers, centre 0 has %d", h, len(row), d)
		}
		c = append(c, row...)
	}
	return k, d, c, nil
}

// NeedsRows is what every method here says to a problem without rows.
func NeedsRows() error {
	return cluster.Problemf("x", "k-means needs rows of numbers, not a graph or a kernel")
}

// CheckFirst refuses first centres that do not fit p; nil: none are given.
func CheckFirst(p *cluster.Problem, c *data.Dense) error {
	if c == nil {
		return nil
	}
	if c.Len() != p.K || c.Dim() != p.X.Dim() {
		return cluster.Problemf("init", "the first centres must be %d × %d (k × features), got %d × %d",
			p.K, p.X.Dim(), c.Len(), c.Dim())
	}
	if err := data.CheckFinite(c); err != nil {
		return &cluster.ProblemError{Field: "init", Err: err}
	}
	return nil
}
