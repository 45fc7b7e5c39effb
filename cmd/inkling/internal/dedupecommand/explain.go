package dedupecommand

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/dedupe"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/support/format"
)

// A fieldSays is what a column of two records says, in --json.
type fieldSays struct {
	Name     string  `json:"name"`
	Kind     string  `json:"kind"`
	A        string  `json:"a"` // the cells
	B        string  `json:"b"`
	Level    string  `json:"level"` // equal, near, similar, replaced, weak, different or missing
	Evidence float64 `json:"evidence"`
	Records  int     `json:"records"` // different records that have the value, where it is equal
}

// A step is one pair of the chain that joins two records.
type step struct {
	A           string  `json:"a"`
	B           string  `json:"b"`
	Probability float64 `json:"probability"`
	Link        bool    `json:"link"`
}

// An explanation is what --explain says about two records.
type explanation struct {
	A           string      `json:"a"`
	B           string      `json:"b"`
	Together    bool        `json:"together"`
	EntityA     int         `json:"entity_a"`
	EntityB     int         `json:"entity_b"`
	Equal       bool        `json:"equal"`
	Link        string      `json:"link"`
	Alone       float64     `json:"alone"` // probability by the fields alone,
	Probability float64     `json:"probability"`
	Compared    bool        `json:"compared"`
	Fields      []fieldSays `json:"fields"`
	Path        []step      `json:"path"`
	threshold   float64
}

// A weakGroup is an entity that one weak pair holds together, in --json.
type weakGroup struct {
	Entity      int     `json:"entity"`
	Records     int     `json:"records"`
	A           string  `json:"a"`
	B           string  `json:"b"`
	Probability float64 `json:"probability"`
}

// rowsToExplain returns the rows that --explain names.
func (j *job) rowsToExplain() error {
	if j.explain == "" {
		return nil
	}
	first, second, ok := strings.Cut(j.explain, ",")
	if !ok {
		return optionError("explain", "explain must be two ids separated by a comma, got %q", j.explain)
	}
	for i, id := range []string{strings.TrimSpace(first), strings.TrimSpace(second)} {
		row := -1
		for r := range j.table.Len() {
			if j.ids.ID(r) == id {
				row = r
				break
			}
		}
		if row < 0 {
			return &door.OptionError{Option: "explain", Msg: fmt.Sprintf("explain names %q, and there is no such row", id)}
		}
		j.explained[i] = row
	}
	if j.explained[0] == j.explained[1] {
		return optionError("explain", "explain must name two rows, got %q twice", strings.TrimSpace(first))
	}
	return nil
}

// explanationOf returns the explanation of two rows; fields are the compared columns.
func (j *answer) explanationOf(r *dedupe.Result) *explanation {
	if j.explain == "" {
		return nil
	}
	return j.explanationOfPair(r, j.explained[0], j.explained[1])
}

func (j *answer) explanationOfPair(r *dedupe.Result, a, b int) *explanation {
	x := r.Explain(a, b)
	out := &explanation{A: j.ids.ID(a), B: j.ids.ID(b), Together: x.Together, EntityA: r.Entity[a], EntityB: r.Entity[b], Equal: x.Equal, Link: x.Link,
		Alone: x.Alone, Probability: x.Probability, Compared: x.Compared, Fields: []fieldSays{}, Path: []step{}, threshold: r.Threshold}
	for i, f := range x.Fields {
		cells := j.table.Cells[j.fieldColumns[i]]
		out.Fields = append(out.Fields, fieldSays{f.Name, f.Kind, cells[a], cells[b], f.Level, f.Evidence, f.Records})
	}
	for _, s := range x.Path {
		out.Path = append(out.Path, step{j.ids.ID(s.A), j.ids.ID(s.B), s.Probability, s.Link})
	}
	return out
}

// inWords are the levels as people say them.
var inWords = map[string]string{"near": "nearly equal, such as a typing error or a short form", "similar": "alike: initials, or words that only one has",
	"replaced": "some words differ", "weak": "only a little alike", "different": "different"}

