package dedupecommand

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cmd/inkling/internal/joined"
	"github.com/inklinghq/inkling/dedupe"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/dataio/records"
	"github.com/inklinghq/inkling/internal/input/dataio/tablefile"
	"github.com/inklinghq/inkling/internal/support/format"
)

// A Program is what the command needs of the program around it.
type Program struct {
	Say           func(format string, args ...any) // a line for people
	Note          func(door.Note)
	Show          func(line func() string) (done func()) // a line of progress
	PrintJSON     func(v any) error
	WriteFile     func(path string, write func(io.Writer) error) error
	JSON, Verbose *bool

	Stdin   io.Reader                        // answers
	Painted io.Writer                        // standard output, for text that is printable already and may be in colours
	Canvas  func() (width int, colours bool) // of it
}

// answer is where the result of a run goes.
type answer struct {
	Program
	path     string
	table    *records.Table
	ids      *door.Table // the same rows, to name them in constraints
	out      string
	join     bool
	pairs    string
	linksOut string
	merged   string
	newest   string // the column that says how new records are, "" where none
	report   string
	escape   bool
	idName   string // the column of the ids, "" where rows are numbered
	spent    seconds

	explain      string
	explained    [2]int // the rows that it names
	fieldColumns []int  // the compared columns
}

type seconds struct {
	Read  float64 `json:"read"`
	Fit   float64 `json:"fit"`
	Write float64 `json:"write"`
}

// Output is what inkling dedupe prints with --json.
type Output struct {
	Schema        string                 `json:"schema"`
	N             int                    `json:"n"`
	Entities      int                    `json:"entities"`
	Duplicates    int                    `json:"duplicates"` // records that are not the first of their entity
	Largest       int                    `json:"largest"`    // records of the largest entity
	PairsCompared int                    `json:"pairs_compared"`
	PairsExpected float64                `json:"pairs_expected"` // compared pairs that match, as the model expects
	Threshold     float64                `json:"threshold"`
	ThresholdFrom dedupe.ThresholdSource `json:"threshold_from"`
	Recall        float64                `json:"blocking_recall"` // part of the matches that were compared, estimated
	Thresholds    []dedupe.ThresholdRow  `json:"thresholds"`      // what other thresholds would give, estimated
	Must          Count                  `json:"must"`
	Cannot        Count                  `json:"cannot"`
	Labels        int                    `json:"labels"`
	Objective     float64                `json:"objective"`
	Fields        []dedupe.Field         `json:"fields"`
	WeakGroups    []weakGroup            `json:"weak_groups"` // entities that one weak pair holds together, the weakest first
	Explanation   *explanation           `json:"explanation"` // with --explain
	Seconds       seconds                `json:"seconds"`
}

// A Count says how many links there are and how many are satisfied.
type Count struct {
	Given     int `json:"given"`
	Satisfied int `json:"satisfied"`
}

func countSatisfied(pairs []constraint.Pair, holds func(a, b int) bool) (c Count) {
	c.Given = len(pairs)
	for _, p := range pairs {
		if holds(p.I, p.J) {
			c.Satisfied++
		}
	}
	return c
}

func (j *answer) output(r *dedupe.Result, known *constraint.Set) *Output {
	size := make([]int, r.Entities)
	for _, e := range r.Entity {
		size[e]++
	}
	return &Output{Schema: "inkling.dedupe/1", N: len(r.Entity), Entities: r.Entities, Duplicates: len(r.Entity) - r.Entities, Largest: slices.Max(append(size, 0)),
		PairsCompared: r.Compared, PairsExpected: r.Matches, Threshold: r.Threshold, ThresholdFrom: r.ThresholdFrom, Recall: r.Recall, Thresholds: r.Thresholds,
		Must:   countSatisfied(known.Must, func(a, b int) bool { return r.Entity[a] == r.Entity[b] }),
		Cannot: countSatisfied(known.Cannot, func(a, b int) bool { return r.Entity[a] != r.Entity[b] }),
		Labels: len(known.Labels), Objective: r.Objective, Fields: r.Fields, WeakGroups: j.weakGroups(r), Explanation: j.explanationOf(r)}
}

// write writes what was asked for, each file whole or not at all, and the summary.
func (j *answer) write(r *dedupe.Result, known *constraint.Set) error {
	start := time.Now()
	out := j.out
	if out == "" && !*j.JSON && j.explain == "" {
		out = "-"
	}
	o := j.output(r, known)
	explained := ""
	if j.explain != "" && !*j.JSON {
		explained = "-"
	}
	for _, f := range []struct {
		path  string
		write func(io.Writer) error
	}{{out, func(w io.Writer) error { return j.writeRows(w, r) }}, {j.pairs, func(w io.Writer) error { return j.writePairs(w, r) }},
		{j.linksOut, func(w io.Writer) error { return j.writeLinks(w, r) }},
		{j.merged, func(w io.Writer) error { return j.writeMerged(w, r) }},
		{explained, func(w io.Writer) error { return o.Explanation.write(w) }}} {
		if f.path == "" {
			continue
		}
		write := tablefile.EncodeAny(f.path, j.escape, f.write)
		if f.path == "-" && j.join && j.table.Format == "jsonl" {
			write = f.write // JSON lines stay so
		}
		if err := j.WriteFile(f.path, write); err != nil {
			return err
		}
	}
	if j.report != "" {
		if err := j.WriteFile(j.report, func(w io.Writer) error { return j.writeReport(w, r, o) }); err != nil {
			return err
		}
	}
	j.spent.Write = time.Since(start).Seconds()
	if o.Seconds = j.spent; *j.JSON {
		if err := j.PrintJSON(o); err != nil {
			return err
		}
	}
	j.summarise(o)
	return nil
}

