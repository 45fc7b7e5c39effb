package report

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// Silhouettes are those of all rows or of a sample.
type Silhouettes struct {
	Mean    float64
	Sampled bool
	Note    string      // how they were measured, where that needs saying
	Values  [][]float64 // by cluster
}

// SilhouetteChart draws the silhouettes of each cluster, the highest first. It
// returns nil where there are none.
func SilhouetteChart(s *Silhouettes, clusters []Cluster) *picture.Picture {
	if s == nil {
		return nil
	}
	const wide, high, gap = 520.0, 260.0, 6.0
	left := marginFor(clusterNames(clusters))
	n := 0
	for _, v := range s.Values {
		n += len(v)
	}
	if n == 0 {
		return nil
	}
	height := math.Max(high, 16*float64(len(s.Values)))
	p := picture.New(wide, height+gap*float64(len(s.Values))+24, "silhouettes of the rows by cluster")
	least := 0.0
	for _, values := range s.Values {
		if lo, _ := span(values); lo < least {
			least = lo
		}
	}
	x := scale{max(-1, math.Floor(4*least)/4), 1, left + 6, wide - 14}
	y := 4.0
	for h, values := range s.Values {
		tall := math.Max(10, height*float64(len(values))/float64(n))
		p.Text(left-8, y+tall/2+4, picture.End, picture.Plain, clipText(clusters[h].Name, 20))
		p.Area(silhouetteArea(descending(values), x, y, tall), Colour(h), "")
		y += tall + gap
	}
	p.Line(x.pixel(0), 0, x.pixel(0), y, picture.Axis)
	p.Line(x.pixel(s.Mean), 0, x.pixel(s.Mean), y, picture.Curve)
	for _, t := range []float64{-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1} {
		if t >= x.lo {
			p.Text(x.pixel(t), y+14, picture.Middle, picture.Soft, number(t))
		}
	}
	return p
}

// silhouetteArea returns the corners of the area between zero and the values, of
// which it shows about 200 at most.
func silhouetteArea(values []float64, x scale, y, tall float64) []picture.Point {
	heightOf := func(i int) float64 { return y + tall*float64(i)/float64(len(values)) }
	corners := []picture.Point{{X: x.pixel(0), Y: y}}
	bottom := y
	for i, step := 0, 1+len(values)/200; i < len(values); i += step {
		bottom = heightOf(min(i+step, len(values)))
		corners = append(corners, picture.Point{X: x.pixel(values[i]), Y: heightOf(i)}, picture.Point{X: x.pixel(values[i]), Y: bottom})
	}
	return append(corners, picture.Point{X: x.pixel(0), Y: bottom})
}

func descending(v []float64) []float64 {
	out := slices.Sorted(slices.Values(v))
	slices.Reverse(out)
	return out
}
