// Package simd finds the nearest centre of many rows at the speed of the
// machine, and gives the same bits on every machine.
//
// The answers are defined by one function, Dist2: the label of a row is the
// centre h with the smallest Dist2(x, c_h), the lowest h on ties. Kernels in
// assembly only propose labels, by scores in integers (see intcentres.go) or in
// float32; a bound on their error (see errorbound.go) says which labels are proven,
// and the other rows are decided by the next better scores, those in float64
// among them, at last by Dist2 itself. Distances are float64 in a fixed order of
// additions, and sums are held in two numbers each (see TwoSum).
//
// In comments n is the number of rows, d of features, k of centres; x is a row,
// c_h a centre.
package simd

var (
	highest = detect()
	level   = highest
)

// Highest returns the best level that this machine and its system support.
func Highest() Level { return highest }

// Force makes all that follows use level l, or the highest if l is above it,
// and returns the level used before. It is for tests: nothing else of this
// package may run meanwhile, and Centres keep the level they were packed at.
func Force(l Level) (before Level) {
	before = level
	level = max(Plain, min(l, highest))
	return before
}
