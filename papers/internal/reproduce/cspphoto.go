package reproduce

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"path"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/method/csp"
	"github.com/inklinghq/inkling/segment"
)

// The colours of the two segments, as in figure 5.
var strokeColours = [2]color.NRGBA{{220, 40, 40, 255}, {40, 80, 220, 255}}

// scale is by how much the small image is enlarged to be looked at.
const scale = 10

// smallPictures draws figure 5: the image with its blocks, and indicators.
func (l *Lab) smallPictures(cut [][][]float64, pixels *data.Dense, width [2]float64, rules []string) error {
	put := func(title, text string, img image.Image) error {
		f, err := l.Picture(title, img)
		if err == nil {
			l.Put(Part{Title: title, Text: text, Files: []File{f}})
		}
		return err
	}
	note := fmt.Sprintf("Widths of %g pixels and %g of the range of grey. ", width[0], width[1])
	if err := put("Indicator, unconstrained", note+"Red and blue are the two sides of u, figure 5(b).", heat(cut[0][0], nil)); err != nil {
		return err
	}
	for k := range elephantTasks {
		t := &elephantTasks[k]
		if err := put("Photo with blocks, "+t.name, "The image may be shown for research and teaching only.", blocked(pixels, t)); err != nil {
			return err
		}
		for r, rule := range rules {
			if rule == csp.BetaOne {
				continue // it is nearly that of equation 19
			}
			title := fmt.Sprintf("Indicator, %s, β %s", t.name, rule)
			if err := put(title, note+"Red is the side of the first blocks, blue that of the others.", heat(cut[0][1+k*len(rules)+r], t)); err != nil {
				return err
			}
		}
	}
	return nil
}

// heat draws an indicator: red below 0, blue above, white at 0, and the frames
// of blocks.
func heat(u []float64, t *elephantTask) image.Image {
	most := 0.0
	for _, y := range u {
		most = max(most, y, -y)
	}
	m := image.NewNRGBA(image.Rect(0, 0, smallWide*scale, smallHigh*scale))
	for i, y := range u {
		c := strokeColours[0]
		if y > 0 {
			c = strokeColours[1]
		}
		pale := 1 - min(1, 3*max(y, -y)/max(most, 1e-300))
		fade := func(v uint8) uint8 { return uint8(float64(v) + float64(pale*(255-float64(v)))) }
		fill(m, i, color.NRGBA{fade(c.R), fade(c.G), fade(c.B), 255})
	}
	frames(m, t)
	return m
}

// blocked draws the small image with the frames of blocks.
func blocked(pixels *data.Dense, t *elephantTask) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, smallWide*scale, smallHigh*scale))
	for i := range pixels.Len() {
		g := uint8(pixels.V[3*i+2])
		fill(m, i, color.NRGBA{g, g, g, 255})
	}
	frames(m, t)
	return m
}

// fill colours the square of a small pixel.
func fill(m *image.NRGBA, i int, c color.NRGBA) {
	for y := range scale {
		for x := range scale {
			m.SetNRGBA(i%smallWide*scale+x, i/smallWide*scale+y, c)
		}
	}
}

// frames draws the blocks of a task, black and white as in figure 5.
func frames(m *image.NRGBA, t *elephantTask) {
	if t == nil {
		return
	}
	for side, list := range t.blocks {
		c := color.NRGBA{0, 0, 0, 255}
		if side == 1 {
			c = color.NRGBA{255, 255, 255, 255}
		}
		for _, at := range list {
			b := image.Rect(at.X*scale, at.Y*scale, (at.X+5)*scale, (at.Y+5)*scale)
			for y := b.Min.Y; y < b.Max.Y; y++ {
				for x := b.Min.X; x < b.Max.X; x++ {
					if p := image.Pt(x, y); !p.In(b.Inset(2)) {
						m.SetNRGBA(x, y, c)
					}
				}
			}
		}
	}
}

// A photoCut is a photograph that was cut; the pictures are PNG files.
type photoCut struct {
	Right     float64 `json:"right"`
	Mask      []byte  `json:"mask"`
	Indicator []byte  `json:"indicator"`
}

