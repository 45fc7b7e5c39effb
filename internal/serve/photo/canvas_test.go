package photo

import (
	"context"
	"image"
	"image/color"
	"testing"

	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/segment"
)

// disc is a photograph of a disc before a ground of another colour.
func disc(width, height int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			dx, dy, noise := x-width/2, y-height/2, uint8((x*7+y*13+x*y/64)%24)
			c := color.RGBA{40 + noise, 90 + noise, 150 + noise, 255}
			if dx*dx+dy*dy < height*height/9 {
				c = color.RGBA{185 + noise, 110 + noise, 45 + noise, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// The mask of the small photograph, which is shown first, is nearly that of the large one.
func TestSmallMaskIsLikeTheLarge(t *testing.T) {
	const width, height = 2000, 1200
	m := disc(width, height)
	small, err := smallCanvas(context.Background(), m, 2)
	if err != nil || small == nil {
		t.Fatalf("no small photograph of %d by %d pixels: %v", width, height, err)
	}
	if got := small.image.Bounds().Size(); got != image.Pt(1000, 600) || small.scale != 0.5 {
		t.Fatalf("it has %v, scale %v", got, small.scale)
	}
	prepared, err := segment.Prepare(context.Background(), m, segment.New(), 2)
	if err != nil {
		t.Fatal(err)
	}
	stroke := func(label int, points ...[2]float64) session.Event {
		return session.Event{Op: session.OpStroke, Stroke: &session.Stroke{Label: label, Size: 3, Points: points}}
	}
	events := []session.Event{stroke(4, [2]float64{950, 580}, [2]float64{1050, 620}), stroke(2, [2]float64{100, 100}, [2]float64{1900, 120})}
	quick, err := small.cutBy(context.Background(), events, nil)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := (&canvas{m, prepared, 1}).cutBy(context.Background(), events, nil)
	if err != nil {
		t.Fatal(err)
	}
	other := 0
	for y := range 600 {
		for x := range 1000 {
			if quick.label[quick.pixels[1000*y+x]] != exact.label[exact.pixels[2*width*y+2*x]] {
				other++
			}
		}
	}
	if share := float64(other) / 600_000; share > 0.005 {
		t.Errorf("%.2f %% of the pixels have another label", 100*share)
	}
	if none, err := small.cutBy(context.Background(), events[:1], nil); none != nil || err != nil {
		t.Errorf("one label cuts nothing, got %v, %v", none, err)
	}
	if c, err := smallCanvas(context.Background(), disc(300, 200), 2); c != nil || err != nil {
		t.Errorf("a small photograph is not made smaller: %v, %v", c, err)
	}
}
