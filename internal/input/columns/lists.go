package columns

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// A cell may hold a list: Drama|Comedy|Crime, "tea; bread", ["red", "blue"]. Such a column is one indicator for each value that lists have. Lists are
// told from other texts by how their parts combine: the same few parts come in many combinations, several of them in many cells, and not
// always as many or each in its own place, as the parts of "Berlin, Germany" and "Smith, John" do.
const (
	severalParts  = 0.2  // of the cells have more than one part
	fewestParts   = 3    // different values
	mostParts     = 60   // different values that are not rare
	wordsOfPart   = 4    // a part has no more words
	runesOfPart   = 40   // nor letters
	partsTogether = 3    // different cells that a part stands in, at least
	partsCombine  = 0.8  // of the parts of all cells are such
	partsPooled   = 0.25 // of the parts of all cells may be rare
	partsMove     = 0.3  // of the parts of cells with several: values that stand in more than one place
)

// brackets is the Spec.List of lists such as ["a", 'b'] and {a,b}.
const brackets = "[]"

// betweenParts are what may stand between the parts of a list, the surest first.
var betweenParts = []string{brackets, "|", ";", ",", "/"}

// Members returns the different values of a cell that holds a list, in their order.
func (s Spec) Members(cell string) (out []string) {
	for _, part := range partsOf(cell, s.List) {
		if same, ok := s.Same[part]; ok {
			part = same
		}
		if !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// Count counts in how many cells each value of a category stands; missing cells have none.
func (s Spec) Count(cells []string) map[string]int {
	if s.List == "" {
		return countValues(cells)
	}
	count, known := map[string]int{}, map[string][]string{}
	for _, cell := range cells {
		members, seen := known[cell]
		if !seen && cell != "" {
			members = s.Members(cell)
			known[cell] = members
		}
		for _, part := range members {
			count[part]++
		}
	}
	return count
}

// partsOf cuts a cell into the parts of a list; empty ones and words for missing values are none.
func partsOf(cell, between string) (out []string) {
	add := func(part string) {
		if part = strings.Trim(part, blanks); part != "" && !missingToken(part) {
			out = append(out, part)
		}
	}
	if between != brackets {
		for _, part := range strings.Split(cell, between) {
			add(part)
		}
		return out
	}
	cell = strings.Trim(cell, blanks)
	if !inBrackets(cell) {
		add(cell)
		return out
	}
	var values []any
	if json.Unmarshal([]byte(cell), &values) == nil {
		for _, v := range values {
			switch v := v.(type) {
			case string:
				add(v)
			case float64:
				add(formatNumber(v))
			}
		}
		return out
	}
	quote := rune(0)
	var part strings.Builder
	for _, r := range cell[1 : len(cell)-1] {
		switch {
		case quote == 0 && (r == '"' || r == '\'') && strings.Trim(part.String(), blanks) == "":
			quote = r
			part.Reset()
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && r == ',':
			add(part.String())
			part.Reset()
		default:
			part.WriteRune(r)
		}
	}
	add(part.String())
	return out
}

// inBrackets reports whether a cell is a list in brackets.
func inBrackets(cell string) bool {
	return len(cell) >= 2 && (cell[0] == '[' && cell[len(cell)-1] == ']' || cell[0] == '{' && cell[len(cell)-1] == '}') && !strings.ContainsAny(cell[1:len(cell)-1], "[]{}")
}

// listOfCells finds what stands between the parts of the cells, counted in all, and in how many cells each part is; "" where they are no lists.
func listOfCells(all map[string]int) (between string, parts map[string]int) {
	for _, between := range betweenParts {
		if parts := countParts(all, between); parts != nil {
			return between, parts
		}
	}
	return "", nil
}

// countParts counts in how many cells each part is; nil where cells do not look as lists with this between their parts.
func countParts(all map[string]int, between string) map[string]int {
	mark := between
	if between == brackets {
		mark = ""
	}
	cells, several, lengths := 0, 0, map[int]bool{}
	parts, combined := map[string]int{}, map[string]int{}
	places := map[string]uint64{}
	for cell, k := range all {
		cells += k
		if between == brackets && !inBrackets(strings.Trim(cell, blanks)) {
			return nil
		}
		if mark != "" && !strings.Contains(cell, mark) && wordy(cell) {
			return nil
		}
		list := partsOf(cell, between)
		lengths[len(list)] = true
		if len(list) > 1 {
			several += k
		}
		seen := map[string]bool{}
		for at, part := range list {
			if seen[part] {
				continue
			}
			if seen[part] = true; wordy(part) {
				return nil
			}
			parts[part] += k
			combined[part]++
			if len(list) > 1 {
				places[part] |= 1 << min(at, 63)
			}
		}
	}
	if cells == 0 || float64(several) < severalParts*float64(cells) || len(parts) < fewestParts {
		return nil
	}
	total, together, moving := 0, 0, 0
	for part, k := range parts {
		total += k
		if combined[part] >= partsTogether {
			together += k
		}
		if at := places[part]; at&(at-1) != 0 {
			moving += k
		}
	}
	frequent, _ := Levels(parts, cells)
	pooled := total
	for _, part := range frequent {
		pooled -= parts[part]
	}
	switch {
	case float64(together) < partsCombine*float64(total), len(frequent) < fewestParts, len(frequent) > mostParts, float64(pooled) > partsPooled*float64(total):
		return nil
	case between != brackets && (len(lengths) == 1 || float64(moving) < partsMove*float64(total)):
		return nil
	}
	return parts
}

// wordy reports whether a part of a cell is too long for a value in a list.
func wordy(part string) bool {
	return utf8.RuneCountInString(part) > runesOfPart || len(strings.Fields(part)) > wordsOfPart
}

// asList makes a column one of lists.
func (in *inference) asList(c *Column, between string, parts map[string]int) {
	same := sameSpelling(parts)
	if same != nil {
		parts = merged(parts, same)
	}
	frequent, rare := Levels(parts, in.ds.X.Len())
	c.Role, c.Spec.Role, c.Spec.List, c.Used, c.Levels = Category, Category, between, true, len(frequent)
	c.Spec.Same = same
	c.Why = fmt.Sprintf("lists of %d different values", len(parts))
	if rare > 0 {
		c.Levels++
		c.Why += fmt.Sprintf(", %d rare ones pooled", rare)
	}
	c.Tip = hint.Sprintf("{category=%s} takes each list as one value", c.Name)
}

// namedList makes a column that a plan calls one of lists such a column, by what stands most often between parts.
func (in *inference) namedList(c *Column, j int) error {
	all := countValues(c.Spec.Texts(in.ds, j))
	best, most := "", 0
	for _, between := range betweenParts {
		count := 0
		for cell, k := range all {
			if (between == brackets) == inBrackets(cell) && len(partsOf(cell, between)) > 1 {
				count += k
			}
		}
		if count > most {
			best, most = between, count
		}
	}
	if best == "" {
		return &dataio.Error{File: in.ds.Name, Msg: fmt.Sprintf("column %q has no cell with several values", c.Name), Hint: "lists have | or ; or , between their values, or stand in brackets"}
	}
	parts := map[string]int{}
	for cell, k := range all {
		for _, part := range (Spec{List: best}).Members(cell) {
			parts[part] += k
		}
	}
	in.asList(c, best, parts)
	c.Why, c.Tip = "named as lists, "+c.Why, ""
	return nil
}

// weighLists gives a column of lists such a weight that its values vary along their main direction as one number does: that of
//
//	Σ λ / λ₁
//
// numbers, for the variances λ of the values along their principal directions, of which λ₁ is the largest. Multiple factor analysis
// weighs groups of columns so. Lists of a few values that go together count as one number; many values in several groups as many.
func (in *inference) weighLists(list []Column) {
	for i := range list {
		c := &list[i]
		if !c.Used || c.Spec.List == "" {
			continue
		}
		m := min(in.ds.X.Len(), mostSampled)
		one := in.candidateOf(c, i, m)
		var rows [][]float64
		total := 0.0
		for s, there := range one.there {
			if there {
				row := one.x[s*one.width:][:one.width]
				total += dot(row, row)
				rows = append(rows, row)
			}
		}
		if most := largestSquare(rows); most > 0 && total > most {
			c.Spec.Weight = math.Sqrt(total / most)
		}
	}
}
