package pass

import (
	"fmt"
	"os"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// A Result is what a pass found.
type Result struct {
	Assigned *lloyd.Assigned // of an Assign; without centres and metric
	Limits   *Limits         // of a Scan
	Distance []float64       // of Distances
	Placed   []int           // of Place
}

// ReadResult puts the parts of a job that has ended together, in the order of the units.
// A file that a worker could not read is an *inkling.InputError.
func ReadResult(j *Job) (*Result, error) {
	if _, err := os.Stat(j.donePath()); err != nil {
		return nil, err
	}
	r := &Result{}
	n := j.Rows.Len()
	switch j.Kind {
	case Scan:
		r.Limits = newLimits(j.Rows.Cols)
	case Distances:
		r.Distance = make([]float64, 0, n)
	case Place:
		r.Placed = make([]int, 0, n)
	default:
		r.Assigned = &lloyd.Assigned{Labels: make([]int32, 0, n), Sums: lloyd.NewKeptSums(j.K, j.Rows.Cols), Distortion: make([]float64, 0, (n+blockLen-1)/blockLen)}
	}
	for u := range j.Units() {
		p, err := j.readPart(u)
		if os.IsNotExist(err) {
			if fault := j.findFault(u + 1); fault != nil {
				return nil, fault
			}
		}
		if err != nil {
			return nil, err
		}
		if err := r.add(j, p); err != nil {
			return nil, fmt.Errorf("unit %d: %w", u, err)
		}
	}
	return r, nil
}

// readPart reads the part of a unit.
func (j *Job) readPart(u int) (*part, error) {
	b, err := os.ReadFile(j.partPath(u))
	if err != nil {
		return nil, err
	}
	p, err := decodePart(b)
	switch {
	case err != nil:
		return nil, err
	case p.unit != u:
		return nil, errPart
	case p.fault != nil:
		return nil, &door.InputError{File: p.fault.File, Msg: p.fault.Msg}
	}
	return p, nil
}

// findFault returns the first fault of the units from u on: after a fault units have no
// part.
func (j *Job) findFault(u int) error {
	for ; u < j.Units(); u++ {
		if _, err := j.readPart(u); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// add adds the part of the next unit.
func (r *Result) add(j *Job, p *part) error {
	lo, hi := j.unitRange(p.unit)
	switch {
	case r.Limits != nil:
		return r.Limits.merge(p.limits)
	case r.Distance != nil:
		if len(p.distances) != hi-lo {
			return errPart
		}
		r.Distance = append(r.Distance, p.distances...)
		return nil
	}
	if r.Placed != nil {
		if len(p.labels) != hi-lo {
			return errPart
		}
		for _, h := range p.labels {
			r.Placed = append(r.Placed, int(h))
		}
		return nil
	}
	a := r.Assigned
	if len(p.labels) != hi-lo || len(p.sum) != len(a.Sums.Sum) || len(p.rest) != len(p.sum) || len(p.count) != j.K || len(p.distortion) != (hi-lo+blockLen-1)/blockLen {
		return errPart
	}
	a.Labels = append(a.Labels, p.labels...)
	a.Distortion = append(a.Distortion, p.distortion...)
	a.Sums.Add(p.sum, p.rest, p.count)
	return nil
}
