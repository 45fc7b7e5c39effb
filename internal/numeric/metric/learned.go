package metric

import (
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// Learned is one positive definite matrix A of D×D, or one for each cluster. It
// is never changed once made, and serves any number of goroutines.
type Learned struct {
	form  Form
	k, d  int       // matrices, features
	a     []float64 // k blocks: nothing, d weights, or d×d
	upper []float64 // Full: k blocks U, upper triangular, A = U'U
	lower []float64 // Full: k blocks U'
	root  []float64 // Diagonal: √a
	logs  []float64 // log det A_h
	prior *Prior    // what the estimate was drawn to, nil for nothing
}

// Identity returns the Euclidean distance of d features as a metric of the form
// f for k clusters: what learning starts from.
func Identity(f Form, k, d int) *Learned {
	k = f.Metrics(k)
	a := make([]float64, k*f.block(d))
	for h := range k {
		for i := range d {
			switch f.Shape {
			case Diagonal:
				a[h*d+i] = 1
			case Full:
				a[(h*d+i)*d+i] = 1
			}
		}
	}
	m, err := New(f, d, a)
	if err != nil {
		panic(err) // an identity is positive definite
	}
	return m
}

// New returns the matrices in a, one after the other, as a metric of d features:
// nothing for None, d weights each for Diagonal, d rows of d numbers each for
// Full. It keeps a. Matrices must be symmetric and positive definite.
func New(f Form, d int, a []float64) (*Learned, error) {
	if d < 1 {
		return nil, fmt.Errorf("%d features, at least 1 is needed", d)
	}
	size, k := f.block(d), 1
	if size > 0 {
		k = len(a) / size
	}
	switch {
	case len(a) != k*size || k < 1:
		return nil, fmt.Errorf("%d numbers do not fill %s matrices of %d features", len(a), f, d)
	case !f.PerCluster && k != 1:
		return nil, fmt.Errorf("%d matrices, the form %s has 1", k, f)
	}
	m := &Learned{form: f, k: k, d: d, a: a, logs: make([]float64, k)}
	for h := range k {
		var err error
		switch f.Shape {
		case Diagonal:
			err = m.rootOf(h)
		case Full:
			err = m.factor(h)
		}
		if err == nil && !data.Finite(m.logs[h]) {
			err = fmt.Errorf("the log determinant is %v", m.logs[h])
		}
		if err != nil {
			return nil, fmt.Errorf("matrix %d: %w", h, err)
		}
	}
	return m, nil
}

func (m *Learned) rootOf(h int) error {
	if m.root == nil {
		m.root = make([]float64, len(m.a))
	}
	for f, w := range m.matrix(h) {
		if !(w > 0) || math.IsInf(w, 0) {
			return fmt.Errorf("the weight of feature %d must be finite and above 0, got %v", f, w)
		}
		m.root[h*m.d+f] = math.Sqrt(w)
		m.logs[h] += math.Log(w)
	}
	return nil
}

func (m *Learned) factor(h int) error {
	if m.upper == nil {
		m.upper, m.lower = make([]float64, len(m.a)), make([]float64, len(m.a))
	}
	a, u, d := m.matrix(h), m.upper[h*m.d*m.d:(h+1)*m.d*m.d], m.d
	for i := range d {
		for j := range i {
			if a[i*d+j] != a[j*d+i] {
				return fmt.Errorf("entries (%d,%d) and (%d,%d) are %v and %v, the matrix must be symmetric", i, j, j, i, a[i*d+j], a[j*d+i])
			}
		}
	}
	copy(u, a)
	if p := cholesky(u, d); p >= 0 {
		return fmt.Errorf("not positive definite, found at feature %d", p)
	}
	for i := range d {
		m.logs[h] += 2 * math.Log(u[i*d+i])
		for j := i; j < d; j++ {
			m.lower[(h*d+j)*d+i] = u[i*d+j]
		}
	}
	return nil
}

// Form returns the form of the metric.
func (m *Learned) Form() Form { return m.form }

// Dim returns the number of features.
func (m *Learned) Dim() int { return m.d }

// Metrics returns the number of matrices: 1, or that of the clusters.
func (m *Learned) Metrics() int { return m.k }

// Diagonal reports whether entries off the diagonals are all 0.
func (m *Learned) Diagonal() bool { return m.form.Shape != Full }

// Index returns which matrix serves cluster h.
func (m *Learned) Index(h int) int {
	if m.k == 1 {
		return 0
	}
	return h
}

func (m *Learned) matrix(h int) []float64 {
	b := m.form.block(m.d)
	h = m.Index(h)
	return m.a[h*b : (h+1)*b : (h+1)*b]
}

// LogDet returns log det A_h.
func (m *Learned) LogDet(h int) float64 { return m.logs[m.Index(h)] }

// Weights returns a copy of the diagonal of A_h.
func (m *Learned) Weights(h int) []float64 {
	w := make([]float64, m.d)
	for f := range w {
		switch m.form.Shape {
		case Diagonal:
			w[f] = m.matrix(h)[f]
		case Full:
			w[f] = m.matrix(h)[f*m.d+f]
		default:
			w[f] = 1
		}
	}
	return w
}

// Matrix returns a copy of A_h, d rows of d numbers.
func (m *Learned) Matrix(h int) []float64 {
	if m.form.Shape == Full {
		return slices.Clone(m.matrix(h))
	}
	a := make([]float64, m.d*m.d)
	for f, w := range m.Weights(h) {
		a[f*m.d+f] = w
	}
	return a
}

// Trace returns tr(A_h S) for a block of a Scatter of the same shape: what all
// the pairs in it cost together.
func (m *Learned) Trace(h int, s []float64) (t float64) {
	switch m.form.Shape {
	case None:
		return s[0]
	case Diagonal:
		for f, a := range m.matrix(h) {
			t += float64(a * s[f])
		}
		return t
	}
	a := m.matrix(h)
	for i := range m.d {
		t += float64(a[i*m.d+i] * s[i*m.d+i])
		for j := i + 1; j < m.d; j++ {
			t += 2 * float64(a[i*m.d+j]*s[i*m.d+j])
		}
	}
	return t
}

// A Prior is what estimates are drawn to: Nu pseudo-observations whose
// covariance is the target T. It adds to the objective
//
//	ν Σ_h [ tr(A_h T) − log det(A_h T) − d ] ≥ 0,
//
// 0 where every A_h is T⁻¹. The target is learned too. Of one Full metric it is
// diagonal; of metrics for each cluster it is one of their shape for all.
type Prior struct {
	Nu float64
	T  []float64 // d numbers, or d×d
}
