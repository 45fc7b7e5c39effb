package sessioncommand

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio/tablefile"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// NewAsk returns inkling ask.
func NewAsk(p Program) *cobra.Command {
	a := &asking{Program: &p, seed: door.DefaultSeed, strategy: string(active.Auto), every: 10}
	cmd := &cobra.Command{
		Use:   "ask DATA --session FILE",
		Short: "answer questions about pairs of rows, and cluster by the answers",
		Long: `Ask which rows belong together, the most telling pairs first, and cluster by the
answers. Every answer is on disk before the next question; the same command goes
on where it was stopped. Keys: y same, n different, u unsure, s skip, p back,
w why, l label rows, f finish. --questions asks by a file, --answers reads it.`,
		Example: `  inkling ask example:iris.csv -k 3 --session iris.jsonl --oracle example:iris-truth.csv --budget 20 -o clusters.csv
  inkling ask example:iris.csv -k 3 --session iris.jsonl --questions 20 -o batch.csv
  inkling ask example:iris.csv -k 3 --session iris.jsonl --answers batch.csv -o clusters.csv`,
		Args: p.Args(1, "one DATA: a file"),
		RunE: func(cmd *cobra.Command, args []string) error { a.path = args[0]; return a.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&a.session, "session", "", "`FILE` the session: begun, or continued where it is there")
	flags.ClusterCount(f, &a.o.K, &a.o.KMin, &a.o.KMax, "k", "k", "`N` clusters, a range or auto")
	f.StringVar(&a.o.Method, "method", "", "`NAME` method of the fits (default: as answers demand)")
	f.Uint64Var(&a.seed, "seed", door.DefaultSeed, "`N` random seed; the same seed gives the same questions")
	f.StringVar(&a.strategy, "strategy", string(active.Auto), "`NAME` how questions are chosen: auto|npu|min-max|explore-consolidate|cobras|random")
	flags.Integer(f, &a.budget, "budget", "", 1, "`N` questions at most (default: until you finish)")
	flags.Integer(f, &a.every, "every", "", 1, "`N` cluster again after this many answers (default: 10)")
	f.StringVar(&a.oracle, "oracle", "", "`FILE` labels that answer, or a program: 'command args'")
	flags.Integer(f, &a.together, "batch", "", 1, "`N` questions that a program gets at once (default: 1)")
	f.Float64Var(&a.noise, "oracle-noise", 0, "`P` share of wrong answers of the oracle")
	flags.Integer(f, &a.batch, "questions", "", 1, "`N` write questions to the file of -o, to be answered there")
	f.StringArrayVar(&a.answered, "answers", nil, "`FILE` take back a file of questions with answers (repeatable)")
	f.StringVar(&a.by, "by", "", "`NAME` who answers, kept with each answer")
	f.StringVarP(&a.out, "output", "o", "", "`FILE` write id,cluster of the last fit here, or the questions")
	flags.EscapeFormulas(f, &a.escape)
	a.source, a.check = p.Input(cmd, &a.o)
	flags.Advanced(cmd, "every", "by", "escape-formulas", "missing", "label-col", "batch", "oracle-noise")
	flags.Group(cmd, flags.GroupConstraints, "session", "k", "method", "seed", "strategy", "budget", "every", "oracle", "batch", "oracle-noise", "questions", "answers", "by")
	flags.Group(cmd, flags.GroupOutput, "output", "escape-formulas")
	return cmd
}

func (a *asking) run(ctx context.Context) error {
	if err := a.checkFlags(); err != nil {
		return err
	}
	if err := a.begin(ctx); err != nil {
		return err
	}
	defer a.work.Close()
	defer a.questions.Close()
	var err error
	switch {
	case a.batch > 0 || len(a.answered) > 0:
		err = a.exchangeBatches(ctx)
	case namesProgram(a.oracle):
		err = a.askProgram(ctx)
	case a.oracle != "":
		err = a.askOracle(ctx)
	case *a.JSON:
		err = a.speakProtocol(ctx)
	default:
		err = a.converse(ctx)
	}
	if err != nil {
		return err
	}
	if a.out != "" && a.batch == 0 {
		if a.latest == nil {
			if err := a.fit(ctx); err != nil {
				return err
			}
		}
		if err := a.WriteFile(a.out, tablefile.Encode(a.out, a.escape, a.latest.WriteCSV)); err != nil {
			return err
		}
	}
	return a.work.Close()
}

func (a *asking) checkFlags() error {
	if a.session == "" {
		return advise("session", "the session is not given", "name the file that keeps the answers by {session}")
	}
	if err := enum.Check("strategy", active.Strategy(a.strategy)); err != nil {
		return usage("strategy", "%v", err)
	}
	if !(a.noise >= 0 && a.noise < 1) {
		return usage("oracle-noise", "oracle-noise must be at least 0 and below 1, got %v", a.noise)
	}
	if a.together > 1 && !namesProgram(a.oracle) {
		return advise("batch", "a batch of questions needs a program to answer it", "name one by {oracle}")
	}
	if a.noise > 0 && a.oracle == "" {
		return advise("oracle-noise", "oracle-noise needs an oracle", "name its labels by {oracle}")
	}
	if a.batch > 0 && a.out == "" {
		return advise("questions", "there is no file to write the questions to", "name one by {output}")
	}
	if err := tablefile.CheckText(a.out); a.batch > 0 && err != nil {
		return usage("output", "-o: a file of questions %v", err)
	}
	if a.oracle != "" && (a.batch > 0 || len(a.answered) > 0) {
		return advise("oracle", "an oracle answers by itself: it needs no file of questions or answers", "leave out {oracle}")
	}
	a.o.Seed = &a.seed
	if err := a.check(); err != nil {
		return err
	}
	inputs := []string{a.path}
	for _, f := range append(a.answered, a.oracle) {
		if f != "" {
			inputs = append(inputs, f)
		}
	}
	written := []targets.Target{{Flag: "-o", Path: a.out}, {Flag: "--session", Path: a.session}}
	return cmp.Or(targets.Tables(written[0]), targets.ProtectInputs(written, inputs...), targets.Separate(written...))
}
