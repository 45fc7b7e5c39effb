package csp

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
)

// A VectorOrder says which feasible vectors of CSP are best.
type VectorOrder string

// The orders.
const (
	ByCost   VectorOrder = "cost"   // lowest vᵀL̄v
	ByLambda VectorOrder = "lambda" // lowest λ
)

// Values returns all orders.
func (VectorOrder) Values() []string { return []string{string(ByCost), string(ByLambda)} }

// A ClosureMode reports whether constraints that follow from the given ones count.
type ClosureMode string

// The modes.
const (
	Off ClosureMode = "off"
	On  ClosureMode = "on"
)

// Values returns all modes.
func (ClosureMode) Values() []string { return []string{string(Off), string(On)} }

// A CutMode says how many vectors CSP cuts by.
type CutMode string

// The modes.
const (
	CutAuto CutMode = "auto"    // TwoWay for two clusters, else KWay
	TwoWay  CutMode = "two-way" // by the sign of one vector
	KWay    CutMode = "k-way"   // by k−1 vectors
)

// Values returns all modes.
func (CutMode) Values() []string { return []string{string(CutAuto), string(TwoWay), string(KWay)} }

// A Discretisation says what k-means of a k-way cut runs on.
type Discretisation string

// The discretisations.
const (
	ByRows     Discretisation = "rows"     // rows of the vectors
	BySign     Discretisation = "sign"     // their signs
	ByWeighted Discretisation = "weighted" // signs weighted by the inverse costs
)

// Values returns all discretisations.
func (Discretisation) Values() []string {
	return []string{string(ByRows), string(BySign), string(ByWeighted)}
}

// ViewDegrees says by whose degrees a view is normalised.
type ViewDegrees string

// The choices: those of the graph that is cut, or the view's own.
const (
	TargetDegrees ViewDegrees = "target"
	SourceDegrees ViewDegrees = "source"
)

// Values returns all choices.
func (ViewDegrees) Values() []string { return []string{string(TargetDegrees), string(SourceDegrees)} }

// The rules for β of CSP, beside a number.
const (
	BetaAuto = cluster.RuleAuto // compares candidates by their clusters
	BetaOne  = "one"            // just as many feasible vectors as are needed
	BetaEq19 = "eq19"           // equation (19)
)

// DemandPaper is the rule for the demand graph of FastGE that its paper has: 1/n, beside auto and a number.
const DemandPaper = "paper"

// checkBeta refuses a β that is neither a rule nor a finite number.
func checkBeta(beta cluster.Number) error {
	if err := beta.Check("beta", math.Inf(-1), BetaAuto, BetaOne, BetaEq19); err != nil {
		return fmt.Errorf("%w; a number is a fraction of the largest possible beta, such as 0.5", err)
	}
	return nil
}

// checkDemand refuses a factor of the demand graph out of range.
func checkDemand(demand cluster.Number) error {
	if demand.Rule == "" && (!(demand.Value >= 1e-9) || demand.Value > 1e9) {
		return fmt.Errorf("demand must be auto, paper or a factor from 1e-9 to 1e9, got %v", demand.Value)
	}
	return demand.Check("demand", 0, cluster.RuleAuto, DemandPaper)
}
