package main

import (
	"fmt"

	"github.com/inklinghq/inkling/constraint"
)

// A dropCard is a piece of knowledge to drop: a pair, or a label, of which b is
// the class.
type dropCard struct {
	Kind string `json:"kind"` // must, cannot or label
	A    string `json:"a"`
	B    string `json:"b"`
	File string `json:"file"`
	Line int    `json:"line"`
}

func (d dropCard) String() string {
	at := place{d.File, d.Line}
	if d.Kind == "label" {
		return fmt.Sprintf("%s: %s is %s", at, d.A, d.B)
	}
	return fmt.Sprintf("%s: %s and %s %s be together", at, d.A, d.B, d.Kind)
}

// repair returns pieces, as few as are found, without which the others do not
// contradict each other.
func (k *knowledge) repair(n int) []dropCard {
	d := constraint.Repair(n, k.set)
	out := make([]dropCard, 0, d.Len())
	add := func(kind, list string, at int, a, b string) {
		p := k.places[list][at]
		out = append(out, dropCard{kind, a, b, p.file, p.line})
	}
	pair := func(kind string, p constraint.Pair, at int) { add(kind, kind, at, k.name(p.I), k.name(p.J)) }
	for _, at := range d.Must {
		pair("must", k.set.Must[at], at)
	}
	for _, at := range d.Cannot {
		pair("cannot", k.set.Cannot[at], at)
	}
	for _, at := range d.Labels {
		l := k.set.Labels[at]
		add("label", "labels", at, k.name(l.I), k.set.Name(l.Class))
	}
	return out
}
