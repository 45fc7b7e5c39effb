// Package catalog lists the methods by name, in one table; the parameters of each
// are read from its struct.
//
// A method joins by one entry of the table. A program adds methods of its own
// with append(catalog.Methods(), mine): a List has the same functions as the
// table, and packages saved and experiment take such entries, too.
package catalog

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/method/cop"
	"github.com/inklinghq/inkling/internal/method/csp"
	"github.com/inklinghq/inkling/internal/method/density"
	"github.com/inklinghq/inkling/internal/method/hmrf"
	"github.com/inklinghq/inkling/internal/method/kernel"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/method/spreading"
)

// A Method is one entry of the table. What it takes and uses is declared by its
// algorithm: see Capabilities.
type Method struct {
	Name  string                   // as on the command line
	Title string                   // what it does, in one line
	Paper string                   // where it was published
	New   func() cluster.Algorithm // with its default parameters
	Saved func() cluster.Model     // an empty model to read a saved one into; nil: none

	// Published are the parameters that the paper has otherwise than New, and Choices
	// say what was chosen where the paper is silent, ambiguous or wrong.
	Published map[string]string
	Choices   []string
}

// Capabilities returns what the method takes and uses with its default
// parameters.
func (m Method) Capabilities() cluster.Capabilities { return m.New().Capabilities() }

// Uses returns the kinds of constraints that the method uses.
func (m Method) Uses() []cluster.Kind { return m.Capabilities().Uses }

// Hard reports whether the method never violates the constraints that it uses.
func (m Method) Hard() bool { return m.Capabilities().Hard }

// Inputs returns the forms of points that the method takes with its default
// parameters.
func (m Method) Inputs() []cluster.Input { return m.Capabilities().Inputs }

// Takes reports whether the method takes points in this form with its default
// parameters.
func (m Method) Takes(in cluster.Input) bool { return m.Capabilities().Takes(in) }

// A List is a list of methods with different names.
type List []Method

