package workspace

import (
	"context"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/present/layout"
)

// How points are placed.
const (
	Linear       = "linear"     // by principal components
	ByNeighbours = "neighbours" // so that near rows are near
)

// When points are placed by neighbours.
const (
	nearMost    = 300_000 // rows; of more the linear picture is the only one
	nearUnasked = 50_000  // rows; of more it takes so long that a person must ask for it
	linearShows = 0.9     // of the variance: a linear picture that shows so much needs no other
	nearBetween = 700 * time.Millisecond
)

// PlacesState says how points are placed.
type PlacesState struct {
	How      string `json:"how"`      // what to show unless a person chooses: linear or neighbours
	Near     bool   `json:"near"`     // there is a picture by neighbours, or one can be made
	Version  int    `json:"version"`  // of the picture by neighbours: it changes while the points settle; 0: none yet
	Settling bool   `json:"settling"` // the points still move
}

// nearPlane is the picture by neighbours, made once: fits never move it.
type nearPlane struct {
	once    sync.Once
	first   chan struct{} // closed when the first picture is there, or none will be
	plane   *plane
	version int
	moving  bool
}

// canBeNear reports whether points can be placed by neighbours; w.mu is held.
func (w *Workspace) canBeNear() bool {
	p := w.prepared
	return p != nil && p.x != nil && p.x.Dim() > 2 && p.x.Len() > 3 && p.x.Len() <= nearMost
}

// placesState describes the places; w.mu is held.
func (w *Workspace) placesState() PlacesState {
	s := PlacesState{How: Linear, Near: w.canBeNear(), Version: w.near.version, Settling: w.near.moving}
	if s.Near && w.prepared.x.Len() <= nearUnasked && w.plane != nil && w.plane.share < linearShows {
		s.How = ByNeighbours
	}
	return s
}

// settle places the points by neighbours where that is what is shown.
func (w *Workspace) settle() {
	w.mu.Lock()
	shown := w.plane != nil && w.plane.err == nil && w.placesState().How == ByNeighbours
	w.mu.Unlock()
	if shown {
		w.startNear()
	}
}

// startNear begins to place the points by neighbours, once.
func (w *Workspace) startNear() {
	w.near.once.Do(func() {
		w.mu.Lock()
		w.near.moving = true
		x := w.prepared.x
		w.mu.Unlock()
		w.start(func() {
			var last time.Time
			p, err := layout.Neighbours(w.ctx, x, layout.NeighbourOptions{Workers: w.backgroundWorkers(), Show: func(m *layout.Projection) {
				if time.Since(last) >= nearBetween {
					w.keepNear(m, nil, true)
					last = time.Now()
				}
			}})
			w.keepNear(p, err, false)
		})
	})
}

func (w *Workspace) keepNear(m *layout.Projection, err error, moving bool) {
	p := &plane{err: err}
	if err == nil {
		p.x, p.y = w.onPoints(m)
	}
	w.mu.Lock()
	if w.near.plane == nil {
		close(w.near.first)
	}
	w.near.plane, w.near.moving = p, moving
	w.near.version++
	w.mu.Unlock()
	w.changed(StateChanged)
}

// nearPlane returns the picture by neighbours as it is now, and waits for the first.
func (w *Workspace) nearPlane(ctx context.Context) (*plane, error) {
	w.mu.Lock()
	can := w.canBeNear()
	w.mu.Unlock()
	if !can {
		return nil, Refuse(KindNotFound, "these data have no picture by neighbours")
	}
	w.startNear()
	select {
	case <-w.near.first:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-w.ctx.Done():
		return nil, errEnded
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.near.plane, w.near.plane.err
}
