package door

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/support/format"
)

// contradiction returns a *ConstraintError where the constraints contradict each
// other, with the shortest chain that proves it, or where k clusters cannot
// satisfy them.
func (b *bound) contradiction(ctx context.Context, n, k int) error {
	closed, err := constraint.Close(n, b.set)
	if err != nil {
		found := constraint.Conflicts(n, b.set, 1)
		if len(found) == 0 {
			return err
		}
		return &ConstraintError{Msg: "the constraints contradict each other: " + b.proof(found[0]),
			Hint: "`inkling check` lists what to remove", Err: found[0]}
	}
	if _, v := closed.Colour(ctx, k); v.Answer == constraint.No {
		bad := &ConstraintError{Msg: fmt.Sprintf("%s cannot satisfy the constraints: %s", format.Count(k, "cluster"), b.infeasible(closed, v))}
		if need := len(b.set.Names); need > k {
			bad.Hint = Hint(fmt.Sprintf("{k=%d} has a cluster for each class", need))
		}
		return bad
	}
	return nil
}

// proof describes a contradiction by ids, and says where its parts were given.
func (b *bound) proof(c *constraint.ConflictError) string {
	text := c.Describe(b.name)
	if where := b.where(c); len(where) > 0 {
		text += " (" + listPlaces(where) + ")"
	}
	return text
}

// where returns the places of the constraints that a contradiction is made of,
// by file, each once.
func (b *bound) where(c *constraint.ConflictError) (out []Place) {
	seen := map[Place]bool{}
	add := func(of list, at int) {
		if at < 0 {
			return
		}
		if p := b.places[of][at]; p.File != "" && !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	add(cannotList, c.Pair)
	if c.Pair < 0 {
		add(labelList, c.Ends[0].Label)
		add(labelList, c.Ends[1].Label)
	}
	for _, s := range c.Chain {
		add(mustList, s.Must)
		if s.Must < 0 {
			add(labelList, s.Labels[0])
			add(labelList, s.Labels[1])
		}
	}
	slices.SortStableFunc(out, func(a, b Place) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Line - b.Line
	})
	return out
}

// listPlaces writes places, sorted, as file:line, line, line; file:line.
func listPlaces(places []Place) string {
	const most = 12
	var b strings.Builder
	for at, p := range places {
		switch {
		case at == most:
			fmt.Fprintf(&b, " and %d more", len(places)-most)
			return b.String()
		case at > 0 && p.File == places[at-1].File:
			b.WriteString(", " + strconv.Itoa(p.Line))
		case at > 0:
			b.WriteString("; " + p.String())
		default:
			b.WriteString(p.String())
		}
	}
	return b.String()
}

// infeasible says why k clusters are too few, with a row of each component of
// the proof.
func (b *bound) infeasible(closed *constraint.Closure, v constraint.Verdict) string {
	proof := v.Proof()
	if len(proof) == 0 {
		return v.Why
	}
	var ids []string
	for _, c := range proof {
		ids = append(ids, b.name(int(closed.Members(c)[0])))
	}
	return fmt.Sprintf("%s (%ss %s)", v.Why, b.point, format.Few(ids, 12))
}
