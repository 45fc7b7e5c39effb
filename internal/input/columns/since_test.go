package columns_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// twoDates has an amount, a date within a year and one after it, both written by layout.
func twoDates(layout string, after func(rng *rand.Rand, group int) time.Duration) string {
	rng := rand.New(rand.NewPCG(6, 2))
	var b strings.Builder
	b.WriteString("amount,start,end\n")
	first := time.Date(2023, 1, 2, 8, 0, 0, 0, time.UTC)
	for i := range 120 {
		t := first.Add(time.Duration(rng.IntN(340*24*60)) * time.Minute)
		end := t.Add(after(rng, i%2)).Format(layout)
		if i%31 == 7 {
			end = ""
		}
		fmt.Fprintf(&b, "%.2f,%s,%s\n", 5*float64(i%2)+rng.NormFloat64(), t.Format(layout), end)
	}
	return b.String()
}

func TestTimesBetweenDates(t *testing.T) {
	const day = 24 * time.Hour
	payment := func(rng *rand.Rand, group int) time.Duration {
		return time.Duration(3+25*group+rng.IntN(9)) * day
	}
	for _, c := range []struct {
		name, layout string
		after        func(rng *rand.Rand, group int) time.Duration
		why          string // "": it stays a date
	}{
		{"invoices", "2006-01-02", payment, "days since start, from 3 to 36"},
		{"German", "02.01.2006", payment, "days since start, from 3 to 36"},
		{"visits", "2006-01-02 15:04", func(rng *rand.Rand, group int) time.Duration {
			return time.Duration(5+40*group+rng.IntN(20)) * time.Minute
		}, "minutes since start, from 5 to 64"},
		{"shifts", "2006-01-02T15:04", func(rng *rand.Rand, group int) time.Duration {
			return time.Duration(240+240*group+rng.IntN(60)) * time.Minute
		}, "hours since start, from 4 to 9"},
		{"unrelated", "2006-01-02", func(rng *rand.Rand, _ int) time.Duration { return time.Duration(rng.IntN(600)-300) * day }, ""},
		{"years apart", "2006-01-02", func(rng *rand.Rand, _ int) time.Duration { return time.Duration(rng.IntN(9000)) * day }, ""},
		{"always a week", "2006-01-02", func(*rand.Rand, int) time.Duration { return 7 * day }, ""},
	} {
		text := twoDates(c.layout, c.after)
		p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		start, end := p.Columns[1], p.Columns[2]
		if start.Role != columns.Date || (end.Spec.Since != nil) != (c.why != "") || c.why != "" && !strings.HasPrefix(end.Why, c.why) {
			t.Errorf("%s: start is a %s, end a %s (%s)", c.name, start.Role, end.Role, end.Why)
			continue
		}
		if c.why == "" {
			continue
		}
		if end.Role != columns.Number || !end.Used || end.Missing == 0 {
			t.Errorf("%s: %+v", c.name, end)
		}
		var plan bytes.Buffer
		if err := p.Write(&plan); err != nil {
			t.Fatal(err)
		}
		rules, err := columns.ReadRules(&plan, "plan.csv")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		again, err := columns.Decide(read(t, text, dataio.Options{}), rules)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := again.Columns[2].Spec; got.Since == nil || *got.Since != *end.Spec.Since || got.Log != end.Spec.Log {
			t.Errorf("%s: %+v becomes %+v by its own plan", c.name, end.Spec, got)
		}
		plain, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{Date: []string{"end"}})
		if err != nil {
			t.Fatal(err)
		}
		if plain.Columns[2].Role != columns.Date {
			t.Errorf("%s: a named date is a %s", c.name, plain.Columns[2].Role)
		}
	}
	for plan, want := range map[string]string{
		"end,number,since amount": "must be another column of dates",
		"end,number,since end":    "must be another column of dates",
		"end,number,since ":       "must name a column of dates",
		"end,number,log since":    "must name a column of dates",
	} {
		rules, err := columns.ReadRules(strings.NewReader("column,role,transform\n"+plan+"\n"), "plan.csv")
		if err == nil {
			_, err = columns.Decide(read(t, twoDates("2006-01-02", payment), dataio.Options{}), rules)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", plan, err, want)
		}
	}
}
