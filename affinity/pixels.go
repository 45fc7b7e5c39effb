package affinity

import (
	"context"
	"fmt"
	"image"
	"math"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// Pixels are an image, row after row from the top left: pixel (x, y) is number
// y·Width + x, and its red, green and blue, from 0 to 1, stand in Colour from
// three times that on.
type Pixels struct {
	Width, Height int
	Colour        []float64
}

// NewPixels takes the colours of an image as they are shown (sRGB, over black
// where it is transparent).
func NewPixels(m image.Image) Pixels {
	b := m.Bounds()
	p := Pixels{Width: b.Dx(), Height: b.Dy(), Colour: make([]float64, 0, 3*b.Dx()*b.Dy())}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			red, green, blue, _ := m.At(x, y).RGBA()
			p.Colour = append(p.Colour, float64(red)/0xffff, float64(green)/0xffff, float64(blue)/0xffff)
		}
	}
	return p
}

// PixelWeights says which pixels are joined and how.
type PixelWeights struct {
	// Radius joins pixels whose centres are no further apart. 0 stands for 1.5:
	// the eight around a pixel.
	Radius float64 `json:"radius,omitempty" help:"pixels no further apart are joined"`
	// Colour and Position are σ_c and σ_p in the weight
	// exp(−‖c_i − c_j‖²/σ_c² − ‖p_i − p_j‖²/σ_p²) of colours c and places p.
	// 0 stands for 0.1 and for Radius. No weight is below LeastWeight.
	Colour   float64 `json:"colour,omitempty" help:"difference of colour that counts"`
	Position float64 `json:"position,omitempty" help:"distance that counts, in pixels"`
}

// largestRadius keeps the number of neighbours below a few thousand.
const largestRadius = 30

func (w *PixelWeights) settle() error {
	if w.Radius == 0 {
		w.Radius = 1.5
	}
	if w.Colour == 0 {
		w.Colour = 0.1
	}
	if w.Position == 0 {
		w.Position = w.Radius
	}
	if !(w.Radius >= 1 && w.Radius <= largestRadius) {
		return fmt.Errorf("radius %v, it must be from 1 to %d pixels", w.Radius, largestRadius)
	}
	for _, width := range []struct {
		name string
		y    float64
	}{{"colour", w.Colour}, {"position", w.Position}} {
		if !(width.y >= narrowest && width.y <= widest) {
			return fmt.Errorf("%s width %v, it must be from %v to %v", width.name, width.y, narrowest, widest)
		}
	}
	return nil
}

func (p Pixels) check() error {
	if p.Width < 1 || p.Height < 1 || p.Width > math.MaxInt32/p.Height {
		return fmt.Errorf("an image of %d by %d pixels, it must have 1 to %d", p.Width, p.Height, math.MaxInt32)
	}
	if len(p.Colour) != 3*p.Width*p.Height {
		return fmt.Errorf("%d numbers for %d by %d pixels, it must be 3 a pixel", len(p.Colour), p.Width, p.Height)
	}
	for i, y := range p.Colour {
		if !data.Finite(y) {
			return fmt.Errorf("pixel (%d, %d) has colour %v; every value must be finite", i/3%p.Width, i/3/p.Width, y)
		}
	}
	return nil
}

// Graph joins each pixel with those around it. Its memory is proportional to
// pixels times neighbours; it is connected, and has no loops.
func (p Pixels) Graph(ctx context.Context, w PixelWeights, workers int) (*data.Graph, error) {
	if err := w.settle(); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	around := offsets(w)
	g := &data.Graph{Start: make([]int, p.Width*p.Height+1)}
	for y := range p.Height {
		for x := range p.Width {
			n := 0
			for _, o := range around {
				if p.inside(x+o.dx, y+o.dy) {
					n++
				}
			}
			i := y*p.Width + x
			g.Start[i+1] = g.Start[i] + n
		}
	}
	last := g.Start[len(g.Start)-1]
	g.To, g.W = make([]int32, last), make([]float64, last)
	err := blocks.Tasks(ctx, workers, p.Height, func(y int) { p.join(y, around, w.Colour, g) })
	if err != nil {
		return nil, err
	}
	return g, nil
}

// An offset leads from a pixel to another; cost is what their distance adds to
// the exponent.
type offset struct {
	dx, dy int
	cost   float64
}

// offsets returns those within the radius, in the order of pixels.
func offsets(w PixelWeights) (out []offset) {
	r := int(w.Radius)
	for dy := -r; dy <= r; dy++ {
		for dx := -r; dx <= r; dx++ {
			far := float64(dx*dx + dy*dy)
			if far > 0 && far <= w.Radius*w.Radius {
				out = append(out, offset{dx, dy, far / w.Position / w.Position})
			}
		}
	}
	return out
}

func (p Pixels) inside(x, y int) bool { return x >= 0 && x < p.Width && y >= 0 && y < p.Height }

// join writes the edges of line y.
func (p Pixels) join(y int, around []offset, width float64, g *data.Graph) {
	for x := range p.Width {
		i := y*p.Width + x
		at, a := g.Start[i], p.Colour[3*i:3*i+3]
		for _, o := range around {
			if !p.inside(x+o.dx, y+o.dy) {
				continue
			}
			j := i + o.dy*p.Width + o.dx
			b := p.Colour[3*j : 3*j+3]
			r, s, t := (a[0]-b[0])/width, (a[1]-b[1])/width, (a[2]-b[2])/width
			apart := float64(r*r) + float64(s*s) + float64(t*t)
			g.To[at], g.W[at] = int32(j), max(LeastWeight, exp(-(apart+o.cost)))
			at++
		}
	}
}
