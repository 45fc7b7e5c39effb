package reproduce

import (
	"context"
	"fmt"
	"image"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/csp"
)

// The elephants of figure 5, at a tenth of their size.
const (
	elephants = "bsds_elephants"
	smallWide = 48
	smallHigh = 32
)

// An elephantTask is what the strokes of figure 5 ask for.
type elephantTask struct {
	name string
	// The upper left corners of blocks of 5 by 5 pixels, of two segments.
	blocks [2][]image.Point
	// The segment of each object; others are not counted.
	truth map[string]int
}

var (
	skyTask = elephantTask{"the sky against all else", [2][]image.Point{}, map[string]int{"sky": 0, "ground": 1, "elephant_left": 1, "elephant_right": 1}}

	elephantTasks = []elephantTask{
		{"both elephants against the rest", [2][]image.Point{{{43, 0}, {43, 27}}, {{11, 9}, {32, 8}}},
			map[string]int{"sky": 0, "ground": 0, "elephant_left": 1, "elephant_right": 1}},
		{"one elephant against the other", [2][]image.Point{{{11, 9}}, {{28, 10}}}, map[string]int{"elephant_left": 0, "elephant_right": 1}},
	}
)

// known labels the pixels of the blocks: labels are must-links and cannot-links
// between all of them, as in section 7.1.
func (t *elephantTask) known() *constraint.Set {
	s := &constraint.Set{}
	for side, list := range t.blocks {
		for _, at := range list {
			for y := at.Y; y < at.Y+5; y++ {
				for x := at.X; x < at.X+5; x++ {
					s.Labels = append(s.Labels, constraint.Label{I: y*smallWide + x, Class: side, W: 1})
				}
			}
		}
	}
	return s
}

// right is the share of the pixels that counts whose side is the true one. A cut
// without strokes has no names for its sides: the better way counts.
func (t *elephantTask) right(objects []string, side []int) float64 {
	good, all := 0, 0
	for i, name := range objects {
		if want, ok := t.truth[name]; ok {
			all++
			if side[i] == want {
				good++
			}
		}
	}
	if len(t.blocks[0]) == 0 {
		good = max(good, all-good)
	}
	return float64(good) / float64(all)
}

// pixelWidths are widths of the kernel, in pixels and in shares of the range of
// grey; the paper names none. Under the first the unconstrained cut is that of
// the paper.
var pixelWidths = [][2]float64{{2, 0.05}, {4, 0.1}}

var imageRules = []string{csp.BetaEq19, csp.BetaOne, csp.BetaAuto}

// cspImages is section 7.1.
func cspImages(ctx context.Context, l *Lab) error { return l.images(ctx, pixelWidths, imageRules) }

func (l *Lab) images(ctx context.Context, widths [][2]float64, rules []string) error {
	pixels, objects, err := l.rows(elephants)
	if err != nil {
		return err
	}
	if pixels.Cols != 3 || pixels.Len() != smallWide*smallHigh {
		return fmt.Errorf("%s: %d rows of %d columns, want row, column and grey of %d by %d pixels", elephants, pixels.Len(), pixels.Cols, smallWide, smallHigh)
	}
	cut, err := l.smallCuts(ctx, pixels, widths, rules)
	if err != nil {
		return err
	}
	judgeSmall(l, cut, objects, widths, rules)
	if err := l.smallPictures(cut, pixels, widths[0], rules); err != nil {
		return err
	}
	l.Put(Part{Title: "The face", Text: "Figure 6, a man with a tall hat, is not among the data."})
	return l.photos(ctx)
}

// smallCuts are indicators by width: first the unconstrained one, then by task
// and rule.
func (l *Lab) smallCuts(ctx context.Context, pixels *data.Dense, widths [][2]float64, rules []string) ([][][]float64, error) {
	type task struct{ width, number int }
	var tasks []task
	var keys []string
	each := 1 + len(elephantTasks)*len(rules)
	for w, width := range widths {
		for n := range each {
			tasks = append(tasks, task{w, n})
			what := "unconstrained"
			if n > 0 {
				what = fmt.Sprintf("%v, β %s", elephantTasks[(n-1)/len(rules)].blocks, rules[(n-1)%len(rules)])
			}
			keys = append(keys, fmt.Sprintf("%g pixels, grey %g, %s", width[0], width[1], what))
		}
	}
	got, err := Try(ctx, l, "small image", keys, func(ctx context.Context, i int) ([]float64, error) {
		t := tasks[i]
		g := pixelGraph(pixels, widths[t.width])
		if t.number == 0 {
			return indicator(ctx, g)
		}
		return strokeCut(ctx, g, &elephantTasks[(t.number-1)/len(rules)], rules[(t.number-1)%len(rules)])
	})
	out := make([][][]float64, len(widths))
	for i, u := range got {
		out[tasks[i].width] = append(out[tasks[i].width], u)
	}
	return out, err
}

