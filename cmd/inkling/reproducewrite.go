package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/inklinghq/inkling/papers/reproduce"
)

// reproduceCard is a run as --json has it.
type reproduceCard struct {
	Schema  string      `json:"schema"`
	Full    bool        `json:"full"`
	Seed    uint64      `json:"seed"`
	Recipes []sheetCard `json:"recipes"`
	LeftOut []leftOut   `json:"left_out,omitempty"`
}

type sheetCard struct {
	recipeCard
	Claims []reproduce.Claim `json:"claims"`
}

// write writes the page, its charts and the page of times, and prints the
// verdicts.
func (j *reproduceJob) write() error {
	for _, s := range j.sheets {
		for _, f := range s.Files() {
			err := j.app.writeFile(filepath.Join(j.folder(), f.Name), func(w io.Writer) error {
				_, err := w.Write(f.Content)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	if err := j.app.writeFile(j.out, func(w io.Writer) error { return j.page(w, filepath.Base(j.folder()), false) }); err != nil {
		return err
	}
	err := j.app.writeFile(filepath.Join(j.folder(), "times.md"), func(w io.Writer) error { return j.page(w, ".", true) })
	if err != nil {
		return err
	}
	if j.app.json {
		return j.app.printJSON(j.card())
	}
	for _, s := range j.sheets {
		fmt.Fprintf(j.app.stdout, "%s: %s\n", s.ID, s.Title)
		for _, c := range s.Claims {
			fmt.Fprintf(j.app.stdout, "  %-10s  %s\n", c.Verdict, c.Text)
		}
	}
	return nil
}

func (j *reproduceJob) card() reproduceCard {
	c := reproduceCard{Schema: "inkling.reproduce/1", Full: j.full, Seed: j.lab.Seed, LeftOut: j.missing}
	for _, s := range j.sheets {
		c.Recipes = append(c.Recipes, sheetCard{recipeCard{s.ID, s.Paper, s.Title}, s.Claims})
	}
	return c
}

// page writes the sheets as one page, of times or of everything else.
func (j *reproduceJob) page(w io.Writer, folder string, timed bool) error {
	var b strings.Builder
	how := "few repeats (`--quick`)"
	if j.full {
		how = "as many repeats as the papers (`--full`)"
	}
	if timed {
		fmt.Fprintf(&b, "# Times of the papers' experiments\n\nMeasured while everything else ran, so only large ratios mean anything.\n")
	} else {
		fmt.Fprintf(&b, "# The papers' experiments, repeated\n\nWritten by `inkling reproduce`, seed %d, with %s. "+
			"A verdict is on these data and this protocol; ± is a standard error over fits or draws, which share rows.\n", j.lab.Seed, how)
		j.overview(&b)
	}
	for _, s := range j.sheets {
		if err := s.Write(&b, folder, timed); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// overview lists the recipes with how many of their claims were reproduced.
func (j *reproduceJob) overview(b *strings.Builder) {
	b.WriteString("\n| recipe | | verdicts |\n|---|---|---|\n")
	for _, s := range j.sheets {
		fmt.Fprintf(b, "| %s | %s | %s |\n", s.ID, s.Title, verdicts(s))
	}
	for _, m := range j.missing {
		fmt.Fprintf(b, "| %s | | not run: %s |\n", m.ID, m.Why)
	}
}
