package workspace

import (
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/internal/door"
)

// Constraints and what is wrong with them.
type (
	// ViolationList lists violated constraints, the most costly first.
	ViolationList struct {
		Violations []ViolatedOne `json:"violations"`
		Satisfied  int           `json:"satisfied"`
		Total      int           `json:"total"`
	}
	// ViolatedOne is a violated constraint.
	ViolatedOne struct {
		Event   int        `json:"event"`  // 0: it is not of the session
		Source  string     `json:"source"` // where it comes from then
		Kind    string     `json:"kind"`   // label, must, cannot or belief
		A       PointName  `json:"a"`
		B       *PointName `json:"b"`     // of a link
		Label   string     `json:"label"` // of a label
		Cost    *float64   `json:"cost"`
		Penalty *float64   `json:"penalty"`
		Text    string     `json:"text"`
	}
	// LinkList lists the links and labels in force.
	LinkList struct {
		Links  []LinkOne  `json:"links"`
		Labels []LabelOne `json:"labels"`
	}
	// LinkOne is a link in force.
	LinkOne struct {
		Event    int     `json:"event"`
		Kind     string  `json:"kind"`
		A        int     `json:"a"`
		B        int     `json:"b"`
		Weight   float64 `json:"weight"`
		Violated bool    `json:"violated"`
	}
	// LabelOne is a label in force. Event 0: it is of the data.
	LabelOne struct {
		Point int    `json:"point"`
		Label string `json:"label"`
		Event int    `json:"event"`
	}
)

// ofData is the source of labels that the data have.
const ofData = "label column"

// Violations lists the violated constraints of the latest fit.
func (v *view) Violations() (*ViolationList, error) {
	out := &ViolationList{Violations: []ViolatedOne{}}
	f := v.kept.Latest()
	if f == nil {
		return out, nil
	}
	r, s := f.Result, saidIn(v.record.session.InForce())
	out.Total = f.given()
	out.Satisfied = out.Total - r.Violated()
	name := func(id string) PointName { return v.names.pointName(max(0, v.points.pointOf(id))) }
	for _, v := range r.Violations {
		b := name(v.B)
		one := ViolatedOne{Kind: string(v.Kind), A: name(v.A), B: &b, Cost: v.Cost, Penalty: v.Penalty}
		one.Event = s.links[pairOf(v.A, v.B)].N
		switch v.Kind {
		case door.CannotLink:
			one.Text = fmt.Sprintf("%s and %s should be apart, but both are in %s", v.A, v.B, b.Cluster)
		default:
			one.Text = fmt.Sprintf("%s and %s should be together, but are in %s and %s", v.A, v.B, one.A.Cluster, b.Cluster)
		}
		out.Violations = append(out.Violations, one)
	}
	for _, m := range r.Misplaced {
		one := ViolatedOne{Kind: "label", A: name(m.ID), Label: m.Label, Cost: m.Cost, Penalty: m.Penalty, Event: s.labels[m.ID].N}
		if one.Event == 0 {
			one.Source = ofData
		}
		one.Text = fmt.Sprintf("%s is labelled %s, but is in %s", m.ID, m.Label, one.A.Cluster)
		out.Violations = append(out.Violations, one)
	}
	cost := func(v ViolatedOne) float64 {
		if v.Cost == nil {
			return 0
		}
		return *v.Cost
	}
	slices.SortStableFunc(out.Violations, func(a, b ViolatedOne) int {
		switch x, y := cost(a), cost(b); {
		case x > y:
			return -1
		case y > x:
			return 1
		}
		return 0
	})
	return out, nil
}

// LinkList lists the links and labels in force.
func (v *view) LinkList() (*LinkList, error) {
	labels, err := v.record.labels()
	if err != nil {
		return nil, err
	}
	s, violated := saidIn(v.record.session.InForce()), violatedPairs(v.kept.Latest())
	out := &LinkList{Links: []LinkOne{}, Labels: []LabelOne{}}
	for _, e := range v.record.linksInForce() {
		weight := 1.0
		if e.Weight != nil {
			weight = *e.Weight
		}
		out.Links = append(out.Links, LinkOne{e.N, string(e.Op), v.points.pointOf(e.A), v.points.pointOf(e.B), weight, violated[pairOf(e.A, e.B)]})
	}
	for p, row := range v.points.order {
		if labels[row] != "" {
			out.Labels = append(out.Labels, LabelOne{p, labels[row], s.labels[v.points.table.ID(int(row))].N})
		}
	}
	return out, nil
}
