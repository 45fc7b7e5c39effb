package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// checkOutputs refuses outputs that cannot be written, before any work is done.
func checkOutputs(out, save string) error {
	if out != "" && out != "-" && !strings.HasSuffix(out, ".csv") {
		if _, err := os.Lstat(out); err == nil {
			return usagef("-o %s exists already; a folder of shards is written as a whole, name a new one", out)
		}
	}
	for _, path := range []string{out, save} {
		if path == "" || path == "-" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			return usagef("%s: there is no folder %s", path, filepath.Dir(path))
		}
	}
	return nil
}

// writeFile writes a file whole or not at all.
func writeFile(path string, write func(*bytes.Buffer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return writeError(path, dataio.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	}))
}

func writeError(path string, err error) error {
	if err == nil {
		return nil
	}
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	return &exitError{code: exitUsage, err: fmt.Errorf("could not write %s: %w", path, err)}
}

// A manifest describes a folder of labels in shards. It is written last.
type manifest struct {
	Schema   string    `json:"schema"`
	Rows     int       `json:"rows"`
	Clusters []string  `json:"clusters"`
	Parts    []part    `json:"parts"`
	Beam     described `json:"beam"`
}

// A part is one shard of labels: those of the rows of one shard of the data.
type part struct {
	File   string `json:"file"`
	Source string `json:"source"`
	First  int    `json:"first"` // its first row
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"`
}

// writeLabels writes id,cluster of all rows: to stdout, to one file or as shards.
func (a *app) writeLabels(out string, eng *engine, clusters []string, rows iter.Seq[door.Row], about described) error {
	switch {
	case out == "" && a.json:
		return nil
	case out == "" || out == "-":
		return writeError("stdout", writeRows(a.stdout, rows))
	case strings.HasSuffix(out, ".csv"):
		return writeError(out, dataio.WriteFile(out, func(w io.Writer) error { return writeRows(w, rows) }))
	}
	return writeError(out, writeShards(out, eng, clusters, rows, about))
}

func writeRows(w io.Writer, rows iter.Seq[door.Row]) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{"id", "cluster"})
	for row := range rows {
		if err := c.Write([]string{row.ID, row.Cluster}); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// writeShards writes a folder beside out and gives it its name when all is written.
func writeShards(out string, eng *engine, clusters []string, rows iter.Seq[door.Row], about described) (err error) {
	dir, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+"-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	m := manifest{Schema: "inkling.labels/1", Clusters: clusters, Beam: about}
	next, stop := iter.Pull(rows)
	defer stop()
	for i, sh := range eng.set.Shards {
		p := part{File: fmt.Sprintf("part-%05d.csv", i), Source: filepath.Base(sh.Path), First: sh.First, Rows: sh.Rows}
		if sh.Source != "" {
			p.Source = filepath.Base(sh.Source)
		}
		if p.SHA256, err = writePart(filepath.Join(dir, p.File), sh.Rows, next); err != nil {
			return err
		}
		m.Rows += sh.Rows
		m.Parts = append(m.Parts, p)
	}
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), append(b, '\n'), 0o644); err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	return os.Rename(dir, out)
}

// writePart writes the next count rows and returns the checksum of the file.
func writePart(path string, count int, next func() (door.Row, bool)) (string, error) {
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	err = writeRows(io.MultiWriter(f, sum), func(yield func(door.Row) bool) {
		for range count {
			row, ok := next()
			if !ok || !yield(row) {
				return
			}
		}
	})
	if e := f.Close(); err == nil {
		err = e
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}
