package saved_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/present/saved"
)

func groups() *cluster.Problem {
	return &cluster.Problem{K: 3, X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 10, 11, 12, 20, 21, 22}}}
}

// Every method that can be saved is saved in two lines, and comes back.
func TestNewFitsEveryMethod(t *testing.T) {
	for _, m := range catalog.Methods() {
		if m.Saved == nil {
			continue
		}
		p, a := groups(), m.New()
		p.Constraints = &constraint.Set{Labels: []constraint.Label{{I: 8, Class: 1, W: 1}, {I: 0, Class: 0, W: 1}}, Names: []string{"low", "high"}}
		r, err := cluster.Fit(context.Background(), p, a, cluster.Default())
		if err != nil {
			t.Fatal(err)
		}
		f, err := saved.New(m.Name, a, p, r)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		got, err := saved.Read(bytes.NewReader(write(t, f)))
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		labels, err := got.Place(context.Background(), &prepare.Prepared{X: p.X}, 0)
		if err != nil || !slices.Equal(labels, r.Labels) || got.Rows != 9 {
			t.Errorf("%s: %v, %v; the fit has %v of %d rows", m.Name, labels, err, r.Labels, got.Rows)
		}
		if low, high := got.Clusters[r.Labels[0]], got.Clusters[r.Labels[8]]; low != "low" || high != "high" {
			t.Errorf("%s: the clusters are %q", m.Name, got.Clusters)
		}
		if again, err := catalog.New(got.Method, got.Parameters); err != nil {
			t.Errorf("%s: %v, %v", m.Name, again, err)
		}
	}
}

// What may be left out is not missed: rows as they are, and clusters by number.
func TestWriteWithoutRecipeAndNames(t *testing.T) {
	p := groups()
	r, err := cluster.Fit(context.Background(), p, centroid.NewKMeans(), cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	f := &saved.Fit{Method: "kmeans", Model: r.Model}
	got, err := saved.Read(bytes.NewReader(write(t, f)))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Clusters, []string{"0", "1", "2"}) || got.Recipe.Dim != 1 || got.Recipe.Scale != prepare.None {
		t.Errorf("%q, %+v", got.Clusters, got.Recipe)
	}
	if f.Recipe != nil || f.Clusters != nil {
		t.Error("writing a fit changes it")
	}
	if _, err := got.Place(context.Background(), nil, 0); err == nil {
		t.Error("no rows, and no error")
	}
}

// What Read would call damaged is not written in the first place.
func TestWriteRefuses(t *testing.T) {
	p := groups()
	r, err := cluster.Fit(context.Background(), p, centroid.NewKMeans(), cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	for says, f := range map[string]*saved.Fit{
		"no model":                            nil,
		"there is no model":                   {Method: "kmeans"},
		`method ""`:                           {Model: r.Model},
		`method "spectral"`:                   {Method: "spectral", Model: r.Model},
		"is a *lloyd.Centres, that of":        {Method: "pc-kmeans", Model: r.Model},
		"1 names for 3 clusters":              {Method: "kmeans", Model: r.Model, Clusters: []string{"a"}},
		"rows of 4 features for a model of 1": {Method: "kmeans", Model: r.Model, Recipe: &prepare.Recipe{Dim: 4, Scale: "none"}},
		"scale":                               {Method: "kmeans", Model: r.Model, Recipe: &prepare.Recipe{Dim: 1, Scale: "big"}},
		"1 values for 3 centres":              {Method: "kmeans", Model: &centroid.Centres{K: 3, D: 1, C: []float64{1}}},
	} {
		if err := saved.Write(io.Discard, f); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("the error is %v, it should say %q", err, says)
		}
	}
	s, err := cluster.Fit(context.Background(), p, spectral.NewSpectral(), cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	if f, err := saved.New("spectral", spectral.NewSpectral(), p, s); err == nil || f != nil {
		t.Errorf("%+v of a method without a model", f)
	}
}
