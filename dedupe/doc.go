// Package dedupe finds which records of a table describe the same entity: the same
// person, company or product, written twice. There is no number of clusters.
//
// Entities works in five steps, each linear in the number of records up to a
// constant that the options bound.
//
//  1. Normalise. Case, accents, punctuation and blanks are taken away; an e-mail address,
//     a phone number and a date become tokens that do not depend on how they are written.
//     Records that are then equal are compared with others once.
//
//  2. Find candidate pairs. An inverted index holds the tokens of a record, whatever
//     their fields, pairs of its tokens, and character 4-grams of the tokens, which
//     survive typing errors. A record visits the rarest entries first and stops after a fixed
//     number of postings, so frequent entries cost nothing; it keeps the records
//     with the largest sum of inverse document frequencies.
//
//  3. Compare. Each field of a pair gets a level: equal, near, similar, weak or different, by
//     the edit distance between aligned tokens, weighted by inverse document frequency.
//     Values that stand in each other's fields (first and last name) are compared
//     crosswise. A missing cell is no evidence.
//
//  4. Estimate the probability of a match. In the model of Fellegi and Sunter (1969) the
//     log-odds are those of any pair plus, for each field, log m/u: m is the
//     probability of the level among matches, u among other pairs. u comes from random
//     pairs and, for equal values, from how frequent the value is; m and the
//     share of matches by expectation-maximisation on the candidates. From 20 links on a logistic
//     regression learns from them how much the evidence of each field counts. Its prior is the
//     model without links, for the factors and for pairs that nobody was asked about, and the number
//     of matches that it expects stays near: who answers is asked about more matches than there are.
//
//  5. Cluster. Correlation clustering (Bansal, Blum and Chawla 2004) minimises the objective
//
//     Σ over pairs apart of max(w, 0) + Σ over pairs together of max(−w, 0)
//
//     where w is the log-odds of the pair less the log-odds of the threshold, between −8 and 8,
//     and −2 for pairs that were not compared. Must-links are contracted, cannot-links never
//     violated. Connected parts of up to 10 nodes are solved exactly, larger ones
//     by greedy merging and then moves and merges that lower the objective.
//
// The result does not depend on the number of workers.
package dedupe
