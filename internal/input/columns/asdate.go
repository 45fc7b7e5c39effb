package columns

import (
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio"
)

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
