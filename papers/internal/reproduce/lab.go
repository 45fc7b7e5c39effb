package reproduce

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// A Lab is where recipes run: it has the data, the log and the sheet.
type Lab struct {
	Data    string // the folder of the data sets
	Full    bool   // the paper's numbers of repeats and sizes; else few, in minutes
	Seed    uint64
	Workers int
	Program string // the version of the program: what other versions measured is measured again

	// What earlier runs have measured, and where more of it goes.
	Fits     []experiment.Fit
	FitLog   io.Writer
	Trials   []Trial
	TrialLog io.Writer

	Observe func(Progress) // if not nil, called as work is done, one call at a time

	recipe  Recipe
	sheet   *Sheet
	repeats int // of tests: if not 0, what Repeats returns
}

// Progress reports how far a step of a recipe is.
type Progress struct {
	Recipe      string
	Step        string
	Done, Total int // fits or trials of the step
}

// Repeats returns full, or quick where the lab is to be quick.
func (l *Lab) Repeats(quick, full int) int {
	switch {
	case l.repeats > 0:
		return l.repeats
	case l.Full:
		return full
	}
	return quick
}

// Curve makes the fits of c that the log does not have, and puts table and
// chart on the sheet. The lab sets seed, workers and program, and all
// settings where Restarts is 0; names, where
// given, are what the table calls the methods.
func (l *Lab) Curve(ctx context.Context, title string, c *experiment.Curve, names ...string) (*experiment.Table, error) {
	t, err := l.fits(ctx, title, c, names...)
	if err != nil {
		return nil, err
	}
	l.Table(title, t)
	return t, nil
}

// fits is Curve that puts nothing on the sheet.
func (l *Lab) fits(ctx context.Context, title string, c *experiment.Curve, names ...string) (*experiment.Table, error) {
	if c.Settings.Restarts == 0 {
		c.Settings = cluster.Default()
		c.Settings.Restarts = 1 // as in the papers, which start once
	}
	c.Settings.Seed, c.Settings.Workers, c.Program = l.Seed, l.Workers, l.Program
	c.Observe = func(p experiment.Progress) { l.reportProgress(title, p.Done, p.Total) }
	l.reportProgress(title, 0, 0)
	t, err := experiment.Run(ctx, c, l.Fits, l.FitLog)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", title, err)
	}
	if len(names) > 0 {
		if len(names) != len(t.Methods) {
			return nil, fmt.Errorf("%s: %d names for %d methods", title, len(names), len(t.Methods))
		}
		t.Methods = names
	}
	return t, nil
}

func (l *Lab) reportProgress(step string, done, total int) {
	if l.Observe != nil {
		l.Observe(Progress{l.recipe.ID, step, done, total})
	}
}

// Table puts a table of scores with its chart on the sheet.
func (l *Lab) Table(title string, t *experiment.Table) {
	head, rows := t.Means()
	p := Part{Title: title, Text: t.Caption(), Head: head, Rows: rows}
	if len(t.X) > 1 {
		p.Files = []File{l.svgFile(title, report.CurveChart(t))}
	}
	l.Put(p)
}

// svgFile returns a picture as an SVG file of the recipe.
func (l *Lab) svgFile(title string, p *picture.Picture) File {
	return File{l.file(title, "svg"), []byte(p.SVG())}
}

// Picture makes a PNG file of an image, to be put on the sheet.
func (l *Lab) Picture(title string, img image.Image) (File, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return File{}, fmt.Errorf("%s: %w", title, err)
	}
	return File{l.file(title, "png"), b.Bytes()}, nil
}

// Put puts a part on the sheet.
func (l *Lab) Put(p Part) { l.sheet.Parts = append(l.sheet.Parts, p) }

// Claim puts a verdict on the sheet.
func (l *Lab) Claim(text string, v Verdict, format string, args ...any) {
	l.sheet.Claims = append(l.sheet.Claims, Claim{Text: text, Verdict: v, Numbers: fmt.Sprintf(format, args...)})
}

// TimeClaim is Claim for one about times, which have a page of their own.
func (l *Lab) TimeClaim(text string, v Verdict, format string, args ...any) {
	l.Claim(text, v, format, args...)
	l.sheet.Claims[len(l.sheet.Claims)-1].Timed = true
}
