package reproduce

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/present/report"
)

// showField puts the scores of a set on the sheet, over all repeats, with a
// chart of the six that are best with 200 pairs.
func (l *Lab) showField(title string, rows int, field []contender) error {
	p := Part{Title: title, Text: fmt.Sprintf("%d rows. Mean adjusted Rand index ± standard error over all folds; failed: some fit had no result, as where pairs that must hold contradict each other.", rows),
		Head: []string{"method"}}
	for _, s := range situations {
		p.Head = append(p.Head, s.name)
	}
	for _, c := range field {
		row := []string{c.name}
		for j := range situations {
			switch {
			case c.failed[j]:
				row = append(row, "failed")
			case c.scores[j] == nil:
				row = append(row, "")
			default:
				m := paired(c.scores[j], make([]float64, len(c.scores[j])))
				row = append(row, fmt.Sprintf("%.3f ± %.3f", m.Mean, m.SE))
			}
		}
		p.Rows = append(p.Rows, row)
	}
	chart, err := l.chooseChart(title, field)
	p.Files = chart
	l.Put(p)
	return err
}

func (l *Lab) chooseChart(title string, field []contender) ([]File, error) {
	var drawn []contender
	for _, c := range field {
		if c.scores[0] != nil && c.scores[1] != nil && c.scores[knowsPairs] != nil {
			drawn = append(drawn, c)
		}
	}
	slices.SortStableFunc(drawn, func(a, b contender) int {
		return cmp.Compare(mean(b.scores[knowsPairs]), mean(a.scores[knowsPairs]))
	})
	drawn = drawn[:min(6, len(drawn))]
	var names []string
	var scores [][][]float64
	for _, c := range drawn {
		names, scores = append(names, c.name), append(scores, c.scores[:3])
	}
	x := []float64{0, float64(situations[1].Pairs), float64(situations[2].Pairs)}
	t, err := experiment.Tabulate("ari", experiment.Pairs, names, x, scores)
	if err != nil {
		return nil, err
	}
	return []File{l.svgFile(title, report.CurveChart(t))}, nil
}

// regret puts a table on the sheet of how far each contender is behind the best
// of its situation, on average over the sets: what a choice costs that is made
// without a look at the data.
func (l *Lab) regret(sets []namedSet, fields [][]contender) {
	p := Part{Title: "How far behind the best, on average over the sets", Head: []string{"method"},
		Text: "Over all repeats; the smaller, the safer a choice in advance. In parentheses the set where it is farthest behind."}
	for _, s := range situations {
		p.Head = append(p.Head, s.name)
	}
	for at, c := range fields[0] {
		row := []string{c.name}
		for j := range situations {
			row = append(row, behind(sets, fields, at, j))
		}
		p.Rows = append(p.Rows, row)
	}
	l.Put(p)
}

// behind writes how far the contender at a place of all fields is behind in
// situation j; nothing where it was not tried, or failed, on some set.
func behind(sets []namedSet, fields [][]contender, at, j int) string {
	sum, worst, where := 0.0, -1.0, 0
	for f, field := range fields {
		if field[at].failed[j] {
			return "failed"
		}
		if field[at].scores[j] == nil {
			return ""
		}
		top := math.Inf(-1)
		for _, c := range field {
			if c.scores[j] != nil {
				top = max(top, mean(c.scores[j]))
			}
		}
		gap := top - mean(field[at].scores[j])
		sum += gap
		if gap > worst {
			worst, where = gap, f
		}
	}
	return fmt.Sprintf("%.3f (%s %.3f)", sum/float64(len(fields)), strings.SplitN(sets[where].title, "-", 2)[0], worst)
}
