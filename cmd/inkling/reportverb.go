package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/prepare"
	"github.com/inklinghq/inkling/report"
)

// reportJob is one run of the verb report.
type reportJob struct {
	app   *app
	in    input
	known sources
	page  pageFlags
	spent seconds
}

func (a *app) reportVerb() *cobra.Command {
	j := &reportJob{app: a}
	cmd := &cobra.Command{
		Use:   "report MODEL DATA -o FILE.html",
		Short: "draw a page about rows placed by a saved model",
		Long: `Place the rows of DATA with a model that inkling cluster --save wrote, as inkling predict
does, and write a page about them: one HTML file that needs no network, in light or dark,
on a screen or on paper. Labels and links are not heeded, but checked: what is not honoured
is listed with what honouring it would cost. --truth and --against compare with true
classes and with another run. For a page about the fit itself, with the way it went, see
inkling cluster --report.`,
		Example: `  inkling cluster example:wine.csv -k 3 --links example:wine-links.csv --method mpc-kmeans --save wine.ink -o clusters.csv
  inkling report wine.ink example:wine.csv -o wine.html --truth example:wine-truth.csv
  inkling report wine.ink example:wine.csv -o wine.html --links example:wine-links.csv --against clusters.csv --charts charts`,
		Args: exactly(2, "a MODEL and DATA"),
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&j.page.report, "output", "o", "", "write the page to this HTML file")
	j.page.flags(cmd)
	j.known.flags(cmd)
	f.StringVar(&j.in.read.Label, "label-col", "", "the column of known labels (empty, ? and NA are unknown)")
	j.in.reading(cmd)
	return cmd
}

func (j *reportJob) run(cmd *cobra.Command, model, path string) error {
	if err := j.checkFlags(model, path); err != nil {
		return err
	}
	o, err := j.place(cmd, model, path)
	if err != nil {
		return err
	}
	sum := o.summarise()
	start := time.Now()
	page, err := j.app.writePage(cmd.Context(), o, sum, &j.page, path)
	if err != nil {
		return err
	}
	j.spent.Write = time.Since(start).Seconds()
	return j.tell(o, sum, page)
}

func (j *reportJob) checkFlags(model, path string) error {
	if err := j.in.check(); err != nil {
		return err
	}
	if j.page.report == "" && j.page.charts == "" {
		return usagef("where is the page to go? give -o FILE.html, or --charts DIR for the charts alone")
	}
	if err := j.page.check(); err != nil {
		return err
	}
	if j.page.report != "" {
		if err := distinct([]output{{"-o", j.page.report}}, j.app.json); err != nil {
			return err
		}
	}
	inputs := append(append(j.known.files(), j.page.files()...), model, path)
	if err := once(inputs...); err != nil {
		return err
	}
	return spare([]output{{"-o", j.page.report}, j.page.folder()}, inputs...)
}

// place puts the rows into the clusters of the model.
func (j *reportJob) place(cmd *cobra.Command, model, path string) (*outcome, error) {
	fit, err := openModel(model)
	if err != nil {
		return nil, err
	}
	o := &outcome{fit: fit, method: fit.Method, parameters: fit.Parameters, seed: fit.Seed, workers: j.in.read.Workers, recipe: fit.Recipe, names: fit.Clusters}
	if o.ds, j.spent.Read, err = j.app.openLike(cmd, fit, path, j.in.read); err != nil {
		return nil, err
	}
	var ready *prepare.Prepared
	var labels []int
	if j.spent.Fit, err = j.app.timed("placing rows", func() (err error) {
		if ready, err = fit.Recipe.Apply(o.ds); err != nil {
			return err
		}
		labels, err = placeRows(cmd.Context(), fit, o.ds, ready, o.workers)
		return err
	}); err != nil {
		return nil, err
	}
	for _, note := range ready.Notes {
		j.app.say("%s: %s", o.ds.Name, renderHint(note))
	}
	o.r = &cluster.Result{Labels: labels, Model: fit.Model}
	o.p = &cluster.Problem{X: ready.X, K: len(fit.Clusters)}
	if o.know, err = j.app.load(&j.known, o.ds, ready.Rows); err != nil {
		return nil, err
	}
	if err := o.know.refuse(); err != nil {
		return nil, err
	}
	if !o.know.set.Empty() {
		o.p.Constraints = o.know.set
	}
	return o, nil
}

// reportCard is what the verb tells with --json.
type reportCard struct {
	placedCard
	upheld
	Silhouette *float64       `json:"silhouette"`
	Compared   []comparedCard `json:"compared"`
	Dropped    int            `json:"dropped"`
	Seconds    seconds        `json:"seconds"`
}

type comparedCard struct {
	Title     string  `json:"title"`
	N         int     `json:"n"`
	ARI       float64 `json:"ari"`
	NMI       float64 `json:"nmi"`
	F         float64 `json:"f"`
	Elsewhere int     `json:"elsewhere"`
}

func (j *reportJob) tell(o *outcome, s *summary, page *report.Page) error {
	s.Seconds = j.spent
	j.app.say("%s placed with %s, k = %d", count(s.N, "row"), s.Method, s.K)
	for _, line := range page.Verdict[1:] {
		j.app.say("%s", line)
	}
	for _, line := range s.bars() {
		j.app.say("  %s", line)
	}
	s.tellKnowledge(j.app)
	if s.Dropped > 0 {
		j.app.warn("%s dropped for missing values, not in the result", count(s.Dropped, "row"))
	}
	if !j.app.json {
		return nil
	}
	card := reportCard{placedCard: placedCard{"inkling.report/1", s.Method, s.N, s.K, s.Clusters, s.Sizes}, upheld: s.upheld,
		Compared: []comparedCard{}, Dropped: s.Dropped, Seconds: s.Seconds}
	if page.Silhouette != nil {
		card.Silhouette = &page.Silhouette.Mean
	}
	for _, c := range page.Compared {
		if len(c.Agreement) > 0 {
			a := c.Agreement[0]
			card.Compared = append(card.Compared, comparedCard{c.Title, a.N, a.ARI, a.NMI, a.F, c.MovedAll})
		}
	}
	return j.app.printJSON(card)
}
