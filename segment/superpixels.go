package segment

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A grid holds the centres of superpixels: cells of side by side pixels, each
// with one centre that moves to the mean of its pixels.
type grid struct {
	side       int // of a cell, in pixels
	cols, rows int
	mean       []centre
}

// A centre is a mean colour and place.
type centre struct{ l, a, b, x, y float32 }

// slicRounds is how often centres move; they hardly do after the fifth time.
const slicRounds = 6

// superpixels numbers the superpixels of a photograph from 0, each a connected
// patch of similar colour with about side² pixels, and returns their number.
//
// It is SLIC (Achanta et al. 2012), k-means of colour and place, in which a
// pixel looks at the centres of its own and the eight cells around only. So a
// round takes the same time for each pixel, whatever the image, and pixels are
// independent of each other.
func superpixels(ctx context.Context, c *canvas, side int, compact float64, workers int) (number []int32, count int, err error) {
	g := newGrid(c, side)
	number = make([]int32, c.pixels())
	for range slicRounds {
		err := blocks.Tasks(ctx, workers, c.height, func(y int) { g.assignLine(c, y, compact, number) })
		if err != nil {
			return nil, 0, err
		}
		if err := g.moveCentres(ctx, c, number, workers); err != nil {
			return nil, 0, err
		}
	}
	count, err = connectPatches(ctx, c, number, side*side/4)
	return number, count, err
}

func newGrid(c *canvas, side int) *grid {
	g := &grid{side: side, cols: (c.width + side - 1) / side, rows: (c.height + side - 1) / side}
	g.mean = make([]centre, g.cols*g.rows)
	for cell := range g.mean {
		x := min((cell%g.cols)*side+side/2, c.width-1)
		y := min((cell/g.cols)*side+side/2, c.height-1)
		p := c.colourAt(y*c.width + x)
		g.mean[cell] = centre{p[0], p[1], p[2], float32(x), float32(y)}
	}
	return g
}

// assignLine gives the pixels of a line to the nearest centre, the first on ties.
func (g *grid) assignLine(c *canvas, y int, compact float64, number []int32) {
	weight := float32(compact * compact / float64(g.side*g.side))
	row := y / g.side
	top, bottom := max(row-1, 0), min(row+1, g.rows-1)
	for x := range c.width {
		col := x / g.side
		left, right := max(col-1, 0), min(col+1, g.cols-1)
		i := y*c.width + x
		p := c.colourAt(i)
		best, far := int32(0), float32(-1)
		for r := top; r <= bottom; r++ {
			for cell := r*g.cols + left; cell <= r*g.cols+right; cell++ {
				m := &g.mean[cell]
				dl, da, db := p[0]-m.l, p[1]-m.a, p[2]-m.b
				dx, dy := float32(x)-m.x, float32(y)-m.y
				d := float32(dl*dl) + float32(da*da) + float32(db*db) + float32(weight*(float32(dx*dx)+float32(dy*dy)))
				if far < 0 || d < far {
					best, far = int32(cell), d
				}
			}
		}
		number[i] = best
	}
}

// moveCentres puts every centre at the mean of its pixels, which lie within its own
// and the eight cells around.
func (g *grid) moveCentres(ctx context.Context, c *canvas, number []int32, workers int) error {
	return blocks.Tasks(ctx, workers, g.rows, func(row int) {
		sum := make([][6]float64, g.cols)
		for y := max(0, (row-1)*g.side); y < min(c.height, (row+2)*g.side); y++ {
			for x := range c.width {
				i := y*c.width + x
				col := int(number[i]) - row*g.cols
				if col < 0 || col >= g.cols {
					continue
				}
				p, s := c.colourAt(i), &sum[col]
				s[0] += float64(p[0])
				s[1] += float64(p[1])
				s[2] += float64(p[2])
				s[3] += float64(x)
				s[4] += float64(y)
				s[5]++
			}
		}
		for col, s := range sum {
			if s[5] > 0 {
				g.mean[row*g.cols+col] = centre{float32(s[0] / s[5]), float32(s[1] / s[5]), float32(s[2] / s[5]), float32(s[3] / s[5]), float32(s[4] / s[5])}
			}
		}
	})
}
