package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/support/version"
	"github.com/inklinghq/inkling/papers/internal/reproduce"
)

// measure runs the recipes and writes their results. A recipe without its data
// is left out.
func (o *options) measure(ctx context.Context, recipes []reproduce.Recipe) (err error) {
	lab := reproduce.Lab{Data: o.data, Full: o.full, Seed: o.seed, Workers: o.workers}
	if lab.Workers == 0 {
		lab.Workers = runtime.GOMAXPROCS(0)
	}
	if lab.Program, err = build(); err != nil {
		return err
	}
	logs := filepath.Join(o.out, "log")
	fits, err := openLog(filepath.Join(logs, "fits.jsonl"), &lab.Fits, experiment.ReadLog)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fits.Close()) }()
	trials, err := openLog(filepath.Join(logs, "trials.jsonl"), &lab.Trials, reproduce.ReadTrials)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, trials.Close()) }()
	lab.FitLog, lab.TrialLog = fits, trials
	lab.Observe = o.progress()
	done := 0
	for _, r := range recipes {
		sheet, err := r.Run(ctx, &lab)
		var missing *reproduce.MissingError
		switch {
		case errors.As(err, &missing):
			fmt.Fprintf(o.stderr, "%s skipped: %v\n", r.ID, err)
			continue
		case ctx.Err() != nil:
			return &exitError{exitInterrupted, "stopped during " + r.ID + "; the same command resumes from " + logs}
		case err != nil:
			return fmt.Errorf("%s: %w", r.ID, err)
		}
		if err := o.write(sheet, &lab); err != nil {
			return err
		}
		done++
	}
	if done == 0 {
		return &exitError{exitData, "no recipe could be run: the data sets of all of them are missing"}
	}
	return nil
}

// write writes the result of a recipe and its charts, and prints the verdicts.
func (o *options) write(s *reproduce.Sheet, lab *reproduce.Lab) error {
	for _, f := range s.Files() {
		err := writeFile(filepath.Join(o.out, "charts", f.Name), func(w io.Writer) error {
			_, err := w.Write(f.Content)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := writeFile(filepath.Join(o.out, s.ID+".json"), s.Result(lab).Write); err != nil {
		return err
	}
	fmt.Fprintf(o.stdout, "%s: %s\n", s.ID, s.Title)
	for _, c := range s.Claims {
		fmt.Fprintf(o.stdout, "  %-10s  %s\n", c.Verdict, c.Text)
	}
	return nil
}

// progress returns what says how far a recipe is: one line for each step.
func (o *options) progress() func(reproduce.Progress) {
	var mu sync.Mutex
	var last string
	return func(p reproduce.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if step := p.Recipe + ", " + p.Step; step != last {
			last = step
			fmt.Fprintln(o.stderr, step)
		}
	}
}

// build names the code that measures: the commit, or a digest of the program
// where that is not known.
func build() (string, error) {
	if v := version.Current(); v.Revision != "" && !v.Changed {
		return "commit " + v.Revision, nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("a program with digest %x", h.Sum(nil)[:6]), nil
}

// openLog opens a log for more lines, reads what it has, and cuts off an
// incomplete last line.
func openLog[T any](path string, lines *[]T, read func(io.Reader) ([]T, int64, error)) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	var whole int64
	if *lines, whole, err = read(f); err == nil {
		err = f.Truncate(whole)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return f, nil
}
