package reproduce

import (
	"context"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// chooseAll asks what chooseOn asks as somebody meets it who knows pairs of any
// rows and wants all rows in their clusters: 200 pairs of all rows, and all
// rows are scored, those in pairs too.
func chooseAll(ctx context.Context, l *Lab) error { return chooseAllOn(ctx, l, chooseSets) }

func chooseAllOn(ctx context.Context, l *Lab, sets []namedSet) error {
	p := Part{Title: "The best on all rows, chosen on one half of the draws and scored on the other", Text: fmt.Sprintf(
		"Adjusted Rand index of all rows, with %d true pairs drawn from all of them, %d draws; without pairs the same starts. Methods, and "+
			"whether features are scaled, are chosen by half of the draws; what stands here is of the other half.", situations[knowsPairs].Pairs, allDraws(l)),
		Head: []string{"set", "best plain", "ari", "best without pairs", "ari", "best with pairs", "ari", "gain on plain", "gain on without"}}
	for _, of := range sets {
		s, err := of.read(l)
		if err != nil {
			return err
		}
		field, err := l.allField(ctx, of.title, s)
		if err != nil {
			return err
		}
		plain, p0 := pickBest(field, knowsNothing, plainOnes)
		blind, b0 := pickBest(field, knowsNothing, anyone)
		winner, w := pickBest(field, knowsPairs, anyone)
		onPlain, onBlind := winner.gain(knowsPairs, plain), winner.gain(knowsPairs, blind)
		p.Rows = append(p.Rows, []string{of.title, plain.name, fmt.Sprintf("%.3f", p0), blind.name, fmt.Sprintf("%.3f", b0),
			winner.name, fmt.Sprintf("%.3f", w), signed(onPlain), signed(onBlind)})
		l.judgeBest("(ours) on "+of.title+" the best method with 200 pairs beats the best plain clustering, on all rows", winner.name, plain.name, onPlain)
		l.judgeBest("(ours) the same, beside every method without pairs", winner.name, blind.name, onBlind)
	}
	l.Put(p)
	return nil
}

// allDraws is at least four: two to choose by, two to score.
func allDraws(l *Lab) int { return max(4, l.Repeats(8, 40)) }

// An allFit is the outcome of one fit.
type allFit struct {
	ARI    float64 `json:"ari"`
	Failed bool    `json:"failed,omitempty"`
}

// allField fits every method, on rows as they are and scaled, without pairs and
// with them.
func (l *Lab) allField(ctx context.Context, title string, s *set) ([]contender, error) {
	scaled, err := s.standardise()
	if err != nil {
		return nil, err
	}
	methods, err := experiment.ParseMethods(chooseGroups[0].methods + "," + chooseGroups[2].methods)
	if err != nil {
		return nil, err
	}
	var field []contender
	for _, of := range []struct {
		s    *set
		more string
	}{{s, ""}, {scaled, ", scaled"}} {
		for at, m := range methods {
			one := contender{m.String() + of.more, slices.Contains(plainMethods, m.Name), make([][]float64, len(situations)), make([]bool, len(situations))}
			for _, j := range []int{knowsNothing, knowsPairs} {
				if j == knowsPairs && at < groupSize(chooseGroups[0].methods) {
					continue // it uses no constraints
				}
				if one.scores[j], one.failed[j], err = l.allFits(ctx, title, of.s, m, one.name, situations[j].Pairs); err != nil {
					return nil, err
				}
			}
			field = append(field, one)
		}
	}
	return field, nil
}

func groupSize(methods string) int {
	all, err := experiment.ParseMethods(methods)
	if err != nil {
		return 0 // cannot be: they are parsed before
	}
	return len(all)
}

// allFits returns the scores of one method, draw by draw; none if some fit had
// no result.
func (l *Lab) allFits(ctx context.Context, title string, s *set, m experiment.Method, name string, pairs int) ([]float64, bool, error) {
	var keys []string
	for d := range allDraws(l) {
		keys = append(keys, fmt.Sprintf("%s, %s, %d pairs, draw %d", title, name, pairs, d))
	}
	got, err := Try(ctx, l, title+", all rows", keys, func(ctx context.Context, d int) (allFit, error) {
		p := s.problem()
		if pairs > 0 {
			p.Constraints = constraint.RandomPairs(s.Truth, pairs, l.stream("all rows, %s, %d pairs, draw %d", title, pairs, d))
		}
		settings := cluster.Default()
		settings.Seed, settings.Restarts, settings.Workers = l.stream("all rows, %s, start %d", title, d).Uint64(), 4, 1
		r, err := cluster.Fit(ctx, p, m.Algorithm(), settings)
		if ctx.Err() != nil {
			return allFit{}, ctx.Err()
		}
		if err != nil {
			return allFit{Failed: true}, nil
		}
		ari, err := score.ARI(s.Truth, r.Labels)
		return allFit{ARI: ari}, err
	})
	if err != nil {
		return nil, false, err
	}
	scores := make([]float64, len(got))
	for d, f := range got {
		if f.Failed {
			return nil, true, nil
		}
		scores[d] = f.ARI
	}
	return scores, false, nil
}
