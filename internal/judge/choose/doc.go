// Package choose chooses a method, the scaling of columns and the number of
// clusters by held-out constraints.
//
// Constraints are divided into folds by rows: no constraint that a fit is trained
// on touches a row of the constraints that it is judged by, so nothing that
// follows from the training part says anything about them. Candidates are fitted
// on the training part of each fold; fits without constraints, which are always
// among the candidates, need one fit. Each is judged by its balanced accuracy: the
// mean of the share of held-out must-links whose rows are together and the share of
// held-out cannot-links whose rows are apart. A held-out label gives a pair with
// every other held-out label of its fold.
//
// The rule is careful in two steps. The reference, k-means on rows, is left for
// another fit without constraints only if that is better with a probability above
// 0.9, and this one for a fit with constraints only if that is better with a
// probability above 0.9. The probability comes from paired differences of
// balanced accuracy, with one more disagreement of each kind than was observed,
// and a prior N(0, 0.1²) on the true difference. It is calibrated for comparing,
// not for reading: with wrong constraints it is too high.
//
// Held-out pairs are pairs of rows in no training constraint, so they do not show
// what becomes of rows that obey a wrong one. Therefore the share of wrong constraints is
// estimated by package suspect. Where it is above a tenth, fits with constraints leave
// out the doubtful ones; in a fold these are found by the training part alone.
//
// A fit with constraints is taken only if, fitted with all of them, it agrees with
// them at least as well as the fit without. On a scaling that is clearly worse
// without constraints none is tried.
//
// Candidates that cannot be taken any more are not fitted on the folds that are left, and where
// a fit without constraints is right about so much that nothing can be clearly better,
// nothing is compared with it. Of the best of several on few constraints something is luck:
// below 80 held-out pairs a fit with constraints must be better, by more than the
// standard error, on folds that it was not chosen by; and where choosing by some of the
// constraints is worse than chance at the others, the reference stays.
//
// With labels of most clusters, a classifier is taken where the candidate of the two
// steps is not as good at held-out labels, or not clearly better though it has no cluster for one of
// the classes. A held-out label is
// right where its row is in the cluster that the training labels name after its class.
//
// With fewer than MinPairs held-out pairs, or hardly any of one kind, nothing is compared, and the reference
// is chosen, or a classifier where there are labels of most clusters, even one of each, that its clusters do not all agree with. Large tables are compared on a sample of their rows, those in
// constraints first. Everything is deterministic for a seed, except what a time
// budget leaves out.
package choose
