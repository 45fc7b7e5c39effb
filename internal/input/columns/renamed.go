package columns

import "slices"

// renamedRows bounds the sample in which columns are compared. A column renames a category where each of its values goes with one of the
// category's and the other way round, as the code, the number or the date of a department, a branch or a batch does. Both together would
// count one thing twice, and each would make the other look relevant.
const renamedRows = 2000

// dropRenamed leaves out each category that renames an earlier one, and each date and each number called as ids or codes are
// that renames a category. A column that the user named stays, and so do the columns of a block, such as q1 … q30.
func (in *inference) dropRenamed(list []Column) {
	block := map[string]int{}
	var order []int
	add := func(is func(c Column) bool) {
		for i, c := range list {
			if c.Used && c.At >= 0 && is(c) {
				order = append(order, i)
			}
		}
	}
	add(func(c Column) bool {
		return c.Role == Category && c.Spec.List == "" && !c.Spec.Presence && c.mark == ""
	})
	for _, i := range order {
		block[stemOf(list[i].Name)]++
	}
	categories := len(order)
	add(func(c Column) bool {
		return c.Role == Date || c.Role == Number && !c.Spec.Log && c.Spec.Since == nil && (namesID(c.Name) || namesCode(c.Name))
	})
	if in.ds.X.Len() < minHeavyTail || categories == 0 || len(order) > relevanceMost {
		return
	}
	type named struct {
		at    int
		first []int
	}
	var kept []named
	for q, i := range order {
		c := &list[i]
		first := in.firstRows(*c)
		if first == nil || block[stemOf(c.Name)] >= blockColumns {
			continue
		}
		same := slices.IndexFunc(kept, func(k named) bool { return slices.Equal(k.first, first) })
		if same < 0 || in.givenRole(c.Name) != "" {
			if q < categories {
				kept = append(kept, named{i, first})
			}
			continue
		}
		c.Used, c.Why, c.Tip = false, "says the same as "+list[kept[same].at].Name, useTip(c.Name, c.Role)
		c.Shown = c.Spec.ValuesOf(in.ds, c.At)
	}
}

// firstRows returns for each row of a sample the first one with the same value; nil where there are too many values for a category, or
// only one.
func (in *inference) firstRows(c Column) []int {
	n := in.ds.X.Len()
	m := min(n, renamedRows)
	out := make([]int, m)
	if c.Role == Category {
		texts := c.Spec.Texts(in.ds, c.At)
		return firsts(out, func(s int) string { return texts[s*n/m] })
	}
	numbers := c.Spec.sample(in.ds, c.At, m)
	return firsts(out, func(s int) string { return formatNumber(numbers[s]) })
}

func firsts(out []int, value func(int) string) []int {
	seen := map[string]int{}
	for s := range out {
		v := value(s)
		if _, ok := seen[v]; !ok {
			if seen[v] = s; len(seen) > mostLevels+1 { // and missing cells
				return nil
			}
		}
		out[s] = seen[v]
	}
	if len(seen) < 2 {
		return nil
	}
	return out
}
