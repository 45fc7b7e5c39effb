package main

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/segment"
	"github.com/inklinghq/inkling/spectral"
)

// segmentJob is one run of the verb segment: its flags, then what became of
// them.
type segmentJob struct {
	app                     *app
	opt                     *segment.Options
	photoPath, strokesPath  string
	out, overlay, indicator string

	photo   image.Image
	strokes *segment.Strokes
	r       *segment.Result
	read    float64
}

func (a *app) segmentVerb() *cobra.Command {
	j := &segmentJob{app: a, opt: segment.New()}
	cmd := &cobra.Command{
		Use:   "segment IMAGE --scribbles PNG -o MASK.png",
		Short: "cut an image into segments from a few strokes",
		Long: `Cut an image into segments. Strokes say where a few pixels belong: an image of the same
size in which transparent (or, without transparency, black) is unknown and each other
colour is one segment, 2 to 9 of them. The mask is a grey PNG of segment numbers from 0,
in the order in which the colours first appear, row by row. Strokes are honoured exactly.

The image becomes small patches of similar colour. --method harmonic gives a patch to the
segment whose strokes a random walk over similar patches meets first, and counts the
colours under the strokes a little. --method csp, for two segments, is constrained
spectral clustering with a must-link or cannot-link between every two patches under
strokes. Either way pixels near borders then find their side one by one.`,
		Example: `  inkling segment example:scene.png --scribbles example:scene-strokes.png -o mask.png
  inkling segment example:scene.png --scribbles example:scene-strokes.png --overlay overlay.png --json
  inkling segment example:scene.png --scribbles example:scene-object.png --method csp --indicator u.png -o mask.png`,
		Args: exactly(1, "one IMAGE, a PNG or JPEG file or - for stdin"),
		RunE: func(cmd *cobra.Command, args []string) error {
			j.photoPath = args[0]
			return j.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&j.strokesPath, "scribbles", "", "the strokes, a PNG of the size of the image")
	f.StringVarP(&j.out, "output", "o", "", "where to write the mask; - for stdout")
	f.StringVar(&j.overlay, "overlay", "", "write the image with the segments tinted and outlined, as PNG")
	f.StringVar(&j.indicator, "indicator", "", "write the relaxed indicator as a grey PNG: black surely the first segment, white the second; of three and more, white is sure, black is open")
	f.StringVar((*string)(&j.opt.Method), "method", string(j.opt.Method), "harmonic|csp")
	f.IntVar(&j.opt.Regions, "regions", 0, "about how many patches (default: 12000, for csp 4000, fewer in small images)")
	f.Float64Var(&j.opt.Contrast, "contrast", j.opt.Contrast, "which difference of colour is an edge: smaller, fainter edges count")
	f.Float64Var(&j.opt.Colour, "colour", j.opt.Colour, "how much the colours under strokes count by themselves; 0: edges only")
	f.StringVar(&j.opt.Beta, "beta", j.opt.Beta, "csp: how hard the strokes are pressed: auto, one, eq19, or a fraction of the largest possible")
	f.IntVar(&j.opt.Refine, "refine", j.opt.Refine, "pixels beside a border that are asked one by one; 0: none, -1: the side of a patch")
	f.IntVar(&j.opt.Workers, "workers", 0, "goroutines (default: one per processor); the result does not depend on it")
	values(cmd, "method", j.opt.Method.Values()...)
	return cmd
}

func (j *segmentJob) run(ctx context.Context) error {
	if err := j.check(); err != nil {
		return err
	}
	start := time.Now()
	if err := j.load(); err != nil {
		return err
	}
	j.read = time.Since(start).Seconds()
	j.remark()
	if err := j.opt.Check(len(j.strokes.Colours)); err != nil {
		return usagef("%s", message(err))
	}
	_, err := j.app.timed(string(j.opt.Method)+": cutting "+j.photoPath, func() error {
		var err error
		j.r, err = segment.Image(ctx, j.photo, j.strokes, j.opt)
		return err
	})
	var none *spectral.InfeasibleError
	if errors.As(err, &none) {
		return usagef("--beta %s: %s", j.opt.Beta, message(err))
	}
	if err != nil {
		return j.fault(err)
	}
	if err := j.write(); err != nil {
		return err
	}
	card := j.card(time.Since(start).Seconds())
	if j.app.json {
		return j.app.printJSON(card)
	}
	card.say(j.app)
	return nil
}

// check refuses flags that cannot be, before any file is read.
func (j *segmentJob) check() error {
	if j.strokesPath == "" {
		return usagef("inkling segment needs --scribbles, an image of strokes; inkling segment --help shows examples")
	}
	if err := oneOf("--method", string(j.opt.Method), j.opt.Method.Values()...); err != nil {
		return err
	}
	if j.opt.Workers < 0 {
		return usagef("--workers is %d, it must not be negative", j.opt.Workers)
	}
	if j.out == "" && j.overlay == "" && j.indicator == "" && !j.app.json {
		return usagef("where is the mask to go? give -o FILE.png, or - for stdout")
	}
	if err := j.opt.Check(2); err != nil {
		return usagef("--%s", err.Error())
	}
	if err := once(j.photoPath, j.strokesPath); err != nil {
		return err
	}
	outputs := []output{{"-o", j.out}, {"--overlay", j.overlay}, {"--indicator", j.indicator}}
	if err := distinct(outputs, j.app.json); err != nil {
		return err
	}
	return spare(outputs, j.photoPath, j.strokesPath)
}

// load reads the two images.
func (j *segmentJob) load() error {
	var err error
	if j.photo, err = j.app.openImage(j.photoPath); err != nil {
		return err
	}
	m, err := j.app.openImage(j.strokesPath)
	if err != nil {
		return err
	}
	if err := segment.SameSize(j.photo, m); err != nil {
		return j.fault(err)
	}
	if j.strokes, err = segment.ReadStrokes(m); err != nil {
		return j.fault(err)
	}
	return nil
}

// fault names the file of strokes that cannot be understood.
func (j *segmentJob) fault(err error) error {
	var bad *segment.StrokesError
	if errors.As(err, &bad) {
		return &dataio.Error{File: j.strokesPath, Msg: bad.Msg, Hint: bad.Hint, Err: err}
	}
	return err
}

// openImage reads an image file, - for stdin, or a built-in one.
func (a *app) openImage(path string) (m image.Image, err error) {
	_, err = a.timed("reading "+path, func() error {
		b, ok, err := builtin(path)
		if err != nil {
			return err
		}
		if ok {
			m, err = dataio.ReadImage(bytes.NewReader(b), path)
		} else {
			m, err = dataio.OpenImage(path)
		}
		return err
	})
	return m, err
}

func (j *segmentJob) write() error {
	for _, o := range []struct {
		path string
		make func() image.Image
	}{
		{j.out, func() image.Image { return j.r.Mask() }},
		{j.overlay, func() image.Image { return j.r.Overlay(j.photo, j.strokes) }},
		{j.indicator, func() image.Image { return j.r.Indicator() }},
	} {
		if o.path == "" {
			continue
		}
		m := o.make()
		err := j.app.writeFile(o.path, func(w io.Writer) error {
			return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, m)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
