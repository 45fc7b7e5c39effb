package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/papers/reproduce"
)

// reproduceJob is one run of inkling reproduce: its flags, then what became of
// them.
type reproduceJob struct {
	app         *app
	quick, full bool
	out         string // the page
	log         string // the folder of the logs
	lab         reproduce.Lab

	sheets  []*reproduce.Sheet
	missing []leftOut
}

// leftOut is a recipe that could not be run.
type leftOut struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

func (a *app) reproduceCommand() *cobra.Command {
	j := &reproduceJob{app: a}
	cmd := &cobra.Command{
		Use:   "reproduce [ID...]",
		Short: "repeat the experiments of the papers",
		Long: `Repeat the experiments of the papers by their protocols, and judge each claim.
Without arguments, list the recipes; ID is a recipe, or the first word of several
(mpck). With --quick or --full and no ID, run all of them.

The page has tables, charts and verdicts. Charts, times and logs go to a folder
beside it, so that the same command resumes where it was stopped; the page is
then the same, byte for byte.

Data that is not built in is read from --data, or from the folder that the
variable INKLING_DATA names; docs/evidence/DATA.md says where to get it.`,
		Example: `  inkling reproduce
  inkling reproduce csp-toy -o toy.md
  inkling reproduce csp-toy csp-range --seed 2 --json -o cuts.md`,
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd.Context(), args) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return recipeNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&j.quick, "quick", false, "few repeats, minutes in all (default)")
	f.BoolVar(&j.full, "full", false, "as many repeats as the papers, hours in all")
	f.StringVar(&j.lab.Data, "data", "", "`FOLDER` data sets (default: INKLING_DATA, else data)")
	f.StringVarP(&j.out, "output", "o", "reproduced.md", "`FILE` page to write, its name ending in .md")
	f.StringVar(&j.log, "log", "", "`FOLDER` logs (default: log, in the folder of the charts)")
	f.Uint64Var(&j.lab.Seed, "seed", 1, "`N` random seed")
	flags.Workers(f, &j.lab.Workers, "`N` number of fits at a time (default: one per processor); does not change the result")
	return cmd
}

func recipeNames() (names []string) {
	for _, r := range reproduce.Recipes() {
		names = append(names, r.ID)
	}
	return names
}

func (j *reproduceJob) run(ctx context.Context, ids []string) error {
	if len(ids) == 0 && !j.quick && !j.full {
		return j.list()
	}
	recipes, err := j.choose(ids)
	if err != nil {
		return err
	}
	close, err := j.setUp()
	if err != nil {
		return err
	}
	stopped := j.runRecipes(ctx, recipes)
	if err := close(); err != nil {
		return err
	}
	if stopped != nil {
		return stopped
	}
	if len(j.sheets) == 0 {
		return &exitError{code: exitInput, err: errors.New("no recipe could be run: the data sets of all of them are missing")}
	}
	return j.write()
}

// recipeCard is a recipe as --json has it.
type recipeCard struct {
	ID    string `json:"id"`
	Paper string `json:"paper"`
	Title string `json:"title"`
}

// recipesOutput is what inkling reproduce prints with --json.
type recipesOutput struct {
	Schema  string       `json:"schema"`
	Recipes []recipeCard `json:"recipes"`
}

func (j *reproduceJob) list() error {
	var cards []recipeCard
	for _, r := range reproduce.Recipes() {
		cards = append(cards, recipeCard{r.ID, r.Paper, r.Title})
	}
	if j.app.json {
		return j.app.printJSON(recipesOutput{"inkling.reproduce/1", cards})
	}
	paper := ""
	for _, c := range cards {
		if c.Paper != paper {
			paper = c.Paper
			fmt.Fprintf(j.app.stdout, "%s\n", paper)
		}
		fmt.Fprintf(j.app.stdout, "  %-20s %s\n", c.ID, c.Title)
	}
	return nil
}

