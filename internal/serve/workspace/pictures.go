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
func (w *Workspace) HasPictures() bool { return w.table.HasPictures() }

// Picture returns the picture of a point as JPEG, with a longest side of at most most pixels; 0: a small one.
func (w *Workspace) Picture(ctx context.Context, p, most int) ([]byte, error) {
	row, ok := w.row(p)
	if !ok {
		return nil, noPoint(p)
	}
	if !w.table.HasPictures() {
		return nil, Refuse(KindNotFound, "the rows are not pictures")
	}
	if most <= 0 {
		most = usualPicture
	}
	key := [2]int{row, min(most, largestPicture)}
	if b := w.small.get(key); b != nil {
		return b, nil
	}
	select {
	case w.small.busy <- struct{}{}:
		defer func() { <-w.small.busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	m, err := w.table.Picture(row)
	if err != nil {
		return nil, Refuse(KindNotFound, "the picture %s cannot be shown: it is not there any more, or damaged", w.table.ID(row))
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, raster.Resized(m, raster.Fitted(m.Bounds().Size(), key[1])), &jpeg.Options{Quality: pictureQuality}); err != nil {
		return nil, err
	}
	w.small.keep(key, out.Bytes())
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
