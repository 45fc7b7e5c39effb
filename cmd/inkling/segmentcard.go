package main

import (
	"github.com/inklinghq/inkling/internal/method/csp"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/segment"
)

// segmentCard is what inkling segment prints with --json.
type segmentCard struct {
	Schema   string         `json:"schema"`
	N        int            `json:"n"` // pixels
	Width    int            `json:"width"`
	Height   int            `json:"height"`
	Segments int            `json:"segments"`
	Colours  []string       `json:"colours"` // of the strokes, by segment
	Sizes    []int          `json:"sizes"`   // pixels, by segment
	Strokes  strokesCard    `json:"strokes"`
	Method   string         `json:"method"`
	Regions  int            `json:"regions"`
	Edges    int            `json:"edges"`
	Side     int            `json:"side"`     // of a patch, in pixels
	Surround int            `json:"surround"` // the segment that a cutout leaves out
	Refined  int            `json:"refined"`  // pixels assigned one by one
	Cut      *csp.Cut       `json:"cut,omitempty"`
	Seconds  segmentSeconds `json:"seconds"`
}

// strokesCard counts the pixels under strokes.
type strokesCard struct {
	Pixels    int   `json:"pixels"`
	Honoured  int   `json:"honoured"`
	BySegment []int `json:"by_segment"`
	Blends    int   `json:"blends"` // pixels of rare colours, taken as unknown
	// Background is what is unknown: transparent, black, #rrggbb, or photo.
	Background string `json:"background"`
}

type segmentSeconds struct {
	Read        float64 `json:"read"`
	Superpixels float64 `json:"superpixels"`
	Cut         float64 `json:"cut"`
	Refine      float64 `json:"refine"`
	Total       float64 `json:"total"`
}

func (j *segmentJob) card(total float64) *segmentCard {
	r, s := j.r, j.strokes
	c := &segmentCard{
		Schema: "inkling.segment/1", N: len(r.Label), Width: r.Width, Height: r.Height,
		Segments: len(s.Colours), Sizes: r.Sizes(), Method: string(j.opt.Method),
		Regions: r.Regions, Edges: r.Edges, Side: r.Side, Surround: r.Surround(), Refined: r.Refined,
		Strokes: strokesCard{BySegment: s.Pixels, Blends: s.Blends, Background: s.Background},
		Seconds: segmentSeconds{j.read, r.Superpixels, r.Cutting, r.Refining, total},
	}
	if r.Cut != nil {
		c.Cut, _ = r.Cut.Learned().(*csp.Cut)
	}
	for h := range s.Colours {
		c.Colours = append(c.Colours, s.Name(h))
		c.Strokes.Pixels += s.Pixels[h]
	}
	c.Strokes.Honoured = s.Satisfied(r.Label)
	return c
}

// say summarises the segments for people.
func (c *segmentCard) say(a *app) {
	a.say("%d by %d pixels, %s, method %s", c.Width, c.Height, format.Count(c.Segments, "segment"), c.Method)
	for h, n := range c.Sizes {
		a.say("segment %d  %s  %5.1f%%", h, c.Colours[h], 100*float64(n)/float64(c.N))
	}
	switch c.Strokes.Background {
	case segment.TransparentBackground, segment.BlackBackground:
	case segment.PhotoBackground:
		a.say("strokes painted on a copy of the image, found by the difference")
	default:
		a.say("the background %s of the strokes is unknown", c.Strokes.Background)
	}
	a.say("strokes: %d of %s satisfied", c.Strokes.Honoured, format.Count(c.Strokes.Pixels, "pixel"))
	if c.Cut != nil && c.Cut.Satisfied < 1 {
		a.say("the cut itself satisfies %.1f%% of the links between strokes; the others are corrected afterwards", 100*c.Cut.Satisfied)
	}
	a.detail("%s, %s, %d pixels assigned one by one; patches %.2f s, cut %.2f s, borders %.2f s, total %.2f s",
		format.Count(c.Regions, "patch region"), format.Count(c.Edges, "edge"), c.Refined, c.Seconds.Superpixels, c.Seconds.Cut, c.Seconds.Refine, c.Seconds.Total)
}

// warnStrokes warns of what is unusual about the strokes.
func (j *segmentJob) warnStrokes() {
	s, a := j.strokes, j.app
	if s.Blends > 0 {
		a.warn("%s: %s of rare colours, as at the soft edges of a brush, count as unknown; %s remain",
			j.strokesPath, format.Count(s.Blends, "pixel"), format.Count(len(s.Colours), "segment"))
	}
	for _, h := range s.Faint {
		a.warn("%s: the colour %s has only %s, but counts as segment %d; if it is the soft edge of a brush, draw with a hard pencil",
			j.strokesPath, s.Name(h), format.Count(s.Pixels[h], "pixel"), h)
	}
	for h, n := range s.Pixels {
		if share := float64(n) / float64(len(s.Label)); share > 0.6 {
			clear := map[bool]string{true: "black, white or transparent", false: "transparent"}[s.Opaque]
			a.warn("%s: the colour %s covers %.0f%% of the image and counts as segment %d; if it is the background, make it %s",
				j.strokesPath, s.Name(h), 100*share, h, clear)
		}
	}
}
