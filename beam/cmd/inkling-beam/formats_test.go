package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/inklinghq/inkling/beam/internal/sample"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
)

// point is a row of a Parquet file.
type point struct {
	Name string  `parquet:"name"`
	X    float64 `parquet:"x"`
	Y    float64 `parquet:"y"`
}

// tables writes the same rows as one CSV file, and as shards of CSV and of Parquet.
func tables(t *testing.T) (whole string, csv, pq []string) {
	t.Helper()
	dir := t.TempDir()
	x := sample.Sample{Rows: 3000, Cols: 2, Classes: 4, Seed: 2}.Block(0, 3000).(*data.Dense32)
	all, parts, points := "name,x,y\n", make([]string, 3), make([][]point, 3)
	for i := range x.Len() {
		p := point{fmt.Sprintf("r%d", i), float64(x.V[2*i]), float64(x.V[2*i+1])}
		line := fmt.Sprintf("%s,%v,%v\n", p.Name, p.X, p.Y)
		all += line
		parts[i*3/x.Len()] += line
		points[i*3/x.Len()] = append(points[i*3/x.Len()], p)
	}
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for s, part := range parts {
		csv = append(csv, write(fmt.Sprintf("part-%d.csv", s), []byte("name,x,y\n"+part)))
		var b bytes.Buffer
		w := parquet.NewGenericWriter[point](&b)
		if _, err := w.Write(points[s]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		pq = append(pq, write(fmt.Sprintf("part-%d.parquet", s), b.Bytes()))
	}
	return write("whole.csv", []byte(all)), csv, pq
}

// Shards of CSV and Parquet give what one CSV file gives without scaling, labels come as shards with a
// manifest, and predict gives them again.
func TestTablesLabelsAndPredict(t *testing.T) {
	whole, csv, pq := tables(t)
	ctx := context.Background()
	table, err := door.Open(ctx, whole, door.Source{ID: "name"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := door.Cluster(ctx, table, nil, door.Options{K: 4, Method: "kmeans", Scale: "none", Effort: door.EffortLow, Restarts: 2})
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := r.WriteCSV(&want); err != nil {
		t.Fatal(err)
	}
	for _, paths := range [][]string{csv, pq} {
		dir := t.TempDir()
		out, model := filepath.Join(dir, "labels"), filepath.Join(dir, "model")
		code, stdout, stderr := command(append([]string{"cluster", "-k", "4", "--id", "name", "--restarts", "2", "-o", out, "--save", model, "--json"}, paths...)...)
		if code != exitOK {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		if !strings.Contains(stderr, "as inkling cluster --scale none does") {
			t.Errorf("it does not say that columns are not scaled: %s", stderr)
		}
		var said struct {
			Objective door.Objective
			Beam      described
		}
		if err := json.Unmarshal([]byte(stdout), &said); err != nil || said.Objective.Total != r.Objective.Total || said.Beam.Effort != "low" {
			t.Errorf("%v, the objective is %v, wanted %v", err, said.Objective.Total, r.Objective.Total)
		}
		if got := joined(t, out); got != want.String() {
			t.Errorf("%s: the labels are not those of one file", paths[0])
		}
		if b, err := os.ReadFile(model); err != nil || !strings.Contains(string(b), "effort low") {
			t.Errorf("the model does not say how it was fitted: %v", err)
		}
		again := filepath.Join(dir, "again")
		if code, stdout, _ := command(append([]string{"predict", model, "--id", "name", "--json", "-q"}, paths...)...); code != exitOK || !strings.Contains(stdout, `"passes": 2`) {
			t.Errorf("the rows were not placed in a pass: %s", stdout)
		}
		if code, _, stderr := command(append([]string{"predict", model, "--id", "name", "-o", again}, paths...)...); code != exitOK {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		if joined(t, again) != want.String() {
			t.Errorf("%s: predict gives other labels", paths[0])
		}
		if code, _, stderr := command(append([]string{"predict", model, "--id", "name", "-o", again}, paths...)...); code != exitUsage || !strings.Contains(stderr, "exists already") {
			t.Errorf("an old folder: exit code %d, %s", code, stderr)
		}
	}
}

// joined checks a folder of labels against its manifest and returns all labels as one
// file.
func joined(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	all := "id,cluster\n"
	for _, p := range m.Parts {
		b, err := os.ReadFile(filepath.Join(dir, p.File))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != p.SHA256 {
			t.Errorf("%s is not what the manifest says", p.File)
		}
		all += strings.TrimPrefix(string(b), "id,cluster\n")
	}
	return all
}

// A start by k-means|| is that of one machine.
func TestKMeansParallelStart(t *testing.T) {
	s := sample.Sample{Rows: 22_000, Cols: 6, Classes: 8, Seed: 11}
	dir := write(t, s, 10)
	ctx := context.Background()
	table, err := door.Open(ctx, filepath.Join(dir, "1", "part-00000.npy"), door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := door.Cluster(ctx, table, nil, door.Options{K: 8, Method: "kmeans", Effort: door.EffortLow, Restarts: 1, Parameters: map[string]any{"init": "k-means||"}})
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
	if got, _ := onBeam(t, filepath.Join(dir, "40"), dir, "kmeans", 8, 2, constraints{}, "--init", "k-means||"); got != fingerprint(t, model.Bytes(), labels.Bytes()) {
		t.Error("the bits are not those of one machine")
	}
}
