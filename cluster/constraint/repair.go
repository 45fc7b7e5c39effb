package constraint

import "slices"

// Dropped names constraints of a Set by their indices in its lists, ascending.
type Dropped struct {
	Must, Cannot, Labels []int
}

// Len returns the number of constraints.
func (d *Dropped) Len() int { return len(d.Must) + len(d.Cannot) + len(d.Labels) }

// Repair returns constraints of s, as few as it finds, without which the others
// do not contradict each other; it returns an empty Dropped where s is
// consistent or fails Check for n points. Weights count: a pair of weight 2 is as hard to drop as
// two pairs. Beliefs and soft seeds contradict nothing and stay.
//
// Dropping the least weight is correlation clustering (Bansal, Blum and Chawla
// 2004), which is NP-hard: divide the points so that the constraints that
// disagree weigh least. We start from single points, and again from what is left
// when the links with most contradictions are cut; merge the two groups with
// the strongest preference, move points one by one, and merge again, as long as
// that helps; keep the better result, and restore links that need not be cut.
// Where mistakes are few, the result is these mistakes except for one or two; it
// need not be optimal. The cost is a few times O(m log m) for m constraints.
func Repair(n int, s *Set) *Dropped {
	if s == nil || s.Check(n) != nil {
		return &Dropped{}
	}
	if _, err := Close(n, s); err == nil {
		return &Dropped{}
	}
	r := newRepairGraph(n, s)
	newGrouping(r).cutBetweenGroups()
	r.dropJoinedCannots()
	r.restoreLinks()
	return r.allDropped()
}

// allDropped lists the cannot-links that are dropped and the entries of the
// links that are cut.
func (r *repairGraph) allDropped() *Dropped {
	d := &Dropped{}
	for at, gone := range r.dropped {
		if gone {
			d.Cannot = append(d.Cannot, at)
		}
	}
	for _, l := range r.links {
		for _, entry := range l.entries {
			switch {
			case !l.cut:
			case entry < 0:
				d.Labels = append(d.Labels, int(^entry))
			default:
				d.Must = append(d.Must, int(entry))
			}
		}
	}
	slices.Sort(d.Must)
	slices.Sort(d.Labels)
	return d
}

// Repaired returns s without what Repair drops; s itself where nothing contradicts.
func Repaired(n int, s *Set) *Set {
	d := Repair(n, s)
	if d.Len() == 0 {
		return s
	}
	return &Set{Names: s.Names, Beliefs: s.Beliefs, Must: without(s.Must, d.Must), Cannot: without(s.Cannot, d.Cannot), Labels: without(s.Labels, d.Labels)}
}

// without returns list without the elements at the given indices, ascending.
func without[T any](list []T, drop []int) []T {
	out := make([]T, 0, len(list)-len(drop))
	for i, v := range list {
		if len(drop) > 0 && drop[0] == i {
			drop = drop[1:]
			continue
		}
		out = append(out, v)
	}
	return out
}
