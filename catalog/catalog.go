// Package catalog knows every method by its name: one table, and the
// parameters of each read from its struct.
package catalog

import (
	"strings"

	"github.com/inklinghq/inkling/centroid"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/kernel"
	"github.com/inklinghq/inkling/spectral"
)

// A Method is one row of the table. What it takes and uses, its algorithm
// declares: see Capabilities.
type Method struct {
	Name  string // as on the command line
	Title string // what it does, in a line
	Paper string // where it comes from
	New   func() cluster.Algorithm
	Saved func() cluster.Model // an empty model to read a saved one into; nil: none
}

// Capabilities returns what the method takes and uses with its default
// parameters.
func (m Method) Capabilities() cluster.Capabilities { return m.New().Capabilities() }

// Uses returns the kinds of constraints that the method uses.
func (m Method) Uses() []cluster.Kind { return m.Capabilities().Uses }

// Hard reports whether the method never violates the constraints that it uses.
func (m Method) Hard() bool { return m.Capabilities().Hard }

// Input names what the method takes with its default parameters: "rows", "rows
// or graph".
func (m Method) Input() string {
	var names []string
	for _, in := range m.Capabilities().Inputs {
		names = append(names, string(in))
	}
	return strings.Join(names, " or ")
}

// Takes reports whether the method takes points in this form with its default
// parameters.
func (m Method) Takes(in cluster.Input) bool { return m.Capabilities().Takes(in) }

// Methods returns all methods, the plain ones first.
func Methods() []Method {
	return []Method{
		{
			Name:  "kmeans",
			Title: "plain k-means: each row goes to the nearest of k centres",
			Paper: "Lloyd 1982; k-means++ start by Arthur and Vassilvitskii 2007",
			New:   func() cluster.Algorithm { return centroid.NewKMeans() },
			Saved: centres,
		},
		{
			Name:  "seeded-kmeans",
			Title: "k-means started from the means of the labelled rows; labels may be overruled",
			Paper: "Basu, Banerjee and Mooney 2002, Semi-supervised Clustering by Seeding",
			New:   func() cluster.Algorithm { return centroid.NewSeeded() },
			Saved: centres,
		},
		{
			Name:  "constrained-kmeans",
			Title: "k-means started from the means of the labelled rows, which keep their labels",
			Paper: "Basu, Banerjee and Mooney 2002, Semi-supervised Clustering by Seeding",
			New:   func() cluster.Algorithm { return centroid.NewConstrained() },
			Saved: centres,
		},
		{
			Name:  "cop-kmeans",
			Title: "k-means that never violates a label, a must-link or a cannot-link",
			Paper: "Wagstaff, Cardie, Rogers and Schroedl 2001, Constrained K-means Clustering with Background Knowledge",
			New:   func() cluster.Algorithm { return centroid.NewCOP() },
			Saved: centres,
		},
		{
			Name:  "pc-kmeans",
			Title: "k-means in which violated pairs and overruled labels cost something",
			Paper: "Basu, Bilenko and Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering",
			New:   func() cluster.Algorithm { return centroid.NewPC() },
			Saved: fields,
		},
		{
			Name:  "m-kmeans",
			Title: "k-means under a metric that is learned from pairs",
			Paper: "Basu, Bilenko and Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering",
			New:   func() cluster.Algorithm { return centroid.NewM() },
			Saved: fields,
		},
		{
			Name:  "mpc-kmeans",
			Title: "soft pairs and a learned metric together",
			Paper: "Basu, Bilenko and Mooney 2003, Comparing and Unifying Search-Based and Similarity-Based Approaches to Semi-Supervised Clustering",
			New:   func() cluster.Algorithm { return centroid.NewMPC() },
			Saved: fields,
		},
		{
			Name:  "hmrf-kmeans",
			Title: "soft pairs and a learned metric, with a choice of inference and distortion",
			Paper: "Bilenko and Basu 2004, A Comparison of Inference Techniques for Semi-supervised Clustering with Hidden Markov Random Fields",
			New:   func() cluster.Algorithm { return centroid.NewHMRF() },
			Saved: fields,
		},
		{
			Name:  "graph-cut",
			Title: "multilevel normalized cut, ratio cut or ratio association that honours labels and links",
			Paper: "Dhillon, Guan and Kulis 2007, Weighted Graph Cuts without Eigenvectors; knowledge as in Kulis, Basu, Dhillon and Mooney 2009",
			New:   func() cluster.Algorithm { return kernel.NewGraphCut() },
		},
		{
			Name:  "ss-kernel-kmeans",
			Title: "kernel k-means on a graph, with links as soft rewards and prices",
			Paper: "Kulis, Basu, Dhillon and Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach",
			New:   func() cluster.Algorithm { return kernel.NewSSKernelKMeans() },
		},
		{
			Name:  "kernel-kmeans",
			Title: "k-means in the space of a kernel: clusters of any shape",
			Paper: "Dhillon, Guan and Kulis 2004, Kernel k-means, Spectral Clustering and Normalized Cuts",
			New:   func() cluster.Algorithm { return kernel.NewKernelKMeans() },
		},
		{
			Name:  "kernel-hmrf-kmeans",
			Title: "kernel k-means with links as soft rewards and prices",
			Paper: "Kulis, Basu, Dhillon and Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach",
			New:   func() cluster.Algorithm { return kernel.NewKernelHMRF() },
		},
		{
			Name:  "spectral",
			Title: "spectral clustering: eigenvectors of a graph, or of the neighbours of rows, and k-means on them",
			Paper: "Shi and Malik 2000, Normalized Cuts and Image Segmentation; Ng, Jordan and Weiss 2001, On Spectral Clustering",
			New:   func() cluster.Algorithm { return spectral.NewSpectral() },
		},
		{
			Name:  "spectral-learning",
			Title: "spectral clustering of affinities into which must-links and cannot-links are written",
			Paper: "Kamvar, Klein and Manning 2003, Spectral Learning; as told by Kulis, Basu, Dhillon and Mooney 2009, Semi-supervised Graph Clustering: A Kernel Approach",
			New:   func() cluster.Algorithm { return spectral.NewSpectralLearning() },
		},
		{
			Name:  "csp",
			Title: "spectral clustering that satisfies links, labels, beliefs and other views to a degree that is asked for",
			Paper: "Wang, Qian and Davidson 2014, On Constrained Spectral Clustering and Its Applications",
			New:   func() cluster.Algorithm { return spectral.NewCSP() },
		},
		{
			Name:  "fast-ge",
			Title: "generalized cut: must-links join the graph that is not to be cut, cannot-links the one that is",
			Paper: "Cucuringu, Koutis, Chawla, Miller and Peng 2016, Simple and Scalable Constrained Clustering; Jiang, Xie and Bai 2015",
			New:   func() cluster.Algorithm { return spectral.NewFastGE() },
		},
	}
}

func centres() cluster.Model { return new(centroid.Centres) }
func fields() cluster.Model  { return new(centroid.HMRFModel) }

// Find returns the method called name.
func Find(name string) (Method, bool) {
	for _, m := range Methods() {
		if m.Name == name {
			return m, true
		}
	}
	return Method{}, false
}

// Names returns the names of all methods.
func Names() []string {
	var names []string
	for _, m := range Methods() {
		names = append(names, m.Name)
	}
	return names
}