// pixelGraph joins all pixels by place and grey.
func pixelGraph(pixels *data.Dense, width [2]float64) *data.Graph {
	x := &data.Dense{Cols: 3}
	for i := range pixels.Len() {
		x.V = append(x.V, pixels.V[3*i]/width[0], pixels.V[3*i+1]/width[0], pixels.V[3*i+2]/255/width[1])
	}
	return kernelGraph(x, 1, false)
}

// strokeCut returns the indicator under the strokes of a task, above 0 for the
// second segment.
func strokeCut(ctx context.Context, g *data.Graph, t *elephantTask, beta string) ([]float64, error) {
	s := cluster.Default()
	s.Restarts, s.Workers = 1, 1
	known := t.known()
	got, err := cluster.Fit(ctx, &cluster.Problem{Graph: g, Constraints: known, K: 2}, newCSP(beta, false), s)
	if err != nil {
		return nil, err
	}
	cut, ok := got.Learned.(*csp.Cut)
	if !ok {
		return nil, fmt.Errorf("CSP reports a %T", got.Learned)
	}
	u, towards := cut.Indicator, 0.0
	for _, p := range known.Labels {
		towards += float64(u[p.I] * float64(2*p.Class-1))
	}
	if towards < 0 {
		for i := range u {
			u[i] = -u[i]
		}
	}
	return u, nil
}

func judgeSmall(l *Lab, cut [][][]float64, objects []string, widths [][2]float64, rules []string) {
	table := Part{Title: "The small image", Text: "Shares of the pixels that are right, by what a person drew (first annotator). The paper does not name the widths of the kernel: of several pairs tried the first was chosen by the unconstrained cut, which is to be the paper's; the second is another.", Head: []string{"widths", "cut", "β", "right"}}
	add := func(width, task, rule string, share float64) {
		table.Rows = append(table.Rows, []string{width, task, rule, fmt.Sprintf("%.3f", share)})
	}
	blue := pixelCount{least: 0.85}
	asked := make([][]pixelCount, len(elephantTasks)) // by task and rule
	for w, width := range widths {
		name := fmt.Sprintf("%g pixels, grey %g", width[0], width[1])
		alone := bySign(cut[w][0])
		share := skyTask.right(objects, alone)
		blue.count(name, share, 0)
		add(name, skyTask.name, "unconstrained", share)
		for k := range elephantTasks {
			t := &elephantTasks[k]
			free := elephantTask{truth: t.truth}
			before := free.right(objects, alone)
			add(name, t.name, "unconstrained", before)
			for r, rule := range rules {
				if w == 0 {
					asked[k] = append(asked[k], pixelCount{least: 0.9})
				}
				after := t.right(objects, bySign(cut[w][1+k*len(rules)+r]))
				add(name, t.name, rule, after)
				asked[k][r].count(name, after, before)
			}
		}
	}
	blue.judge(l, "without constraints the sky is cut from elephants and ground")
	for k, claim := range []string{"four blocks of 5 by 5 pixels isolate the elephants", "two blocks of 5 by 5 pixels separate the elephants"} {
		asked[k][0].judge(l, claim+", β of equation 19")
		asked[k][len(rules)-1].judge(l, claim+", β as shipped")
	}
	l.Put(table)
}

// A pixelCount counts how often a share of pixels is large enough.
type pixelCount struct {
	least     float64
	held, all int
	notes     []string
}

// count asks for the least share, and for more than before.
func (t *pixelCount) count(name string, share, before float64) {
	t.all++
	if share >= t.least && share > before {
		t.held++
	}
	note := fmt.Sprintf("%s: %.3f", name, share)
	if before > 0 {
		note += fmt.Sprintf(" (unconstrained %.3f)", before)
	}
	t.notes = append(t.notes, note)
}

func (t *pixelCount) judge(l *Lab, claim string) {
	l.Claim(claim, Of(t.held, t.all), "share of pixels that are right, %g is required: %s", t.least, strings.Join(t.notes, "; "))
}
