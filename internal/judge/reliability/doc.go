// Package reliability says how far a clustering can be relied on: low, fair or good, with what was measured.
//
// Whether fits of subsamples agree is no evidence: k-means cuts an even cloud in the same place every time. Seven
// things are looked at.
//
// Separation: of a sample of rows, the share of the variance that is within clusters, and how often the nearest rows of a row
// are in its cluster, beyond chance:
//
//	κ = (a − e) / (1 − e),  e = Σ_h (n_h/n)²
//
// with a the mean share of neighbours in the same cluster and n_h the size of a cluster. The second asks nothing of the shape
// of clusters. Both are compared with those of k-means, with as many clusters, on two kinds of rows that have none: those whose
// columns are shuffled independently of each other, and one normal cloud with the same covariances. Clusters that are better
// separated than the first in neither are worth nothing; than the second, they may be pieces of one elongated cloud.
//
// Border: the share of rows with fewer than two thirds of their neighbours in their own cluster. On a graph this alone
// is measured, by edges.
//
// Held-out constraints: the balanced accuracy of the chosen method on pairs that it has not seen. A clustering that
// has nothing to do with them has ½.
//
// Other clusters: of few columns, how far those agree that are found without one of them; of many, those of other starts
// whose objective is as low within 1 %. Where there are held-out constraints they say more, and this is not measured.
//
// The middle: how densely rows lie between two clusters, held out from where the centres were found. Pieces of one cloud have no gap
// between them.
//
// Exceptions: clusters with so few rows that they are outliers.
//
// Relevant columns: how many columns of a table the others predict.
package reliability
