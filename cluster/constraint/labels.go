package constraint

// pointLabels is the class of each point, with soft seeds set aside.
type pointLabels struct {
	class    []int32 // class of each point, -1 for none and for soft seeds; the first one given where they conflict; nil without labels
	soft     []bool  // soft seeds; nil without labels
	clashing []int32 // points of several classes, all of weight 1, ascending
}

// readLabels sorts the labels into hard ones, soft seeds and conflicts. The
// labels must be in range.
func readLabels(n int, labels []Label) pointLabels {
	if len(labels) == 0 {
		return pointLabels{}
	}
	const several, unequal = 1, 2
	k := pointLabels{class: make([]int32, n), soft: make([]bool, n)}
	state := make([]uint8, n)
	for i := range k.class {
		k.class[i] = -1
	}
	for _, l := range labels {
		switch k.class[l.I] {
		case -1:
			k.class[l.I] = int32(l.Class)
		case int32(l.Class):
		default:
			state[l.I] |= several
		}
		if l.W != 1 {
			state[l.I] |= unequal
		}
	}
	for i, st := range state {
		switch st {
		case several | unequal:
			k.class[i], k.soft[i] = -1, true
		case several:
			k.clashing = append(k.clashing, int32(i))
		}
	}
	return k
}
