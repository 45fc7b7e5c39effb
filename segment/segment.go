// Package segment divides an image into segments from strokes: a few pixels of
// each segment are labelled, all others are inferred.
//
//	photo ──▶ superpixels ──▶ graph of regions ──▶ shares of segments ──▶ mask
//	strokes ────┘ (split along strokes)                 (refined near borders)
//
// The photograph becomes some thousand connected patches of similar colour
// (SLIC). Neighbouring patches are joined by edges that weigh more the longer
// their border and the nearer their colours. The graph is cut by one of two
// methods: Harmonic, where a patch belongs to the segment whose strokes a
// random walk is likely to meet first, and CSP, constrained spectral
// clustering as in Wang, Qian and Davidson, section 7.1, with patches in place
// of pixels. Finally the pixels near borders are assigned
// one by one.
//
// Pixels under strokes always get their label. The same image and strokes give
// the same mask on any number of workers; nothing is random.
package segment

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"time"
)

// A Method is a way to cut the graph of regions.
type Method string

// The methods.
const (
	Harmonic Method = "harmonic"
	CSP      Method = "csp"
)

// Values returns the names of all methods.
func (Method) Values() []string { return []string{string(Harmonic), string(CSP)} }

// Options say how an image is cut. New returns the defaults.
type Options struct {
	Method Method
	// Regions is the approximate number of superpixels; 0: chosen by the image.
	Regions int
	// Contrast is the squared difference of colours that counts as an edge,
	// relative to the mean in this image.
	Contrast float64
	// Colour is the weight of the colours under the strokes, beside edges;
	// 0: none. Harmonic only.
	Colour float64
	// Beta is how strongly CSP enforces the strokes; see spectral.CSP.
	Beta string
	// Refine is how many pixels on either side of a border are assigned again
	// one by one; -1: the side of a superpixel, 0: none.
	Refine  int
	Workers int
}

// New returns the default options.
func New() *Options {
	return &Options{Method: Harmonic, Contrast: 0.5, Colour: 0.001, Beta: "auto", Refine: -1}
}

// A Result is a cut image.
type Result struct {
	Width, Height int
	// Label is the segment of each pixel, row by row.
	Label []uint8
	// Share is how much of each pixel belongs to each segment, the relaxed
	// indicator, from 0 to 1: a list of pixels for each segment.
	Share [][]float32
	// Regions is how many nodes the graph had, Edges how many edges; Side is
	// that of a superpixel, in pixels; Iterations are those of the solver.
	Regions, Edges, Side, Iterations int
	// Refined counts the pixels near borders that were assigned again.
	Refined int
	// Cut describes the cut of CSP; nil for other methods.
	Cut *Cut
	// Seconds spent on superpixels, on the cut and on borders.
	Superpixels, Cutting, Refining float64
}

// Sizes returns the pixels of each segment.
func (r *Result) Sizes() []int {
	n := make([]int, len(r.Share))
	for _, h := range r.Label {
		n[h]++
	}
	return n
}

// Check returns an error for options that are invalid for k segments.
func (o *Options) Check(k int) error {
	switch {
	case !slices.Contains(o.Method.Values(), string(o.Method)):
		return fmt.Errorf("method must be %s, got %q", strings.Join(o.Method.Values(), " or "), o.Method)
	case k < MinSegments || k > MaxSegments:
		return fmt.Errorf("the number of segments must be %d to %d, got %d", MinSegments, MaxSegments, k)
	case o.Method == CSP && k != 2:
		return fmt.Errorf("method %s cuts in two, and the strokes have %d colours; method %s takes up to %d", CSP, k, Harmonic, MaxSegments)
	case o.Regions < 0:
		return fmt.Errorf("regions must not be negative, got %d", o.Regions)
	case !(o.Contrast > 0 && o.Contrast <= 1e6):
		return fmt.Errorf("contrast must be above 0 and at most 1e6, got %v", o.Contrast)
	case !(o.Colour >= 0 && o.Colour <= 1e6):
		return fmt.Errorf("colour must be from 0 to 1e6, got %v", o.Colour)
	case o.Refine < -1 || o.Refine > 1000:
		return fmt.Errorf("refine must be from -1 to 1000 pixels, got %d", o.Refine)
	}
	return checkBeta(o.Beta)
}

// Image cuts a photograph. Strokes must have its size.
func Image(ctx context.Context, photo image.Image, s *Strokes, o *Options) (*Result, error) {
	if photo == nil || s == nil || o == nil {
		return nil, errors.New("photo, strokes (ReadStrokes) and options (New) must not be nil")
	}
	if err := o.Check(len(s.Colours)); err != nil {
		return nil, err
	}
	if err := sameSize(photo.Bounds().Size(), image.Pt(s.Width, s.Height)); err != nil {
		return nil, err
	}
	p, err := Prepare(ctx, photo, o, o.Workers)
	if err != nil {
		return nil, err
	}
	return p.Cut(ctx, s)
}

