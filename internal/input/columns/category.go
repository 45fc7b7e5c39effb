package columns

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// RareShare is the share of the rows below which a level of a category is rare. Rare
// levels, if there are several, are pooled; in fewer than fewRows rows none is rare.
const (
	RareShare = 0.005
	fewRows   = 100
)

// A category can describe a group where it has at most mostLevels levels, of which the pooled rest has
// at most restShare of the rows.
const (
	mostLevels = 30
	restShare  = 1.0 / 3
)

// describesGroups reports whether the levels of a category in n rows can describe a group.
func describesGroups(all map[string]int, n int) bool {
	frequent, rare := Levels(all, n)
	total, rest := 0, 0
	for s, k := range all {
		total += k
		if !slices.Contains(frequent, s) {
			rest += k
		}
	}
	levels := len(frequent)
	if rare > 0 {
		levels++
	}
	return len(frequent) > 0 && levels <= mostLevels && float64(rest) <= restShare*float64(total) && (levels < 3 || 2*levels <= total)
}

// asCategory counts the levels; a column all of whose levels are rare says nothing.
func (in *inference) asCategory(c *Column, all map[string]int) {
	c.Role, c.Spec.Role, c.Used = Category, Category, true
	frequent, rare := Levels(all, in.ds.X.Len())
	c.Levels = len(frequent)
	if rare > 0 {
		c.Levels++
	}
	c.Why = fmt.Sprintf("%d different values", len(all))
	if rare > 0 {
		c.Why += fmt.Sprintf(", %d rare ones pooled", rare)
	}
	switch {
	case len(frequent) == 0:
		c.Role, c.Used = Unique, false
		c.Why = fmt.Sprintf("%d different values, each rare", len(all))
	case !describesGroups(all, in.ds.X.Len()):
		c.Role, c.Used = Unique, false
		c.Why = fmt.Sprintf("%d different values, too many to describe groups", len(all))
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

// Words for true and false in many languages, in lower case.
var (
	yesWords = split("yes y true t 1 on ja j oui o sí si s sim wahr w vrai v verdadero vero sì da tak kyllä k igen i ano a evet e да x + ✓")
	noWords  = split("no n false f 0 off nein non não nao falsch faux falso nej nie ei nem ne hayır h нет")
)

// truthValues reports whether all values are words for true and false, both of which occur, and returns which
// spellings are the same as the most frequent one. A letter stands for a word that it begins, or alone for its side:
// several letters are codes.
func truthValues(all map[string]int) (same map[string]string, ok bool) {
	var yes, no []string
	for s := range all {
		word := strings.ToLower(strings.Trim(s, blanks))
		switch {
		case yesWords[word]:
			yes = append(yes, s)
		case noWords[word]:
			no = append(no, s)
		default:
			return nil, false
		}
	}
	if len(yes) == 0 || len(no) == 0 || haveCodes(yes) || haveCodes(no) {
		return nil, false
	}
	return spellings(all, yes, no), true
}

// haveCodes reports whether words for the same contain a letter that begins none of them, beside others.
func haveCodes(words []string) bool {
	different := map[string]bool{}
	for _, s := range words {
		different[strings.ToLower(strings.Trim(s, blanks))] = true
	}
	for word := range different {
		if r, size := utf8.DecodeRuneInString(word); size < len(word) || !unicode.IsLetter(r) || len(different) == 1 {
			continue
		}
		begins := false
		for other := range different {
			begins = begins || len(other) > len(word) && strings.HasPrefix(other, word)
		}
		if !begins {
			return true
		}
	}
	return false
}

// sameSpelling returns the values that differ from a more frequent one in capitals and blanks alone.
func sameSpelling(all map[string]int) map[string]string {
	groups := map[string][]string{}
	for s := range all {
		key := strings.ToLower(strings.Join(strings.Fields(s), " "))
		groups[key] = append(groups[key], s)
	}
	if len(groups) == len(all) {
		return nil
	}
	var list [][]string
	for _, g := range groups {
		list = append(list, g)
	}
	return spellings(all, list...)
}

// spellings maps the members of each group to its most frequent one.
func spellings(all map[string]int, groups ...[]string) map[string]string {
	same := map[string]string{}
	for _, g := range groups {
		slices.SortFunc(g, func(a, b string) int {
			if all[a] != all[b] {
				return all[b] - all[a]
			}
			return strings.Compare(a, b)
		})
		for _, s := range g[min(1, len(g)):] {
			same[s] = g[0]
		}
	}
	if len(same) == 0 {
		return nil
	}
	return same
}

// merged counts values after other spellings are brought together.
func merged(all map[string]int, same map[string]string) map[string]int {
	out := map[string]int{}
	for s, k := range all {
		if level, ok := same[s]; ok {
			s = level
		}
		out[s] += k
	}
	return out
}

// labelTip asks whether a category is the label column, where its name says so.
func labelTip(name string, rules Rules) hint.Hint {
	if rules.Label == "" && slices.Contains(labelNames, strings.ToLower(name)) {
		return hint.Sprintf("{label-col=%s} if these are known labels", name)
	}
	return ""
}

var labelNames = []string{"label", "labels", "class", "cluster", "segment", "target", "truth", "species", "group"}
