// Package starts chooses the first centres of k-means: k-means++, k-means||, random
// rows, perturbed means, mini-batches, and k-means on a sample of the rows.
package starts
