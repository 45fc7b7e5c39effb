package main

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/support/format"
)

// reportJob is one run of inkling report.
type reportJob struct {
	app   *app
	in    input
	files constraintFlags
	page  pageFlags
	spent seconds
}

func (a *app) reportCommand() *cobra.Command {
	j := &reportJob{app: a}
	cmd := &cobra.Command{
		Use:   "report MODEL DATA -o FILE.html",
		Short: "report on rows assigned by a saved model",
		Long: `Assign the rows of DATA to the clusters of a saved model, as inkling predict
does, and write a report: one HTML file that needs no network. Labels and links
are checked, not used. --truth and --against compare with true classes and with
another run. For a report on the fit itself, use inkling cluster --report.`,
		Example: `  inkling cluster example:wine.csv -k 3 --links example:wine-links.csv --method mpc-kmeans --save wine.ink -o clusters.csv
  inkling report wine.ink example:wine.csv -o wine.html --truth example:wine-truth.csv
  inkling report wine.ink example:wine.csv -o wine.html --links example:wine-links.csv --against clusters.csv --charts charts`,
		Args: exactly(2, "a MODEL and DATA"),
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&j.page.report, "output", "o", "", "`FILE` write the report as HTML")
	j.page.flags(cmd)
	j.files.flags(cmd)
	f.StringVar(&j.in.source.LabelColumn, "label-col", "", "`COLUMN` known labels (empty, ? and NA are unknown)")
	j.in.readingFlags(cmd)
	flags.Group(cmd, flags.GroupOutput, "output", "charts", "truth", "against")
	flags.Group(cmd, flags.GroupData, "label-col")
	return cmd
}

func (j *reportJob) run(cmd *cobra.Command, model, path string) error {
	if err := j.checkFlags(model, path); err != nil {
		return err
	}
	r, err := j.place(cmd, model, path)
	if err != nil {
		return err
	}
	start := time.Now()
	page, err := j.app.writePage(cmd.Context(), r, &j.page, path)
	if err != nil {
		return err
	}
	j.spent.Write = time.Since(start).Seconds()
	return j.summarise(r, page)
}

func (j *reportJob) checkFlags(model, path string) error {
	if j.page.report == "" && j.page.charts == "" {
		return usagef("no file given for the report; give -o FILE.html, or --charts FOLDER for the charts alone")
	}
	if err := j.page.check([]targets.Target{{Flag: "-o", Path: j.page.report}}); err != nil {
		return err
	}
	if j.page.report != "" {
		if err := targets.Distinct([]targets.Target{{Flag: "-o", Path: j.page.report}}, j.app.json); err != nil {
			return err
		}
	}
	inputs := slices.Concat(j.files.paths(), j.page.files(), []string{model, path}, j.in.sideFiles())
	if err := targets.StdinOnce(inputs...); err != nil {
		return err
	}
	return targets.ProtectInputs([]targets.Target{{Flag: "-o", Path: j.page.report}, j.page.folder()}, inputs...)
}

// place assigns the rows to the clusters of the model.
func (j *reportJob) place(cmd *cobra.Command, model, path string) (r *door.Result, err error) {
	m, err := openModel(model)
	if err != nil {
		return nil, err
	}
	ctx, workers := cmd.Context(), j.in.source.Workers
	t, read, err := j.app.openTable(ctx, path, j.in.forModel(), m.Open)
	if err != nil {
		return nil, err
	}
	c, err := j.app.constraints(ctx, &j.files, t)
	if err != nil {
		return nil, err
	}
	j.spent.Read = read
	j.spent.Fit, err = j.app.timed("assigning rows", func() (err error) {
		r, err = m.Evaluate(ctx, t, c, workers)
		return err
	})
	if err != nil {
		return nil, err
	}
	j.app.notes(r.Notes)
	return r, nil
}

// reportOutput is what inkling report prints with --json.
type reportOutput struct {
	predictHead
	door.Satisfaction
	Silhouette *float64         `json:"silhouette"`
	Compared   []comparedOutput `json:"compared"`
	Dropped    int              `json:"dropped"`
	Seconds    seconds          `json:"seconds"`
}

type comparedOutput struct {
	Title     string  `json:"title"`
	N         int     `json:"n"`
	ARI       float64 `json:"ari"`
	NMI       float64 `json:"nmi"`
	F         float64 `json:"f"`
	Elsewhere int     `json:"elsewhere"`
}

func (j *reportJob) summarise(r *door.Result, page *report.Page) error {
	j.app.say("%s assigned by %s, k = %d", format.Count(r.N, "row"), r.Method, r.K)
	for _, line := range page.Verdict[1:] {
		j.app.say("%s", line)
	}
	for _, line := range terminal.Bars(r.Clusters, r.Sizes, r.N) {
		j.app.say("  %s", line)
	}
	j.app.summary().Satisfaction(&r.Satisfaction)
	if r.Dropped > 0 {
		j.app.warn("%s dropped for missing values, not in the result", format.Count(r.Dropped, "row"))
	}
	if !j.app.json {
		return nil
	}
	out := reportOutput{predictHead: predictHead{"inkling.report/1", r.Method, r.N, r.K, r.Clusters, r.Sizes}, Satisfaction: r.Satisfaction,
		Compared: []comparedOutput{}, Dropped: r.Dropped, Seconds: j.spent}
	if page.Silhouette != nil {
		out.Silhouette = &page.Silhouette.Mean
	}
	for _, c := range page.Compared {
		if len(c.Agreement) > 0 {
			a := c.Agreement[0]
			out.Compared = append(out.Compared, comparedOutput{c.Title, a.N, a.ARI, a.NMI, a.F, c.MovedAll})
		}
	}
	return j.app.printJSON(out)
}
