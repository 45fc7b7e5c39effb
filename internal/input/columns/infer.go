package columns

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/present/hint"
)

// Bounds of the decisions.
const (
	mostly       = 0.9 // share of cells that decides for numbers or dates
	textWords    = 3.0 // words of a cell on average, from which on texts are free text
	fewTexts     = 50  // different texts that are categories, however long
	HeavyTail    = 2.0 // skewness from which on a logarithm is proposed
	fewValues    = 20  // different whole numbers that may be codes
	minHeavyTail = 20  // values that a skewness needs
)

// inference decides on the columns of one dataset.
type inference struct {
	ds      *dataio.Dataset
	rules   Rules
	plain   bool  // the table is numbers alone
	missing []int // by feature
	idFound bool
}

func newInference(ds *dataio.Dataset, rules Rules) *inference {
	in := &inference{ds: ds, rules: rules, missing: make([]int, len(ds.Columns)), idFound: ds.IDs != nil || rules.NoID}
	n, buf := ds.X.Len(), make([]float64, ds.X.Dim())
	for i := range n {
		row := ds.X.Row(i, buf)
		for q, y := range row.Val {
			if y != y {
				in.missing[row.Feature(q)]++
			}
		}
	}
	for j := range ds.Cells {
		in.missing[j] -= len(ds.Cells[j].Rows)
	}
	return in
}

func (in *inference) anyMissing() bool {
	return slices.ContainsFunc(in.missing, func(n int) bool { return n > 0 })
}

