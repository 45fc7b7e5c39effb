// Package photo is a photograph under work: strokes are events of a session, and a
// segmentation follows every stroke in the background. What does not depend on strokes, the
// superpixels, is made once. Package server shows it.
package photo

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"io"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/serve/workspace"
	"github.com/inklinghq/inkling/segment"
)

// Options say how a photograph is worked on.
type Options struct {
	Session *session.Session // open; the photo closes it
	Workers int
	Notes   []string
	Changed func(what string) // called after changes; it must not wait
}

// A Photo is a photograph under work. Its methods may be called by several goroutines.
type Photo struct {
	o       Options
	image   image.Image
	session *session.Session

	ctx  context.Context // ends with the work
	stop context.CancelFunc
	work sync.WaitGroup
	wake chan struct{}

	change sync.Mutex // held while an event is written

	mu      sync.Mutex
	cut     *cut // the newest; nil: none yet
	masks   int  // that were shown
	failed  error
	running *workspace.Running
	cancel  context.CancelFunc
	scaled  map[int][]byte // the photograph as it is sent, by its longest side
}

// A cut is a segmentation.
type cut struct {
	number  int         // counts masks; set when it is shown
	through int         // the last event that it knew of
	size    image.Point // of pixels
	strokes *segment.Strokes
	label   []uint8         // of each segment: the label of its strokes, from 1
	pixels  []uint8         // the segment of each pixel
	result  *segment.Result // nil: borders are not refined yet
}

// IsImage reports whether a session is about a photograph.
func IsImage(h session.Header) bool { return h.Source.Format == "image" }

// Read reads a photograph: a file, or a built-in one.
func Read(path string) (image.Image, error) {
	if b, found, err := door.Builtin(path); found {
		if err != nil {
			return nil, err
		}
		return dataio.ReadImage(bytes.NewReader(b), path)
	}
	return dataio.OpenImage(path)
}

// New begins the work on the photograph of a session. Close ends it.
func New(o Options) (*Photo, error) {
	m, err := Read(o.Session.DataPath())
	if err != nil {
		return nil, err
	}
	p := &Photo{o: o, image: m, session: o.Session, wake: make(chan struct{}, 1), scaled: map[int][]byte{}}
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.work.Add(1)
	go func() {
		defer p.work.Done()
		p.run()
	}()
	p.follow()
	return p, nil
}

func (p *Photo) changed() {
	if p.o.Changed != nil {
		p.o.Changed(workspace.StateChanged)
	}
}

// follow asks for a segmentation; one under way ends.
func (p *Photo) follow() {
	p.mu.Lock()
	if p.cancel != nil {
		p.cancel()
	}
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
	p.changed()
}

// run segments whenever strokes have changed, until the work ends.
func (p *Photo) run() {
	prepared, err := segment.Prepare(p.ctx, p.image, segment.New(), p.o.Workers)
	if err != nil {
		p.mu.Lock()
		p.failed = err
		p.mu.Unlock()
		p.changed()
		return
	}
	large := &canvas{p.image, prepared, 1}
	small, err := smallCanvas(p.ctx, p.image, p.o.Workers)
	if err != nil {
		small = nil // masks come a little later without
	}
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-p.wake:
		}
		p.segment(large, small)
	}
}

// segment shows a mask of the small photograph at once, where there is one, then one of the large
// photograph, and the same with refined borders.
func (p *Photo) segment(large, small *canvas) {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	events := p.session.Events()
	p.mu.Lock()
	p.cancel, p.running = cancel, &workspace.Running{Stage: "cutting", Objective: []float64{}, StartedAt: time.Now().UTC(), Why: "a stroke"}
	p.mu.Unlock()
	p.changed()
	soon := func(rough *cut) {
		rough.through = len(events)
		p.mu.Lock()
		p.show(rough)
		p.mu.Unlock()
		p.changed()
	}
	in := session.InForce(events)
	if small != nil {
		if c, err := small.cutBy(ctx, in, nil); err == nil && c != nil {
			c.result = nil // not what is exported
			soon(c)
		}
	}
	c, err := large.cutBy(ctx, in, soon)
	p.mu.Lock()
	p.cancel, p.running = nil, nil
	var few *segment.StrokesError
	switch {
	case err == nil || errors.As(err, &few):
		if c != nil {
			c.through = len(events)
		}
		p.failed = nil
		p.show(c)
	case ctx.Err() == nil:
		p.failed = err
	}
	p.mu.Unlock()
	p.changed()
}

// show makes a cut the newest; p.mu is held.
func (p *Photo) show(c *cut) {
	if p.cut = c; c != nil {
		p.masks++
		c.number = p.masks
	}
}

