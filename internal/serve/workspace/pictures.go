package workspace

import (
	"bytes"
	"context"
	"image/jpeg"
	"sync"

	"github.com/inklinghq/inkling/internal/support/raster"
)

// Pictures of rows, as they are sent.
const (
	usualPicture   = 160 // their longest side where none is asked for
	largestPicture = 1024
	pictureQuality = 85
	picturesKept   = 32 << 20 // bytes
)

// pictures are small copies of the pictures of rows that were asked for.
type pictures struct {
	mu    sync.Mutex
	kept  map[[2]int][]byte // by row and side
	bytes int
	busy  chan struct{} // holds as many as are being made
}

// HasPictures reports whether the rows are pictures.
func (v *view) HasPictures() bool { return v.points.table.HasPictures() }

// Picture returns the picture of a point as JPEG, with a longest side of at most most pixels; 0: a small one.
func (v *view) Picture(ctx context.Context, p, most int) ([]byte, error) {
	row, ok := v.points.row(p)
	if !ok {
		return nil, noPoint(p)
	}
	if !v.points.table.HasPictures() {
		return nil, Refuse(KindNotFound, "the rows are not pictures")
	}
	if most <= 0 {
		most = usualPicture
	}
	key := [2]int{row, min(most, largestPicture)}
	if b := v.small.get(key); b != nil {
		return b, nil
	}
	select {
	case v.small.busy <- struct{}{}:
		defer func() { <-v.small.busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	m, err := v.points.table.Picture(row)
	if err != nil {
		return nil, Refuse(KindNotFound, "the picture %s cannot be shown: it is missing or damaged", v.points.table.ID(row))
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, raster.Resized(m, raster.Fitted(m.Bounds().Size(), key[1])), &jpeg.Options{Quality: pictureQuality}); err != nil {
		return nil, err
	}
	v.small.keep(key, out.Bytes())
	return out.Bytes(), nil
}

func (p *pictures) get(key [2]int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept[key]
}

func (p *pictures) keep(key [2]int, b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept == nil || p.bytes+len(b) > picturesKept {
		p.kept, p.bytes = map[[2]int][]byte{}, 0
	}
	p.bytes += len(b) - len(p.kept[key])
	p.kept[key] = b
}

// newPictures lets so many be made at once.
func newPictures(workers int) pictures { return pictures{busy: make(chan struct{}, workers)} }
