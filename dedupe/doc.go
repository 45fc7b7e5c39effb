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
//  3. Compare. Each field has a kind, such as person, e-mail or date, which decides how its values are
//     compared. A pair gets a level in each: equal, near, similar, replaced, weak or different.
//     Values that stand in each other's fields (first and last name) are compared
//     crosswise. A missing cell is no evidence.
//
//  4. Estimate the probability of a match. In the model of Fellegi and Sunter (1969) the
//     log-odds are those of any pair plus, for each field, log m/u: m is the
//     probability of the level among matches, u among other pairs. Both depend on one other
//     field along a tree (Chow and Liu 1968). For equal values u depends on how frequent the value
//     is. Codes that hardly two entities share are given in series, so their typing errors are as rare among
//     matches as at first guessed: more of them are neighbours. m, u and the share of matches come from random pairs and expectation-maximisation on the
//     candidates, with a prior by kind. The evidence still overlaps, so a second stage with weights
//     that were fitted on made-up tables turns it into probabilities. From 20 links on a logistic
//     regression around these weights learns from them, if that judges links clearly better that it has not seen.
//     Matches are transitive, so a third stage looks at third records: one that matches both records of a pair speaks for it,
//     one that matches only one of them against it.
//     The threshold is the one with the best F that the probabilities let expect.
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