// cutBy segments by the strokes in force; nil where there are strokes of fewer than two labels.
// soon, if not nil, is called with a first cut, whose borders are not refined. The strokes are those
// of a photograph of any size.
func (v *canvas) cutBy(ctx context.Context, events []session.Event, soon func(*cut)) (*cut, error) {
	size := v.image.Bounds().Size()
	painted := paint(size, events, v.scale)
	if painted.labels() < segment.MinSegments {
		return nil, nil
	}
	s, err := segment.ReadStrokesOn(v.image, painted.picture())
	if err != nil {
		return nil, err
	}
	c := &cut{strokes: s, size: size}
	for _, colour := range s.Colours {
		for i, own := range Colours {
			if own == colour {
				c.label = append(c.label, uint8(i+1))
			}
		}
	}
	if len(c.label) != len(s.Colours) {
		return nil, errors.New("a colour of the strokes is not that of a label")
	}
	var rough func([]uint8)
	if soon != nil {
		rough = func(label []uint8) { soon(&cut{strokes: s, size: size, label: c.label, pixels: label}) }
	}
	c.result, err = v.prepared.CutTwice(ctx, s, rough)
	if err != nil {
		return nil, err
	}
	c.pixels = c.result.Label
	return c, nil
}

// Close ends the work and closes the session.
func (p *Photo) Close() error {
	p.stop()
	p.work.Wait()
	return p.session.Close()
}

// Events returns the number of the last event.
func (p *Photo) Events() int { return len(p.session.Events()) }

// Running returns the segmentation under way; nil: none.
func (p *Photo) Running() *workspace.Running {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running
}

// Cancel ends the segmentation under way.
func (p *Photo) Cancel() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel != nil {
		p.cancel()
	}
}

// Identity is different for every session.
func (p *Photo) Identity() string {
	h := p.session.Header()
	return h.Data.SHA256[:12] + "-" + strconv.FormatInt(h.Created.UnixMilli(), 36)
}

