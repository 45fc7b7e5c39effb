package constraint

import (
	"fmt"
	"strconv"
)

// An Answer is yes, no, or unknown within the effort allowed.
type Answer int

// The answers. The zero value is Unknown.
const (
	Unknown Answer = iota
	Yes
	No
)

func (a Answer) String() string {
	switch a {
	case Yes:
		return "yes"
	case No:
		return "no"
	case Unknown:
		return "unknown"
	}
	return "Answer(" + strconv.Itoa(int(a)) + ")"
}

// A Verdict says whether k clusters can satisfy the constraints of a closure,
// and why.
type Verdict struct {
	Answer Answer
	// Clique is more than k components, any two of them kept apart by a
	// cannot-link or by their classes: a proof of No. Nil where another proof
	// was found.
	Clique []int
	// Cycle is an odd number of components, each kept apart from the next and
	// the last from the first: a proof of No for k = 2.
	Cycle []int
	// Core is components that cannot be divided among k clusters, a proof of No
	// found by exhaustive search. It is as small as the effort allowed: without
	// any one of them the others can be divided.
	Core []int
	Why  string
}

// Proof returns the components that prove a No: the Clique, else the Cycle,
// else the Core.
func (v Verdict) Proof() []int {
	for _, proof := range [][]int{v.Clique, v.Cycle} {
		if proof != nil {
			return proof
		}
	}
	return v.Core
}

func cliqueVerdict(k int, clique []int) Verdict {
	return Verdict{Answer: No, Clique: clique, Why: fmt.Sprintf("%d components all exclude each other, more than %d", len(clique), k)}
}

func oddCycleVerdict(cycle []int) Verdict {
	v := Verdict{Answer: No, Cycle: cycle, Why: fmt.Sprintf("%d components exclude each other in an odd cycle", len(cycle))}
	if len(cycle) == 3 {
		v.Clique = append([]int(nil), cycle...)
	}
	return v
}

func exhaustedVerdict(k int, core []int) Verdict {
	return Verdict{Answer: No, Core: core, Why: fmt.Sprintf("%d components that exclude each other cannot be divided into %d clusters", len(core), k)}
}

func unknownVerdict(k, components int) Verdict {
	return Verdict{Answer: Unknown, Why: fmt.Sprintf("%d components exclude each other in too many ways to try every division into %d clusters", components, k)}
}
