package inkling

import (
	"github.com/inklinghq/inkling/catalog"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/prepare"
)

// A job is one call of Cluster: what it was given, then what became of it.
type job struct {
	t        *Table
	c        *Constraints
	o        Options
	notes    notes
	settings cluster.Settings

	known   *bound
	recipe  *prepare.Recipe // nil for graphs and kernels
	rows    []int           // of the table that are left; nil: all
	p       *cluster.Problem
	method  catalog.Method
	alg     *configured
	fitted  *cluster.Result
	without *cluster.Result // the fit without constraints, where it was asked for
}

func (j *job) progress(p Progress) {
	if j.o.Progress != nil {
		j.o.Progress(p)
	}
}
