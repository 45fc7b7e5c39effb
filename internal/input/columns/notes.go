package columns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// shownColumns bounds how many columns are named in one sentence, shownReasons how many with a reason.
const (
	shownColumns = 12
	shownReasons = 6
)

// Notes say what is done with the columns, for people, the most important first and in at most
// eight lines; nil for a table of numbers alone with nothing to point out.
func (p *Plan) Notes() (out []hint.Hint) {
	if p == nil {
		return nil
	}
	out = append(out, p.Several...)
	if !p.Plain {
		out = append(out, p.Notable...)
		for _, of := range []struct {
			role Role
			noun string
		}{{ID, "ids"}, {Number, "numbers"}, {Category, "categories"}, {Date, "dates"}, {Text, "texts"}} {
			if list := p.named(of.role); len(list) > 0 {
				out = append(out, hint.Sprintf("%s: %s", of.noun, shortList(list, shownColumns)))
			}
		}
		if list := p.leftOut(); len(list) > 0 {
			out = append(out, hint.Sprintf("left out: %s", shortHints(list, shownReasons)))
		}
		if line := p.unrelated(); line != "" {
			out = append(out, line)
		}
	}
	tips := p.checks()
	if list := p.numbersForMissing(); list != "" {
		tips = append([]hint.Hint{list}, tips...)
	}
	if list := p.remarkable(); list != "" {
		tips = append([]hint.Hint{list}, tips...)
	}
	if len(tips) > 0 {
		out = append(out, hint.Sprintf("check: %s", shortHints(tips, shownReasons)))
	}
	return out[:min(len(out), 8)]
}

// checks say what to do about columns that are used if the decision is wrong; those of one reason stand together.
func (p *Plan) checks() (tips []hint.Hint) {
	var reasons []string
	names, tip := map[string][]string{}, map[string]hint.Hint{}
	for _, c := range p.Columns {
		if c.Tip == "" || !c.Used || c.Tip.Names("log") || len(c.Spec.Sentinels) > 0 {
			continue
		}
		if !slices.Contains(reasons, c.Why) {
			reasons, tip[c.Why] = append(reasons, c.Why), c.Tip
		}
		names[c.Why] = append(names[c.Why], c.Name)
	}
	for _, why := range reasons {
		tips = append(tips, hint.Sprintf("%s (%s): %s", shortList(names[why], shownReasons), why, tip[why]))
	}
	return tips
}

// numbersForMissing names the columns in which a number stands for a missing value.
func (p *Plan) numbersForMissing() hint.Hint {
	var names []string
	var values []float64
	for _, c := range p.Columns {
		if c.Used && len(c.Spec.Sentinels) > 0 {
			names = append(names, c.Name)
			values = append(values, c.Spec.Sentinels...)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(values)
	return hint.Sprintf("%s taken as missing in %s ({number=%s} keeps them)", listNumbers(slices.Compact(values)), shortList(names, shownReasons), names[0])
}

// remarkable names the columns whose reading leaves something to know: currencies that are not converted, bounds, the
// logarithms that were taken.
func (p *Plan) remarkable() hint.Hint {
	var list, logs []string
	for _, c := range p.Columns {
		if !c.Used || c.Role != Number {
			continue
		}
		if c.Spec.Log && c.Tip.Names("log") {
			logs = append(logs, c.Name)
		}
		for _, part := range strings.Split(c.Why, ", ")[1:] {
			if strings.HasSuffix(part, "not converted") || strings.HasSuffix(part, "same median") || strings.HasPrefix(part, "the bound of") || strings.Contains(part, " as the least value") || part == "the middle of each range" || strings.HasPrefix(part, "without the flags") {
				list = append(list, c.Name+": "+part)
			}
		}
	}
	var out []hint.Hint
	if len(logs) > 0 {
		out = append(out, hint.Sprintf("heavy tails, so the logarithm of %s ({log=none} takes none)", shortList(logs, shownReasons)))
	}
	if len(list) > 0 {
		out = append(out, hint.Hint(hint.Sprintf("%s", shortList(list, shownReasons))))
	}
	return joinHints(out, "; ")
}

func joinHints(list []hint.Hint, by string) hint.Hint {
	words := make([]string, len(list))
	for i, h := range list {
		words[i] = string(h)
	}
	return hint.Hint(strings.Join(words, by))
}

// unrelated names the columns that the others do not predict.
func (p *Plan) unrelated() hint.Hint {
	var names []string
	var tip hint.Hint
	for _, c := range p.Columns {
		if c.Irrelevant {
			names = append(names, c.Name)
			if tip == "" {
				tip = c.Tip
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return hint.Sprintf("not clustered on, since the other columns do not predict them: %s (%s)", shortList(names, shownColumns), tip)
}

// named lists the columns of a role that are used, or that are the ids.
func (p *Plan) named(role Role) (list []string) {
	for _, c := range p.Columns {
		if c.Role != role || !c.Used && role != ID {
			continue
		}
		s := c.Name
		unit := c.Spec.Unit
		if unit == clockUnit {
			unit = "duration"
		}
		if c.Spec.Since != nil {
			unit += " since " + c.Spec.Since.Column
		}
		switch {
		case c.Spec.Presence:
			s += " (whether it has a value)"
		case c.Spec.List != "":
			s += fmt.Sprintf(" (lists of %d values)", c.Levels)
		case role == Category:
			s += fmt.Sprintf(" (%d levels)", c.Levels)
		case role == Number && unit != "" && c.Spec.Log:
			s += " (" + unit + ", logarithm)"
		case role == Number && unit != "":
			s += " (" + unit + ")"
		case role == Number && c.Spec.Log:
			s += " (logarithm)"
		}
		list = append(list, s)
	}
	return list
}

// leftOut lists the columns that nobody asked to leave out, with the reason. Those of one reason stand together.
func (p *Plan) leftOut() (list []hint.Hint) {
	var reasons []string
	names, tips := map[string][]string{}, map[string]hint.Hint{}
	for _, c := range p.Columns {
		if c.Used || c.Irrelevant || c.Role == ID || c.Role == Label || c.Role == Dropped {
			continue
		}
		if !slices.Contains(reasons, c.Why) {
			reasons = append(reasons, c.Why)
			tips[c.Why] = c.Tip
		}
		names[c.Why] = append(names[c.Why], c.Name)
	}
	for _, why := range reasons {
		who := shortList(names[why], shownColumns)
		if tip := tips[why]; tip != "" && (tip.Names("text") || len(list) == 0) {
			list = append(list, hint.Sprintf("%s (%s; %s)", who, why, tip))
		} else {
			list = append(list, hint.Sprintf("%s (%s)", who, why))
		}
	}
	return list
}

// shortList joins the first few words and counts the rest.
func shortList(words []string, most int) string {
	if left := len(words) - most; left > 0 {
		return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", left)
	}
	return strings.Join(words, ", ")
}

func shortHints(list []hint.Hint, most int) hint.Hint {
	words := make([]string, len(list))
	for i, h := range list {
		words[i] = string(h)
	}
	return hint.Hint(shortList(words, most))
}