// Methods returns all methods of the table, unsupervised k-means first.
func Methods() List {
	return List{
		{
			Name:  "kmeans",
			Title: "k-means: each row joins the nearest of k centres; uses no constraints",
			Paper: "Lloyd 1982; k-means++ start by Arthur and Vassilvitskii 2007",
			New:   func() cluster.Algorithm { return centroid.NewKMeans() },
			Saved: emptyCentres,
			Choices: []string{
				"an empty cluster takes the costliest row of another; ties go to the lower cluster",
			},
		},
		{
			Name:  "seeded-kmeans",
			Title: "k-means started from the means of the labelled rows; labels may be violated",
			Paper: "Basu, Banerjee and Mooney 2002, Semi-supervised Clustering by Seeding",
			New:   func() cluster.Algorithm { return centroid.NewSeeded() },
			Saved: emptyCentres,
			Choices: []string{
				"an empty cluster takes the costliest row of another; ties go to the lower cluster (the paper is silent)",
				"clusters without seeds start at the mean of all rows, perturbed by 0.1 standard deviations (the paper gives no size)",
				"with the cosine, means have length 1 and rows of zeros stay zero (the paper is silent)",
			},
		},
		{
			Name:  "constrained-kmeans",
			Title: "k-means started from the means of the labelled rows, which keep their labels",
			Paper: "Basu, Banerjee and Mooney 2002, Semi-supervised Clustering by Seeding",
			New:   func() cluster.Algorithm { return centroid.NewConstrained() },
			Saved: emptyCentres,
			Choices: []string{
				"an empty cluster takes the costliest row of another; ties go to the lower cluster (the paper is silent)",
				"clusters without seeds start at the mean of all rows, perturbed by 0.1 standard deviations (the paper gives no size)",
				"with the cosine, means have length 1 and rows of zeros stay zero (the paper is silent)",
			},
		},
		{
			Name:      "cop-kmeans",
			Title:     "k-means that never violates a label, a must-link or a cannot-link",
			Paper:     "Wagstaff, Cardie, Rogers and Schroedl 2001, Constrained K-means Clustering with Background Knowledge",
			New:       func() cluster.Algorithm { return cop.New() },
			Saved:     emptyCentres,
			Published: map[string]string{"assignment": "greedy"},
			Choices: []string{
				"rows are assigned in order and checked against those assigned before; a dead end is an error, never a partial result",
				"first centres are random rows; rows that must be together supply one centre at most",
			},
		},
		{
			Name:      "pc-kmeans",
			Title:     "k-means with a penalty for violated links and labels",
			Paper:     "Basu, Bilenko and Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering",
			New:       func() cluster.Algorithm { return hmrf.NewPC() },
			Saved:     emptyHMRFModel,
			Published: map[string]string{"init": "largest", "joint-reassign": "false", "weight": "1", "literal": "true"},
			Choices: []string{
				"entailed links count too, as section 3.1 says",
				"rows are swept in random order, and move only if that is strictly cheaper (the paper gives no order)",
				"each link counts once",
				"neighbourhoods are what must-links join, two rows at least; the largest start clusters, even where several lie in one class",
				"a row that cannot be with any neighbourhood, by all that follows from the links, starts one more cluster: the first such row, and one at most",
			},
		},
		{
			Name:      "m-kmeans",
			Title:     "k-means under a metric that is learned from links",
			Paper:     "Basu, Bilenko and Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering",
			New:       func() cluster.Algorithm { return hmrf.NewM() },
			Saved:     emptyHMRFModel,
			Published: map[string]string{"weight": "1", "log-det": "one", "literal": "true"},
			Choices: []string{
				"only the given links count; entailed ones would swamp the scatter",
				"rows with links stay where going to the nearest centre would raise the objective",
				"log det A counts once, as in equation (4); figure 1 has it once for each row, which gives the same clusters",
				"the largest cost is that of the farthest must-link under the current metric; without must-links of the farthest cannot-link",
				"variances below 0.001 of the scatter are raised to that, so that the metric stays positive",
				"the distance of two rows has x_j where the paper prints the mean (a misprint)",
				"a violated must-link costs more the nearer its rows are, a cannot-link the farther, as the formulas say; the text says the reverse",
				"the metric step takes the largest cost for a constant and leaves out links at the limit, as the derivation does; a metric that would raise the objective is rejected",
				"each link counts once",
				"first centres are random rows",
			},
		},
		{
			Name:      "mpc-kmeans",
			Title:     "k-means with penalties for violated links and a learned metric",
			Paper:     "Basu, Bilenko and Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering",
			New:       func() cluster.Algorithm { return hmrf.NewMPC() },
			Saved:     emptyHMRFModel,
			Published: map[string]string{"penalty": "mpc", "init": "largest", "joint-reassign": "false", "weight": "1", "complexity": "none", "log-det": "one", "literal": "true"},
			Choices: []string{
				"entailed links count too, as section 3.1 says",
				"rows are swept in random order, and move only if that is strictly cheaper (the paper gives no order)",
				"log det A counts once, as in equation (4); figure 1 has it once for each row, which gives the same clusters",
				"the largest cost is that of the farthest must-link under the current metric; without must-links of the farthest cannot-link",
				"variances below 0.001 of the scatter are raised to that, so that the metric stays positive",
				"the distance of two rows has x_j where the paper prints the mean (a misprint)",
				"neighbourhoods are what must-links join, two rows at least; the largest start clusters, even where several lie in one class",
				"a row that cannot be with any neighbourhood, by all that follows from the links, starts one more cluster: the first such row, and one at most",
				"a violated must-link costs more the nearer its rows are, a cannot-link the farther, as the formulas say; the text says the reverse",
				"the metric step takes the largest cost for a constant and leaves out links at the limit, as the derivation does; a metric that would raise the objective is rejected",
				"each link counts once",
			},
		},
		{
			Name:      "hmrf-kmeans",
			Title:     "k-means with penalties and a learned metric, with a choice of inference and distortion",
			Paper:     "Bilenko and Basu 2004, A Comparison of Inference Techniques for Semi-supervised Clustering with Hidden Markov Random Fields",
			New:       func() cluster.Algorithm { return hmrf.NewHMRF() },
			Saved:     emptyHMRFModel,
			Published: map[string]string{"joint-reassign": "false", "weight": "1", "complexity": "none", "shrinkage": "0", "literal": "true"},
			Choices: []string{
				"-log det A counts for each row: equation (6) has nothing that keeps the metric from shrinking to nothing",
				"the largest cost is that of the two farthest rows under the current metric",
				"each link counts once, as in equation (6)",
				"only the given links count",
				"labels of belief propagation and linear programming are kept only if they cost no more than those before",
				"sweeps of icm repeat, each in a new random order, until no row moves",
				"messages of bp are sums of costs, damped by 0.3, for 100 rounds at most; ties go to the lower cluster (the paper gives no schedule)",
				"lp takes the best of 20 random roundings and of the largest entries; constraint (14) never binds, and the weight of (8) counts once",
			},
		},
		{
			Name:  "graph-cut",
			Title: "multilevel normalized cut, ratio cut or ratio association; satisfies labels and links where it can",
			Paper: "Dhillon, Guan and Kulis 2007, Weighted Graph Cuts without Eigenvectors; constraints as in Kulis, Basu, Dhillon and Mooney 2009",
			New:   func() cluster.Algorithm { return kernel.NewGraphCut() },
			Choices: []string{
				"the first paper has no constraints: must-links and labels are contracted, and a violated cannot-link costs a plain number, not divided by the degree of its cluster",
			},
		},
		{
			Name:      "ss-kernel-kmeans",
			Title:     "kernel k-means on a graph, with rewards for satisfied and penalties for violated links",
			Paper:     "Kulis, Basu, Dhillon and Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach",
			New:       func() cluster.Algorithm { return kernel.NewSSKernelKMeans() },
			Published: map[string]string{"weight": "paper", "pair-term": "reward", "shift": "exact", "init": "farthest", "refine": "false"},
			Choices: []string{
				"each link counts in both directions, without which equations (3) to (6) do not agree",
				"the loop ends at convergence or after the limit; the paper's condition would never end",
				"degrees are those of the graph without links",
				"an empty cluster stays empty",
				"nodes without edges join the cluster of their links; without links their cluster is arbitrary",
				"the shift is the least that makes the kernel positive definite",
				"pairs count by the size of their cluster, as in equation (3), which is not equivalent to the objective (2) of hmrf-kmeans",
				"only the given links weigh; those that follow from them place the first clusters",
				"first clusters are farthest by the sum of distances to all rows chosen before; single rows start clusters where must-links join too few",
				"without links W is 0, as n/(kC) is then undefined",
			},
		},
		{
			Name:      "kernel-kmeans",
			Title:     "k-means in the feature space of a kernel: clusters of any shape; uses no constraints",
			Paper:     "Dhillon, Guan and Kulis 2004, Kernel k-means, Spectral Clustering and Normalized Cuts",
			New:       func() cluster.Algorithm { return kernel.NewKernelKMeans() },
			Published: map[string]string{"init": "random", "refine": "false"},
			Choices: []string{
				"an empty cluster stays empty",
				"the width of the kernel is half the median distance (the paper gives none)",
			},
		},
		{
			Name:      "kernel-hmrf-kmeans",
			Title:     "kernel k-means with rewards for satisfied and penalties for violated links",
			Paper:     "Kulis, Basu, Dhillon and Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach",
			New:       func() cluster.Algorithm { return kernel.NewKernelHMRF() },
			Published: map[string]string{"weight": "paper", "pair-term": "reward", "shift": "exact", "refine": "false"},
			Choices: []string{
				"each link counts in both directions, without which equations (3) to (6) do not agree",
				"the loop ends at convergence or after the limit; the paper's condition would never end",
				"the shift is the least that makes the kernel positive definite",
				"the width of the kernel is half the median distance (the paper gives none)",
				"pairs count by the size of their cluster, as in equation (3), which is not equivalent to the objective (2) of hmrf-kmeans",
				"only the given links weigh; those that follow from them place the first clusters",
				"first clusters are farthest by the sum of distances to all rows chosen before; single rows start clusters where must-links join too few",
				"an empty cluster stays empty",
				"without links W is 0, as n/(kC) is then undefined",
			},
		},
		{
			Name:  "spectral",
			Title: "spectral clustering: k-means on eigenvectors of a graph, or of a neighbour graph of rows; uses no constraints",
			Paper: "Shi and Malik 2000, Normalized Cuts and Image Segmentation; Ng, Jordan and Weiss 2001, On Spectral Clustering",
			New:   func() cluster.Algorithm { return spectral.NewSpectral() },
			Choices: []string{
				"the objective that is reported is the normalized cut of the clusters; the vectors minimise its relaxation",
				"rows of the eigenvectors have unit length, as in the second paper; rows become a graph of nearest neighbours",
			},
		},
		{
			Name:      "spectral-learning",
			Title:     "spectral clustering with must-links and cannot-links written into the affinities",
			Paper:     "Kamvar, Klein and Manning 2003, Spectral Learning; as described by Kulis, Basu, Dhillon and Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach",
			New:       func() cluster.Algorithm { return spectral.NewSpectralLearning() },
			Published: map[string]string{"affinity": "rbf"},
			Choices: []string{
				"eigenvectors are those of N; Kulis and others say A, and N in the next sentence",
				"degrees are those of the edited affinities, and so is the normalized cut that is reported",
				"1 stands for the largest affinity there is, if that is more",
				"rows become a graph of nearest neighbours; a paper that joins all rows needs that graph as input",
				"rows of the eigenvectors have unit length, as in the first paper",
				"nodes without edges are placed by their constraints, else in the largest cluster",
			},
		},
		{
			Name:      "csp",
			Title:     "spectral clustering that satisfies links, labels, beliefs and other views to a given degree",
			Paper:     "Wang, Qian and Davidson 2014, On Constrained Spectral Clustering and Its Applications",
			New:       func() cluster.Algorithm { return csp.NewCSP() },
			Published: map[string]string{"beta": "eq19", "affinity": "rbf"},
			Choices: []string{
				"the objective that is reported is the normalized cut of the clusters; the vectors minimise its relaxation",
				"vectors have v'v = vol: multiplied by its root, not by vol as algorithm 1 prints",
				"beta by equation (19) counts links in both directions",
				"feasible vectors are counted; beta below the bound of the paper need not leave one",
				"the graph has no self-loops (the paper does not say)",
				"rows become a graph of nearest neighbours; a paper that joins all rows needs that graph as input",
				"alpha counts each link in both directions: 2 more if it is satisfied, 2 less if it is violated (section 4.1 misprints the signs)",
				"a vector of one sign makes one cluster of all; it is taken and reported, not skipped",
				"u > 0 is one side, u = 0 is on the other",
				"Q has no diagonal, and only the given links (closure adds what follows)",
				"the width of the rbf kernel is the median distance to the farthest neighbour in the graph",
				"equation (16) as printed is equation (15): weighted divides signs by their costs, which must be meant",
				"k clusters are made of the rows of D^-1/2 V, as in algorithm 2, by the best of several starts",
				"views are normalised by the degrees of the graph, as equation (17) implies; (18) has their own (view-degrees)",
				"nodes without edges are placed by their constraints, else in the largest cluster; parts of the graph are joined by faint edges",
			},
		},
		{
			Name:      "fast-ge",
			Title:     "generalized cut: must-links are edges to keep, cannot-links edges to cut",
			Paper:     "Cucuringu, Koutis, Chawla, Miller and Peng 2016, Simple and Scalable Constrained Clustering; Jiang, Xie and Bai 2015",
			New:       func() cluster.Algorithm { return csp.NewFastGE() },
			Published: map[string]string{"demand": "paper"},
			Choices: []string{
				"the objective that is reported is the normalized cut of the clusters; phi, the cut by what is to be cut, is reported beside it",
				"a link weighs the root of the product of the degrees of its ends; by the least and the largest degree, as in the paper, one outlier would weigh on all",
			},
		},
		{
			Name:  "label-spreading",
			Title: "clusters spread from labelled and linked points over a graph of neighbours; satisfies labels and must-links",
			Paper: "Zhou, Bousquet, Lal, Weston and Schölkopf 2004, Learning with Local and Global Consistency",
			New:   func() cluster.Algorithm { return spreading.NewLabelSpreading() },
			Choices: []string{
				"it is after the paper, not the paper: four kernels are averaged, predictions are those of a Gaussian process, pairs count, and clusters without labels stay",
				"so published settings change nothing but effort and restarts",
			},
		},
		{
			Name:  "classifier",
			Title: "rows join the class that a classifier of the labelled rows finds likeliest; satisfies labels and must-links",
			Paper: "Rasmussen and Williams 2006, Gaussian Processes for Machine Learning, sections 5.4.2 and 6.5; mixture as in Wolpert 1992, Stacked Generalization",
			New:   func() cluster.Algorithm { return spreading.NewClassifier() },
			Saved: func() cluster.Model { return new(spreading.ClassModel) },
			Choices: []string{
				"it combines textbook methods, and no paper describes it: kernel regressions and clusters are stacked by held-out labels, and links decide where breaking them costs more than the doubt",
				"so published settings change nothing but effort and restarts",
			},
		},
		{
			Name:      "density",
			Title:     "clusters of any shape and number, denser than what surrounds them; the rows between them are noise",
			Paper:     "Campello, Moulavi, Zimek and Sander 2015, Hierarchical Density Estimates for Data Clustering, Visualization, and Outlier Detection; links as in the same authors' framework of 2013, labels after Castro Gertrudes, Zimek, Sander and Campello 2019",
			New:       func() cluster.Algorithm { return density.New() },
			Saved:     func() cluster.Model { return new(density.Model) },
			Published: map[string]string{"min-cluster-size": "5", "min-points": "5", "weight": "1"},
			Choices: []string{
				"the papers leave both sizes to the user: published are the defaults of hdbscan 0.8",
				"a cluster of all rows needs single, as in hdbscan",
				"row weights count in the mass of clusters, not in densities",
				"links hold exactly, decide among the branches or are ignored, as links that are held out choose; the paper lets them decide, which is weight 1",
				"labels hold always: where no choice of branches does that, clusters are split, joined and begun along the minimum spanning tree",
			},
		},
	}
}

func emptyCentres() cluster.Model   { return new(centroid.Centres) }
func emptyHMRFModel() cluster.Model { return new(hmrf.Model) }

// Find returns the method of the table called name.
func Find(name string) (Method, bool) { return Methods().Find(name) }

// Find returns the method called name.
func (l List) Find(name string) (Method, bool) {
	for _, m := range l {
		if m.Name == name {
			return m, true
		}
	}
	return Method{}, false
}

// Names returns the names of all methods of the table.
func Names() []string { return Methods().Names() }

// Names returns the names of all methods.
func (l List) Names() []string {
	var names []string
	for _, m := range l {
		names = append(names, m.Name)
	}
	return names
}