// A Prepared photograph has its superpixels, which do not depend on strokes: cutting it again
// with other strokes takes less time.
type Prepared struct {
	o       Options
	c       *canvas
	side    int
	number  []int32 // of the superpixel of each pixel
	count   int
	seconds float64
}

// Prepare finds the superpixels of a photograph.
func Prepare(ctx context.Context, photo image.Image, o *Options, workers int) (*Prepared, error) {
	clock := time.Now()
	p := &Prepared{o: *o}
	p.o.Workers = workers
	var err error
	if p.c, err = newCanvas(ctx, photo, workers); err != nil {
		return nil, err
	}
	p.side = o.side(p.c.pixels())
	p.number, p.count, err = superpixels(ctx, p.c, p.side, compactness, workers)
	p.seconds, _ = secondsSince(clock)
	return p, err
}

// Cut cuts the photograph. Strokes must have its size. The result is that of Image.
func (p *Prepared) Cut(ctx context.Context, s *Strokes) (*Result, error) {
	return p.CutTwice(ctx, s, nil)
}

// CutTwice cuts the photograph as Cut does. rough, if not nil, is called with the segment of each
// pixel before the pixels near borders are assigned one by one, which takes most of the time.
func (p *Prepared) CutTwice(ctx context.Context, s *Strokes, rough func(label []uint8)) (*Result, error) {
	o, c := &p.o, p.c
	if err := o.Check(len(s.Colours)); err != nil {
		return nil, err
	}
	if err := sameSize(image.Pt(c.width, c.height), image.Pt(s.Width, s.Height)); err != nil {
		return nil, err
	}
	out := &Result{Width: c.width, Height: c.height, Label: make([]uint8, c.pixels()), Side: p.side}
	clock := time.Now()
	r := newRegions(c, slices.Clone(p.number), p.count, s)
	out.Superpixels, clock = secondsSince(clock)
	out.Superpixels += p.seconds
	share, err := out.cutGraph(ctx, c, r, s, o)
	if err != nil {
		return nil, err
	}
	out.labelPixels(r, share)
	out.Cutting, clock = secondsSince(clock)
	reach := o.Refine
	if reach < 0 {
		reach = max(2, out.Side)
	}
	if reach > 0 && rough != nil {
		rough(slices.Clone(out.Label))
	}
	if reach > 0 {
		out.Refined, err = refineBorders(ctx, c, out.Label, out.Share, s, o, reach, newStrokeColours(r, len(s.Colours)))
	}
	out.Refining, _ = secondsSince(clock)
	return out, err
}

// secondsSince returns the seconds since a time, and the time now.
func secondsSince(since time.Time) (float64, time.Time) {
	now := time.Now()
	return now.Sub(since).Seconds(), now
}

// compactness is the distance in CIELAB that counts as much as the side of a
// cell does in space.
const compactness = 10

// side returns the side of superpixels: small ones, unless they would be too
// many.
func (o *Options) side(pixels int) int {
	most := o.Regions
	if most == 0 {
		most = 12_000
		if o.Method == CSP {
			most = 4_000
		}
	}
	return max(3, int(math.Ceil(math.Sqrt(float64(pixels)/float64(most)))))
}

// cutGraph returns the share of each segment in each region.
func (out *Result) cutGraph(ctx context.Context, c *canvas, r *regions, s *Strokes, o *Options) ([][]float64, error) {
	g, err := r.borderGraph(ctx, c, o.Contrast)
	if err != nil {
		return nil, err
	}
	out.Regions, out.Edges = g.Len(), g.Edges()
	if o.Method == CSP {
		u, cut, err := cutByCSP(ctx, g, r.known, o.Beta, o.Workers)
		if err != nil {
			return nil, err
		}
		out.Cut = newCut(cut)
		return sharesOfTwo(u, r.known), nil
	}
	f := &harmonicProblem{graph: g, known: r.known, k: len(s.Colours)}
	if err := r.setPulls(ctx, f, o.Colour*float64(out.Side), o.Workers); err != nil {
		return nil, err
	}
	share, iterations, err := f.solve(ctx, 1e-6, o.Workers)
	out.Iterations = iterations
	return share, err
}

// labelPixels gives pixels the shares of their regions.
func (out *Result) labelPixels(r *regions, share [][]float64) {
	label := make([]uint8, r.count())
	for v := range label {
		label[v] = largest(share, v)
	}
	out.Share = make([][]float32, len(share))
	for h := range share {
		out.Share[h] = make([]float32, len(r.regionOf))
	}
	for i, v := range r.regionOf {
		out.Label[i] = label[v]
		for h := range share {
			out.Share[h][i] = float32(share[h][v])
		}
	}
}
