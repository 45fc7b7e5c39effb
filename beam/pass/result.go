package pass

import (
	"os"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/internal/lloyd"
)

// A Result is what a pass found.
type Result struct {
	Assigned *lloyd.Assigned // of an Assign; without centres and metric
	Limits   *Limits         // of a Scan
	Distance []float64       // of Distances
}

// ReadResult reads the result of a job that has ended. A file that a worker could not
// read is an *inkling.InputError.
func ReadResult(j *Job) (*Result, error) {
	b, err := os.ReadFile(j.Result)
	if err != nil {
		return nil, err
	}
	p, err := decodePart(b)
	if err != nil {
		return nil, err
	}
	if p.fault != nil {
		return nil, &inkling.InputError{File: p.fault.File, Msg: p.fault.Msg}
	}
	if j.Kind == Scan {
		return &Result{Limits: p.limits}, nil
	}
	if j.Kind == Distances {
		if len(p.distances) != j.Rows.Len() {
			return nil, errPart
		}
		return &Result{Distance: p.distances}, nil
	}
	sums := lloyd.NewKeptSums(j.K, j.Rows.Cols)
	if len(p.sum) != len(sums.Sum) || len(p.rest) != len(p.sum) || len(p.labels) != j.Rows.Len() {
		return nil, errPart
	}
	sums.Add(p.sum, p.rest, p.count)
	return &Result{Assigned: &lloyd.Assigned{Labels: p.labels, Sums: sums, Distortion: p.distortion}}, nil
}