// openImage opens a picture of a data set. One that is not there is a *MissingError.
func (l *Lab) openImage(name, file string) (image.Image, error) {
	m, err := dataio.OpenImage(path.Join(l.Data, name, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &MissingError{name, l.Data}
	}
	return m, err
}

// photos cuts the photograph at its full size, by the same tasks, with package
// segment: superpixels in place of a smaller image, and strokes in place of
// blocks.
func (l *Lab) photos(ctx context.Context) error {
	photo, err := l.openImage(elephants, "image.png")
	if err != nil {
		return err
	}
	drawn, err := l.openImage(elephants, "seg_1.png")
	if err != nil {
		return err
	}
	methods := []string{string(segment.CSP), string(segment.Harmonic)}
	var keys []string
	for _, t := range elephantTasks {
		for _, m := range methods {
			keys = append(keys, fmt.Sprintf("%v, %s", t.blocks, m))
		}
	}
	got, err := Try(ctx, l, "photo", keys, func(ctx context.Context, i int) (*photoCut, error) {
		return cutPhoto(ctx, photo, drawn, &elephantTasks[i/len(methods)], methods[i%len(methods)])
	})
	if err != nil {
		return err
	}
	table := Part{Title: "The photograph", Text: "Beside the paper: at its full size, the blocks enlarged to 50 by 50 pixels, by `inkling segment` as shipped. Shares of the pixels that are right.", Head: []string{"cut", "method", "right"}}
	for i, c := range got {
		table.Rows = append(table.Rows, []string{elephantTasks[i/len(methods)].name, methods[i%len(methods)], fmt.Sprintf("%.3f", c.Right)})
	}
	l.Put(table)
	for i, c := range got {
		title := fmt.Sprintf("Mask, %s, %s", elephantTasks[i/len(methods)].name, methods[i%len(methods)])
		files := []File{{l.file(title, "png"), c.Mask}}
		if i%len(methods) == 0 {
			files = append(files, File{l.file(title+" indicator", "png"), c.Indicator})
		}
		l.Put(Part{Title: title, Files: files})
	}
	return nil
}

// cutPhoto cuts the photograph under the strokes of a task.
func cutPhoto(ctx context.Context, photo, drawn image.Image, t *elephantTask, method string) (*photoCut, error) {
	b := photo.Bounds()
	layer := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	for side, list := range t.blocks {
		for _, at := range list {
			for y := at.Y * 10; y < (at.Y+5)*10; y++ {
				for x := at.X * 10; x < (at.X+5)*10; x++ {
					layer.SetNRGBA(x, y, strokeColours[side])
				}
			}
		}
	}
	s, err := segment.ReadStrokes(layer)
	if err != nil {
		return nil, err
	}
	o := segment.New()
	o.Method, o.Workers = segment.Method(method), 1
	r, err := segment.Image(ctx, photo, s, o)
	if err != nil {
		return nil, err
	}
	objects, side := make([]string, len(r.Label)), make([]int, len(r.Label))
	for i, h := range r.Label {
		objects[i] = drawnObject(drawn, i%r.Width, i/r.Width)
		if s.Colours[h] == strokeColours[1] {
			side[i] = 1
		}
	}
	out := &photoCut{Right: t.right(objects, side)}
	mask := r.Mask()
	for i, y := range side { // black and white, to be looked at
		mask.Pix[i] = uint8(255 * y)
	}
	if out.Mask, err = pngOf(mask); err != nil {
		return nil, err
	}
	out.Indicator, err = pngOf(r.Indicator())
	return out, err
}

// drawnObject names the segments of the first annotator.
func drawnObject(m image.Image, x, y int) string {
	b := m.Bounds()
	switch color.GrayModel.Convert(m.At(b.Min.X+x, b.Min.Y+y)).(color.Gray).Y {
	case 1:
		return "sky"
	case 2:
		return "elephant_left"
	case 3:
		return "elephant_right"
	}
	return "ground"
}

func pngOf(m image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), err
}
