package sessioncommand

import "context"

// refits cluster by the answers so far in the background, after every few answers, so that
// nobody waits for a fit but at the end.
type refits struct {
	every   int
	fit     func(context.Context) error
	pending chan error // of the fit under way; nil: none
	since   int        // answers since the last fit began
	known   bool       // the last fit ended well
}

// answered counts an answer and begins a fit where it is due, unless one is under way.
// ended says that the fit before has ended, with err.
func (r *refits) answered(ctx context.Context) (ended bool, err error) {
	r.since++
	if r.pending != nil {
		select {
		case err = <-r.pending:
			ended, r.pending, r.known = true, nil, err == nil
		default:
		}
	}
	if r.pending == nil && r.since >= r.every {
		r.since = 0
		pending := make(chan error, 1)
		r.pending = pending
		go func() { pending <- r.fit(ctx) }()
	}
	return ended, err
}

// finish waits for the fit under way, and clusters again by fit where it failed or did
// not know all answers.
func (r *refits) finish(ctx context.Context, fit func(context.Context) error) error {
	if r.pending != nil {
		r.known = <-r.pending == nil
		r.pending = nil
	}
	if r.known && r.since == 0 {
		return nil
	}
	r.since = 0
	return fit(ctx)
}