// decide gives feature j its role.
func (in *inference) decide(j int) (Column, error) {
	name := in.ds.Columns[j]
	c := Column{Name: name, At: j, Missing: in.missing[j], Spec: Spec{Name: name}}
	given := in.givenRole(name)
	rows, texts := oddCells(in.ds, j)
	switch n := in.ds.X.Len(); {
	case given == Category:
		in.asCategory(&c, countValues(Texts(in.ds, j)))
		c.Used, c.Role, c.Why = c.Levels > 1, Category, "named as a category, "+c.Why
		if c.Levels < 2 {
			c.Role, c.Why = Constant, "named as a category, but it has only one value"
		}
	case given == Date:
		return c, in.asDate(&c, j, true)
	case given == Number:
		return c, in.asNumber(&c, j, true)
	case c.Missing == n:
		c.Role, c.Why = Empty, "no cell has a value"
	case len(rows) == 0:
		return c, in.asNumber(&c, j, false)
	default:
		in.asTexts(&c, j, n-c.Missing-len(rows), countValues(texts))
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
func (in *inference) asTexts(c *Column, j, plain int, odd map[string]int) {
	total := plain
	codes, days := true, 0
	for s, k := range odd {
		total += k
		codes = codes && isCode(s)
		if _, _, ok := parseDate(s, false); ok {
			days += k
		}
	}
	if !codes {
		spec, read := quantities(columnOf(in.ds, j), odd)
		if float64(plain+read) >= mostly*float64(total) {
			spec.Name = c.Name
			c.Spec = spec
			_ = in.asNumber(c, j, false) // only a named role can be refused
			return
		}
	}
	if float64(days) >= mostly*float64(total) {
		_ = in.asDate(c, j, false)
		return
	}
	all := odd
	if plain > 0 {
		all = countValues(Texts(in.ds, j))
	}
	what := ""
	switch {
	case codes:
		what = "codes with leading zeros"
		if !slices.ContainsFunc(slices.Collect(keys(odd)), func(s string) bool { return s[0] == '0' }) {
			what = "codes of many digits"
		}
	case isTruth(all):
		what = "truth values"
	}
	in.asStrings(c, j, plain, total, all, what)
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

// isTruth reports whether all values are words for true and false.
func isTruth(all map[string]int) bool {
	if len(all) > 2 {
		return false
	}
	for s := range all {
		switch strings.ToLower(s) {
		case "true", "false", "yes", "no", "y", "n", "t", "f", "on", "off", "0", "1", "ja", "nein":
		default:
			return false
		}
	}
	return true
}

// asStrings tells ids, categories and free text apart.
func (in *inference) asStrings(c *Column, j, plain, total int, all map[string]int, what string) {
	words, distinct := 0, len(all)
	for s, k := range all {
		words += k * len(strings.Fields(s))
	}
	long := float64(words) >= textWords*float64(total)
	unique := distinct == total && c.Missing == 0 && total > 1
	switch {
	case distinct == 1 && c.Missing == 0:
		c.Role, c.Why = Constant, "every row has the same value"
	case unique && !in.idFound && !long && (j == 0 && plain == 0 || namesID(c.Name)):
		in.useIDs(c, j)
	case long && distinct > fewTexts && distinct > total/20:
		c.Role, c.Why = Text, "free text"
		c.Tip = hint.Sprintf("{text=%s} compares it by TF-IDF", c.Name)
	case distinct < total && distinct <= max(total/2, 2):
		in.asCategory(c, all)
		if what != "" {
			c.Why = what + ", " + c.Why
		}
		c.Tip = labelTip(c.Name, in.rules)
	case long:
		c.Role, c.Why = Text, "free text"
		c.Tip = hint.Sprintf("{text=%s} compares it by TF-IDF", c.Name)
	default:
		c.Role, c.Why = Unique, fmt.Sprintf("%d different values in %d cells", distinct, total)
		c.Tip = hint.Sprintf("{category=%s} uses it", c.Name)
	}
}

// labelTip asks whether a category is the label column, where its name says so.
func labelTip(name string, rules Rules) hint.Hint {
	if rules.Label == "" && slices.Contains(labelNames, strings.ToLower(name)) {
		return hint.Sprintf("{label-col=%s} if these are known labels", name)
	}
	return ""
}

var labelNames = []string{"label", "labels", "class", "cluster", "segment", "target", "truth", "species", "group"}

// RareShare is the share of the rows below which a level of a category is rare. Rare
// levels, if there are several, are pooled; in fewer than fewRows rows none is rare.
const (
	RareShare = 0.005
	fewRows   = 100
)

// asCategory counts the levels; a column all of whose levels are rare says nothing.
func (in *inference) asCategory(c *Column, all map[string]int) {
	c.Role, c.Spec.Role, c.Used = Category, Category, true
	frequent, rare := Levels(all, in.ds.X.Len())
	c.Levels = len(frequent)
	if rare > 0 {
		c.Levels++
	}
	if c.Missing > 0 {
		c.Levels++
	}
	c.Why = fmt.Sprintf("%d different values", len(all))
	if rare > 0 {
		c.Why += fmt.Sprintf(", %d rare ones pooled", rare)
	}
	if len(frequent) == 0 {
		c.Role, c.Used = Unique, false
		c.Why = fmt.Sprintf("%d different values, each rare", len(all))
	}
}

// Levels returns the frequent levels of a category in n rows, the most frequent
// first, and how many rare ones there are besides.
func Levels(all map[string]int, n int) (frequent []string, rare int) {
	least := max(2, int(math.Ceil(RareShare*float64(n))))
	if n < fewRows {
		least = 1
	}
	for s, k := range all {
		if k >= least {
			frequent = append(frequent, s)
		} else {
			rare++
		}
	}
	if rare == 1 || len(all) <= 2 { // nothing to pool
		frequent, rare = frequent[:0], 0
		for s := range all {
			frequent = append(frequent, s)
		}
	}
	slices.SortFunc(frequent, func(a, b string) int {
		if all[a] != all[b] {
			return all[b] - all[a]
		}
		return strings.Compare(a, b)
	})
	return frequent, rare
}

// namesID reports whether a column is called as ids are.
func namesID(name string) bool {
	s := strings.ToLower(name)
	switch s {
	case "id", "ids", "uuid", "guid", "key", "index", "rowid":
		return true
	}
	for _, end := range []string{"_id", "-id", " id", "_key", "_uuid", ".id"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID")
}

// useIDs makes feature j the ids of the rows.
func (in *inference) useIDs(c *Column, j int) {
	c.Role, c.Why = ID, "every row has its own value"
	c.Tip = hint.Sprintf("{id} names another column")
	in.ds.IDs, in.idFound = Texts(in.ds, j), true
}

// asNumber makes a column a number. A named one in which no cell is a number is
// refused.
func (in *inference) asNumber(c *Column, j int, named bool) error {
	_, texts := oddCells(in.ds, j)
	if named && len(texts) > 0 {
		c.Spec, _ = quantities(columnOf(in.ds, j), countValues(texts))
		c.Spec.Name = c.Name
	}
	c.Role, c.Spec.Role, c.Used, c.Why = Number, Number, true, "numbers"
	if in.plain && !namesID(c.Name) && !namesCode(c.Name) {
		return nil // nothing to find out
	}
	values, bad := c.Spec.Numbers(in.ds, j)
	s := describe(values, namesID(c.Name))
	if named && s.n == 0 {
		return &dataio.Error{File: in.ds.Name, Msg: fmt.Sprintf("column %q has no numbers", c.Name), Hint: hint.Sprintf("{category=%s} uses its values as they are", c.Name)}
	}
	c.Missing += len(bad) // they count as missing
	if c.Spec.Unit != "" {
		c.Why = "numbers in " + c.Spec.Unit
	}
	if named {
		c.Why = "named as numbers"
	}
	switch {
	case in.plain:
		c.Tip = in.plainTip(c.Name, s)
		return nil
	case s.distinct == 1 && !named:
		c.Role, c.Used, c.Why = Constant, false, "every row has the same value"
		return nil
	case !named && !in.idFound && namesID(c.Name) && s.distinct == s.n && s.n == len(values) && s.whole:
		in.useIDs(c, j)
		return nil
	}
	if len(bad) > 0 {
		c.Why += fmt.Sprintf(", but for %s", in.example(j, bad))
	}
	return in.decideLog(c, s)
}

// plainTip is what to do about numbers that are perhaps something else.
func (in *inference) plainTip(name string, s stats) hint.Hint {
	switch {
	case !in.idFound && namesID(name) && s.whole && s.distinct == s.n && s.n > fewValues:
		return hint.Sprintf("{id=%s} if these are ids", name)
	case s.whole && s.distinct <= fewValues && s.distinct > 1 && namesCode(name):
		return hint.Sprintf("{category=%s} if these are codes", name)
	}
	return ""
}

// decideLog takes or proposes the logarithm of a number.
func (in *inference) decideLog(c *Column, s stats) error {
	heavy := s.skew > HeavyTail && s.low > 0 && s.n >= minHeavyTail
	asked := slices.Contains(in.rules.Log, c.Name)
	switch {
	case asked && s.low < 0:
		return &dataio.Error{File: in.ds.Name, Msg: fmt.Sprintf("column %q has negative values, which have no logarithm", c.Name), Hint: "take it out of {log}"}
	case asked || heavy && len(in.rules.Log) == 1 && in.rules.Log[0] == Auto:
		c.Spec.Log = true
		c.Why += fmt.Sprintf(", logarithm (skewness %.1f)", s.skew)
	case heavy:
		c.Why += fmt.Sprintf(", heavy tail (skewness %.1f)", s.skew)
		c.Tip = hint.Sprintf("{log=%s} takes its logarithm, {log=auto} that of all such columns", c.Name)
	default:
		c.Tip = in.plainTip(c.Name, s)
	}
	return nil
}

// namesCode reports whether a column is called as codes are.
func namesCode(name string) bool {
	s := strings.ToLower(name)
	for _, word := range []string{"code", "type", "class", "kind", "category", "zip", "postcode", "postal", "plz"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// example names the first of the cells that cannot be read.
func (in *inference) example(j int, bad []int) string {
	rows, text := oddCells(in.ds, j)
	first := ""
	if q, ok := slices.BinarySearch(rows, int32(bad[0])); ok {
		first = fmt.Sprintf("%q", clip(text[q]))
	}
	where := ""
	if in.ds.Lines != nil {
		where = fmt.Sprintf(" on line %d", in.ds.Lines(bad[0]))
	}
	if len(bad) == 1 {
		return fmt.Sprintf("1 cell, %s%s", first, where)
	}
	return fmt.Sprintf("%d cells, the first is %s%s", len(bad), first, where)
}

func clip(s string) string {
	const most = 30
	if utf8.RuneCountInString(s) > most {
		return string([]rune(s)[:most-1]) + "…"
	}
	return s
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
	c.Spec.Role, c.Spec.DayFirst, c.Spec.Parts = Date, days >= months, in.rules.DateParts
	values, bad := c.Spec.Numbers(in.ds, j)
	s := describe(values, false)
	if s.n == 0 {
		return &dataio.Error{File: in.ds.Name, Msg: fmt.Sprintf("column %q has no dates", c.Name), Hint: "write them as 2024-05-31"}
	}
	c.Missing += len(bad) // they count as missing
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
