// Package segment cuts an image into segments from strokes: a few pixels of
// each segment are known, all others are asked for.
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
// of pixels. At last the pixels near borders find their segment by themselves.
//
// Strokes are honoured exactly. The same image and strokes give the same mask
// on any number of workers; nothing is left to chance.
package segment

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"time"

	"github.com/inklinghq/inkling/spectral"
)

// The methods.
const (
	Harmonic = "harmonic"
	CSP      = "csp"
)

// Options say how an image is cut. New returns the usual ones.
type Options struct {
	Method string // Harmonic or CSP
	// Regions is about how many superpixels there are; 0: by the image.
	Regions int
	// Contrast is which difference of colour counts as an edge, as a share of
	// what is usual in this image (of the squared difference).
	Contrast float64
	// Colour is how much the colours under the strokes count by themselves,
	// beside edges; 0: not at all. Harmonic only.
	Colour float64
	// Beta is how hard CSP presses the strokes; see spectral.CSP.
	Beta string
	// Refine is how many pixels on either side of a border are asked anew;
	// -1: by the superpixels, 0: none.
	Refine  int
	Workers int
}

// New returns the options that the command line starts from.
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
	// Refined counts the pixels that were asked anew.
	Refined int
	// Cut is what CSP tells of its cut; else nil.
	Cut *spectral.Cut
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

// Check refuses options that make no sense for so many segments.
func (o *Options) Check(k int) error {
	switch {
	case o.Method != Harmonic && o.Method != CSP:
		return fmt.Errorf("method %q, it must be %s or %s", o.Method, Harmonic, CSP)
	case k < Fewest || k > Most:
		return fmt.Errorf("%d segments, there must be %d to %d", k, Fewest, Most)
	case o.Method == CSP && k != 2:
		return fmt.Errorf("method %s cuts in two, and the strokes have %d colours; method %s takes up to %d", CSP, k, Harmonic, Most)
	case o.Regions < 0:
		return fmt.Errorf("%d regions, it must not be negative", o.Regions)
	case !(o.Contrast > 0 && o.Contrast <= 1e6):
		return fmt.Errorf("contrast %v, it must be above 0 and at most 1e6", o.Contrast)
	case !(o.Colour >= 0 && o.Colour <= 1e6):
		return fmt.Errorf("colour %v, it must be from 0 to 1e6", o.Colour)
	case o.Refine < -1 || o.Refine > 1000:
		return fmt.Errorf("refine %d, it must be from -1 to 1000 pixels", o.Refine)
	}
	return checkBeta(o.Beta)
}

// Image cuts a photograph. Strokes must have its size.
func Image(ctx context.Context, photo image.Image, s *Strokes, o *Options) (*Result, error) {
	if photo == nil || s == nil || o == nil {
		return nil, errors.New("a photo, strokes (ReadStrokes) and options (New) are needed, and one of them is nil")
	}
	if err := o.Check(len(s.Colours)); err != nil {
		return nil, err
	}
	size := photo.Bounds().Size()
	if err := sameSize(size, image.Pt(s.Width, s.Height)); err != nil {
		return nil, err
	}
	out := &Result{Width: size.X, Height: size.Y, Label: make([]uint8, size.X*size.Y)}
	clock := time.Now()
	c, err := newCanvas(ctx, photo, o.Workers)
	if err != nil {
		return nil, err
	}
	out.Side = o.side(c.len())
	number, count, err := superpixels(ctx, c, out.Side, compactness, o.Workers)
	if err != nil {
		return nil, err
	}
	r := newRegions(c, number, count, s)
	out.Superpixels, clock = lap(clock)
	share, err := out.cut(ctx, c, r, s, o)
	if err != nil {
		return nil, err
	}
	out.spread(r, share)
	out.Cutting, clock = lap(clock)
	reach := o.Refine
	if reach < 0 {
		reach = max(2, out.Side)
	}
	if reach > 0 {
		out.Refined, err = refine(ctx, c, out.Label, out.Share, s, o, reach, newPalette(r, len(s.Colours)))
	}
	out.Refining, _ = lap(clock)
	return out, err
}

// SameSize refuses strokes that have not the size of the photograph.
func SameSize(photo, strokes image.Image) error {
	if photo == nil || strokes == nil {
		return errNoImage
	}
	return sameSize(photo.Bounds().Size(), strokes.Bounds().Size())
}

func sameSize(photo, strokes image.Point) error {
	if photo == strokes {
		return nil
	}
	hint := "draw the strokes on a layer over the photo, and neither crop nor scale it"
	if photo.X == strokes.Y && photo.Y == strokes.X {
		hint = "the photo may be turned by a note in its file; save it anew as it is shown"
	}
	return &StrokesError{fmt.Sprintf("the photo has %d by %d pixels, the strokes %d by %d", photo.X, photo.Y, strokes.X, strokes.Y), hint}
}

// lap returns the seconds since, and the time.
func lap(since time.Time) (float64, time.Time) {
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

// cut returns the share of each segment in each region.
func (out *Result) cut(ctx context.Context, c *canvas, r *regions, s *Strokes, o *Options) ([][]float64, error) {
	g, err := r.graph(ctx, c, o.Contrast)
	if err != nil {
		return nil, err
	}
	out.Regions, out.Edges = g.Len(), g.Edges()
	if o.Method == CSP {
		u, cut, err := csp(ctx, g, r.known, o.Beta, o.Workers)
		if err != nil {
			return nil, err
		}
		out.Cut = cut
		return shares(u, r.known), nil
	}
	f := &field{graph: g, known: r.known, k: len(s.Colours)}
	if err := r.draw(ctx, f, o.Colour*float64(out.Side), o.Workers); err != nil {
		return nil, err
	}
	share, iterations, err := f.harmonic(ctx, 1e-6, o.Workers)
	out.Iterations = iterations
	return share, err
}

// spread gives pixels the shares of their regions.
func (out *Result) spread(r *regions, share [][]float64) {
	label := make([]uint8, r.len())
	for v := range label {
		label[v] = largest(share, v)
	}
	out.Share = make([][]float32, len(share))
	for h := range share {
		out.Share[h] = make([]float32, len(r.of))
	}
	for i, v := range r.of {
		out.Label[i] = label[v]
		for h := range share {
			out.Share[h][i] = float32(share[h][v])
		}
	}
}
