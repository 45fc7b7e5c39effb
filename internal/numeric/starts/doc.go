// Package starts chooses the first centres of k-means: k-means++, k-means||, random
// rows, perturbed means, mini-batches, k-means on a sample of the rows, and neighbourhoods
// of linked rows.
package starts
