// Package continuity decides what answers to questions change about a clustering, so that
// no answer makes a good clustering worse.
//
// Minimal change (change.go). The rows of answers move where the answers demand it, and
// nothing else does: the clusters y of the asked rows minimise
//
//	Σ_i leave [y_i ≠ b_i] + violate Σ w [answer violated by y]
//
// where b are the clusters without answers, leave = 1 and violate = 2. An answer that
// would move three rows is doubted rather than obeyed. Among equals the row moves that is
// nearest to another cluster.
//
// Doubt (doubt.go). From ten asked rows on, the other rows predict where a row is, by the
// kernel over which labels spread, calibrated on the rows themselves. A row does not leave where
// that is surprising, with odds of more than twelve to one; the answer is doubted instead. Where
// the calibration finds many rows at odds with the others, answers weigh less.
//
// Evidence for more (evidence.go). Label spreading, which moves rows that nobody asked
// about, takes over where the answers refute the clusters that there are: of n asked rows
// f had to leave, more than a twentieth by two standard deviations,
//
//	n ≥ max(8, 4k) and (f − n/20) / √(n · 1/20 · 19/20) + 3 min(0, z) ≥ 2
//
// where z is by how many standard deviations it tells asked rows, each from all others, better than the
// clusters do, obeying all answers (paired); or where it tells them clearly better (z ≥ 2.2). It never does where one of
// its clusters would be below a third of the mean size and below half of the smallest cluster without answers.
// The labels that spread are what answers demand, but for those that the other asked rows speak against. Where the
// asked rows, at least 2 max(8, 4k) of them, tell less than a seventh of what there is to know about one another,
// nothing spreads: answers of which many are wrong refute any clusters, and their labels have nothing to do with the rows.
//
// Hysteresis (looks.go). The question is put after 5, 6, 8, 10, 12, 15, 20 and so on answers, in turn, whenever
// a clustering is asked for: the result depends on the answers and their order alone. What took over stays
// until it is clearly worse: until the sum is below 1 and the clusters without answers tell rows better by one.
//
// The bounds are those of a prototype on fifteen tables, except those of doubt, 4k, 3 min(0, z), the seventh, and that
// rows are held out and not components; bench/ask measures them.
package continuity
