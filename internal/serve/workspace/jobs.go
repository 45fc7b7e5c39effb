package workspace

import (
	"context"
	"errors"
	"sync"
)

// What a Workspace reports to its Options.Changed.
const (
	StateChanged    = "state"
	ProgressMade    = "progress"
	QuestionChanged = "question"
)

var errEnded = errors.New("the workspace is closed")

// jobs are what runs in the background until the workspace is closed, and how others hear of what it changed.
type jobs struct {
	ctx     context.Context // ends with the workspace
	stop    context.CancelFunc
	work    sync.WaitGroup // goroutines
	workers int
	report  func(what string) // nil: nobody listens
}

func newJobs(workers int, report func(string)) *jobs {
	j := &jobs{workers: workers, report: report}
	j.ctx, j.stop = context.WithCancel(context.Background())
	return j
}

// changed reports what has changed.
func (j *jobs) changed(what string) {
	if j.report != nil {
		j.report(what)
	}
}

// start runs do until it ends or the workspace is closed.
func (j *jobs) start(do func()) {
	j.work.Add(1)
	go func() {
		defer j.work.Done()
		do()
	}()
}

// backgroundWorkers leaves a processor to answers.
func (j *jobs) backgroundWorkers() int { return max(1, j.workers-1) }

// close ends all of them and waits for that.
func (j *jobs) close() {
	j.stop()
	j.work.Wait()
}
