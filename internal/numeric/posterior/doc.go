// Package posterior estimates which class a point belongs to from the labels of
// a few others, and whether two points belong together from a few pairs: Gaussian
// process regression on class indicators, with leave-one-out predictions in
// closed form.
//
// The covariance K is the mean of up to four kernels with unit diagonal:
//
//	graph   (I − 0.99 S)⁻¹ with S = D^{-1/2} A D^{-1/2}, on the given graph or the
//	        self-tuning graph of the 10 nearest neighbours (Zhou, Bousquet, Lal,
//	        Weston and Schölkopf 2004, Learning with Local and Global Consistency)
//	rbf     exp(−‖x−y‖² / (2ρ²)), with ρ half the median distance of two rows
//	cosine  of the angle between two rows
//	cluster 1 for two points of one cluster, where Options.Clusters makes clusters
//	        (Chapelle, Weston and Schölkopf 2002, Cluster Kernels for Semi-Supervised
//	        Learning)
//
// A graph has neither rbf nor cosine; a given kernel matrix takes the place of all.
//
// Of many points nothing of the size n × n is stored. The columns of the inverse that belong
// to labelled points are computed by Chebyshev iteration in blocks, in float32, whose number of
// steps is fixed, since the spectrum of I − 0.99 S lies in [0.01, 1.99]; what that leaves of their right
// sides, in float64, corrects them. What a fit predicts for all n points takes one solve for each class. Of up to 512 points the whole
// inverse is computed by Cholesky factors, and of up to 1,500 where half of its columns are wanted. Its
// diagonal, which normalises the kernel, is exact for labelled points; for the
// others it is exact up to 512 points and beyond that estimated by 64 random sign vectors
// (Hutchinson 1990).
//
// In comments n is the number of points, m of those with a label or in a pair, k of
// classes.
package posterior
