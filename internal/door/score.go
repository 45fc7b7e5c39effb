package door

import (
	"context"
	"errors"
	"fmt"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/format"
)

// Scores are what Score measures.
type Scores = score.Card

// A ScoreCount says how many links of a kind there are and how many are satisfied.
type ScoreCount = score.Count

// ScoreOptions say what Score measures beside the agreement of two files.
type ScoreOptions struct {
	Common  bool     // leave out ids that only one file has or labels, instead of refusing them
	Links   []string // files of links, to count those that the prediction satisfies
	Data    *Table   // the rows that were clustered, for the silhouette
	Prepare Options  // how Data is prepared: of these options only those for preparation count
	Workers int
	Notify  func(Note)
}

// Score compares two files of id,label (or id,cluster), matched by id.
func Score(ctx context.Context, truthPath, predPath string, o ScoreOptions) (*Scores, error) {
	if err := contextError(ctx); err != nil {
		return nil, err
	}
	s := &scoring{o: o, notes: notes{tell: o.Notify}}
	truth, err := openAssignment(truthPath, o.Workers)
	if err != nil {
		return nil, err
	}
	pred, err := openAssignment(predPath, o.Workers)
	if err != nil {
		return nil, err
	}
	for _, file := range []*dataio.Assignment{truth, pred} {
		if file == pred && file.NoLabel != nil {
			s.notes.warn("%s: %s without a cluster, not scored", file.Name, format.Count(file.Unlabelled, "row"))
		} else if file.NoLabel != nil && !o.Common {
			return nil, file.NoLabel
		} else if file.NoLabel != nil {
			s.notes.say("left out: %s without a label in %s", format.Count(file.Unlabelled, "row"), file.Name)
		}
	}
	a, b, onlyTruth, onlyPred := dataio.Match(truth, pred)
	if err := s.checkUnmatched(truth, pred, onlyTruth, onlyPred); err != nil {
		return nil, err
	}
	if len(a) == 0 {
		return nil, &InputError{File: predPath, Msg: "none of its ids is in " + truthPath}
	}
	table, err := score.NewTable(a, b)
	if err != nil {
		return nil, err
	}
	card := table.Card()
	if len(o.Links) > 0 {
		if err := s.addLinks(ctx, &card, pred); err != nil {
			return nil, err
		}
	}
	if o.Data != nil {
		if err := s.addSilhouette(ctx, &card, pred); err != nil {
			return nil, err
		}
	}
	return &card, ctx.Err()
}

type scoring struct {
	o     ScoreOptions
	notes notes
}

// checkUnmatched refuses ids that only one file has, unless Common.
func (s *scoring) checkUnmatched(truth, pred *dataio.Assignment, onlyTruth, onlyPred []int) error {
	if len(onlyTruth)+len(onlyPred) == 0 || len(onlyPred) == 0 && len(onlyTruth) <= pred.Unlabelled {
		return nil
	}
	if s.o.Common {
		s.notes.say("left out: %s only in %s, %s only in %s", format.Count(len(onlyTruth), "id"), truth.Name, format.Count(len(onlyPred), "id"), pred.Name)
		return nil
	}
	has, lacks, only := truth, pred, onlyTruth
	if len(onlyTruth) == 0 {
		has, lacks, only = pred, truth, onlyPred
	}
	more := ""
	if n := len(onlyTruth) + len(onlyPred) - 1; n > 0 {
		more = fmt.Sprintf(" (and %s that only one file has)", format.Count(n, "more id"))
	}
	return &InputError{File: lacks.Name, Msg: fmt.Sprintf("there is no id %q, which %s has%s", has.ID(only[0]), has.Name, more),
		Hint: "{common} scores the ids that both have"}
}

// addLinks adds the share of satisfied links.
func (s *scoring) addLinks(ctx context.Context, card *Scores, pred *dataio.Assignment) error {
	ids, clusters := make([]string, pred.Len()), make([]int, pred.Len())
	for i, c := range pred.Codes {
		ids[i], clusters[i] = pred.ID(i), int(c)
	}
	t, err := FromTexts(ids, Names{Name: pred.Name, IDs: ids})
	if err != nil {
		return err
	}
	c, err := ReadConstraints(ctx, t, ConstraintFiles{Links: s.o.Links})
	if err != nil {
		return err
	}
	if err := c.Err(); err != nil {
		return err
	}
	card.SetKept(score.Satisfied(c.bind(nil).set, clusters))
	return nil
}

// addSilhouette adds the silhouette of the prediction.
func (s *scoring) addSilhouette(ctx context.Context, card *Scores, pred *dataio.Assignment) error {
	p, id, err := NewProblem(ctx, s.o.Data, nil, s.o.Prepare)
	if err != nil {
		return err
	}
	if p.X == nil {
		return &InputError{File: s.o.Data.Name(), Msg: "a silhouette needs rows, not a graph or a kernel matrix"}
	}
	clusters := make(map[string]int32, pred.Len())
	for i, c := range pred.Codes {
		clusters[pred.ID(i)] = c
	}
	labels := make([]int, p.X.Len())
	for i := range labels {
		c, ok := clusters[id(i)]
		if !ok {
			return &InputError{File: pred.Name, Msg: fmt.Sprintf("there is no id %q, which %s has", id(i), s.o.Data.Name()),
				Hint: "{id} names the column of ids in {data}"}
		}
		labels[i] = int(c)
	}
	sil, err := score.Silhouette(ctx, p.X, labels, score.SilhouetteOptions{Seed: 1, Workers: s.o.Workers})
	if errors.Is(err, score.ErrUndefined) {
		s.notes.warn("%v", err) // the other scores are still worth having
		return nil
	}
	if err != nil {
		return err
	}
	if sil.Sampled {
		s.notes.say("silhouette: estimated from %s of %d", format.Count(len(sil.Rows), "row"), sil.N)
	}
	card.Silhouette = &sil.Mean
	return nil
}
