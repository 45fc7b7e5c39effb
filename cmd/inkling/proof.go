package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/constraint"
)

// proved tells a contradiction by ids, and where its pieces stand.
func (k *knowledge) proved(c *constraint.ConflictError) string {
	text := c.Describe(k.name)
	if where := k.where(c); len(where) > 0 {
		text += " (" + listPlaces(where) + ")"
	}
	return text
}

// where returns the places of the pieces that a contradiction is made of, by
// file, each once.
func (k *knowledge) where(c *constraint.ConflictError) (out []place) {
	add := func(list string, at int) {
		if at >= 0 && !slices.Contains(out, k.places[list][at]) {
			out = append(out, k.places[list][at])
		}
	}
	add("cannot", c.Pair)
	if c.Pair < 0 {
		add("labels", c.Ends[0].Label)
		add("labels", c.Ends[1].Label)
	}
	for _, s := range c.Chain {
		add("must", s.Must)
		if s.Must < 0 {
			add("labels", s.Labels[0])
			add("labels", s.Labels[1])
		}
	}
	slices.SortStableFunc(out, func(a, b place) int {
		if a.file != b.file {
			return strings.Compare(a.file, b.file)
		}
		return a.line - b.line
	})
	return out
}

// listPlaces writes places, sorted, as file:line, line, line; file:line.
func listPlaces(places []place) string {
	const most = 12
	var b strings.Builder
	for at, p := range places {
		switch {
		case at == most:
			fmt.Fprintf(&b, " and %d more", len(places)-most)
			return b.String()
		case at > 0 && p.file == places[at-1].file:
			b.WriteString(", " + strconv.Itoa(p.line))
		case at > 0:
			b.WriteString("; " + p.String())
		default:
			b.WriteString(p.String())
		}
	}
	return b.String()
}

// infeasible says why so few clusters cannot do, with a row of each component
// of the proof.
func (k *knowledge) infeasible(closed *constraint.Closure, v constraint.Verdict) string {
	proof := v.Proof()
	if len(proof) == 0 {
		return v.Why
	}
	var ids []string
	for _, c := range proof {
		ids = append(ids, k.name(int(closed.Members(c)[0])))
	}
	return fmt.Sprintf("%s (%ss %s)", v.Why, k.point, few(ids, 12))
}
