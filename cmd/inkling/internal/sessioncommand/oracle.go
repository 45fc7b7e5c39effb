package sessioncommand

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/support/format"
)

// Asked is what inkling ask --oracle prints with --json.
type Asked struct {
	Schema   string      `json:"schema"`
	Strategy string      `json:"strategy"`
	Asked    int         `json:"asked"`
	Must     int         `json:"must"`
	Cannot   int         `json:"cannot"`
	Unsure   int         `json:"unsure"`
	Entailed int         `json:"entailed"` // pairs of rows that were asked about whose answers follow
	Wrong    int         `json:"wrong"`    // answers of a noisy oracle
	Trace    []AskedFit  `json:"trace"`
	Stop     SuggestStop `json:"stop"`
}

// AskedFit is a fit during the questions.
type AskedFit struct {
	Answers    int      `json:"answers"`
	Method     string   `json:"method"`
	ARI        float64  `json:"ari"`         // against the labels of the oracle, all rows
	ARIUnasked *float64 `json:"ari_unasked"` // rows that were never asked about
	Satisfied  int      `json:"satisfied"`   // answers
}

// SuggestStop says when stopping became reasonable.
type SuggestStop struct {
	SuggestedAt   *int     `json:"suggested_at"`   // answers; null: not yet
	ExpectedMoves *float64 `json:"expected_moves"` // rows that the next ten answers would move; null: not known
}

// askOracle answers by the labels of a file.
func (a *asking) askOracle(ctx context.Context) error {
	class, err := a.oracleClasses(ctx)
	if err != nil {
		return err
	}
	out := Asked{Schema: "inkling.ask/1", Strategy: a.strategy, Trace: []AskedFit{}}
	noise := rand.New(rand.NewPCG(a.seed, 2))
	if err := a.oracleFit(ctx, class, &out); err != nil {
		return err
	}
	since := 0
	for a.within(out.Asked) {
		q, ok, err := a.questions.Next(ctx)
		if err != nil {
			return err
		}
		if !ok {
			a.Say("nothing is left to ask")
			break
		}
		say := active.Unsure
		ca, okA := class[q.A]
		cb, okB := class[q.B]
		if okA && okB {
			if say = active.Different; ca == cb {
				say = active.Same
			}
			if noise.Float64() < a.noise {
				say, out.Wrong = active.Same+active.Different-say, out.Wrong+1
			}
		}
		e, _, err := a.questions.Reply(q, say, "oracle", "")
		if err != nil {
			return err
		}
		a.Detail("event %d: %s", e.N, e)
		out.Asked++
		if since++; since == a.every {
			since = 0
			if err := a.oracleFit(ctx, class, &out); err != nil {
				return err
			}
		}
	}
	if since > 0 {
		if err := a.oracleFit(ctx, class, &out); err != nil {
			return err
		}
	}
	t := a.work.Totals()
	out.Must, out.Cannot, out.Unsure, out.Entailed = t.Must, t.Cannot, t.Unsure+t.Skipped, a.questions.Entailed()
	if *a.JSON {
		return a.PrintJSON(out)
	}
	a.Say("%s: %s; %d more follow from them", format.Count(out.Asked, "question"), a.saidOf(), out.Entailed)
	for _, f := range out.Trace {
		a.Say("  %4d answers  ARI %.3f  %s", f.Answers, f.ARI, f.Method)
	}
	a.sayEnd()
	return nil
}

// oracleClasses reads the labels of the oracle.
func (a *asking) oracleClasses(ctx context.Context) (map[string]int, error) {
	known, err := door.ReadConstraints(ctx, a.table, door.ConstraintFiles{Labels: []string{a.oracle}})
	if err != nil {
		return nil, err
	}
	if err := known.Err(); err != nil {
		return nil, err
	}
	list, _, err := known.Classes()
	if err != nil {
		return nil, err
	}
	class := map[string]int{}
	for i, c := range list {
		if c >= 0 {
			class[a.table.ID(i)] = c
		}
	}
	return class, nil
}

// oracleFit clusters and scores.
func (a *asking) oracleFit(ctx context.Context, class map[string]int, out *Asked) error {
	if err := a.fit(ctx); err != nil {
		return err
	}
	var truth, pred, freeTruth, freePred []int
	for row := range a.latest.Rows() {
		c, ok := class[row.ID]
		if !ok {
			continue
		}
		truth, pred = append(truth, c), append(pred, row.ClusterIndex)
		if !a.questions.Asked(row.ID) {
			freeTruth, freePred = append(freeTruth, c), append(freePred, row.ClusterIndex)
		}
	}
	f := AskedFit{Answers: out.Asked, Method: a.latest.Method, Satisfied: a.latest.Must.Satisfied + a.latest.Cannot.Satisfied}
	var err error
	if f.ARI, err = score.ARI(truth, pred); err != nil {
		return err
	}
	if len(freeTruth) > 1 {
		free, err := score.ARI(freeTruth, freePred)
		if err != nil {
			return err
		}
		f.ARIUnasked = &free
	}
	out.Trace = append(out.Trace, f)
	if advice := a.questions.Advice(); advice.Known {
		out.Stop.ExpectedMoves = &advice.Rows
		if out.Stop.SuggestedAt == nil && advice.Stop {
			at := out.Asked
			out.Stop.SuggestedAt = &at
		}
	}
	return nil
}
