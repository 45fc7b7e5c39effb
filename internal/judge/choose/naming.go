package choose

import (
	"cmp"
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// Few labels are judged by their names a second time, with a tenth of them held out at once in place of a fifth: a
// classifier of two labels of a class says little about one of three.
const (
	namingFolds  = 10
	fewForNaming = 60 // labels; the folds of more leave enough to learn from
)

// judgeNaming holds out the labels once more, and replaces what is known of how candidates name them: of those without
// constraints and of classifiers, where there are labels alone, and few. It changes nothing where time is over.
func (c *comparison) judgeNaming(ctx context.Context, ready []judged) {
	known := c.sample.Constraints
	if !slices.ContainsFunc(ready, func(j judged) bool { return namedAgain(j) && isClassifier(j.Candidate) }) ||
		!c.labelsAlone() || len(known.Labels) > fewForNaming || !labelsOfMost(known, ready[0].K) {
		return
	}
	folds := namingParts(known)
	of := map[int][2]int{} // the fold of a row, and its place there
	for f, part := range folds {
		for at, l := range part.Labels {
			of[l.I] = [2]int{f, at}
		}
	}
	rows := posterior.LabelledRows(known.Labels)
	again := make([][]float64, len(ready))
	for i, j := range ready {
		if !namedAgain(j) {
			continue
		}
		right := make([][]float64, len(folds))
		for f := range folds {
			labels := j.labels
			if j.Constrained {
				var err error
				if labels, err = c.points.classify(ctx, j.Candidate, folds[f].Train, rows, c.o, c.o.Workers); err != nil {
					return
				}
			}
			right[f] = folds[f].judgeNames(labels, j.K)
		}
		for _, fold := range c.folds {
			for _, l := range fold.Labels {
				at := of[l.I]
				again[i] = append(again[i], right[at[0]][at[1]])
			}
		}
	}
	for i, named := range again {
		if named != nil {
			ready[i].named = named
		}
	}
}

// namedAgain reports whether a candidate is judged a second time.
func namedAgain(j judged) bool {
	return len(j.named) > 0 && (!j.Constrained && j.labels != nil || isClassifier(j.Candidate) && j.Robust == "")
}

// namingParts divides labels into folds, those of each class among all of them.
func namingParts(known *constraint.Set) []Fold {
	class := singleClasses(known)
	var rows []constraint.Label
	for _, l := range known.Labels {
		if k, ok := class[l.I]; ok && k == l.Class {
			rows = append(rows, l)
			delete(class, l.I)
		}
	}
	slices.SortStableFunc(rows, func(a, b constraint.Label) int { return cmp.Compare(a.Class, b.Class) })
	folds := make([]Fold, min(namingFolds, len(rows)))
	of := map[int]int{}
	for at, l := range rows {
		f := at % len(folds)
		of[l.I] = f
		folds[f].Labels = append(folds[f].Labels, l)
	}
	for f := range folds {
		folds[f].Train = &constraint.Set{Names: known.Names}
		for _, l := range known.Labels {
			if at, ok := of[l.I]; !ok || at != f {
				folds[f].Train.Labels = append(folds[f].Train.Labels, l)
			}
		}
	}
	return folds
}
