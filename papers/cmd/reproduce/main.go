// Command reproduce repeats the experiments of the papers by their protocols and
// judges each claim.
//
//	go run -C papers ./cmd/reproduce                 list the recipes
//	go run -C papers ./cmd/reproduce csp-toy mpck    run one, and all whose name begins with mpck
//	go run -C papers ./cmd/reproduce -full all       run all, with the papers' numbers of repeats
//	go run -C papers ./cmd/reproduce show csp-toy    print what was measured last
//	go run -C papers ./cmd/reproduce pages           make the pages of evidence
//
// A run writes results/NAME.json and its charts. All that is measured is logged
// at once in results/log, so that the same command resumes where it was stopped.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/inklinghq/inkling/internal/support/suggest"
	"github.com/inklinghq/inkling/papers/internal/reproduce"
)

// Exit codes, as those of inkling.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitData        = 3 // no recipe had its data
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags of the program.
type options struct {
	quick, full bool
	data, out   string
	seed        uint64
	workers     int
	stdout      io.Writer
	stderr      io.Writer
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := &options{stdout: stdout, stderr: stderr}
	f := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.BoolVar(&o.quick, "quick", false, "few repeats, minutes for all recipes (default)")
	f.BoolVar(&o.full, "full", false, "as many repeats as the papers, hours for all recipes")
	f.StringVar(&o.data, "data", os.Getenv("INKLING_DATA"), "`folder` of data sets that are not built in (see evidence/DATA.md; default: $INKLING_DATA, else data)")
	f.StringVar(&o.out, "o", "results", "`folder` of the results")
	f.Uint64Var(&o.seed, "seed", 1, "random seed")
	f.IntVar(&o.workers, "workers", 0, "number of fits at a time (default: one per processor); does not change the result")
	f.Usage = func() {
		fmt.Fprintln(stderr, "Usage: reproduce [flags] NAME... | all | show NAME... | pages\n\nWithout NAME, list the recipes. Flags:")
		f.PrintDefaults()
	}
	var names []string
	for len(args) > 0 || names == nil { // flags may stand after names
		if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
			return 0
		} else if err != nil {
			return exitUsage
		}
		if args = f.Args(); len(args) == 0 {
			break
		}
		names, args = append(names, args[0]), args[1:]
	}
	if o.data == "" {
		o.data = "data"
	}
	err := o.do(ctx, names)
	var exit *exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		fmt.Fprintln(stderr, "reproduce:", err)
		return exit.code
	}
	fmt.Fprintln(stderr, "reproduce:", err)
	return exitFailed
}

type exitError struct {
	code int
	text string
}

func (e *exitError) Error() string { return e.text }

func (o *options) do(ctx context.Context, names []string) error {
	switch {
	case o.quick && o.full:
		return &exitError{exitUsage, "-quick and -full exclude each other"}
	case o.workers < 0:
		return &exitError{exitUsage, fmt.Sprintf("-workers must be at least 1, got %d", o.workers)}
	case len(names) == 0:
		o.list()
		return nil
	case names[0] == "show":
		return o.show(names[1:])
	case names[0] == "pages" && len(names) == 1:
		return o.pages()
	}
	recipes, err := o.recipes(names)
	if err != nil {
		return err
	}
	return o.measure(ctx, recipes)
}

func (o *options) list() {
	paper := ""
	for _, r := range reproduce.Recipes() {
		if r.Paper != paper {
			paper = r.Paper
			fmt.Fprintln(o.stdout, paper)
		}
		fmt.Fprintf(o.stdout, "  %-20s %s\n", r.ID, r.Title)
	}
}

// recipes finds the recipes by name, the first word of their names or all.
func (o *options) recipes(names []string) ([]reproduce.Recipe, error) {
	if slices.Equal(names, []string{"all"}) {
		return reproduce.Recipes(), nil
	}
	recipes, err := reproduce.Select(names...)
	if err == nil {
		return recipes, nil
	}
	var known []string
	for _, r := range reproduce.Recipes() {
		known = append(known, r.ID)
	}
	for _, name := range names {
		if _, bad := reproduce.Select(name); bad != nil {
			text := bad.Error()
			if near := suggest.Nearest(name, known); near != "" {
				text += "; did you mean " + near + "?"
			}
			return nil, &exitError{exitUsage, text}
		}
	}
	return nil, &exitError{exitUsage, err.Error()}
}

// show prints kept results as Markdown.
func (o *options) show(names []string) error {
	recipes, err := o.recipes(names)
	if err != nil {
		return err
	}
	results, err := reproduce.ReadResults(os.DirFS(o.out))
	if err != nil {
		return err
	}
	for _, want := range recipes {
		i := slices.IndexFunc(results, func(r *reproduce.Result) bool { return r.ID == want.ID })
		if i < 0 {
			return fmt.Errorf("%s has no result of %s: run it first", o.out, want.ID)
		}
		if err := results[i].Page(o.stdout, filepath.ToSlash(filepath.Join(o.out, "charts"))); err != nil {
			return err
		}
	}
	return nil
}

// pages makes the page of verdicts, and what other pages have from the results, from these.
func (o *options) pages() error {
	results, err := reproduce.ReadResults(os.DirFS(o.out))
	if err != nil {
		return err
	}
	folder := filepath.Join(filepath.Dir(filepath.Clean(o.out)), "evidence")
	pages, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		return err
	}
	for _, path := range pages {
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		page, err := reproduce.FillPage(string(old), results)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if page == string(old) {
			continue
		}
		if err := writeFile(path, func(w io.Writer) error { _, err := io.WriteString(w, page); return err }); err != nil {
			return err
		}
	}
	return writeFile(filepath.Join(folder, "VERDICTS.md"), func(w io.Writer) error { return reproduce.WriteVerdicts(w, results) })
}

// writeFile writes a file that is whole or not there.
func writeFile(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(path+".part", b.Bytes(), 0o666); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}
