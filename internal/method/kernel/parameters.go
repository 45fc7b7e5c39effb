package kernel

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// A KernelFunction says how similar two rows are; see affinity.Kernel for the
// formulas.
type KernelFunction string

// The kernel functions.
const (
	RBF        KernelFunction = "rbf"
	Linear     KernelFunction = "linear"
	Polynomial KernelFunction = "poly"
	Cosine     KernelFunction = "cosine"
)

// Values returns the names of all kernel functions.
func (KernelFunction) Values() []string {
	return []string{string(RBF), string(Linear), string(Polynomial), string(Cosine)}
}

// affinityKind returns the name that package affinity has for f.
func (f KernelFunction) affinityKind() affinity.KernelKind {
	switch f {
	case Linear:
		return affinity.Linear
	case Polynomial:
		return affinity.Polynomial
	case Cosine:
		return affinity.Cosine
	}
	return affinity.RBF
}

// An Init says how the first clusters are made.
type Init string

// The ways to make the first clusters: components of must-links far from each
// other, or random labels.
const (
	InitFarthest Init = "farthest"
	InitRandom   Init = "random"
)

// Values returns the names of all ways to start.
func (Init) Values() []string { return []string{string(InitFarthest), string(InitRandom)} }

// A GraphInit says how the first clusters of a graph are made.
type GraphInit string

// The ways to make the first clusters of a graph: by the multilevel search of
// GraphCut, from components of must-links far from each other, or by random
// labels. Auto is the multilevel search, and farthest at low effort.
const (
	GraphInitAuto       GraphInit = "auto"
	GraphInitMultilevel GraphInit = "multilevel"
	GraphInitFarthest   GraphInit = "farthest"
	GraphInitRandom     GraphInit = "random"
)

// Values returns the names of all ways to start on a graph.
func (GraphInit) Values() []string {
	return []string{string(GraphInitAuto), string(GraphInitMultilevel), string(GraphInitFarthest), string(GraphInitRandom)}
}

// A PairTerm says what soft pairs add to J.
type PairTerm string

// The terms, for a pair of weight w and c a cluster. Penalty: a violated must-link
// costs w/α(c) in the cluster of each end, a violated cannot-link 2w/α(c) in the
// cluster of both. Reward, as in the paper: a satisfied must-link earns 2w/α(c)
// instead. Then J is lowest where a few must-linked points are a cluster of their
// own, because what they earn is divided by their mass alone.
const (
	PairPenalty PairTerm = "penalty"
	PairReward  PairTerm = "reward"
)

// Values returns the names of all terms.
func (PairTerm) Values() []string { return []string{string(PairPenalty), string(PairReward)} }

// Rules for parameters that are a number or a rule, beside cluster.RuleAuto.
const (
	RulePaper  = "paper"  // a weight of pairs: n/(kC) for C pairs
	RuleMedian = "median" // a width: half the median distance of two rows
	RuleExact  = "exact"  // a shift: the least that makes the kernel positive definite
)

// fixedValue returns the number that was given, 0 for a rule.
func fixedValue(n cluster.Number) float64 {
	if n.Rule != "" {
		return 0
	}
	return n.Value
}

// checkWeight refuses a weight of pairs that is neither a rule nor a number from 0
// on; 0 stands for auto.
func checkWeight(weight cluster.Number, rules ...string) error {
	return weight.Check("weight", 0, append(rules, cluster.RuleAuto)...)
}

// checkRunOptions refuses values of the parameters that all methods with a
// kmeansRun share.
func checkRunOptions[I enum.Value](objective Objective, shift cluster.Number, init I, weight cluster.Number, pairs PairTerm) error {
	if err := enum.Check("pair-term", pairs); err != nil {
		return err
	}
	if err := enum.Check("objective", objective); err != nil {
		return err
	}
	if err := enum.Check("init", init); err != nil {
		return err
	}
	if err := shift.Check("shift", 0, cluster.RuleAuto, RuleExact); err != nil {
		return err
	}
	return checkWeight(weight, RulePaper)
}

// needsExactShift reports whether a shift is computed from the spectrum of the
// matrix: on request, and by auto for the ratio cut, whose kernel without a
// shift is negative definite.
func needsExactShift(shift cluster.Number, objective Objective) bool {
	return shift.Rule == RuleExact || shift.Rule == cluster.RuleAuto && objective == RatioCut
}
