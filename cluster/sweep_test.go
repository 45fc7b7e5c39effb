package cluster_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
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

func TestPredictRefuses(t *testing.T) {
	x := &data.Dense{Cols: 2, V: []float64{1, 2, 3, 4}}
	var bad *cluster.BadProblem
	_, err := cluster.Predict(background, parity{3}, x, 1)
	if !errors.As(err, &bad) || bad.Field != "x" || !strings.Contains(err.Error(), "3 features") {
		t.Errorf("a wrong width: %v", err)
	}
	zero := 0.0
	x.V[3] /= zero
	var nf *data.NonFinite
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
