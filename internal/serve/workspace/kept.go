package workspace

import (
	"slices"
	"sync"
)

// fitsKept is how many fits are kept to compare with.
const fitsKept = 30

// kept are the fits of the session that can be looked at, the latest last, and what is shown until there is one.
type kept struct {
	mu      sync.Mutex
	fits    []*Fit
	preview *Fit // nil: nothing
}

// Latest returns the last fit, or what is shown until there is one; nil: nothing yet.
func (ke *kept) Latest() *Fit {
	ke.mu.Lock()
	defer ke.mu.Unlock()
	if len(ke.fits) == 0 {
		return ke.preview
	}
	return ke.fits[len(ke.fits)-1]
}

// number returns a fit by its event, nil where it is not kept; 0: the latest.
func (ke *kept) number(n int) *Fit {
	if n == 0 {
		return ke.Latest()
	}
	ke.mu.Lock()
	defer ke.mu.Unlock()
	for _, f := range slices.Backward(ke.fits) {
		if f.N == n {
			return f
		}
	}
	return nil
}

// numbers returns the events of those that are kept.
func (ke *kept) numbers() map[int]bool {
	ke.mu.Lock()
	defer ke.mu.Unlock()
	out := map[int]bool{}
	for _, f := range ke.fits {
		out[f.N] = true
	}
	return out
}

// before returns the event of the fit that is kept before one; its own where there is none.
func (ke *kept) before(f *Fit) int {
	ke.mu.Lock()
	defer ke.mu.Unlock()
	if at := slices.Index(ke.fits, f); at > 0 {
		return ke.fits[at-1].N
	}
	return f.N
}

// add keeps a fit.
func (ke *kept) add(f *Fit) {
	ke.mu.Lock()
	defer ke.mu.Unlock()
	at, _ := slices.BinarySearchFunc(ke.fits, f.N, func(one *Fit, n int) int { return one.N - n })
	ke.fits = slices.Insert(ke.fits, at, f)
	if len(ke.fits) > fitsKept { // the first stays: people compare with it
		oldest := 1
		if at == oldest {
			oldest++
		}
		ke.fits = slices.Delete(ke.fits, oldest, oldest+1)
	}
}

// show shows a preview until there is a fit.
func (ke *kept) show(f *Fit) {
	ke.mu.Lock()
	defer ke.mu.Unlock()
	ke.preview = f
}
