package spreading

import (
	"errors"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// The kinds of parts of a ClassModel.
const (
	linearPart   = "linear"
	gaussianPart = "gaussian"
	clusterPart  = "clusters"
)

// A ClassModel is what Classifier learns: the probability of each class at any point.
type ClassModel struct {
	K       int         `json:"k"`
	D       int         `json:"d"`
	Classes []int       `json:"classes"`          // the clusters that stand for labelled classes
	Points  []float64   `json:"points,omitempty"` // labelled rows of D numbers, for Gaussian kernels
	Parts   []ClassPart `json:"parts"`
	// Open are clusters whose classes nobody labelled: Open.Class has the cluster of each
	// centre, -1 where the parts decide. Nil: there are none.
	Open *OpenClusters `json:"open,omitempty"`
}

// OpenClusters are centres, of which some stand for clusters without labels.
type OpenClusters struct {
	Centres *lloyd.Centres `json:"centres"`
	Class   []int          `json:"class"`
}

// A ClassPart is one classifier of the mixture.
type ClassPart struct {
	Kind        string         `json:"kind"`
	Weight      float64        `json:"weight"` // its share in the mixture
	Width       float64        `json:"width,omitempty"`
	Temperature float64        `json:"temperature"`
	Uniform     float64        `json:"uniform"`
	Offset      []float64      `json:"offset,omitempty"`  // one number for each class
	Coef        []float64      `json:"coef,omitempty"`    // linear: one for each column and class; Gaussian: for each point and class
	Centres     *lloyd.Centres `json:"centres,omitempty"` // of clusters
	Shares      []float64      `json:"shares,omitempty"`  // one for each centre and class
}

// Dim returns the number of features.
func (m *ClassModel) Dim() int { return m.D }

// Clusters returns the number of clusters.
func (m *ClassModel) Clusters() int { return m.K }

// Check refuses parts that do not fit together, as of a damaged file.
func (m *ClassModel) Check() error {
	if m.K < 1 || m.D < 1 || len(m.Classes) > m.K || len(m.Points)%m.D != 0 {
		return fmt.Errorf("%d classes and %d values of points for %d clusters of %d features", len(m.Classes), len(m.Points), m.K, m.D)
	}
	for _, h := range m.Classes {
		if h < 0 || h >= m.K {
			return fmt.Errorf("class %d of %d clusters", h, m.K)
		}
	}
	if o := m.Open; o != nil {
		if err := o.Centres.Check(); err != nil {
			return err
		}
		if len(o.Class) != o.Centres.K || o.Centres.D != m.D {
			return fmt.Errorf("%d clusters for %d centres of %d features", len(o.Class), o.Centres.K, o.Centres.D)
		}
		for _, h := range o.Class {
			if h < -1 || h >= m.K {
				return fmt.Errorf("cluster %d of %d", h, m.K)
			}
		}
	}
	if len(m.Parts) == 0 && len(m.Classes) > 0 {
		return errors.New("the classifier has no parts")
	}
	for _, part := range m.Parts {
		if err := part.check(len(m.Classes), m.D, len(m.Points)/m.D); err != nil {
			return err
		}
	}
	return nil
}

func (t *ClassPart) check(classes, d, points int) error {
	want := map[string]int{linearPart: d * classes, gaussianPart: points * classes, clusterPart: 0}
	n, ok := want[t.Kind]
	if !ok || len(t.Coef) != n || !(t.Temperature > 0) || !(t.Weight >= 0) || !(t.Uniform >= 0 && t.Uniform <= 1) || t.Kind == gaussianPart && !(t.Width > 0) {
		return fmt.Errorf("a part %q of the classifier is not valid", t.Kind)
	}
	if t.Kind != clusterPart {
		if len(t.Offset) != classes {
			return fmt.Errorf("%d offsets for %d classes", len(t.Offset), classes)
		}
		return nil
	}
	if err := t.Centres.Check(); err != nil {
		return err
	}
	if t.Centres.D != d || len(t.Shares) != t.Centres.K*classes {
		return fmt.Errorf("%d shares for %d centres and %d classes", len(t.Shares), t.Centres.K, classes)
	}
	return nil
}

// scratch is memory for one row at a time.
type scratch struct {
	buf, full, near []float64
	score, mixed    []float64
}

func (m *ClassModel) newScratch() *scratch {
	c := len(m.Classes)
	return &scratch{buf: make([]float64, m.D), full: make([]float64, m.D), near: make([]float64, len(m.Points)/max(m.D, 1)),
		score: make([]float64, c), mixed: make([]float64, c)}
}

// leastClass is below every probability before normalisation.
const leastClass = 1e-3

// probabilities writes the probability of each cluster at v.
func (m *ClassModel) probabilities(v data.Vec, out []float64, s *scratch) {
	for h := range out {
		out[h] = leastClass
	}
	if m.Open != nil {
		if at, _ := m.Open.Centres.Nearest(v); m.Open.Class[at] >= 0 {
			out[m.Open.Class[at]] = 1
			normalise(out)
			return
		}
	}
	if len(m.Classes) > 0 {
		m.mix(v, s)
		for c, h := range m.Classes {
			out[h] = max(leastClass, s.mixed[c])
		}
	}
	normalise(out)
}

// mix writes the probabilities of the labelled classes to s.mixed.
func (m *ClassModel) mix(v data.Vec, s *scratch) {
	clear(s.mixed)
	measured := false
	for p := range m.Parts {
		t := &m.Parts[p]
		switch t.Kind {
		case linearPart:
			copy(s.score, t.Offset)
			for at, y := range v.Val {
				f := v.Feature(at)
				for c, w := range t.Coef[f*len(s.score) : (f+1)*len(s.score)] {
					s.score[c] += float64(y * w)
				}
			}
		case gaussianPart:
			if !measured {
				full := v.Full(s.full)
				for i := range s.near {
					s.near[i] = distance2(full, m.Points[i*m.D:(i+1)*m.D])
				}
				measured = true
			}
			copy(s.score, t.Offset)
			for i, d := range s.near {
				y := math.Exp(-d / t.Width)
				for c, w := range t.Coef[i*len(s.score) : (i+1)*len(s.score)] {
					s.score[c] += float64(y * w)
				}
			}
		default:
			at, _ := t.Centres.Nearest(v)
			copy(s.score, t.Shares[at*len(s.score):])
		}
		soften(s.score, t.Temperature, t.Uniform)
		for c, y := range s.score {
			s.mixed[c] += float64(t.Weight * y)
		}
	}
}

// soften turns scores into probabilities: a softmax with a temperature, mixed with the
// uniform distribution.
func soften(score []float64, temperature, uniform float64) {
	most, sum := math.Inf(-1), 0.0
	for _, y := range score {
		most = max(most, y)
	}
	for c, y := range score {
		score[c] = math.Exp((y - most) / temperature)
		sum += score[c]
	}
	for c, y := range score {
		score[c] = (1-uniform)*y/sum + uniform/float64(len(score))
	}
}

// distance2 is the squared distance of two points.
func distance2(a, b []float64) (sum float64) {
	for f, y := range a {
		d := y - b[f]
		sum += float64(d * d)
	}
	return sum
}

// Probabilities returns the probability of each cluster at v.
func (m *ClassModel) Probabilities(v data.Vec) []float64 {
	out := make([]float64, m.K)
	m.probabilities(v, out, m.newScratch())
	return out
}

// PointCost returns −log q(h) at v.
func (m *ClassModel) PointCost(v data.Vec, h int) float64 { return -math.Log(m.Probabilities(v)[h]) }

// Place labels rows lo to hi of x with their likeliest clusters, the lowest on ties.
func (m *ClassModel) Place(x data.Rows, lo, hi int, labels []int) {
	s, q := m.newScratch(), make([]float64, m.K)
	for i := lo; i < hi; i++ {
		m.probabilities(x.Row(i, s.buf), q, s)
		best := 0
		for h, y := range q {
			if y > q[best] {
				best = h
			}
		}
		labels[i-lo] = best
	}
}
