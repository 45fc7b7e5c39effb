package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/inklinghq/inkling/beam/internal/runner"
	"github.com/inklinghq/inkling/beam/internal/sample"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/present/saved"
)

// TestMain makes the test a second inkling-beam where asInklingBeam is set.
func TestMain(m *testing.M) {
	if os.Getenv(asInklingBeam) != "" {
		signal.Ignore(syscall.SIGXFSZ) // a write beyond the limit fails
		_ = flag.CommandLine.Parse(nil)
		runner.Init()
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	flag.Parse()
	runner.Init()
	os.Exit(m.Run())
}

// fingerprint is the SHA-256 of objective, model and labels; the numbers of a model file
// come back to the bit.
func fingerprint(t *testing.T, model, labels []byte) string {
	t.Helper()
	fit, err := saved.Read(bytes.NewReader(model))
	if err != nil {
		t.Fatal(err)
	}
	learned, err := json.Marshal([]any{fit.Objective, fit.Model, fit.Clusters})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(append(learned, labels...)))[:16]
}

// onOneMachine is inkling cluster --effort low.
func onOneMachine(t *testing.T, path, dir, method string, k int, c constraints, parameters map[string]any) string {
	t.Helper()
	ctx := context.Background()
	table, err := door.Open(ctx, path, door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	known, err := door.ReadConstraints(ctx, table, door.ConstraintFiles{Labels: c.files(dir, c.labels, "labels.csv"), Links: c.files(dir, c.links, "links.csv")})
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(1)
	r, err := door.Cluster(ctx, table, known, door.Options{K: k, Method: method, Effort: door.EffortLow, Seed: &seed, Restarts: 1, Parameters: parameters})
	if err != nil {
		t.Fatal(err)
	}
	var model, labels bytes.Buffer
	if err := r.Save(&model); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteCSV(&labels); err != nil {
		t.Fatal(err)
	}
	return fingerprint(t, model.Bytes(), labels.Bytes())
}

type constraints struct{ labels, links bool }

func (constraints) files(dir string, given bool, name string) []string {
	if !given {
		return nil
	}
	return []string{filepath.Join(dir, name)}
}

// onBeam runs inkling-beam cluster on the shards in folder.
func onBeam(t *testing.T, folder, dir, method string, k, parallelism int, c constraints, more ...string) (print string, about described) {
	t.Helper()
	out := t.TempDir()
	args := []string{"cluster", filepath.Join(folder, "part-*.npy"), "-k", strconv.Itoa(k), "--method", method, "--restarts", "1", "--json", "-q",
		"--parallelism", strconv.Itoa(parallelism), "--unit-rows", "4096", "-o", filepath.Join(out, "labels.csv"), "--save", filepath.Join(out, "model")}
	for _, f := range c.files(dir, c.labels, "labels.csv") {
		args = append(args, "--labels", f)
	}
	for _, f := range c.files(dir, c.links, "links.csv") {
		args = append(args, "--links", f)
	}
	var stdout, stderr bytes.Buffer
	if code := run(append(args, more...), &stdout, &stderr); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	var said struct{ Beam described }
	if err := json.Unmarshal(stdout.Bytes(), &said); err != nil {
		t.Fatal(err)
	}
	model, err := os.ReadFile(filepath.Join(out, "model"))
	if err != nil {
		t.Fatal(err)
	}
	labels, err := os.ReadFile(filepath.Join(out, "labels.csv"))
	if err != nil {
		t.Fatal(err)
	}
	return fingerprint(t, model, labels), said.Beam
}

// write writes a sample in 1, 7 and 40 shards, with constraints.
func write(t *testing.T, s sample.Sample, constraints int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, n := range []int{1, 7, 40} {
		folder := filepath.Join(dir, strconv.Itoa(n))
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := s.WriteShards(folder, n); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.WriteConstraints(dir, constraints); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The data of these tests must be able to show a wrong order of additions.
func TestSumsOfTheSampleDependOnTheirOrder(t *testing.T) {
	s := sample.Sample{Rows: 20_000, Cols: 8, Classes: 5, Seed: 7}
	x := s.Block(0, s.Rows).(*data.Dense32)
	differ := 0
	for f := range s.Cols {
		up, down := 0.0, 0.0
		for i := range s.Rows {
			up += float64(x.V[i*s.Cols+f])
			down += float64(x.V[(s.Rows-1-i)*s.Cols+f])
		}
		if up != down {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the sums are the same in both orders")
	}
}

// On any number of shards and workers the result has the bits of one machine. The methods take turns with the
// numbers, but for two of them, one of rows alone and one with metrics and pairs; INKLING_FULL=1 tries all.
func TestSameBits(t *testing.T) {
	s := sample.Sample{Rows: 26_000, Cols: 8, Classes: 6, Seed: 7}
	dir := write(t, s, 300)
	for n, c := range []struct {
		method      string
		constraints constraints
	}{
		{"kmeans", constraints{}},
		{"constrained-kmeans", constraints{labels: true}},
		{"cop-kmeans", constraints{links: true}},
		{"cop-kmeans", constraints{labels: true, links: true}},
		{"pc-kmeans", constraints{links: true}},
		{"mpc-kmeans", constraints{links: true}},
		{"hmrf-kmeans", constraints{links: true}},
		{"seeded-kmeans", constraints{labels: true}},
		{"m-kmeans", constraints{links: true}},
	} {
		want := onOneMachine(t, filepath.Join(dir, "1", "part-00000.npy"), dir, c.method, 6, c.constraints, nil)
		for at, try := range []struct{ shards, parallelism int }{{1, 1}, {7, 2}, {40, 4}} {
			if c.method != "kmeans" && c.method != "mpc-kmeans" && at != n%3 && os.Getenv("INKLING_FULL") == "" {
				continue
			}
			got, about := onBeam(t, filepath.Join(dir, strconv.Itoa(try.shards)), dir, c.method, 6, try.parallelism, c.constraints)
			if got != want {
				t.Errorf("%s, %d shards, parallelism %d: %s, one machine gives %s", c.method, try.shards, try.parallelism, got, want)
			}
			if about.Units != 7 || !about.ExactSums || about.Passes < 3 {
				t.Errorf("%s: %+v", c.method, about)
			}
		}
	}
}

// Where two numbers cannot hold sums exactly the driver adds up rows in their order.
func TestSameBitsWhereSumsAreNotExact(t *testing.T) {
	s := sample.Sample{Rows: 24_000, Cols: 8, Classes: 5, Seed: 3, Double: true}
	dir := write(t, s, 200)
	for _, method := range []string{"kmeans", "pc-kmeans"} {
		c := constraints{links: strings.HasPrefix(method, "pc")}
		want := onOneMachine(t, filepath.Join(dir, "1", "part-00000.npy"), dir, method, 5, c, nil)
		got, about := onBeam(t, filepath.Join(dir, "7"), dir, method, 5, 2, c)
		if got != want {
			t.Errorf("%s: %s, one machine gives %s", method, got, want)
		}
		if about.ExactSums {
			t.Error("the sums of these rows are exact")
		}
	}
}

// The size of a unit does not change the result.
func TestSameBitsWithOtherUnits(t *testing.T) {
	s := sample.Sample{Rows: 21_000, Cols: 8, Classes: 5, Seed: 5}
	dir := write(t, s, 100)
	a, _ := onBeam(t, filepath.Join(dir, "7"), dir, "kmeans", 9, 2, constraints{})
	b, about := onBeam(t, filepath.Join(dir, "7"), dir, "kmeans", 9, 2, constraints{}, "--unit-rows", "10240")
	if a != b || about.Units != 3 {
		t.Errorf("%s and %s, %+v", a, b, about)
	}
}

// Spherical k-means, with and without constraints: rows are scaled on the workers.
func TestSameBitsByCosine(t *testing.T) {
	s := sample.Sample{Rows: 21_000, Cols: 8, Classes: 5, Seed: 9}
	dir := write(t, s, 100)
	for method, c := range map[string]constraints{"kmeans": {}, "pc-kmeans": {links: true}, "constrained-kmeans": {labels: true}} {
		want := onOneMachine(t, filepath.Join(dir, "1", "part-00000.npy"), dir, method, 5, c, map[string]any{"distortion": "cosine"})
		if got, about := onBeam(t, filepath.Join(dir, "7"), dir, method, 5, 2, c, "--distortion", "cosine"); got != want {
			t.Errorf("%s: %s, one machine gives %s (%+v)", method, got, want, about)
		}
	}
}

// With eight clusters or more one machine keeps bounds on distances, which workers do
// not have: no decision about constrained rows may depend on them.
func TestSameBitsWhereOneMachineKeepsBounds(t *testing.T) {
	s := sample.Sample{Rows: 40_000, Cols: 8, Classes: 12, Seed: 13}
	dir := write(t, s, 4000)
	for _, method := range []string{"pc-kmeans", "mpc-kmeans"} {
		want := onOneMachine(t, filepath.Join(dir, "1", "part-00000.npy"), dir, method, 12, constraints{links: true}, nil)
		if got, _ := onBeam(t, filepath.Join(dir, "7"), dir, method, 12, 2, constraints{links: true}); got != want {
			t.Errorf("%s: %s, one machine gives %s", method, got, want)
		}
	}
}
