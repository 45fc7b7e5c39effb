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
	"reflect"
	"strconv"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/hint"
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
	// Confidence turns the margins of new rows into confidences; nil for models that
	// were saved without.
	Confidence *confidence.Calibration `json:"confidence,omitempty"`
	Why        string                  `json:"why,omitempty"`        // why the method was chosen, and what the constraints changed
	AssignAll  bool                    `json:"assign_all,omitempty"` // rows that have nothing to be placed by have a cluster all the same
}

// Input says which columns of the fitted table were not features.
type Input struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text,omitempty"`
	// Transpose says that rows and columns were exchanged.
	Transpose bool `json:"transpose,omitempty"`
}

type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	SHA256  string `json:"sha256"`
}

// New returns the fit r, for Write: of the method called method with the
// parameters of a, on p. Clusters have the names of the classes that they are
// named after (see score.NameClusters), else their numbers. If the rows of p were
// prepared the caller adds the Recipe.
//
// New, Write and Read know the methods of the catalog, and those in own.
func New(method string, a cluster.Algorithm, p *cluster.Problem, r *cluster.Result, own ...catalog.Method) (*Fit, error) {
	if p == nil || r == nil || r.Model == nil {
		return nil, fmt.Errorf("%s has no model to save: only methods that can place new rows can be saved", method)
	}
	parameters, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("%w", err)
	}
	f := &Fit{Method: method, Parameters: parameters, Rows: p.Len(), Objective: r.Objective, Model: r.Model}
	f.Clusters = numberNames(r.Model.Clusters())
	if p.Constraints != nil && len(p.Constraints.Names) > 0 {
		for h, class := range score.NameClusters(r.Labels, len(f.Clusters), p.Constraints) {
			if class >= 0 {
				f.Clusters[h] = p.Constraints.Name(class)
			}
		}
	}
	if err := f.check(own); err != nil {
		return nil, fmt.Errorf("%w", err)
	}
	return f, nil
}

// numberNames returns the numbers of k clusters as their names.
func numberNames(k int) []string {
	names := make([]string, k)
	for h := range names {
		names[h] = strconv.Itoa(h)
	}
	return names
}

// withDefaults returns f with the parts that may be left out: without a recipe
// rows are taken as they are, and without names clusters have numbers.
func (f *Fit) withDefaults(own []catalog.Method) (*Fit, error) {
	if f == nil || f.Model == nil {
		return nil, errors.New("there is no model to save: only methods that can place new rows can be saved")
	}
	g := *f
	if g.Recipe == nil {
		g.Recipe = &prepare.Recipe{Dim: g.Model.Dim(), Scale: prepare.None}
	}
	if g.Clusters == nil {
		g.Clusters = numberNames(g.Model.Clusters())
	}
	return &g, g.check(own)
}

// Write writes f. A nil Recipe stands for rows that were taken as they are, nil
// Clusters for numbers. What Read would refuse is not written.
func Write(w io.Writer, f *Fit, own ...catalog.Method) error {
	f, err := f.withDefaults(own)
	if err != nil {
		return fmt.Errorf("%w", err)
	}
	body, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("%w", err)
	}
	head, err := json.Marshal(header{format, Version, checksum(body)})
	if err != nil {
		return fmt.Errorf("%w", err)
	}
	_, err = w.Write(joinLines(head, body))
	return err
}

func joinLines(all ...[]byte) []byte {
	return append(bytes.Join(all, []byte("\n")), '\n')
}

func checksum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// ErrNotModel says that a file is not a saved model.
var ErrNotModel = hint.Wrap(errors.New("this is not a model that was saved"), "save one with {save}")

// Read reads what Write wrote. The fit always has a Recipe and Clusters. It refuses
// files that are something else, of another version, cut short or changed.
func Read(r io.Reader, own ...catalog.Method) (*Fit, error) {
	in := bufio.NewReader(r)
	first, err := in.ReadSlice('\n')
	var h header
	if err != nil || json.Unmarshal(first, &h) != nil || h.Format != format {
		return nil, ErrNotModel
	}
	if h.Version != Version {
		return nil, hint.Wrap(fmt.Errorf("the model file has version %d, this version of inkling reads version %d", h.Version, Version),
			"fit again, or use the version of inkling that wrote it")
	}
	body, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	body = bytes.TrimSuffix(body, []byte("\n"))
	if checksum(body) != h.SHA256 {
		return nil, errors.New("the model file is damaged or cut short: its checksum does not match")
	}
	return decodeFit(body, own)
}

func decodeFit(body []byte, own []catalog.Method) (*Fit, error) {
	var raw struct {
		Fit
		Model json.RawMessage `json:"model"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return nil, fmt.Errorf("the model file is damaged: %w", err)
	}
	f := raw.Fit
	m, err := findMethod(f.Method, own)
	if err != nil {
		return nil, err
	}
	f.Model = m.Saved()
	if err := json.Unmarshal(raw.Model, f.Model); err != nil {
		return nil, fmt.Errorf("the model file is damaged: %w", err)
	}
	if f.Recipe == nil {
		return nil, errors.New("the model file is damaged: it does not say how rows are prepared")
	}
	if err := f.check(own); err != nil {
		return nil, fmt.Errorf("the model file is damaged: %w", err)
	}
	return &f, nil
}

func findMethod(name string, own []catalog.Method) (catalog.Method, error) {
	m, ok := append(catalog.Methods(), own...).Find(name)
	if !ok || m.Saved == nil {
		return m, fmt.Errorf("the model is of method %q, which cannot place rows in this version of inkling", name)
	}
	return m, nil
}

// check refuses parts that do not fit together.
func (f *Fit) check(own []catalog.Method) error {
	m, err := findMethod(f.Method, own)
	if err != nil {
		return err
	}
	if want := m.Saved(); reflect.TypeOf(f.Model) != reflect.TypeOf(want) {
		return fmt.Errorf("the model is a %T, that of method %s is a %T", f.Model, f.Method, want)
	}
	if c, ok := f.Model.(interface{ Check() error }); ok {
		if err := c.Check(); err != nil {
			return err
		}
	}
	if f.Confidence != nil {
		if err := f.Confidence.Check(); err != nil {
			return err
		}
	}
	if k := f.Model.Clusters(); k != len(f.Clusters) {
		return fmt.Errorf("%d names for %d clusters", len(f.Clusters), k)
	}
	if f.Recipe == nil {
		return nil
	}
	if err := f.Recipe.Check(); err != nil {
		return err
	}
	if f.Recipe.Dim != f.Model.Dim() {
		return fmt.Errorf("rows of %d features for a model of %d", f.Recipe.Dim, f.Model.Dim())
	}
	return nil
}

// Place returns the cluster of each prepared row, by number. Rows that need no
// preparation are a Prepared with nothing but X. Calls may run concurrently.
func (f *Fit) Place(ctx context.Context, p *prepare.Prepared, workers int) ([]int, error) {
	if p == nil {
		return nil, errors.New("there are no rows to place")
	}
	return cluster.Predict(ctx, f.Model, p.X, workers)
}