// write writes the explanation for people.
func (x *explanation) write(w io.Writer) error {
	var s strings.Builder
	switch {
	case x.Together:
		fmt.Fprintf(&s, "%s and %s are together, in entity %d\n", x.A, x.B, x.EntityA)
	default:
		fmt.Fprintf(&s, "%s and %s are apart, in entities %d and %d\n", x.A, x.B, x.EntityA, x.EntityB)
	}
	switch {
	case x.Link == "must":
		s.WriteString("your links say that they are the same\n")
	case x.Link == "cannot":
		s.WriteString("your links say that they are different\n")
	}
	if x.Equal {
		fmt.Fprintf(&s, "they are equal but for case, marks and blanks; probability %.2f that they are the same\n", x.Alone)
	} else {
		fmt.Fprintf(&s, "by their columns alone they are the same with probability %.2f", x.Alone)
		if x.Link == "" && x.Compared {
			fmt.Fprintf(&s, ", with what other records say %.2f", x.Probability)
		}
		fmt.Fprintf(&s, " (records match from %v on)\n", x.threshold)
	}
	fields := slices.Clone(x.Fields)
	slices.SortStableFunc(fields, func(a, b fieldSays) int { return -cmpAbs(a.Evidence, b.Evidence) })
	for _, f := range fields {
		side := "for    "
		switch {
		case f.Level == "missing":
			side = "neither"
		case f.Evidence < 0:
			side = "against"
		}
		fmt.Fprintf(&s, "  %s  %s (%s): %s\n", side, f.Name, f.Kind, f.words())
	}
	switch {
	case len(x.Path) == 1 && x.Path[0].Link:
		s.WriteString("a link joins them directly\n")
	case len(x.Path) > 1:
		through := make([]string, 0, len(x.Path))
		for _, p := range x.Path {
			how := fmt.Sprintf("probability %.2f", p.Probability)
			if p.Link {
				how = "your link"
			}
			through = append(through, fmt.Sprintf("%s and %s (%s)", p.A, p.B, how))
		}
		fmt.Fprintf(&s, "they are joined through other records: %s\n", strings.Join(through, ", then "))
	}
	if !x.Compared && x.Link == "" {
		s.WriteString("they have too little in common to be candidates, so the pair was not compared when the entities were found\n")
	}
	_, err := io.WriteString(w, s.String())
	return err
}

func cmpAbs(a, b float64) int {
	if a, b = max(a, -a), max(b, -b); a < b {
		return -1
	} else if a > b {
		return 1
	}
	return 0
}

// words says what the cells have in common.
func (f fieldSays) words() string {
	a, b := strings.TrimSpace(f.A), strings.TrimSpace(f.B)
	both := fmt.Sprintf("%q and %q", a, b)
	switch f.Level {
	case "missing":
		if a == "" && b == "" {
			return "missing in both"
		}
		return both + ": missing in one, which counts neither way"
	case "equal":
		if a == b {
			both = fmt.Sprintf("%q in both", a)
		} else {
			both += " are the same value"
		}
		return fmt.Sprintf("%s; %s it (%+.1f)", both, haveIt(f.Records), f.Evidence)
	}
	return fmt.Sprintf("%s: %s (%+.1f)", both, inWords[f.Level], f.Evidence)
}

func haveIt(n int) string {
	if n == 1 {
		return "1 record has"
	}
	return format.Count(n, "record") + " have"
}

// weakGroups returns the weak groups by their ids.
func (j *answer) weakGroups(r *dedupe.Result) []weakGroup {
	out := []weakGroup{}
	for _, g := range r.Weak {
		out = append(out, weakGroup{g.Entity, g.Records, j.ids.ID(g.A), j.ids.ID(g.B), g.Probability})
	}
	return out
}

// shownWeak is how many weak groups the summary names.
const shownWeak = 3

// sayWeak names the weakest groups.
func (j *answer) sayWeak(groups []weakGroup) {
	if len(groups) == 0 {
		return
	}
	what := "1 entity is held together by one weak pair"
	if len(groups) > 1 {
		what = fmt.Sprintf("%d entities are held together by one weak pair each", len(groups))
	}
	j.Say("%s:", what)
	for _, g := range groups[:min(len(groups), shownWeak)] {
		j.Say("  entity %d (%s): %s and %s, probability %.2f (look at it with --explain %s,%s)", g.Entity, format.Count(g.Records, "record"), g.A, g.B, g.Probability, g.A, g.B)
	}
}
