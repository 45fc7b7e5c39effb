// Package reproduce repeats the experiments of the five papers that inkling is
// made of. A Recipe is one experiment with the paper's protocol. It works in a
// Lab, which has the data, the log of what earlier runs have measured, and the
// Sheet that is written: tables, charts, and a verdict for each claim of the
// paper.
//
// All that is measured goes through the lab's log, fit by fit or trial by
// trial, under keys that hold everything that determines a number. So a run
// that was killed goes on where it stopped, and its sheet is the same to the
// byte. Times are no such numbers; they stand on pages of their own.
package reproduce

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Recipe is one experiment of a paper.
type Recipe struct {
	ID    string // PAPER-EXPERIMENT
	Paper string
	Title string
	Needs []string // sets of the data folder that it cannot do without
	run   func(context.Context, *Lab) error
}

// The papers, as recipes name them.
const (
	seedingPaper   = "Basu, Banerjee, Mooney 2002, Semi-supervised Clustering by Seeding"
	mpckPaper      = "Basu, Bilenko, Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering"
	inferencePaper = "Bilenko, Basu 2004, A Comparison of Inference Techniques for Semi-supervised Clustering with Hidden Markov Random Fields"
	kernelPaper    = "Kulis, Basu, Dhillon, Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach"
	cspPaper       = "Wang, Qian, Davidson 2014, On Constrained Spectral Clustering and Its Applications"
	ourOwn         = "inkling, which method when (no paper; see docs/CHOOSING.md)"
)

// Recipes lists all recipes, paper by paper.
func Recipes() []Recipe {
	return slices.Concat(seedingRecipes, mpckRecipes, inferenceRecipes, kernelRecipes, cspRecipes, cspTransferRecipes, chooseRecipes)
}

// Select returns the recipes that ids name, in the order of Recipes. An id is
// that of a recipe or of a paper, the part of a recipe's id before the dash.
// Without ids it returns all.
func Select(ids ...string) ([]Recipe, error) {
	all := Recipes()
	if len(ids) == 0 {
		return all, nil
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		found := false
		for _, r := range all {
			if r.ID == id || strings.HasPrefix(r.ID, id+"-") {
				wanted[r.ID], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no recipe %q", id)
		}
	}
	return slices.DeleteFunc(all, func(r Recipe) bool { return !wanted[r.ID] }), nil
}

// Run cooks the recipe. When ctx ends it returns ctx's error; what was measured
// by then is in the lab's log.
func (r Recipe) Run(ctx context.Context, l *Lab) (*Sheet, error) {
	here := *l
	here.recipe = r
	here.sheet = &Sheet{Recipe: r, Full: l.Full}
	if err := r.run(ctx, &here); err != nil {
		return nil, err
	}
	return here.sheet, nil
}
