// Package pace estimates how long a learning curve will take.
package pace

import (
	"fmt"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// A Pace estimates how long the rest of a curve will take. Fits of one method can
// take a hundred times as long as those of another, so times are kept by method
// and amount.
type Pace struct {
	mu    sync.Mutex
	start time.Time
	last  experiment.Progress
	took  map[[2]int]time.Duration // by method and amount, all fits together
	made  map[[2]int]int
	cells int
	fits  int // of one cell
}

// New returns the pace of a curve that begins now.
func New(c *experiment.Curve) *Pace {
	return &Pace{start: time.Now(), took: map[[2]int]time.Duration{}, made: map[[2]int]int{},
		cells: len(c.Methods) * len(c.Amounts), fits: c.Folds * c.Repeats}
}

// Add takes in one fit.
func (p *Pace) Add(e experiment.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := [2]int{e.Method, e.Amount}
	p.took[at] += e.Took
	p.made[at]++
	p.last = e
}

// String returns the line of progress.
func (p *Pace) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last.Made == 0 {
		return "curve: running the first fits"
	}
	line := fmt.Sprintf("curve: %d of %d fits, %d %%", p.last.Done, p.last.Total, 100*p.last.Done/max(1, p.last.Total))
	if left := p.left(time.Since(p.start)); left > 0 {
		line += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	return line
}

// left scales the time spent by the work left over the work made, both in
// seconds of a fit.
func (p *Pace) left(spent time.Duration) time.Duration {
	had := p.last.Done - p.last.Made // in the log before
	var made, mean float64
	for at, d := range p.took {
		made += d.Seconds()
		mean += d.Seconds() / float64(p.made[at]) / float64(len(p.took))
	}
	if made == 0 {
		return 0
	}
	// The fits that the log had are not known by cell: spread evenly.
	each := float64(p.fits) - float64(had)/float64(p.cells)
	work := float64(p.cells-len(p.took)) * each * mean
	for at, d := range p.took {
		work += max(0, each-float64(p.made[at])) * d.Seconds() / float64(p.made[at])
	}
	return time.Duration(float64(spent) * work / made)
}
