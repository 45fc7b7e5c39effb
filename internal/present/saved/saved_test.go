package saved_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/present/saved"
)

// fitted clusters rows of two columns, prepared in the given way.
func fitted(t rapid.TB, v []float64, scale prepare.Scale) (*saved.Fit, *dataio.Dataset, []int) {
	t.Helper()
	ds := &dataio.Dataset{Name: "rows", Columns: []string{"x", "y"}, X: &data.Dense{Cols: 2, V: v}}
	recipe, ready, err := prepare.Fit(ds, prepare.Options{Scale: scale})
	if err != nil {
		t.Fatal(err)
	}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: ready.X, K: 2}, centroid.NewKMeans(), cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	return &saved.Fit{
		Program: "test", Method: "kmeans", Parameters: json.RawMessage(`{"init":"k-means++"}`), Seed: 1, Rows: len(v) / 2,
		Objective: r.Objective, Clusters: []string{"a", "b"}, Recipe: recipe, Model: r.Model,
	}, ds, r.Labels
}

func write(t rapid.TB, f *saved.Fit) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := saved.Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Whatever the numbers, a model that was written and read places the rows of
// the fit exactly as the fit did, also with columns in another order.
func TestReadPlacesAsTheFitDid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		v := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2*n, 2*n).Draw(t, "v")
		scale := rapid.SampledFrom([]prepare.Scale{prepare.None, prepare.Standard, prepare.MinMax, prepare.L2}).Draw(t, "scale")
		f, ds, want := fitted(t, v, scale)
		got, err := saved.Read(bytes.NewReader(write(t, f)))
		if err != nil {
			t.Fatal(err)
		}
		swapped := make([]float64, len(v))
		for i := range v {
			swapped[i^1] = v[i]
		}
		for _, d := range []*dataio.Dataset{ds, {Name: "swapped", Columns: []string{"y", "x"}, X: &data.Dense{Cols: 2, V: swapped}}} {
			ready, err := got.Recipe.Apply(d)
			if err != nil {
				t.Fatal(err)
			}
			labels, err := got.Place(context.Background(), ready, 2)
			if err != nil {
				t.Fatal(err)
			}
			for i, h := range labels {
				if h != want[i] {
					t.Fatalf("%s: row %d goes to %d, the fit had it in %d", d.Name, i, h, want[i])
				}
			}
		}
	})
}

func TestReadRefuses(t *testing.T) {
	f, _, _ := fitted(t, []float64{0, 0, 1, 1, 5, 5, 6, 6}, "none")
	whole := string(write(t, f))
	again := func(change func(*saved.Fit)) string {
		g := *f
		change(&g)
		body, err := json.Marshal(&g) // Write would refuse it
		if err != nil {
			t.Fatal(err)
		}
		return string(sealed(body))
	}
	for name, c := range map[string]struct{ file, says string }{
		"nothing":          {"", "not a model"},
		"something else":   {"id,cluster\n0,1\n", "not a model"},
		"another JSON":     {"{\"format\":\"x\"}\n{}\n", "not a model"},
		"a newer version":  {strings.Replace(whole, `"version":1`, `"version":2`, 1), "version 2"},
		"cut short":        {whole[:len(whole)-9], "damaged or cut short"},
		"a changed digit":  {strings.Replace(whole, `"rows":4`, `"rows":5`, 1), "damaged or cut short"},
		"unknown method":   {again(func(g *saved.Fit) { g.Method = "magic" }), `method "magic"`},
		"names missing":    {again(func(g *saved.Fit) { g.Clusters = []string{"a"} }), "1 names for 2 clusters"},
		"recipe missing":   {again(func(g *saved.Fit) { g.Recipe = nil }), "how rows are prepared"},
		"another width":    {again(func(g *saved.Fit) { g.Recipe = &prepare.Recipe{Dim: 3, Scale: "none"} }), "rows of 3 features for a model of 2"},
		"a wrong recipe":   {again(func(g *saved.Fit) { g.Recipe = &prepare.Recipe{Dim: 2, Scale: "big"} }), "damaged"},
		"no centres":       {again(func(g *saved.Fit) { g.Model = &centroid.Centres{K: 0, D: 0, C: nil} }), "no centres"},
		"ragged in Recipe": {again(func(g *saved.Fit) { g.Recipe = &prepare.Recipe{Dim: 2, Scale: "standard"} }), "damaged"},
	} {
		_, err := saved.Read(strings.NewReader(c.file))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, wanted %q", name, err, c.says)
		}
	}
	if _, err := saved.Read(strings.NewReader("x")); !errors.Is(err, saved.ErrNotModel) {
		t.Errorf("a file of one letter: %v", err)
	}
}

// sealed puts the right first line before a body.
func sealed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return fmt.Appendf(nil, "{\"format\":\"inkling-model\",\"version\":1,\"sha256\":\"%x\"}\n%s\n", sum, body)
}

// No bytes make Read panic, with a checksum that fits or none, and what it
// takes can be written again.
func FuzzRead(f *testing.F) {
	fit, _, _ := fitted(f, []float64{0, 0, 1, 1, 5, 5, 6, 6}, "standard")
	_, body, _ := bytes.Cut(write(f, fit), []byte("\n"))
	f.Add(bytes.TrimSuffix(body, []byte("\n")))
	f.Add([]byte("{}"))
	f.Add([]byte(`{"method":"kmeans","model":{"centres":[[1,2],[3]]},"recipe":{"dim":2}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := saved.Read(bytes.NewReader(b)); err == nil {
			t.Fatal("a body without a first line was read")
		}
		got, err := saved.Read(bytes.NewReader(sealed(b)))
		if err != nil {
			return
		}
		if _, err := saved.Read(bytes.NewReader(write(t, got))); err != nil {
			t.Errorf("it was read, but not when written again: %v", err)
		}
	})
}
