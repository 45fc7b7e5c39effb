// Package suspect ranks constraints by how likely they are wrong. Every constraint
// is judged by fits that have not seen it.
//
// Labels are compared with a Gaussian process on the labels of other points
// (package posterior), leave-one-out in closed form. Pairs are judged by the
// class probabilities of their two points where there are labels; by pairs alone, by a
// non-negative logistic model of the differences of two rows, cross-validated, and by a
// Gaussian process on pairs, leave-one-out. To that comes cross-fitting: the
// constraints are split into five folds, and those of a fold are judged by
// clusterings that were fitted to the other four, by graph cut and, where labels are few,
// by HMRF-KMeans. What the kernel of the other four holds for wrong is left out of them.
//
// Each source of evidence is calibrated under noise: with q the probability that a
// class or a pair is as it was given, and a share ε of wrong constraints,
//
//	label  p = ε(1−q)/(k−1) ÷ [(1−ε)q + ε(1−q)/(k−1)]
//	pair   p = ε(1−q)       ÷ [(1−ε)q + ε(1−q)]
//
// with ε = 0.1, and the log-odds of all sources are averaged, each weighted by how
// much it knows: by how much the mean log-likelihood of what it predicts exceeds that
// of the shares of the classes, or kinds. ε cannot be distinguished from the
// errors of the model, so the result ranks constraints well but is not a calibrated probability
// where much is wrong. Wrong cannot-links are harder to find than wrong must-links.
// A pair is called wrong, with a probability above one half, only where some source predicts the
// pairs that it has not seen better than the shares of must-links and cannot-links do, and
// every source speaks against it more than these shares do; otherwise it stays below, in the same order.
// Beliefs are doubtful by nature and are not judged.
//
// Beyond MaxRows rows the work is done on the constrained rows and a random sample
// of others; beyond MaxTogether constrained points the constraints are judged in random
// parts. So time and memory are bounded by the number of constraints.
package suspect
