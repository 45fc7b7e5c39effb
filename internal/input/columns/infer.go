package columns

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// Bounds of the decisions.
const (
	mostly    = 0.9 // share of cells that decides for numbers or dates
	textWords = 3.0 // words of a cell on average, from which on texts are free text
	fewTexts  = 50  // different texts that are categories, however long
	fewValues = 20  // different whole numbers that may be codes
	fewWords  = 5   // different words that stand for missing values among numbers
	fewGroups = 10  // different numbers that are surely numbers, not codes
)

// inference decides on the columns of one dataset.
type inference struct {
	ds      *dataio.Dataset
	rules   Rules
	plain   bool  // the table is numbers alone
	missing []int // by feature
	idFound bool
	idNamed int // the feature whose values constraints name, -1 if there is none
}

func newInference(ds *dataio.Dataset, rules Rules) *inference {
	in := &inference{ds: ds, rules: rules, missing: make([]int, len(ds.Columns)), idFound: ds.IDs != nil || rules.NoID}
	_ = blocks.Each(context.Background(), 0, ds.X.Len(), func(lo, hi int) []int {
		var missing []int // nil: none
		buf := make([]float64, ds.X.Dim())
		for i := lo; i < hi; i++ {
			row := ds.X.Row(i, buf)
			for q, y := range row.Val {
				if y != y {
					if missing == nil {
						missing = make([]int, len(in.missing))
					}
					missing[row.Feature(q)]++
				}
			}
		}
		return missing
	}, func(_, _ int, missing []int) {
		for j, n := range missing {
			in.missing[j] += n
		}
	})
	for j := range ds.Cells {
		in.missing[j] -= len(ds.Cells[j].Rows)
	}
	if in.idNamed = in.columnOfNames(); in.idNamed >= 0 {
		in.idFound = true
	}
	return in
}

// columnOfNames returns the first feature that has another value in every row, those by which constraints
// name rows among them; -1 if there is none, or if the ids are known.
func (in *inference) columnOfNames() int {
	if in.idFound || len(in.rules.Named) == 0 {
		return -1
	}
	for j, missing := range in.missing {
		if missing > 0 {
			continue
		}
		rows := map[string]bool{}
		for _, text := range rawTexts(in.ds, j) {
			rows[text] = true
		}
		if len(rows) == in.ds.X.Len() && !slices.ContainsFunc(in.rules.Named, func(id string) bool { return !rows[id] && !rows[OtherForm(id)] }) {
			return j
		}
	}
	return -1
}

func (in *inference) anyMissing() bool {
	return slices.ContainsFunc(in.missing, func(n int) bool { return n > 0 })
}

// decide gives feature j its role.
func (in *inference) decide(j int) (Column, error) {
	name := in.ds.Columns[j]
	c := Column{Name: name, At: j, Missing: in.missing[j], Spec: Spec{Name: name, Reading: currentReading}}
	if slices.Contains(in.rules.Drop, name) && stemOfPart(name) != "" { // other columns that are left out are not read
		c.Role, c.Why = Dropped, "left out on request"
		return c, nil
	}
	given := in.givenRole(name)
	if slices.Contains(in.rules.Profile, name) { // it cannot name the rows too
		found := in.idFound
		in.idFound = true
		defer func() { in.idFound = found }()
	}
	if j == in.idNamed && given == "" {
		in.useIDs(&c)
		c.Why = "labels and links name its values"
		return c, nil
	}
	rows, texts := oddCells(in.ds, j)
	odd, gone := map[string]int{}, map[string]int{}
	for _, s := range texts {
		if missingToken(s) {
			gone[s]++
		} else {
			odd[s]++
		}
	}
	if in.ds.X.Len()-in.missing[j] == len(rows) {
		c.Spec.Kept = statesAmong(gone, odd)
	}
	for s, k := range gone {
		if slices.Contains(c.Spec.Kept, s) {
			odd[s] = k
		} else {
			c.Missing += k
		}
	}
	if edit := in.rules.Edits[name]; edit.Presence {
		c.Spec.Gone, c.Spec.Sentinels = edit.missing()
		c.asPresence()
		c.Why, c.Tip = "only whether it has a value counts", ""
		return c, nil
	}
	if edit := in.rules.Edits[name]; len(edit.Missing) > 0 && (given == Category || given == Date) {
		c.Spec.Gone = edit.Missing
	}
	switch n := in.ds.X.Len(); {
	case in.rules.Edits[name].List:
		return c, in.namedList(&c, j)
	case in.rules.Edits[name].Since != "":
		return c, in.asDate(&c, j, true)
	case given == Category:
		in.asCategory(&c, countValues(c.Spec.Texts(in.ds, j)))
		c.Used, c.Role, c.Why = c.Levels > 1, Category, "named as a category, "+c.Why
		if c.Levels < 2 {
			c.Role, c.Why = Constant, "named as a category, but it has only one value"
		}
	case given == Date:
		return c, in.asDate(&c, j, true)
	case given == Number:
		return c, in.asNumber(&c, j, true, odd, nil)
	case c.Missing == n:
		c.Role, c.Why = Empty, "no cell has a value"
	case len(odd) == 0:
		return c, in.asNumber(&c, j, false, odd, nil)
	default:
		return c, in.asTexts(&c, j, n-in.missing[j]-len(rows), odd)
	}
	return c, nil
}

func (in *inference) givenRole(name string) Role {
	switch {
	case slices.Contains(in.rules.Category, name):
		return Category
	case slices.Contains(in.rules.Date, name):
		return Date
	case slices.Contains(in.rules.Number, name), slices.Contains(in.rules.Log, name):
		return Number
	case in.rules.Edits[name].Presence, in.rules.Edits[name].List:
		return Category
	}
	return ""
}

// countValues counts the cells that have a value.
func countValues(cells []string) map[string]int {
	count := map[string]int{}
	for _, s := range cells {
		if s != "" {
			count[s]++
		}
	}
	return count
}

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

// asDate makes a column a date.
func (in *inference) asDate(c *Column, j int, named bool) error {
	_, texts := oddCells(in.ds, j)
	days, months, open := 0, 0, 0
	for s := range countValues(texts) {
		_, o, ok := parseDate(s, false)
		switch {
		case ok && o == dayFirst:
			days++
		case ok && o == monthFirst:
			months++
		case ok && strings.IndexByte(s, '/') >= 0 && s[4] != '/':
			open++
		}
	}
	c.Role, c.Used, c.Why = Date, true, "dates"
	c.Spec.Role, c.Spec.DayFirst, c.Spec.Parts, c.Spec.Clip = Date, days >= months, in.rules.DateParts, true
	values, bad := c.Spec.Numbers(in.ds, j)
	s := describe(values)
	if s.n == 0 {
		return &dataio.Error{File: in.ds.Name, Msg: fmt.Sprintf("column %q has no dates", c.Name), Hint: "write them as 2024-05-31"}
	}
	c.Missing = len(values) - s.n
	if s.distinct == 1 && c.Missing == 0 && !named {
		c.Role, c.Used, c.Why = Constant, false, "every row has the same date"
		return nil
	}
	c.Why = fmt.Sprintf("dates from %s to %s", Day(s.low), Day(s.high))
	if open > 0 && days == 0 && months == 0 {
		c.Why += ", read with the day first"
		c.Tip = "write dates as 2024-05-31 if the month is first"
	}
	if len(bad) > 0 {
		c.Why += fmt.Sprintf(", but for %s", in.example(j, bad))
	}
	return nil
}
