package catalog

import (
	"slices"
	"strings"
	"testing"
)

// A question is one that a paper leaves open, answers in two ways, or answers by a misprint.
type question struct {
	asks    string
	methods []string // whose fits depend on the answer
	answer  string   // part of the choice that names it
}

// questions are those of the five papers, in their order. Of each the methods name the answer.
var questions = []question{
	// Basu, Banerjee and Mooney 2002
	{"ties, and what becomes of an empty cluster", []string{"seeded-kmeans", "constrained-kmeans"}, "an empty cluster takes the costliest row"},
	{"the length of means on the sphere, and rows of zeros", []string{"seeded-kmeans", "constrained-kmeans"}, "means have length 1 and rows of zeros stay zero"},
	{"clusters without seeds, and how far the mean of all rows is perturbed", []string{"seeded-kmeans", "constrained-kmeans"}, "perturbed by 0.1 standard deviations"},
	{"in what order rows are assigned, and what happens where no cluster is left", []string{"cop-kmeans"}, "a dead end is an error"},
	{"how many first centres a must-link component may supply", []string{"cop-kmeans"}, "supply one centre at most"},

	// Basu, Bilenko and Mooney 2003
	{"section 2.4: the distance of two rows has a mean in it", []string{"m-kmeans", "mpc-kmeans"}, "(a misprint)"},
	{"what a neighbourhood is, and that several of the largest may lie in one class", []string{"pc-kmeans", "mpc-kmeans"}, "neighbourhoods are what must-links join"},
	{"which row cannot be with any neighbourhood, and how many such rows start clusters", []string{"pc-kmeans", "mpc-kmeans"}, "the first such row, and one at most"},
	{"the direction of the penalties: formulas and text differ", []string{"m-kmeans", "mpc-kmeans"}, "the text says the reverse"},
	{"which must-link is the farthest, under which metric, and what holds without must-links", []string{"m-kmeans", "mpc-kmeans"}, "without must-links of the farthest cannot-link"},
	{"how often log det A counts", []string{"m-kmeans", "mpc-kmeans"}, "log det A counts once, as in equation (4)"},
	{"that the derivation takes the largest cost for a constant", []string{"m-kmeans", "mpc-kmeans"}, "takes the largest cost for a constant"},
	{"the matrix of the metric step need not be positive", []string{"m-kmeans", "mpc-kmeans"}, "variances below 0.001 of the scatter"},
	{"whether entailed links count where only the metric sees them", []string{"m-kmeans"}, "only the given links count"},
	{"whether entailed links are in J", []string{"pc-kmeans", "mpc-kmeans"}, "entailed links count too"},
	{"the order of the assignment step", []string{"pc-kmeans", "mpc-kmeans"}, "rows are swept in random order"},

	// Bilenko and Basu 2004
	{"of which rows the largest distance is", []string{"hmrf-kmeans"}, "of the two farthest rows under the current metric"},
	{"whether sums over i and j count a link once or twice", []string{"pc-kmeans", "m-kmeans", "mpc-kmeans", "hmrf-kmeans"}, "each link counts once"},
	{"equation (6): nothing keeps the metric from shrinking to nothing", []string{"hmrf-kmeans"}, "-log det A counts for each row"},
	{"how many sweeps of ICM, in which order", []string{"hmrf-kmeans"}, "each in a new random order, until no row moves"},
	{"schedule, damping, end and decoding of belief propagation", []string{"hmrf-kmeans"}, "damped by 0.3, for 100 rounds at most"},
	{"constraint (14), the weight in (8), and how fractional solutions are rounded", []string{"hmrf-kmeans"}, "20 random roundings"},
	{"labels of global inference may cost more than those before", []string{"hmrf-kmeans"}, "kept only if they cost no more"},
	{"whether entailed links count", []string{"hmrf-kmeans"}, "only the given links count"},

	// Kulis, Basu, Dhillon and Mooney 2009
	{"ordered or unordered pairs in equations (3) to (6)", []string{"ss-kernel-kmeans", "kernel-hmrf-kmeans"}, "each link counts in both directions"},
	{"equations (2) and (3) are not equivalent", []string{"ss-kernel-kmeans", "kernel-hmrf-kmeans"}, "not equivalent to the objective (2)"},
	{"algorithm 1, step 6, never ends", []string{"ss-kernel-kmeans", "kernel-hmrf-kmeans"}, "the paper's condition would never end"},
	{"how large the shift is", []string{"ss-kernel-kmeans", "kernel-hmrf-kmeans"}, "the least that makes the kernel positive definite"},
	{"whose degrees", []string{"ss-kernel-kmeans"}, "those of the graph without links"},
	{"nodes of degree 0", []string{"ss-kernel-kmeans"}, "nodes without edges"},
	{"of which matrix the eigenvectors are, and of which affinities the degrees", []string{"spectral-learning"}, "eigenvectors are those of N"},
	{"whether rows of the eigenvectors are normalised", []string{"spectral-learning"}, "have unit length"},
	{"the weight of links where there are none", []string{"ss-kernel-kmeans", "kernel-hmrf-kmeans"}, "without links W is 0"},
	{"whether W has given or entailed links", []string{"ss-kernel-kmeans", "kernel-hmrf-kmeans"}, "only the given links weigh"},
	{"algorithm 3: which distance between components, and what starts where they are too few", []string{"ss-kernel-kmeans", "kernel-hmrf-kmeans"}, "the sum of distances to all rows chosen before"},
	{"an empty cluster", []string{"ss-kernel-kmeans", "kernel-kmeans", "kernel-hmrf-kmeans"}, "an empty cluster stays empty"},
	{"the width of the kernel", []string{"kernel-kmeans", "kernel-hmrf-kmeans"}, "half the median distance"},

	// Wang, Qian and Davidson 2014
	{"section 4.1: the signs of what u'Qu counts", []string{"csp"}, "section 4.1 misprints the signs"},
	{"line 9 does not give v'v = vol", []string{"csp"}, "multiplied by its root, not by vol"},
	{"whether a beta below the bound leaves a feasible vector", []string{"csp"}, "feasible vectors are counted"},
	{"feasible vectors of one sign", []string{"csp"}, "a vector of one sign makes one cluster of all"},
	{"equation (19): which constraints count", []string{"csp"}, "equation (19) counts links in both directions"},
	{"a graph in several parts has several trivial vectors", []string{"csp"}, "joined by faint edges"},
	{"the side of u = 0", []string{"csp"}, "u = 0 is on the other"},
	{"the diagonal of Q, and entailed links", []string{"csp"}, "Q has no diagonal"},
	{"the diagonal of the affinities", []string{"csp"}, "no self-loops"},
	{"the width of the affinities", []string{"csp"}, "the width of the rbf kernel"},
	{"equation (16) is equation (15)", []string{"csp"}, "equation (16) as printed"},
	{"rows of V or of D^-1/2 V for k clusters", []string{"csp"}, "the rows of D^-1/2 V"},
	{"equations (17) and (18): whose degrees", []string{"csp"}, "by the degrees of the graph"},
	{"nodes of degree 0 in spectra", []string{"csp", "spectral-learning"}, "nodes without edges are placed"},
}

// Where a paper leaves something open, every method that depends on it says what was chosen.
func TestChoicesAnswerTheQuestionsOfThePapers(t *testing.T) {
	for _, q := range questions {
		for _, name := range q.methods {
			m, ok := Find(name)
			if !ok {
				t.Fatalf("%s: there is no method %s", q.asks, name)
			}
			if !slices.ContainsFunc(m.Choices, func(c string) bool { return strings.Contains(c, q.answer) }) {
				t.Errorf("%s does not say what was chosen: %s (no choice says %q)", name, q.asks, q.answer)
			}
		}
	}
	for _, m := range Methods() {
		if len(m.Choices) == 0 {
			t.Errorf("%s names no choice", m.Name)
		}
		for i, c := range m.Choices {
			if slices.Index(m.Choices, c) != i {
				t.Errorf("%s says twice: %s", m.Name, c)
			}
		}
	}
}