// choose checks the flags and finds the recipes.
func (j *reproduceJob) choose(ids []string) ([]reproduce.Recipe, error) {
	switch {
	case j.quick && j.full:
		return nil, usagef("--quick and --full exclude each other")
	case !strings.HasSuffix(j.out, ".md"):
		return nil, usagef("-o must be a file whose name ends in .md, got %q", j.out)
	}
	j.lab.Full = j.full
	recipes, err := reproduce.Select(ids...)
	if err != nil {
		for _, id := range ids {
			if _, bad := reproduce.Select(id); bad != nil {
				return nil, usageAdvice(bad.Error()+question(id, recipeNames()), "`inkling reproduce` lists the recipes")
			}
		}
		return nil, err
	}
	return recipes, nil
}

// setUp makes the folders and opens the logs.
func (j *reproduceJob) setUp() (close func() error, err error) {
	if j.lab.Data == "" {
		if j.lab.Data = os.Getenv("INKLING_DATA"); j.lab.Data == "" {
			j.lab.Data = "data"
		}
	}
	if j.log == "" {
		j.log = filepath.Join(j.folder(), "log")
	}
	if _, err := targets.Writable(targets.Target{Flag: "-o", Path: j.out}); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(j.log, 0o777); err != nil {
		return nil, writeError(j.log, err)
	}
	if err := os.MkdirAll(j.folder(), 0o777); err != nil {
		return nil, writeError(j.folder(), err)
	}
	j.lab.Program = program()
	var fits, trials *logFile
	if j.lab.Fits, fits, err = openLog(j.app, "--log", filepath.Join(j.log, "fits.jsonl"), "fit", experiment.ReadLog); err != nil {
		return nil, err
	}
	if j.lab.Trials, trials, err = openLog(j.app, "--log", filepath.Join(j.log, "trials.jsonl"), "trial", reproduce.ReadTrials); err != nil {
		return nil, errors.Join(err, fits.close())
	}
	j.lab.FitLog, j.lab.TrialLog = fits, trials
	return func() error { return errors.Join(fits.close(), trials.close()) }, nil
}

// folder is where charts go: the page without its ending.
func (j *reproduceJob) folder() string { return strings.TrimSuffix(j.out, ".md") }

// runRecipes runs the recipes until done or Ctrl-C. A recipe without its data is
// left out.
func (j *reproduceJob) runRecipes(ctx context.Context, recipes []reproduce.Recipe) error {
	var mu sync.Mutex
	var last reproduce.Progress
	at := 0
	j.lab.Observe = func(p reproduce.Progress) {
		mu.Lock()
		defer mu.Unlock()
		last = p
	}
	done := j.app.screen.Show(func() string {
		mu.Lock()
		defer mu.Unlock()
		line := fmt.Sprintf("reproduce: recipe %d of %d, %s", at+1, len(recipes), last.Recipe)
		if last.Total > 0 {
			line += fmt.Sprintf(", %s: %d of %d", last.Step, last.Done, last.Total)
		}
		return line
	})
	defer done()
	j.app.ending.Store(true)
	defer j.app.ending.Store(false)
	for i, r := range recipes {
		mu.Lock()
		at, last = i, reproduce.Progress{Recipe: r.ID}
		mu.Unlock()
		sheet, err := r.Run(ctx, &j.lab)
		var missing *reproduce.MissingError
		switch {
		case errors.As(err, &missing):
			j.missing = append(j.missing, leftOut{r.ID, describe(err)})
			j.app.warn("%s skipped: %s", r.ID, describe(err))
		case ctx.Err() != nil:
			j.app.warn("stopped during %s; the same command resumes from %s", r.ID, j.log)
			return &exitError{code: exitInterrupted, err: errInterrupted, silent: true}
		case errors.Is(err, errLog):
			return writeError(j.log, err)
		case err != nil:
			return fmt.Errorf("%s: %w", r.ID, err)
		default:
			j.sheets = append(j.sheets, sheet)
			j.app.say("%s: %s", r.ID, verdicts(sheet))
		}
	}
	return nil
}

// verdicts counts the verdicts of a sheet in words.
func verdicts(s *reproduce.Sheet) string {
	n := map[reproduce.Verdict]int{}
	for _, c := range s.Claims {
		n[c.Verdict]++
	}
	return fmt.Sprintf("%d of %s reproduced, %d partly, %d not", n[reproduce.Reproduced], format.Count(len(s.Claims), "claim"), n[reproduce.Partly], n[reproduce.Not])
}
