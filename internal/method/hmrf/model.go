package hmrf

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// Model is what HMRF learns: centres, and the metric under which a point
// belongs to the nearest of them, the lowest on ties. Pairs hold between the
// points of a fit; a new point has none.
type Model struct {
	K, D       int
	C          []float64 // K rows of D numbers
	Distortion Distortion
	Metric     *metric.Learned // nil: the Euclidean distance
	// LogDet says that −log det A_h is part of what a point costs in cluster h,
	// as it is in a Gaussian. It matters where every cluster has its own metric.
	LogDet bool

	once        sync.Once
	isotropic   float64        // what a shared metric that is a multiple of the identity weighs; 1 for none; else 0
	transformed *lloyd.Centres // the centres as a shared metric sees them, or as they are if it is round
	norm        []float64      // what distances of sparse rows need to know of each centre
	// Of a divergence:
	divergence metric.Divergence
	weights    [][]float64 // of the features, by cluster; nil: ones
}

func newModel(c *lloyd.Centres, distortion Distortion, m *metric.Learned, logDet bool) *Model {
	return &Model{K: c.K, D: c.D, C: c.C, Distortion: distortion, Metric: m, LogDet: logDet}
}

// withoutCaches returns m without what is derived from its fields.
func (m *Model) withoutCaches() *Model {
	return &Model{K: m.K, D: m.D, C: m.C, Distortion: m.Distortion, Metric: m.Metric, LogDet: m.LogDet}
}

// At returns centre h; the caller must not change it.
func (m *Model) At(h int) []float64 { return m.C[h*m.D : (h+1)*m.D : (h+1)*m.D] }

// Dim returns the number of features.
func (m *Model) Dim() int { return m.D }

// Clusters returns the number of centres.
func (m *Model) Clusters() int { return m.K }

// Distance returns the distortion.
func (m *Model) Distance() string { return string(m.Distortion) }

// LearnedMetric returns the metric, nil where none was learned.
func (m *Model) LearnedMetric() cluster.Metric {
	if !m.learned() {
		return nil
	}
	return m.Metric
}

// learned reports whether there is a metric other than the Euclidean.
func (m *Model) learned() bool { return m.Metric != nil && m.Metric.Form().Shape != metric.None }

// perCluster reports whether distances depend on the cluster beyond its centre,
// so that there is no space in which all of them are Euclidean.
func (m *Model) perCluster() bool {
	return m.learned() && m.Metric.Form().PerCluster || !m.Distortion.searched()
}

// transformedCentres returns the centres in the space of a shared metric.
func (m *Model) transformedCentres() *lloyd.Centres {
	m.prepare()
	return m.transformed
}

func (m *Model) prepare() {
	m.once.Do(func() {
		if m.perCluster() {
			m.preparePerCluster()
			return
		}
		c := m.C
		if m.isotropic = m.isotropicWeight(); m.needsTransform() {
			c = make([]float64, len(m.C))
			for h := range m.K {
				m.Metric.Transform(0, data.Vec{Val: m.At(h)}, c[h*m.D:(h+1)*m.D])
			}
		}
		m.transformed = lloyd.NewCentresIn(m.K, m.D, c, m.Distortion.distance())
	})
}

// needsTransform reports whether a shared metric weighs features differently:
// only then is its space another than that of the rows.
func (m *Model) needsTransform() bool { return m.isotropic == 0 }

func (m *Model) isotropicWeight() float64 {
	if !m.learned() {
		return 1
	}
	w := m.Metric.Weights(0)
	for _, a := range w {
		if a != w[0] {
			return 0
		}
	}
	if m.Metric.Form().Shape == metric.Full {
		for p, a := range m.Metric.Matrix(0) {
			if p%(m.D+1) != 0 && a != 0 {
				return 0
			}
		}
	}
	return w[0]
}

func (m *Model) preparePerCluster() {
	m.norm, m.divergence = make([]float64, m.K), divergenceOf(m.Distortion)
	for h := range m.norm {
		if m.divergence == nil {
			m.norm[h] = m.Metric.Norm2(h, m.At(h))
			continue
		}
		if m.learned() {
			m.weights = append(m.weights, m.Metric.Weights(h))
		} else {
			m.weights = append(m.weights, nil)
		}
		m.norm[h] = m.divergence.CentreTerm(m.At(h), m.weights[h])
	}
}

// searchWeights returns the weights of the features in the space that is
// searched, nil for a full metric.
func (m *Model) searchWeights() []float64 {
	switch {
	case !m.needsTransform():
		return slices.Repeat([]float64{1}, m.D)
	case m.Metric.Form().Shape == metric.Diagonal:
		return m.Metric.Weights(0)
	}
	return nil
}

// costAtCentre returns what v costs at centre h where distances depend on the
// cluster.
func (m *Model) costAtCentre(v data.Vec, h int) float64 {
	var d float64
	if m.divergence != nil {
		d = m.divergence.FromCentre(v, m.At(h), m.weights[h], m.norm[h])
	} else {
		d = m.Metric.Dist2(h, v, m.At(h), m.norm[h])
	}
	if m.LogDet && m.learned() && m.Metric.Form().PerCluster {
		d -= m.Metric.LogDet(h)
	}
	return d
}

