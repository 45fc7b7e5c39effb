package columns

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// asTexts decides on a column in which some cells are not plain numbers; plain is how
// many are.
func (in *inference) asTexts(c *Column, j, plain int, odd map[string]int) error {
	total := plain
	codes, days, phones := true, 0, 0
	for s, k := range odd {
		total += k
		codes = codes && isCode(s)
		if _, _, ok := parseDate(s, false); ok {
			days += k
		}
		if isPhone(s) || isVersion(s) {
			phones += k
		}
	}
	if float64(days) >= mostly*float64(total) {
		return in.asDate(c, j, false)
	}
	zeros := codes && slices.ContainsFunc(slices.Collect(keys(odd)), func(s string) bool { return s[0] == '0' })
	if float64(phones) < mostly*float64(total) && !zeros && !(codes && plain == 0) {
		r := readNumbers(columnOf(in.ds, j), odd)
		unread := total - plain - r.read
		enough := float64(plain+r.read) >= mostly*float64(total)
		if words := r.left; !enough && len(words) <= fewWords && 2*unread <= total && in.distinctNumbers(j, r.spec) >= fewGroups && in.tokensRepeat(odd, words) {
			r.spec.Gone, enough = words, true
		}
		if enough {
			return in.asNumber(c, j, false, odd, r)
		}
	}
	all := odd
	if plain > 0 {
		all = countValues(c.Spec.Texts(in.ds, j))
	}
	if order, _ := orderOf(all); order != nil && plain == 0 {
		return in.asNumber(c, j, false, odd, nil)
	}
	what := ""
	switch {
	case zeros:
		what = "codes with leading zeros"
	case codes:
		what = "codes of many digits"
	default:
		if same, ok := truthValues(all); ok {
			what, c.Spec.Same = "truth values", same
		} else {
			c.Spec.Same = sameSpelling(all)
		}
		if c.Spec.Same != nil {
			all = merged(all, c.Spec.Same)
		}
	}
	return in.asStrings(c, j, plain, total, all, what)
}

// tokensRepeat reports whether each of the words stands in several cells.
func (in *inference) tokensRepeat(odd map[string]int, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return odd[w] < 3 })
}

// distinctNumbers counts the different numbers of a column, up to fewGroups.
func (in *inference) distinctNumbers(j int, spec Spec) int {
	values, _ := spec.Numbers(in.ds, j)
	seen := map[float64]bool{}
	for _, y := range values {
		if y == y {
			if seen[y] = true; len(seen) >= fewGroups {
				break
			}
		}
	}
	return len(seen)
}

func keys(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// asStrings tells ids, categories and free text apart.
func (in *inference) asStrings(c *Column, j, plain, total int, all map[string]int, what string) error {
	words, distinct, idLike, people, streets := 0, len(all), 0, 0, 0
	for s, k := range all {
		words += k * len(strings.Fields(s))
		if looksLikeID(s) {
			idLike += k
		}
		if isPersonName(s) {
			people += k
		}
		if isAddress(s) {
			streets += k
		}
	}
	between, parts := "", map[string]int(nil)
	if what == "" && plain == 0 && total >= fewValues {
		between, parts = listOfCells(all)
	}
	long := float64(words) >= textWords*float64(total)
	unique := distinct == total && c.Missing == 0 && total > 1
	kind := ""
	if what == "" {
		kind = shapeOf(all)
	}
	ids := float64(idLike) >= mostly*float64(total)
	tip := useTip(c.Name, Category)
	switch {
	case distinct == 1 && c.Missing == 0:
		c.Role, c.Why = Constant, "every row has the same value"
	case distinct == 1 && in.areMarks(c, total):
		for s := range all {
			c.asMarks(s)
		}
	case almostConstant(slices.Max(slices.Collect(maps.Values(all))), total):
		c.Role, c.Why, c.Tip = Constant, "almost every row has the same value", tip
	case unique && !in.idFound && !long && (j == 0 && plain == 0 || namesID(c.Name)) && !(10*people >= 9*total && in.otherIDs(j)):
		in.useIDs(c)
	case in.nearlyUnique(distinct, total) && !in.idFound && c.Missing == 0 && (ids && (j == 0 || namesID(c.Name)) || kind == "UUIDs" && j == 0) && (namesID(c.Name) || !in.otherIDs(j)):
		return in.duplicateID(c, j)
	case kind != "":
		c.Role, c.Why, c.Tip = Unique, kind, tip
	case between != "":
		in.asList(c, between, parts)
	case 10*streets >= 8*total && distinct > fewTexts && 3*distinct > total:
		c.Role, c.Why, c.Tip = Unique, "addresses", tip
	case long && distinct > fewTexts && distinct > total/20:
		c.Role, c.Why = Text, "free text"
		c.Tip = hint.Sprintf("{text=%s} compares it by TF-IDF", c.Name)
	case 10*people >= 9*total && distinct > 30 && (namesPerson(c.Name) || 2*distinct > total || !describesGroups(all, in.ds.X.Len())):
		c.Role, c.Why, c.Tip = Unique, fmt.Sprintf("%d names of persons", distinct), tip
	case distinct < total && distinct <= max(total/2, 2):
		in.asCategory(c, all)
		if what != "" {
			c.Why = what + ", " + c.Why
		}
		if c.Used {
			c.Tip = labelTip(c.Name, in.rules)
		} else {
			c.Tip = tip
		}
	case long:
		c.Role, c.Why = Text, "free text"
		c.Tip = hint.Sprintf("{text=%s} compares it by TF-IDF", c.Name)
	case unique:
		c.Role, c.Why = Unique, ownValue
		if !in.idFound && !in.rules.NoID {
			c.Tip = hint.Sprintf("{id=%s} names the rows by it", c.Name)
		}
	default:
		c.Role, c.Why = Unique, fmt.Sprintf("%d different values in %d cells, too many to describe groups", distinct, total)
	}
	return nil
}

// ownValue is the reason of columns that tell every row from every other one, and nothing else.
const ownValue = "every row has its own value"

// almostConstant reports whether a value that most of total cells have leaves so few others that they could only make a
// cluster of exceptions: fewer than one in a hundred.
func almostConstant(most, total int) bool {
	return total >= 100 && most < total && 100*(total-most) < total
}

// medians counts the values that are equal to their median, which is the most frequent one where one has a majority.
func medians(values []float64) (n int) {
	sorted := present(values)
	if len(sorted) == 0 {
		return 0
	}
	m := sorted[len(sorted)/2]
	for _, y := range sorted {
		if y == m {
			n++
		}
	}
	return n
}

// useTip says how to use a column that is left out.
func useTip(name string, role Role) hint.Hint {
	switch role {
	case Number:
		return hint.Sprintf("{number=%s} uses it", name)
	case Date:
		return hint.Sprintf("{date=%s} uses it", name)
	}
	return hint.Sprintf("{category=%s} uses it", name)
}

// nearlyUnique reports whether so few cells repeat that they must be errors in a column of ids.
func (in *inference) nearlyUnique(distinct, total int) bool {
	return distinct < total && total >= 20 && total-distinct <= max(1, total/200)
}
