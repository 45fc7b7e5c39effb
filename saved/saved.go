// Package saved keeps a fit on disk: how the rows were prepared, what was
// learned, and what the clusters are called, so that new rows can be placed
// exactly as the fit would have placed them.
//
// A file is two lines. The first says what it is, in which version, and the
// SHA-256 of the second; the second is one JSON object, a Fit. Numbers are
// written so that they come back to the bit.
package saved

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/inklinghq/inkling/catalog"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/prepare"
)

// Version is the version of the file format that is written and read.
const Version = 1

const format = "inkling-model"

// A Fit is what a saved file holds.
type Fit struct {
	Program    string          `json:"program"` // the version of inkling that wrote it
	Method     string          `json:"method"`
	Parameters json.RawMessage `json:"parameters"`
	Seed       uint64          `json:"seed"`
	Rows       int             `json:"rows"` // how many it was fitted on
	Objective  cluster.Terms   `json:"objective"`
	Clusters   []string        `json:"clusters"` // the name of each cluster
	Input      Input           `json:"input"`
	Recipe     *prepare.Recipe `json:"recipe"`
	Model      cluster.Model   `json:"model"`
}

// Input says which columns of the fitted table were not features.
type Input struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text,omitempty"`
}

type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	SHA256  string `json:"sha256"`
}

// Write writes f.
func Write(w io.Writer, f *Fit) error {
	body, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("saved: %w", err)
	}
	head, err := json.Marshal(header{format, Version, sum(body)})
	if err != nil {
		return fmt.Errorf("saved: %w", err)
	}
	_, err = w.Write(lines(head, body))
	return err
}

func lines(all ...[]byte) []byte {
	return append(bytes.Join(all, []byte("\n")), '\n')
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// ErrNotModel says that a file is no saved model at all.
var ErrNotModel = errors.New("this is not a model saved by inkling cluster --save")

// Read reads what Write wrote. It refuses files that are something else, of
// another version, cut short or changed.
func Read(r io.Reader) (*Fit, error) {
	in := bufio.NewReader(r)
	first, err := in.ReadSlice('\n')
	var h header
	if err != nil || json.Unmarshal(first, &h) != nil || h.Format != format {
		return nil, ErrNotModel
	}
	if h.Version != Version {
		return nil, fmt.Errorf("the model file has version %d, this inkling reads version %d; fit again, or use the inkling that wrote it", h.Version, Version)
	}
	body, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	body = bytes.TrimSuffix(body, []byte("\n"))
	if sum(body) != h.SHA256 {
		return nil, errors.New("the model file is damaged or cut short: its checksum does not fit")
	}
	return decode(body)
}

func decode(body []byte) (*Fit, error) {
	var raw struct {
		Fit
		Model json.RawMessage `json:"model"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return nil, fmt.Errorf("the model file is damaged: %w", err)
	}
	f := raw.Fit
	m, ok := catalog.Find(f.Method)
	if !ok || m.Saved == nil {
		return nil, fmt.Errorf("the model is of method %q, which this inkling cannot place rows with", f.Method)
	}
	f.Model = m.Saved()
	if err := json.Unmarshal(raw.Model, f.Model); err != nil {
		return nil, fmt.Errorf("the model file is damaged: %w", err)
	}
	if k := f.Model.Clusters(); k != len(f.Clusters) {
		return nil, fmt.Errorf("the model file is damaged: %d names for %d clusters", len(f.Clusters), k)
	}
	if f.Recipe == nil {
		return nil, errors.New("the model file is damaged: it does not say how rows are prepared")
	}
	if err := f.Recipe.Check(); err != nil {
		return nil, fmt.Errorf("the model file is damaged: %w", err)
	}
	if f.Recipe.Dim != f.Model.Dim() {
		return nil, fmt.Errorf("the model file is damaged: rows of %d features for a model of %d", f.Recipe.Dim, f.Model.Dim())
	}
	return &f, nil
}

// Place returns the cluster of each prepared row, by number.
func (f *Fit) Place(ctx context.Context, p *prepare.Prepared, workers int) ([]int, error) {
	return cluster.Predict(ctx, f.Model, p.X, workers)
}
