package spectral_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spectral"
)

// Eigenvectors that do not fit into memory are refused with an estimate and with what
// would fit.
func TestEigenvectorsBeyondMemoryAreRefused(t *testing.T) {
	const n = 5000
	var edges []data.Edge
	for i := range n {
		edges = append(edges, data.Edge{U: i, V: (i + 1) % n, W: 1}, data.Edge{U: i, V: (i + 7) % n, W: 1})
	}
	g, err := data.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	s := cluster.Default()
	s.Memory = 64 << 20
	var memory *cluster.MemoryError
	for _, a := range []cluster.Algorithm{spectral.NewSpectral(), spectral.NewSpectralLearning()} {
		if _, err := cluster.Fit(context.Background(), &cluster.Problem{Graph: g, K: 2000}, a, s); !errors.As(err, &memory) || !strings.Contains(string(memory.Hint), "would fit") {
			t.Errorf("%T: %v", a, err)
		}
	}
}
