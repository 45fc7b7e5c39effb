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

// canBeNear reports whether points can be placed by neighbours; mu is held.
func (pl *places) canBeNear() bool {
	p := pl.prepared
	return p != nil && p.x != nil && p.x.Dim() > 2 && p.x.Len() > 3 && p.x.Len() <= nearMost
}

// state describes the places.
func (pl *places) state() PlacesState {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	s := PlacesState{How: Linear, Near: pl.canBeNear(), Version: pl.near.version, Settling: pl.near.moving}
	if s.Near && pl.prepared.x.Len() <= nearUnasked && pl.plane != nil && pl.plane.share < linearShows {
		s.How = ByNeighbours
	}
	return s
}

// settleDown places the points by neighbours where that is what is shown.
func (pl *places) settleDown() {
	pl.mu.Lock()
	failed := pl.plane.err != nil
	pl.mu.Unlock()
	if !failed && pl.state().How == ByNeighbours {
		pl.startNear()
	}
}

// startNear begins to place the points by neighbours, once.
func (pl *places) startNear() {
	pl.near.once.Do(func() {
		pl.mu.Lock()
		pl.near.moving = true
		x := pl.prepared.x
		pl.mu.Unlock()
		pl.jobs.start(func() {
			var last time.Time
			p, err := layout.Neighbours(pl.jobs.ctx, x, layout.NeighbourOptions{Workers: pl.jobs.backgroundWorkers(), Show: func(m *layout.Projection) {
				if time.Since(last) >= nearBetween {
					pl.keepNear(m, nil, true)
					last = time.Now()
				}
			}})
			pl.keepNear(p, err, false)
		})
	})
}

func (pl *places) keepNear(m *layout.Projection, err error, moving bool) {
	p := &plane{err: err}
	if err == nil {
		p.x, p.y = pl.onPoints(m)
	}
	pl.mu.Lock()
	if pl.near.plane == nil {
		close(pl.near.first)
	}
	pl.near.plane, pl.near.moving = p, moving
	pl.near.version++
	pl.mu.Unlock()
	pl.jobs.changed(StateChanged)
}

// nearPlaces returns the picture by neighbours as it is now, and waits for the first.
func (pl *places) nearPlaces(ctx context.Context) (*plane, error) {
	pl.mu.Lock()
	can := pl.canBeNear()
	pl.mu.Unlock()
	if !can {
		return nil, Refuse(KindNotFound, "these data have no picture by neighbours")
	}
	pl.startNear()
	select {
	case <-pl.near.first:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-pl.jobs.ctx.Done():
		return nil, errEnded
	}
	pl.mu.Lock()
	defer pl.mu.Unlock()
	return pl.near.plane, pl.near.plane.err
}
