// Package pass runs one pass over all rows as a Beam pipeline.
//
// The rows are cut into units, runs of consecutive blocks of 1,024 rows. A worker reads
// a unit, finds the nearest centre of each of its rows by the code of one machine
// (lloyd.AssignRows) and writes labels, the sums of clusters and the distortion of each
// block to a file, whole or not at all. One last step proves by the numbers of the units
// that none is lost or doubled. The driver puts the parts together in their order. So a
// worker holds one unit at a time, whatever the number of rows.
//
// Elements of the pipeline are numbers of units; what all workers need is in a job file
// in a folder that they share with the driver, and so are the parts.
package pass

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/inklinghq/inkling/beam/internal/shards"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/present/saved"
)

// A Kind is what a pass computes.
type Kind int

// The kinds of passes.
const (
	Assign    Kind = iota // the nearest centre of every row
	Scan                  // whether all numbers are finite, and their range
	Distances             // the squared distance of every row to its nearest centre
	Place                 // the cluster of every row by a saved model
)

// A Job says what a pass does. It is plain data.
type Job struct {
	Kind     Kind
	Rows     *shards.Set
	Scaled   bool // rows are scaled to length 1 first
	UnitRows int  // rows in a unit, a multiple of blocks.Len
	Workers  int  // units that one process works on at a time
	K        int
	Centres  []float64
	Metric   []byte // a metric.Learned as JSON; nil: none
	Model    []byte // a saved model, to place rows with
	Parts    string // the folder to write the parts of units to
	Delay    int64  // nanoseconds to wait for each unit, for tests of faults
}

// DefaultUnitRows is the number of rows in a unit.
const DefaultUnitRows = 64 * blocks.Len

// Units returns the number of units.
func (j *Job) Units() int { return (j.Rows.Len() + j.UnitRows - 1) / j.UnitRows }

// unitRange returns the rows of a unit.
func (j *Job) unitRange(u int) (lo, hi int) {
	return u * j.UnitRows, min(j.Rows.Len(), (u+1)*j.UnitRows)
}

// partPath returns the file for the part of a unit.
func (j *Job) partPath(u int) string { return filepath.Join(j.Parts, fmt.Sprintf("unit-%07d", u)) }

// donePath returns the file that says that all units are done.
func (j *Job) donePath() string { return filepath.Join(j.Parts, "done") }

// SetMetric puts m into the job.
func (j *Job) SetMetric(m *metric.Learned) (err error) {
	if m != nil {
		j.Metric, err = json.Marshal(m)
	}
	return err
}

// Write writes the job file for the workers.
func (j *Job) Write(path string) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(j); err != nil {
		return err
	}
	return writeWhole(path, b.Bytes())
}

// CouldNotWrite is how the error of a file that could not be written begins.
const CouldNotWrite = "could not write "

// writeWhole writes a file whole or not at all. Several workers may write the same file
// at a time, as an attempt may be repeated while the first still runs.
func writeWhole(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf(CouldNotWrite+"%s: %w", path, err)
	}
	_, err = f.Write(b)
	if e := f.Chmod(0o644); err == nil { // driver and workers may be different users
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf(CouldNotWrite+"%s: %w", path, err)
	}
	return nil
}

// A loaded job is a job on a worker.
type loaded struct {
	*Job
	centres *lloyd.Centres
	metric  *metric.Learned
	model   cluster.Model
	buffers sync.Pool
	room    chan struct{} // for each unit that is being done in this process
	failed  atomic.Bool   // a unit had a fault: the others need not be done
}

// jobs are the jobs that this process works on, by path.
var jobs struct {
	sync.Mutex
	path string
	last *loaded
}

// load returns the job of a file; only the last one is kept.
func load(path string) (*loaded, error) {
	jobs.Lock()
	defer jobs.Unlock()
	if jobs.path == path {
		return jobs.last, nil
	}
	f, err := dataio.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := &loaded{Job: new(Job)}
	if err := gob.NewDecoder(f).Decode(l.Job); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if l.Kind == Place {
		fit, err := saved.Read(bytes.NewReader(l.Model))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		l.model = fit.Model
	}
	if l.Kind == Assign || l.Kind == Distances {
		l.centres = lloyd.NewCentres(l.K, l.Rows.Cols, l.Centres)
	}
	if l.Metric != nil {
		l.metric = new(metric.Learned)
		if err := json.Unmarshal(l.Metric, l.metric); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	l.room = make(chan struct{}, max(1, l.Workers))
	l.buffers.New = func() any { return new(shards.Buffer) }
	jobs.path, jobs.last = path, l
	return l, nil
}
