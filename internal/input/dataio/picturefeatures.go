package dataio

import (
	"image"
	"math"

	"github.com/inklinghq/inkling/internal/support/raster"
)

// How a picture becomes numbers where nobody gives better ones.
const (
	pictureSide  = 63 // of the copy that is looked at
	pictureCells = 3  // along a side
	cellSide     = pictureSide / pictureCells
	directions   = 4   // of edges
	colourScale  = 100 // of the values of CIELAB
	leastEdges   = 1.0 // a mean gradient, in units of lightness, below which edges count less
)

var (
	cellNames      = [pictureCells * pictureCells]string{"top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right"}
	colourNames    = [3]string{"lightness", "redness", "yellowness"}
	directionNames = [directions]string{"upright edges", "rising edges", "level edges", "falling edges"}
)

// pictureColumns are the names of the numbers of describePicture.
func pictureColumns() (names []string) {
	for _, cell := range cellNames {
		for _, what := range colourNames {
			names = append(names, what+" "+cell)
		}
	}
	for _, cell := range cellNames {
		for _, what := range directionNames {
			names = append(names, what+" "+cell)
		}
	}
	return names
}

// describePicture returns simple numbers of a picture: the mean colour of three by three cells in CIELAB, and how much of its
// edges lies in each cell in each of four directions, as histograms of oriented gradients do (Dalal and Triggs 2005). Colours
// and edges weigh about the same. Nothing depends on other pictures.
func describePicture(m image.Image, lab *raster.Lab) []float32 {
	m = raster.Resized(m, image.Pt(pictureSide, pictureSide))
	box := m.Bounds()
	var light [pictureSide * pictureSide]float64
	colours := make([]float64, 3*len(cellNames))
	var value [3]float32
	for y := range pictureSide {
		for x := range pictureSide {
			r, g, b := raster.At(m, box.Min.X+x, box.Min.Y+y)
			lab.Convert(value[:], r, g, b)
			light[y*pictureSide+x] = float64(value[0])
			for c, v := range value {
				colours[3*cellOf(x, y)+c] += float64(v) / (cellSide * cellSide * colourScale)
			}
		}
	}
	edges, all := make([]float64, directions*len(cellNames)), 0.0
	for y := 1; y < pictureSide-1; y++ {
		for x := 1; x < pictureSide-1; x++ {
			at := y*pictureSide + x
			dx, dy := light[at+1]-light[at-1], light[at+pictureSide]-light[at-pictureSide]
			size := math.Hypot(dx, dy) / 2
			if size == 0 {
				continue
			}
			all += size
			// Between two directions it counts for both. An edge is at a right angle to its gradient, and as wide in both senses.
			turn := math.Mod(math.Atan2(dy, dx)/math.Pi*directions+directions, directions)
			low := int(turn)
			share := turn - float64(low)
			edges[directions*cellOf(x, y)+low%directions] += size * (1 - share)
			edges[directions*cellOf(x, y)+(low+1)%directions] += size * share
		}
	}
	out := make([]float32, 0, len(colours)+len(edges))
	for _, v := range colours {
		out = append(out, float32(v))
	}
	length := 0.0
	for _, v := range edges {
		length += v * v
	}
	length = math.Sqrt(length)
	if length > 0 {
		length = 1 / length * min(1, all/(leastEdges*pictureSide*pictureSide)) // faint noise is no shape
	}
	for _, v := range edges {
		out = append(out, float32(v*length))
	}
	return out
}

func cellOf(x, y int) int { return y/cellSide*pictureCells + x/cellSide }
