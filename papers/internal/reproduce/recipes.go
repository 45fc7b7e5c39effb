package reproduce

import (
	"fmt"
	"slices"
	"strings"
)

// The papers, as recipes name them.
const (
	seedingPaper   = "Basu, Banerjee, Mooney 2002, Semi-supervised Clustering by Seeding"
	mpckPaper      = "Basu, Bilenko, Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering"
	inferencePaper = "Bilenko, Basu 2004, A Comparison of Inference Techniques for Semi-supervised Clustering with Hidden Markov Random Fields"
	kernelPaper    = "Kulis, Basu, Dhillon, Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach"
	cspPaper       = "Wang, Qian, Davidson 2014, On Constrained Spectral Clustering and Its Applications"
	ourOwn         = "inkling, which method when (no paper; see docs/GUIDE.md)"
)

var seedingRecipes = []Recipe{
	{"seeding-20news", seedingPaper, "Seeded-, Constrained- and COP-KMeans on 20 Newsgroups", []string{"20news"},
		seeding(allMessages, (*seedBook).conflict, (*seedBook).incomplete)},
	{"seeding-small20", seedingPaper, "the same on Small-20, 100 messages a group", []string{"20news"},
		seeding(smallMessages, (*seedBook).robust, (*seedBook).start, (*seedBook).better, (*seedBook).incomplete)},
	{"seeding-same3", seedingPaper, "the same on Same-3, groups that are alike", []string{"20news"},
		seeding(groups(same3), (*seedBook).substantial, (*seedBook).conflict)},
	{"seeding-different3", seedingPaper, "the same on Different-3, groups that are not alike", []string{"20news"},
		seeding(groups(different3), (*seedBook).marginal)},
	{"seeding-noise", seedingPaper, "half the seeds wrong, on 20 Newsgroups, under other readings of the paper and by the size of the set", []string{"20news"},
		seedNoise},
}

var mpckRecipes = []Recipe{
	{"mpck-iris", mpckPaper, "MPC-, PC- and M-KMeans on Iris", nil, mpck("iris", 1)},
	{"mpck-wine", mpckPaper, "MPC-, PC- and M-KMeans on Wine", nil, mpck("wine", 1)},
	{"mpck-digits", mpckPaper, "MPC-, PC- and M-KMeans on Digits-389", []string{"pendigits"}, mpck("pendigits", 10, "3", "8", "9")},
	{"mpck-letters", mpckPaper, "MPC-, PC- and M-KMeans on Letters-IJL", []string{"letter"}, mpck("letter", 10, "I", "J", "L")},
	{"mpck-few", mpckPaper, "few pairs on sets that had no part in our choices", []string{"pendigits", "letter", "wdbc"}, mpckFew},
}

var inferenceRecipes = []Recipe{
	{"inference-iris", inferencePaper, "ICM, belief propagation and linear programming on Iris", nil, inference("iris", 1)},
	{"inference-protein", inferencePaper, "ICM, belief propagation and linear programming on Protein", []string{"protein"}, inference("protein", 1)},
	{"inference-letters", inferencePaper, "ICM, belief propagation and linear programming on Letters-IJL", []string{"letter"}, inference("letter", 10, "I", "J", "L")},
}

var kernelRecipes = []Recipe{
	{"kernel-circles", kernelPaper, "kernels and pairs on two circles", nil, kernelCircles},
	{"kernel-digits", kernelPaper, "kernels and pairs on Digits-389", []string{"pendigits"}, kernelDigits},
	{"kernel-letters", kernelPaper, "kernels and pairs on Letters-IJL", []string{"letter"}, kernelLetters},
	{"kernel-protein", kernelPaper, "kernels and pairs on Protein", []string{"protein"}, kernelProtein},
	{"kernel-yeast", kernelPaper, "graph objectives and pairs on a gene network", []string{"yeast_ppi"}, kernelYeast},
	{"kernel-timing", kernelPaper, "time beside spectral methods", []string{"yeast_ppi"}, kernelTiming},
}

var cspRecipes = []Recipe{
	{"csp-toy", cspPaper, "Six nodes by hand (section 4.4)", nil, cspToy},
	{"csp-range", cspPaper, "All cuts by cost and satisfaction (section 5.2)", nil, cspRange},
	{"csp-moons", cspPaper, "Two moons of 100 points (section 7.2)", nil, cspMoons},
	{"csp-noise", cspPaper, "Two moons among background noise (section 7.2)", nil, cspNoise},
	{"csp-uci-iris", cspPaper, "Iris without setosa (section 7.3)", nil, cspUCI("iris", 0.25, "versicolor", "virginica")},
	{"csp-uci-wine", cspPaper, "Wine without class 3 (section 7.3)", nil, cspUCI("wine", 0.25, "class_1", "class_2")},
	{"csp-uci-wdbc", cspPaper, "Breast cancer, diagnostic (section 7.3)", []string{"wdbc"}, cspUCI("wdbc", 0.5)},
	{"csp-images", cspPaper, "Two elephants (section 7.1)", []string{elephants}, cspImages},
}

var cspTransferRecipes = []Recipe{
	{"csp-views", cspPaper, "Constraints from another metric: stories of three newspapers (section 7.4)", []string{"3sources"}, cspViews},
	{"csp-transfer", cspPaper, "Knowledge transfer and its cost: stories of three newspapers (section 7.5)", []string{"3sources"}, cspTransfer},
}

var chooseRecipes = []Recipe{
	{"choose-rows", ourOwn, "all methods with and without constraints on five sets", []string{"pendigits", "letter", "wdbc"}, chooseRows},
	{"choose-all", ourOwn, "the same with pairs of any rows, all rows scored", []string{"pendigits", "letter", "wdbc"}, chooseAll},
}

var trustNeeds = []string{"20news", "letter", "pendigits", "protein", "wdbc"}

var trustRecipes = []Recipe{
	{"trust-choice", ourOwn, "what constraints gain where the method is chosen by held-out ones, on sets that had no part in our choices", trustNeeds, onTrustSets((*Lab).trustChoice)},
	{"trust-suspects", ourOwn, "how well wrong constraints are found, on the same sets", trustNeeds, onTrustSets((*Lab).trustSuspects)},
	{"trust-confidence", ourOwn, "how far the confidence of a row can be trusted, on the same sets", trustNeeds, onTrustSets((*Lab).trustConfidence)},
	{"trust-methods", ourOwn, "how often single methods are worse with constraints than without, on the same tables", trustNeeds, onTrustSets((*Lab).trustMethods)},
}

var askRecipes = []Recipe{
	{"ask-strategies", ourOwn, "what answers to questions gain, by the strategy that chooses them", trustNeeds, askCurves},
	{"ask-noise", ourOwn, "the same with wrong answers", trustNeeds, askNoise},
}

// Recipes lists all recipes, paper by paper.
func Recipes() []Recipe {
	return slices.Concat(seedingRecipes, mpckRecipes, inferenceRecipes, kernelRecipes, cspRecipes, cspTransferRecipes, chooseRecipes, trustRecipes, askRecipes)
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