func cells(r *dedupe.Result, i int) []string {
	return []string{strconv.Itoa(r.Entity[i]), strconv.FormatFloat(r.Confidence[i], 'f', 4, 64)}
}

func (j *answer) writeRows(w io.Writer, r *dedupe.Result) error {
	if j.join {
		return j.writeJoined(w, r)
	}
	out := csv.NewWriter(w)
	_ = out.Write([]string{"id", "entity", "confidence"})
	for i := range r.Entity {
		_ = out.Write(append([]string{j.ids.ID(i)}, cells(r, i)...))
	}
	out.Flush()
	return out.Error()
}

// writeJoined writes the table again with the columns entity and confidence.
func (j *answer) writeJoined(w io.Writer, r *dedupe.Result) error {
	b, builtin, err := door.Builtin(j.path)
	if err != nil {
		return err
	}
	var in io.Reader = bytes.NewReader(b)
	if !builtin {
		f, err := dataio.OpenFile(j.path)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	add := joined.Columns{Names: []string{"entity", "confidence"}, Rows: len(r.Entity), Cells: func(i int) []string { return cells(r, i) }}
	if j.table.Format == "jsonl" {
		return joined.JSONLines(w, in, add)
	}
	return joined.CSV(w, in, add)
}

// writePairs writes the compared pairs, the most uncertain first. The evidence of a field
// is what it adds to the log-odds of a match.
func (j *answer) writePairs(w io.Writer, r *dedupe.Result) error {
	out := csv.NewWriter(w)
	header := []string{"a", "b", "probability", "together"}
	for _, f := range r.Fields {
		header = append(header, "evidence_"+f.Name)
	}
	_ = out.Write(header)
	for _, p := range r.UncertainPairs(-1) {
		row := []string{j.ids.ID(p.A), j.ids.ID(p.B), strconv.FormatFloat(p.Probability, 'f', 4, 64), strconv.FormatBool(p.Together)}
		for _, e := range p.Evidence {
			row = append(row, strconv.FormatFloat(e, 'f', 2, 64))
		}
		_ = out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// sayNothingCompared says what it means that no pair was compared: there is nothing to estimate then.
func (j *answer) sayNothingCompared(o *Output) {
	switch {
	case o.N < 2:
		j.Say("there is nothing to compare one record with")
	case o.Duplicates > 0:
		j.Say("only records whose compared columns are equal are together; no others share a word, a number or a part of one")
	default:
		j.Say("no two records share a word, a number or a part of one, so none were compared; --fields names other columns")
	}
}

// summarise says what was found, for people.
func (j *answer) summarise(o *Output) {
	entities := "1 entity"
	if o.Entities != 1 {
		entities = fmt.Sprintf("%d entities", o.Entities)
	}
	j.Say("%s of %s; the largest entity has %s", format.Count(o.N, "record"), entities, format.Count(o.Largest, "record"))
	from := map[dedupe.ThresholdSource]string{dedupe.FromDefault: "the best estimated F", dedupe.FromLinks: "the best estimated F, with weights learned from your links",
		dedupe.FromOptions: "as given", dedupe.FromPrecision: "the lowest with the precision asked for"}[o.ThresholdFrom]
	if o.PairsCompared == 0 {
		j.sayNothingCompared(o)
		return
	}
	j.Say("compared %s, which hold an estimated %.1f%% of the matches", format.Count(o.PairsCompared, "pair"), 100*o.Recall)
	j.Say("records match from probability %v on (%s)", o.Threshold, from)
	for _, t := range o.Thresholds {
		if t.Taken || slices.Contains([]float64{0.3, 0.5, 0.7, 0.9, 0.98}, t.Threshold) {
			taken := ""
			if t.Taken {
				taken = "  (taken)"
			}
			j.Say("  threshold %.2f: estimated precision %.2f, recall %.2f%s", t.Threshold, t.Precision, t.Recall, taken)
		}
	}
	j.sayWeak(o.WeakGroups)
	if o.Must.Given+o.Cannot.Given > 0 {
		j.Say("satisfied %d of %s and %d of %s", o.Must.Satisfied, format.Count(o.Must.Given, "must-link"), o.Cannot.Satisfied, format.Count(o.Cannot.Given, "cannot-link"))
	}
	if *j.Verbose {
		for _, f := range o.Fields {
			j.Say("  %s: compared as %s, filled in %d records; in %.0f%% of the matches equal, in %.0f%% different", f.Name, f.Kind, f.Filled, 100*f.Equal, 100*f.Different)
		}
	}
	if o.Duplicates == 0 {
		j.Say("no duplicates found; a lower --threshold finds more")
	} else if j.pairs == "" {
		j.Say("%s", "next: --ask 20 --answers FILE asks about the most uncertain pairs; --pairs FILE lists them")
	}
	if *j.JSON && j.out == "" {
		j.Say("with --json the entities of the rows are not printed; -o FILE writes them")
	}
}
