package main

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/saved"
)

// writeLabels writes id,cluster for every row, in the order of the input.
func (j *clusterJob) writeLabels(w io.Writer) error {
	return dataio.WriteAssignment(w, j.know.name, j.r.Labels, j.names)
}

func (j *clusterJob) writeModel(w io.Writer) error { return saved.Write(w, j.model()) }

func (j *clusterJob) writeTrace(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"iter", "objective", "moved"}); err != nil {
		return err
	}
	for _, t := range j.r.Trace {
		err := c.Write([]string{strconv.Itoa(t.Iter), strconv.FormatFloat(t.Objective, 'g', -1, 64), strconv.Itoa(t.Moved)})
		if err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
