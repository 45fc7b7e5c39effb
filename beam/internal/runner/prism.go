// Package runner runs passes on Beam's runners: Prism in this process, or Flink.
package runner

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/inklinghq/inkling/beam/internal/pass"
)

// Prism runs passes in this process.
type Prism struct {
	Parallelism int // units at a time
}

// Workers returns the parallelism: all units are done in this process.
func (p *Prism) Workers() int { return p.Parallelism }

// Run runs a job. When ctx ends its units stop.
func (p *Prism) Run(ctx context.Context, j *pass.Job, path string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer pass.RunHere(ctx, path)()
	ended := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				ended <- fmt.Errorf("prism: %v", r)
			}
		}()
		_, err := prism.Execute(context.WithoutCancel(ctx), pass.NewPipeline(j, path, 4*p.Parallelism))
		ended <- err
	}()
	return <-ended
}

// Init must be called before the first pass of a driver. In a worker that a runner has
// started it does the worker's work and does not return.
func Init() { beam.Init() }
