package cluster_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// doubling is a pass: it sums the first feature twice.
type doubling struct {
	Factor float64
	sum    float64
}

func (p *doubling) Block(x data.Rows, lo, hi int) (s float64) {
	for i := lo; i < hi; i++ {
		s += p.Factor * x.Row(i, nil).Val[0]
	}
	return s
}

func (p *doubling) Merge(_, _ int, part float64) { p.sum += part }

func TestSweepCoversEveryRow(t *testing.T) {
	x := &data.Dense{Cols: 1, V: make([]float64, 5000)}
	for i := range x.V {
		x.V[i] = float64(i)
	}
	p := &doubling{Factor: 2}
	if err := cluster.Sweep(background, &cluster.Env{Workers: 3}, x, p); err != nil || p.sum != 5000*4999 {
		t.Errorf("the sum is %v, error %v", p.sum, err)
	}
}

// parity places a point by whether its first feature is odd.
type parity struct{ dim int }

func (m parity) Dim() int      { return m.dim }
func (m parity) Clusters() int { return 2 }
func (m parity) Place(x data.Rows, lo, hi int, labels []int) {
	for i := lo; i < hi; i++ {
		labels[i-lo] = int(x.Row(i, nil).Val[0]) % 2
	}
}

func TestPredict(t *testing.T) {
	x := &data.Dense{Cols: 1, V: make([]float64, 3*blocks.Len+1)}
	for i := range x.V {
		x.V[i] = float64(i)
	}
	for _, workers := range []int{0, 1, 5} {
		labels, err := cluster.Predict(background, parity{1}, x, workers)
		if err != nil || len(labels) != len(x.V) {
			t.Fatalf("%d labels, %v", len(labels), err)
		}
		for i, h := range labels {
			if h != i%2 {
				t.Fatalf("on %d workers row %d is placed in %d", workers, i, h)
			}
		}
	}
	if labels, err := cluster.Predict(background, parity{1}, &data.Dense{Cols: 1}, 2); err != nil || len(labels) != 0 {
		t.Errorf("no rows: %v, %v", labels, err)
	}
}

// origin is one cluster at 0; it costs what a row is long, squared.
type origin struct{}

func (origin) Dim() int                                  { return 2 }
func (origin) Clusters() int                             { return 1 }
func (origin) Place(data.Rows, int, int, []int)          {}
func (origin) PointCost(v data.Vec, _ int) (sum float64) { return data.Norm2(v.Val) }

// A row that overflows every distance is refused, not put just anywhere; one
// that is far off but can be measured is placed.
func TestPredictRefusesWhatIsTooFar(t *testing.T) {
	x := &data.Dense{Cols: 2, V: make([]float64, 2*(2*blocks.Len+5))}
	x.V[2] = 1e150
	if _, err := cluster.Predict(background, origin{}, x, 2); err != nil {
		t.Errorf("a row that can be measured: %v", err)
	}
	at := 2*blocks.Len + 3
	x.V[2*at+1] = -1e160
	x.V[2*at+3] = 1e200
	for _, workers := range []int{1, 4} {
		labels, err := cluster.Predict(background, origin{}, x, workers)
		var far *cluster.TooFarError
		var bad *cluster.ProblemError
		if labels != nil || !errors.As(err, &far) || !errors.As(err, &bad) || *far != (cluster.TooFarError{Row: at, Value: -1e160}) {
			t.Errorf("on %d workers: %v, %v", workers, labels != nil, err)
		}
	}
}

func TestPredictRefuses(t *testing.T) {
	x := &data.Dense{Cols: 2, V: []float64{1, 2, 3, 4}}
	var bad *cluster.ProblemError
	_, err := cluster.Predict(background, parity{3}, x, 1)
	if !errors.As(err, &bad) || bad.Field != "x" || !strings.Contains(err.Error(), "3 features") {
		t.Errorf("a wrong width: %v", err)
	}
	zero := 0.0
	x.V[3] /= zero
	var nf *data.NonFiniteError
	if _, err = cluster.Predict(background, parity{2}, x, 1); !errors.As(err, &nf) || !errors.As(err, &bad) {
		t.Errorf("an infinite value: %v", err)
	}
	ctx, stop := context.WithCancel(background)
	stop()
	labels, err := cluster.Predict(ctx, parity{1}, &data.Dense{Cols: 1, V: []float64{1}}, 1)
	if !errors.Is(err, context.Canceled) || labels != nil {
		t.Errorf("cancelled: %v, %v", labels, err)
	}
}
