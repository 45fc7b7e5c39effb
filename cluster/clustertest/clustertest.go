// Package clustertest checks that every Algorithm keeps the contract of package cluster:
// one call of Run in each algorithm's test file.
package clustertest

import (
	"testing"

	"github.com/inklinghq/inkling/cluster"
)

// A Check is one clause of the contract. Do returns how a violates it, or nil.
type Check struct {
	Name string
	Do   func(a cluster.Algorithm) error
}

// Run checks every clause for a, on rows of numbers.
func Run(t *testing.T, a cluster.Algorithm) {
	for _, c := range Checks() {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Do(a); err != nil {
				t.Error(err)
			}
		})
	}
}

// Sample is Run, but with -short it checks only the clauses about concurrent use:
// for variants of a method that Run checks in full.
func Sample(t *testing.T, a cluster.Algorithm) {
	for _, c := range Checks() {
		if testing.Short() && !concurrent[c.Name] {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Do(a); err != nil {
				t.Error(err)
			}
		})
	}
}

// concurrent names the clauses that test concurrent use.
var concurrent = map[string]bool{"SameBitsOnAnyWorkers": true, "KeepsNoState": true, "CancelReturnsBestSoFar": true}

// Checks returns the contract, clause by clause. Clauses of one call share fits.
func Checks() []Check {
	u := &suite{fits: map[cluster.Algorithm]hardFit{}}
	return []Check{
		{"SameBitsOnAnyWorkers", u.sameBitsOnAnyWorkers},
		{"SameBitsOnAnyStorage", u.sameBitsOnAnyStorage},
		{"KeepsNoState", u.keepsNoState},
		{"LeavesProblemAlone", u.leavesProblemAlone},
		{"OrderOfPairNeverMatters", u.orderOfPairNeverMatters},
		{"ObjectiveNeverRises", u.objectiveNeverRises},
		{"TraceIsOfTheResult", traceIsOfTheResult},
		{"LabelsFitModel", u.labelsFitModel},
		{"ModelSurvivesDisk", u.modelSurvivesDisk},
		{"CancelReturnsBestSoFar", cancelReturnsBestSoFar},
		{"TimeoutIsReported", timeoutIsReported},
		{"StartsWithoutTime", startsWithoutTime},
		{"FindsSeparateBlobs", u.findsSeparateBlobs},
		{"FindsTheNumber", findsTheNumber},
		{"LeavesNoise", leavesNoise},
		{"DegenerateInputHasAnAnswer", degenerateInput},
		{"RefusesBadProblems", refusesBadProblems},
		{"ContradictionHasAnAnswer", contradictionHasAnAnswer},
	}
}
