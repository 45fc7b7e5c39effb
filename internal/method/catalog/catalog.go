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
		},
		{
			Name:  "seeded-kmeans",
			Title: "k-means started from the means of the labelled rows; labels may be violated",
			Paper: "Basu, Banerjee and Mooney 2002, Semi-supervised Clustering by Seeding",
			New:   func() cluster.Algorithm { return centroid.NewSeeded() },
			Saved: emptyCentres,
		},
		{
			Name:  "constrained-kmeans",
			Title: "k-means started from the means of the labelled rows, which keep their labels",
			Paper: "Basu, Banerjee and Mooney 2002, Semi-supervised Clustering by Seeding",
			New:   func() cluster.Algorithm { return centroid.NewConstrained() },
			Saved: emptyCentres,
		},
		{
			Name:  "cop-kmeans",
			Title: "k-means that never violates a label, a must-link or a cannot-link",
			Paper: "Wagstaff, Cardie, Rogers and Schroedl 2001, Constrained K-means Clustering with Background Knowledge",
			New:   func() cluster.Algorithm { return cop.New() },
			Saved: emptyCentres,
		},
		{
			Name:  "pc-kmeans",
			Title: "k-means with a penalty for violated links and labels",
			Paper: "Basu, Bilenko and Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering",
			New:   func() cluster.Algorithm { return hmrf.NewPC() },
			Saved: emptyHMRFModel,
		},
		{
			Name:  "m-kmeans",
			Title: "k-means under a metric that is learned from links",
			Paper: "Basu, Bilenko and Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering",
			New:   func() cluster.Algorithm { return hmrf.NewM() },
			Saved: emptyHMRFModel,
		},
		{
			Name:  "mpc-kmeans",
			Title: "k-means with penalties for violated links and a learned metric",
			Paper: "Basu, Bilenko and Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering",
			New:   func() cluster.Algorithm { return hmrf.NewMPC() },
			Saved: emptyHMRFModel,
		},
		{
			Name:  "hmrf-kmeans",
			Title: "k-means with penalties and a learned metric, with a choice of inference and distortion",
			Paper: "Bilenko and Basu 2004, A Comparison of Inference Techniques for Semi-supervised Clustering with Hidden Markov Random Fields",
			New:   func() cluster.Algorithm { return hmrf.NewHMRF() },
			Saved: emptyHMRFModel,
		},
		{
			Name:  "graph-cut",
			Title: "multilevel normalized cut, ratio cut or ratio association; satisfies labels and links where it can",
			Paper: "Dhillon, Guan and Kulis 2007, Weighted Graph Cuts without Eigenvectors; constraints as in Kulis, Basu, Dhillon and Mooney 2009",
			New:   func() cluster.Algorithm { return kernel.NewGraphCut() },
		},
		{
			Name:  "ss-kernel-kmeans",
			Title: "kernel k-means on a graph, with rewards for satisfied and penalties for violated links",
			Paper: "Kulis, Basu, Dhillon and Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach",
			New:   func() cluster.Algorithm { return kernel.NewSSKernelKMeans() },
		},
		{
			Name:  "kernel-kmeans",
			Title: "k-means in the feature space of a kernel: clusters of any shape; uses no constraints",
			Paper: "Dhillon, Guan and Kulis 2004, Kernel k-means, Spectral Clustering and Normalized Cuts",
			New:   func() cluster.Algorithm { return kernel.NewKernelKMeans() },
		},
		{
			Name:  "kernel-hmrf-kmeans",
			Title: "kernel k-means with rewards for satisfied and penalties for violated links",
			Paper: "Kulis, Basu, Dhillon and Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach",
			New:   func() cluster.Algorithm { return kernel.NewKernelHMRF() },
		},
		{
			Name:  "spectral",
			Title: "spectral clustering: k-means on eigenvectors of a graph, or of a neighbour graph of rows; uses no constraints",
			Paper: "Shi and Malik 2000, Normalized Cuts and Image Segmentation; Ng, Jordan and Weiss 2001, On Spectral Clustering",
			New:   func() cluster.Algorithm { return spectral.NewSpectral() },
		},
		{
			Name:  "spectral-learning",
			Title: "spectral clustering with must-links and cannot-links written into the affinities",
			Paper: "Kamvar, Klein and Manning 2003, Spectral Learning; as described by Kulis, Basu, Dhillon and Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach",
			New:   func() cluster.Algorithm { return spectral.NewSpectralLearning() },
		},
		{
			Name:  "csp",
			Title: "spectral clustering that satisfies links, labels, beliefs and other views to a given degree",
			Paper: "Wang, Qian and Davidson 2014, On Constrained Spectral Clustering and Its Applications",
			New:   func() cluster.Algorithm { return spectral.NewCSP() },
		},
		{
			Name:  "fast-ge",
			Title: "generalized cut: must-links are edges to keep, cannot-links edges to cut",
			Paper: "Cucuringu, Koutis, Chawla, Miller and Peng 2016, Simple and Scalable Constrained Clustering; Jiang, Xie and Bai 2015",
			New:   func() cluster.Algorithm { return spectral.NewFastGE() },
		},
		{
			Name:  "label-spreading",
			Title: "clusters spread from labelled and linked points over a graph of neighbours; satisfies labels and must-links",
			Paper: "Zhou, Bousquet, Lal, Weston and Schölkopf 2004, Learning with Local and Global Consistency",
			New:   func() cluster.Algorithm { return spreading.NewLabelSpreading() },
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