// prepareRow returns v as a divergence reads it, perhaps in buf.
func (m *Model) prepareRow(v data.Vec, buf []float64) data.Vec {
	if m.divergence == nil {
		return v
	}
	return m.divergence.Prepare(v, buf)
}

// PointCost returns what v costs at centre h, without pairs.
func (m *Model) PointCost(v data.Vec, h int) float64 {
	m.prepare()
	if m.perCluster() {
		return m.costAtCentre(m.prepareRow(v, make([]float64, m.D)), h)
	}
	if m.needsTransform() {
		z := make([]float64, m.D)
		m.Metric.Transform(0, v, z)
		return m.transformed.PointCost(data.Vec{Val: z}, h)
	}
	return m.isotropic * m.transformed.PointCost(v, h)
}

// Place labels rows lo to hi of x.
func (m *Model) Place(x data.Rows, lo, hi int, labels []int) {
	m.prepare()
	m.place(m.transformed, x, lo, hi, labels)
}

// Prepare returns the model that cluster.Predict places the rows of x with.
func (m *Model) Prepare(data.Rows) cluster.Model {
	m.prepare()
	if m.perCluster() || m.Distortion.distance().Unit {
		return m
	}
	return &packedModel{m, lloyd.Pack(m.transformed, &data.Dense{Cols: m.D})}
}

// packedModel is a Model that places rows by packed centres.
type packedModel struct {
	*Model
	packed *lloyd.PackedCentres
}

func (m *packedModel) Place(x data.Rows, lo, hi int, labels []int) {
	m.place(m.packed, x, lo, hi, labels)
}

// place labels rows lo to hi of x; centres are m.transformed, perhaps packed.
func (m *Model) place(centres cluster.Model, x data.Rows, lo, hi int, labels []int) {
	if m.perCluster() {
		buf, scratch := make([]float64, m.D), make([]float64, m.D)
		for i := lo; i < hi; i++ {
			v, least := m.prepareRow(x.Row(i, buf), scratch), math.Inf(1)
			for h := range m.K {
				if y := m.costAtCentre(v, h); y < least {
					labels[i-lo], least = h, y
				}
			}
		}
		return
	}
	if !m.needsTransform() {
		centres.Place(x, lo, hi, labels)
		return
	}
	if s, ok := x.(*data.Sparse); ok && m.Metric.Form().Shape == metric.Diagonal {
		m.placeSparse(s, lo, hi, labels)
		return
	}
	z := &data.Dense{Cols: m.D, V: make([]float64, (hi-lo)*m.D)}
	view := lloyd.NewTransformedRows(x, m.Metric)
	for i := lo; i < hi; i++ {
		view.WriteRow(i, z.V[(i-lo)*m.D:(i-lo+1)*m.D])
	}
	centres.Place(z, 0, hi-lo, labels)
}

func (m *Model) placeSparse(s *data.Sparse, lo, hi int, labels []int) {
	root, val := lloyd.SqrtWeights(m.Metric), make([]float64, 0, m.D)
	for i := lo; i < hi; i++ {
		v := s.Row(i, nil)
		val = val[:0]
		for q, f := range v.Idx {
			val = append(val, root[f]*v.Val[q])
		}
		labels[i-lo], _ = m.transformed.Nearest(data.Vec{Idx: v.Idx, Val: val})
	}
}

type hmrfFile struct {
	Distortion Distortion      `json:"distortion"`
	Centres    [][]float64     `json:"centres"`
	Metric     *metric.Learned `json:"metric,omitempty"`
	LogDet     bool            `json:"log_det,omitempty"`
}

// MarshalJSON writes the centres as a list of rows, and the metric.
func (m *Model) MarshalJSON() ([]byte, error) {
	rows := make([][]float64, m.K)
	for h := range rows {
		rows[h] = m.At(h)
	}
	out := hmrfFile{Distortion: m.Distortion, Centres: rows, LogDet: m.LogDet}
	if m.learned() {
		out.Metric = m.Metric
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (m *Model) UnmarshalJSON(b []byte) error {
	var in hmrfFile
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	if err := checkEnum("distortion", in.Distortion); err != nil {
		return err
	}
	k, d, c, err := lloyd.FlattenRows(in.Centres)
	if err != nil {
		return err
	}
	if a := in.Metric; a != nil {
		switch {
		case a.Dim() != d:
			return fmt.Errorf("the metric is of %d features, the centres of %d", a.Dim(), d)
		case a.Form().PerCluster && a.Metrics() != k:
			return fmt.Errorf("%d metrics for %d centres", a.Metrics(), k)
		}
		if err := checkPairing(in.Distortion, a.Form()); err != nil {
			return err
		}
	}
	m.K, m.D, m.C, m.Distortion, m.Metric, m.LogDet = k, d, c, in.Distortion, in.Metric, in.LogDet
	return nil
}