// State returns what a page shows of the whole. Examples are not filled in.
func (p *Photo) State(context.Context) *workspace.State {
	undo, redo := p.session.Acts(session.Person{})
	size := p.image.Bounds().Size()
	s := &workspace.State{Kind: "image", Name: filepath.Base(p.session.DataPath()), Version: door.Version, Rows: size.X * size.Y, Session: filepath.Base(p.session.Path()),
		Command: p.Command().Command, Columns: []workspace.ColumnRole{}, Methods: []workspace.MethodTitle{}, Settings: workspace.Settings{Method: string(segment.Harmonic), Seed: door.DefaultSeed, Parameters: map[string]any{}},
		Undo: workspace.Words(undo), Redo: workspace.Words(redo), Events: p.Events(), Auto: true, Notes: workspace.PlainNotes(p.o.Notes...)}
	image := &workspace.ImageState{Width: size.X, Height: size.Y, Labels: []workspace.SegmentLabel{}}
	for _, e := range p.session.InForce() {
		if e.Op == session.OpStroke {
			image.Strokes++
		}
	}
	for i, c := range Colours {
		image.Labels = append(image.Labels, workspace.SegmentLabel{Index: i + 1, Name: "label " + strconv.Itoa(i+1), Colour: hex(c)})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut != nil {
		image.Mask, image.Through = p.cut.number, p.cut.through
	}
	if p.failed != nil {
		problem := workspace.ProblemOf(p.failed)
		s.Error = &problem
	}
	s.Running, s.Image = p.running, image
	return s
}

func hex(c color.NRGBA) string {
	const digits = "0123456789abcdef"
	out := []byte{'#'}
	for _, v := range []uint8{c.R, c.G, c.B} {
		out = append(out, digits[v>>4], digits[v&15])
	}
	return string(out)
}

// Command returns the command line that makes the mask again from the exported strokes.
func (p *Photo) Command() *workspace.CommandLines {
	line := "inkling segment " + workspace.Quoted(p.session.DataPath()) + " --scribbles strokes.png -o mask.png"
	return &workspace.CommandLines{Command: line, Lines: []string{line}}
}

// A StrokeRequest is a line that a person drew, in pixels of the photograph.
type StrokeRequest struct {
	Label  int          `json:"label"` // from 1
	Size   float64      `json:"size"`  // its width
	Points [][2]float64 `json:"points"`
	Erase  bool         `json:"erase,omitempty"`
}

// StrokeEvent confirms a stroke, which is on disk.
type StrokeEvent struct {
	Event int `json:"event"`
}

// maxStrokePoints is how many points a stroke has at most.
const maxStrokePoints = 20_000

// Stroke adds a stroke. When it returns without an error it is on disk.
func (p *Photo) Stroke(_ context.Context, r StrokeRequest) (*StrokeEvent, error) {
	size := p.image.Bounds().Size()
	switch {
	case !r.Erase && (r.Label < 1 || r.Label > segment.MaxSegments):
		return nil, workspace.Refuse(workspace.KindOption, "the label of a stroke is from 1 to %d, not %d", segment.MaxSegments, r.Label)
	case !(r.Size > 0 && r.Size <= float64(size.X+size.Y)):
		return nil, workspace.Refuse(workspace.KindOption, "the size of a stroke must be above 0 and not beyond the image, got %v", r.Size)
	case len(r.Points) == 0 || len(r.Points) > maxStrokePoints:
		return nil, workspace.Refuse(workspace.KindOption, "a stroke has 1 to %d points, not %d", maxStrokePoints, len(r.Points))
	}
	for _, at := range r.Points {
		for _, v := range at {
			if !(v >= -1e6 && v <= 1e6) {
				return nil, workspace.Refuse(workspace.KindOption, "a point of the stroke is at %v", at)
			}
		}
	}
	p.change.Lock()
	defer p.change.Unlock()
	e, err := p.session.Append(session.Event{Op: session.OpStroke, By: "page", Stroke: &session.Stroke{Label: r.Label, Size: r.Size, Points: r.Points, Erase: r.Erase}})
	if err != nil {
		return nil, err
	}
	p.follow()
	return &StrokeEvent{e.N}, nil
}

// StrokeList lists the strokes in force.
type StrokeList struct {
	Strokes []StrokeRequest `json:"strokes"`
}

// Strokes returns the strokes in force, in the order in which they were drawn.
func (p *Photo) Strokes() *StrokeList {
	out := &StrokeList{Strokes: []StrokeRequest{}}
	for _, e := range p.session.InForce() {
		if e.Op == session.OpStroke {
			out.Strokes = append(out.Strokes, StrokeRequest{e.Stroke.Label, e.Stroke.Size, e.Stroke.Points, e.Stroke.Erase})
		}
	}
	return out
}

// Undo takes back the last stroke.
func (p *Photo) Undo(context.Context) (*workspace.Changed, error) {
	return p.turnBack(func() ([]session.Event, error) { return p.session.UndoAct(session.Person{}) })
}

// Redo draws it again.
func (p *Photo) Redo(context.Context) (*workspace.Changed, error) {
	return p.turnBack(func() ([]session.Event, error) { return p.session.RedoAct(session.Person{}) })
}

func (p *Photo) turnBack(do func() ([]session.Event, error)) (*workspace.Changed, error) {
	p.change.Lock()
	defer p.change.Unlock()
	out, err := workspace.TurnBack(p.session, do)
	if err == nil {
		p.follow()
	}
	return out, err
}

// History returns what was done, after an event.
func (p *Photo) History(since int) *workspace.History {
	return workspace.HistoryOf(p.session, since, nil)
}

// Export returns the media type of a file to take away, and what writes it.
func (p *Photo) Export(file string, _ []int) (content string, write func(context.Context, io.Writer) error, err error) {
	finished := func(draw func(c *cut) image.Image) (string, func(context.Context, io.Writer) error, error) {
		return "image/png", func(ctx context.Context, w io.Writer) error {
			c, err := p.finished(ctx)
			if err != nil {
				return err
			}
			return encode(w, draw(c))
		}, nil
	}
	switch file {
	case "mask.png":
		return finished(func(c *cut) image.Image { return c.result.SpreadMask() })
	case "overlay.png":
		return finished(func(c *cut) image.Image { return c.result.Overlay(p.image, c.strokes) })
	case "strokes.png":
		return "image/png", func(_ context.Context, w io.Writer) error {
			return encode(w, paint(p.image.Bounds().Size(), p.session.InForce(), 1).picture())
		}, nil
	case "session.jsonl":
		return "application/x-ndjson", func(_ context.Context, w io.Writer) error { return workspace.CopySession(w, p.session) }, nil
	}
	return "", nil, workspace.Refuse(workspace.KindNotFound, "there is no file %q to export", file)
}

// finished returns the cut by all strokes. It waits for the one under way.
func (p *Photo) finished(ctx context.Context) (*cut, error) {
	wait := time.NewTicker(20 * time.Millisecond)
	defer wait.Stop()
	for {
		p.mu.Lock()
		c, busy := p.cut, p.running != nil || len(p.wake) > 0
		p.mu.Unlock()
		switch {
		case busy:
		case c != nil && c.result == nil: // it was cancelled
			p.follow()
		case c == nil:
			return nil, workspace.Refuse(workspace.KindConflict, "there is no mask yet: draw strokes of two labels")
		default:
			return c, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.ctx.Done():
			return nil, workspace.Refuse(workspace.KindConflict, "the photograph is closed")
		case <-wait.C:
		}
	}
}
