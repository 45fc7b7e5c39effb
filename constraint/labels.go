package constraint

// known is what the labels say of each point once soft seeds are set aside.
type known struct {
	class []int32 // class of each point, -1 for none and for soft seeds; the first one given where they clash; nil without labels
	soft  []bool  // soft seeds; nil without labels
	clash []int32 // points of several classes, all of weight 1, rising
}

// readLabels sorts the labels into hard ones, soft seeds and clashes. The
// labels must be in range.
func readLabels(n int, labels []Label) known {
	if len(labels) == 0 {
		return known{}
	}
	const several, unequal = 1, 2
	k := known{class: make([]int32, n), soft: make([]bool, n)}
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
			k.clash = append(k.clash, int32(i))
		}
	}
	return k
}
