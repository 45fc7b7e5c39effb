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

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/method/csp"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/segment"
)

// segmentJob is one run of inkling segment: its flags, then what became of them.
type segmentJob struct {
	app                     *app
	opt                     *segment.Options
	photoPath, strokesPath  string
	out, overlay, indicator string
	cutout, maskValues      string

	photo   image.Image
	strokes *segment.Strokes
	r       *segment.Result
	read    float64
}

// The values of --mask-values.
const (
	maskSpread = "spread"
	maskIndex  = "index"
)

func (a *app) segmentCommand() *cobra.Command {
	j := &segmentJob{app: a, opt: segment.New()}
	cmd := &cobra.Command{
		Use:   "segment IMAGE --scribbles PNG -o MASK.png",
		Short: "segment an image from a few strokes",
		Long: `Segment an image from strokes: an image of the same size in which each colour is
one segment, 2 to 9 of them. Unknown is what is transparent or, without
transparency, black, another colour that covers most of the image, or what
equals IMAGE, where strokes are painted on a copy of it. Stroked pixels always
keep their segment. The mask is a grey PNG: segments are numbered from 0 in the
order in which colours first appear and spread over 0 to 255.

The image is divided into small patches of similar colour. --method harmonic
assigns a patch by random walks to the strokes; --method csp, for two segments,
is constrained spectral clustering with links between the stroked patches. Pixels
near borders are then assigned one by one.`,
		Example: `  inkling segment example:scene.png --scribbles example:scene-strokes.png -o mask.png
  inkling segment example:scene.png --scribbles example:scene-strokes.png --overlay overlay.png --json
  inkling segment example:scene.png --scribbles example:scene-object.png --cutout object.png
  inkling segment example:scene.png --scribbles example:scene-object.png --method csp --indicator u.png -o mask.png`,
		Args: exactly(1, "one IMAGE, a PNG or JPEG file or - for stdin"),
		RunE: func(cmd *cobra.Command, args []string) error {
			j.photoPath = args[0]
			return j.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&j.strokesPath, "scribbles", "", "`FILE` strokes, a PNG of the size of the image")
	f.StringVar((*string)(&j.opt.Method), "method", string(j.opt.Method), "`NAME` harmonic|csp")
	f.StringVarP(&j.out, "output", "o", "", "`FILE` write the mask as PNG; - for stdout")
	f.StringVar(&j.overlay, "overlay", "", "`FILE` write the image with tinted segments as PNG")
	f.StringVar(&j.cutout, "cutout", "", "`FILE` write the image as PNG with the segment at its edge made transparent")
	f.StringVar(&j.maskValues, "mask-values", maskSpread, "`HOW` grey values of the mask: spread (0 to 255) or index (segment numbers)")
	f.StringVar(&j.indicator, "indicator", "", "`FILE` write the relaxed indicator as a grey PNG: for two segments black is the first and white the second, for more white is certain")
	f.IntVar(&j.opt.Regions, "regions", 0, "`N` approximate number of patches (default: 12000, for csp 4000, fewer in small images)")
	f.Float64Var(&j.opt.Contrast, "contrast", j.opt.Contrast, "`X` colour difference that counts as an edge; smaller values count fainter edges")
	f.Float64Var(&j.opt.Colour, "colour", j.opt.Colour, "`X` weight of the colours under strokes; 0: edges only")
	f.StringVar(&j.opt.Beta, "beta", j.opt.Beta, "`VALUE` how strongly csp enforces the strokes: auto, one, eq19, or a fraction of the largest possible")
	f.IntVar(&j.opt.Refine, "refine", j.opt.Refine, "`N` width of the border, in pixels, that is assigned pixel by pixel; 0: none, -1: the side of a patch")
	flags.Workers(f, &j.opt.Workers, "`N` number of goroutines (default: one per processor); does not change the result")
	completeValues(cmd, "method", j.opt.Method.Values()...)
	completeValues(cmd, "mask-values", maskSpread, maskIndex)
	flags.Group(cmd, flags.GroupOutput, "output", "overlay", "cutout", "mask-values", "indicator")
	flags.Advanced(cmd, "indicator", "regions", "contrast", "colour", "beta", "refine", "workers")
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
	j.warnStrokes()
	if err := j.opt.Check(len(j.strokes.Colours)); err != nil {
		return usagef("%s", describe(err))
	}
	_, err := j.app.timed(string(j.opt.Method)+": cutting "+j.photoPath, func() error {
		var err error
		j.r, err = segment.Image(ctx, j.photo, j.strokes, j.opt)
		return err
	})
	var none *csp.InfeasibleError
	if errors.As(err, &none) {
		return usagef("--beta %s: %s", j.opt.Beta, describe(err))
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

// check refuses wrong flags before any file is read.
func (j *segmentJob) check() error {
	if j.strokesPath == "" {
		return usagef("inkling segment needs --scribbles, an image of strokes; `inkling segment --help` shows examples")
	}
	if err := oneOf("--method", string(j.opt.Method), j.opt.Method.Values()...); err != nil {
		return err
	}
	if err := oneOf("--mask-values", j.maskValues, maskSpread, maskIndex); err != nil {
		return err
	}
	if j.out == "" && j.overlay == "" && j.indicator == "" && j.cutout == "" && !j.app.json {
		return usagef("no file given for the mask; give -o FILE.png, or -o - for stdout")
	}
	if err := j.opt.Check(2); err != nil {
		return usagef("--%s", err.Error())
	}
	if err := targets.StdinOnce(j.photoPath, j.strokesPath); err != nil {
		return err
	}
	outputs := []targets.Target{{Flag: "-o", Path: j.out}, {Flag: "--overlay", Path: j.overlay}, {Flag: "--indicator", Path: j.indicator}, {Flag: "--cutout", Path: j.cutout}}
	if err := targets.Distinct(outputs, j.app.json); err != nil {
		return err
	}
	return targets.ProtectInputs(outputs, j.photoPath, j.strokesPath)
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
	if j.strokes, err = segment.ReadStrokesOn(j.photo, m); err != nil {
		return j.fault(err)
	}
	return nil
}

// fault names the file of strokes that cannot be understood.
func (j *segmentJob) fault(err error) error {
	var bad *segment.StrokesError
	if errors.As(err, &bad) {
		return &dataio.Error{File: j.strokesPath, Msg: bad.Msg, Hint: hint.Hint(bad.Hint), Err: err}
	}
	return err
}

// openImage reads an image file, - for stdin, or a built-in one.
func (a *app) openImage(path string) (m image.Image, err error) {
	_, err = a.timed("reading "+path, func() error {
		b, ok, err := door.Builtin(path)
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

func (j *segmentJob) mask() image.Image {
	if j.maskValues == maskIndex {
		return j.r.Mask()
	}
	return j.r.SpreadMask()
}

func (j *segmentJob) write() error {
	for _, o := range []struct {
		path string
		make func() image.Image
	}{
		{j.out, j.mask},
		{j.overlay, func() image.Image { return j.r.Overlay(j.photo, j.strokes) }},
		{j.indicator, func() image.Image { return j.r.Indicator() }},
		{j.cutout, func() image.Image { return j.r.Cutout(j.photo, j.r.Surround()) }},
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
