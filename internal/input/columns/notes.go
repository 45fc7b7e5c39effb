package columns

import (
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/internal/present/hint"
)

// shownColumns bounds how many columns are named in one sentence.
const shownColumns = 12

// Notes say what is done with the columns, for people; nil for a table of numbers
// alone with nothing to point out.
func (p *Plan) Notes() (out []hint.Hint) {
	if p == nil {
		return nil
	}
	if !p.Plain {
		for _, of := range []struct {
			role Role
			noun string
		}{{ID, "ids"}, {Number, "numbers"}, {Category, "categories"}, {Date, "dates"}, {Text, "texts"}} {
			if list := p.named(of.role); len(list) > 0 {
				out = append(out, hint.Sprintf("%s: %s", of.noun, shortList(list, shownColumns)))
			}
		}
		if list := p.leftOut(); len(list) > 0 {
			out = append(out, hint.Sprintf("left out: %s", shortHints(list, shownColumns)))
		}
	}
	var tips []hint.Hint
	for _, c := range p.Columns {
		if c.Tip != "" && (c.Used || c.Role == ID && p.Plain) {
			tips = append(tips, hint.Sprintf("%s (%s): %s", c.Name, c.Why, c.Tip))
		}
	}
	if len(tips) > 0 {
		out = append(out, hint.Sprintf("check: %s", shortHints(tips, shownColumns)))
	}
	return out
}

// named lists the columns of a role that are used, or that are the ids.
func (p *Plan) named(role Role) (list []string) {
	for _, c := range p.Columns {
		if c.Role != role || !c.Used && role != ID {
			continue
		}
		s := c.Name
		switch {
		case role == Category:
			s += fmt.Sprintf(" (%d levels)", c.Levels)
		case role == Number && c.Spec.Unit != "" && c.Spec.Log:
			s += " (" + c.Spec.Unit + ", logarithm)"
		case role == Number && c.Spec.Unit != "":
			s += " (" + c.Spec.Unit + ")"
		case role == Number && c.Spec.Log:
			s += " (logarithm)"
		}
		list = append(list, s)
	}
	return list
}

// leftOut lists the columns that nobody asked to leave out, with the reason.
func (p *Plan) leftOut() (list []hint.Hint) {
	for _, c := range p.Columns {
		if c.Used || c.Role == ID || c.Role == Label || c.Role == Dropped {
			continue
		}
		if c.Tip != "" {
			list = append(list, hint.Sprintf("%s (%s; %s)", c.Name, c.Why, c.Tip))
		} else {
			list = append(list, hint.Sprintf("%s (%s)", c.Name, c.Why))
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
