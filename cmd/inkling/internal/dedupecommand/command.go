// Package dedupecommand is inkling dedupe: records to entities, without a number of
// clusters.
package dedupecommand

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/dedupe"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio/records"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// job is one run.
type job struct {
	answer
	links     []string
	labels    []string
	fields    []string
	id        string
	second    string // a table to link with, "" where none
	threshold float64
	precision float64
	compare   []string
	timeout   time.Duration
	workers   int

	ask     int    // questions
	answers string // file that keeps the answers
}

// New returns the command.
func New(args cobra.PositionalArgs, p Program) *cobra.Command {
	j := &job{answer: answer{Program: p}}
	cmd := &cobra.Command{
		Use:   "dedupe TABLE [TABLE]",
		Short: "find records that describe the same entity",
		Long: `Find which records of TABLE describe the same person, company or thing, despite
typing errors, missing cells and values in the wrong column, and write
id,entity,confidence. There is no number of clusters to give. Links are never
violated; from 20 links on, the model learns from them where that helps.
With a second TABLE, matches between and within the two are found. --ask learns
from your answers on the most uncertain pairs.`,
		Example: `  inkling dedupe example:contacts.csv
  inkling dedupe example:contacts.csv --links example:contacts-links.csv
  inkling dedupe example:contacts.csv --explain 117,181
  inkling dedupe example:contacts.csv --ask 20 --answers answers.csv -o entities.csv`,
		Args: args,
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringSliceVar(&j.fields, "fields", nil, "`COLUMNS` columns to compare (default: all but the ids)")
	f.StringSliceVar(&j.compare, "compare", nil, "`COLUMN=KIND` how a column is compared: "+strings.Join(dedupe.Kinds(), ", ")+" (default: by its cells)")
	f.StringVar(&j.id, "id", "", "`COLUMN` row ids (default: found, or row numbers)")
	f.StringArrayVar(&j.links, "links", nil, "`FILE` answers: a,b,kind, kind must (the same) or cannot (different) (repeatable)")
	f.StringArrayVar(&j.labels, "labels", nil, "`FILE` known entities of some rows: id,label (repeatable)")
	flags.Integer(f, &j.ask, "ask", "", 1, "`N` ask about so many pairs")
	f.StringVar(&j.answers, "answers", "", "`FILE` keeps the answers of --ask, as links")
	f.Float64Var(&j.threshold, "threshold", 0, "`P` probability from which on records match (default: best F)")
	f.Float64Var(&j.precision, "precision", 0, "`P` lowest threshold of this precision, such as 0.98")
	f.StringVarP(&j.out, "output", "o", "", "`FILE` write id,entity,confidence here (default: stdout)")
	f.BoolVar(&j.join, "join", false, "write the columns of TABLE, then entity,confidence")
	f.StringVar(&j.pairs, "pairs", "", "`FILE` write the compared pairs, the most uncertain first")
	f.StringVar(&j.linksOut, "links-out", "", "`FILE` write a,b,probability,together, the likeliest first")
	f.StringVar(&j.merged, "merged", "", "`FILE` write one record per entity")
	f.StringVar(&j.newest, "newest", "", "`COLUMN` dates: --merged takes values from the newest record")
	f.StringVar(&j.report, "report", "", "`FILE` write a report as HTML: thresholds, weak groups, the largest entities")
	f.StringVar(&j.explain, "explain", "", "`A,B` say why two records are together or apart, column by column")
	flags.EscapeFormulas(f, &j.escape)
	f.DurationVar(&j.timeout, "timeout", 0, "`TIME` give up after this time (5s, 2m)")
	flags.Integer(f, &j.workers, "workers", "", 0, "`N` number of goroutines (default: one per processor); does not change the result")
	flags.Group(cmd, flags.GroupData, "fields", "compare", "id", "workers")
	flags.Group(cmd, flags.GroupConstraints, "links", "labels", "ask", "answers", "threshold", "precision")
	flags.Group(cmd, flags.GroupOutput, "output", "join", "pairs", "links-out", "merged", "newest", "report", "explain", "escape-formulas", "timeout")
	flags.Advanced(cmd, "labels", "compare", "links-out", "newest", "workers", "escape-formulas", "timeout")
	return cmd
}

func (j *job) run(cmd *cobra.Command, paths []string) error {
	j.path = paths[0]
	if len(paths) > 1 {
		j.second = paths[1]
	}
	if err := j.check(cmd); err != nil {
		return err
	}
	asks := cmd.Flags().Changed("ask")
	if err := j.checkAsk(asks); err != nil {
		return err
	}
	var before []byte
	if asks {
		var err error
		if before, err = j.readAnswers(); err != nil {
			return err
		}
	}
	ctx := cmd.Context()
	if j.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.timeout)
		defer cancel()
	}
	start := time.Now()
	known, fields, err := j.read(ctx)
	j.spent.Read = time.Since(start).Seconds()
	if err != nil {
		return j.ended(ctx, err)
	}
	if asks {
		r, known, err := j.converse(ctx, before, known, fields)
		if err != nil {
			return err
		}
		return j.write(r, known)
	}
	r, err := j.find(ctx, fields, known)
	if err != nil {
		return j.ended(ctx, err)
	}
	return j.write(r, known)
}

func (j *job) check(cmd *cobra.Command) error {
	if cmd.Flags().Changed("threshold") && !(j.threshold > 0 && j.threshold < 1) {
		return optionError("threshold", "threshold must be above 0 and below 1, got %v", j.threshold)
	}
	if cmd.Flags().Changed("precision") && !(j.precision > 0 && j.precision < 1) {
		return optionError("precision", "precision must be above 0 and below 1, got %v", j.precision)
	}
	if j.precision != 0 && j.threshold != 0 {
		return optionError("precision", "give --threshold or --precision, not both")
	}
	if cmd.Flags().Changed("timeout") && j.timeout <= 0 {
		return optionError("timeout", "timeout must be above 0, got %v", j.timeout)
	}
	if j.newest != "" && j.merged == "" {
		return optionError("newest", "newest is for --merged; give --merged FILE")
	}
	if j.join && (j.path == "-" || j.path == "/dev/stdin") {
		return optionError("join", "join reads TABLE a second time, which stdin does not allow; save it to a file first")
	}
	inputs := slices.Concat(j.links, j.labels, []string{j.path})
	if j.second != "" {
		if inputs = append(inputs, j.second); j.join {
			return optionError("join", "join needs one TABLE; with two, --merged writes the records of both")
		}
	}
	outputs := []targets.Target{{Flag: "-o", Path: j.out}, {Flag: "--pairs", Path: j.pairs}, {Flag: "--links-out", Path: j.linksOut}, {Flag: "--merged", Path: j.merged}}
	pages := []targets.Target{{Flag: "--report", Path: j.report}}
	if j.answers != "" {
		outputs = append(outputs, targets.Target{Flag: "--answers", Path: j.answers})
	}
	if j.explain != "" {
		for _, t := range slices.Concat(outputs, pages) {
			if t.Path == "-" || t.Path == "/dev/stdout" {
				return optionError("explain", "explain writes to stdout; give %s a file", t.Flag)
			}
		}
	}
	return cmp.Or(targets.StdinOnce(inputs...), targets.Tables(outputs...), targets.ProtectInputs(slices.Concat(outputs, pages), inputs...), targets.Distinct(slices.Concat(outputs, pages), *j.JSON))
}

func optionError(option, format string, args ...any) error {
	return &door.OptionError{Option: option, Msg: fmt.Sprintf(format, args...)}
}

// ended says that the time is over where that is why err came.
func (j *job) ended(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &door.TimeLimitError{Limit: j.timeout, Whole: true}
	}
	return err
}

// read reads the table and the constraints, and says which columns are compared.
func (j *job) read(ctx context.Context) (*constraint.Set, []int, error) {
	done := j.Show(func() string { return "reading " + j.path })
	defer done()
	var err error
	if j.table, err = openTable(ctx, j.path); err != nil {
		return nil, nil, err
	}
	if j.second != "" {
		other, err := openTable(ctx, j.second)
		if err != nil {
			return nil, nil, err
		}
		if err := j.appendTable(other); err != nil {
			return nil, nil, err
		}
	}
	if err := j.checkNewest(); err != nil {
		return nil, nil, err
	}
	ids, err := j.idColumn()
	if err != nil {
		return nil, nil, err
	}
	j.idName = j.id
	fields, err := j.compared()
	if err != nil {
		return nil, nil, err
	}
	j.fieldColumns = fields
	rows := &data.Dense{Cols: 1, V: make([]float64, j.table.Len())} // of no meaning: only the ids count
	if j.ids, err = door.FromMatrix(rows, door.Names{Name: j.path, IDs: ids}); err != nil {
		return nil, nil, err
	}
	k, err := j.readConstraints(ctx)
	if err == nil {
		err = j.rowsToExplain()
	}
	return k, fields, err
}

// checkNewest refuses a column of --newest without dates.
func (j *job) checkNewest() error {
	if j.newest == "" {
		return nil
	}
	c, err := j.table.Column(j.newest)
	if err != nil {
		return err
	}
	if slices.Max(append(dedupe.Dates(j.table.Cells[c]), 0)) == 0 {
		return optionError("newest", "no cell of %s is a date", j.newest)
	}
	return nil
}

func openTable(ctx context.Context, path string) (*records.Table, error) {
	b, builtin, err := door.Builtin(path)
	if err != nil {
		return nil, err
	}
	if builtin {
		return records.Read(bytes.NewReader(b), path)
	}
	t, err := records.Open(path, ctx.Err)
	return t, cmp.Or(ctx.Err(), err)
}

// compared returns the columns that are compared.
func (j *job) compared() (fields []int, err error) {
	for _, name := range j.fields {
		c, err := j.table.Column(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(fields, c) {
			fields = append(fields, c)
		}
	}
	if j.fields != nil {
		if len(fields) == 0 {
			return nil, optionError("fields", "fields names no column")
		}
		return fields, nil
	}
	var names []string
	for c, name := range j.table.Columns {
		if name != j.id && name != j.newest { // when a record was written says nothing about what it describes
			fields, names = append(fields, c), append(names, name)
		}
	}
	if len(fields) == 0 {
		return nil, &door.InputError{File: j.path, Line: 1, Msg: "the table has no column beside the ids"}
	}
	j.Say("%s: %s, comparing %s", j.path, format.Count(j.table.Len(), "record"), strings.Join(names, ", "))
	return fields, nil
}

// readConstraints reads the constraints through the front door, by ids, and returns them
// by row numbers.
func (j *job) readConstraints(ctx context.Context) (*constraint.Set, error) {
	c, err := door.ReadConstraints(ctx, j.ids, door.ConstraintFiles{Links: j.links, Labels: j.labels})
	if err != nil {
		return nil, err
	}
	for _, n := range c.Notes() {
		j.Note(n)
	}
	if c.Len() == 0 && c.Err() == nil {
		return &constraint.Set{}, nil
	}
	report, err := door.CheckConstraints(ctx, j.ids, c, door.Options{})
	if err != nil {
		return nil, err
	}
	if err := report.Err(); err != nil {
		var input *door.InputError
		if errors.As(err, &input) && j.id != "" {
			input.Hint = hint.Sprintf("the ids are those of the column %s", j.id)
		}
		return nil, err
	}
	p, _, err := door.NewProblem(ctx, j.ids, c, door.Options{})
	if err != nil {
		return nil, err
	}
	if n := len(p.Constraints.Beliefs); n > 0 {
		j.Say("warning: ignored %s: dedupe uses must-links and cannot-links", format.Count(n, "belief"))
	}
	return p.Constraints, nil
}

// find finds the entities, with a line of progress.
func (j *job) find(ctx context.Context, fields []int, set *constraint.Set) (*dedupe.Result, error) {
	in := &dedupe.Records{}
	for _, c := range fields {
		in.Fields, in.Cells = append(in.Fields, j.table.Columns[c]), append(in.Cells, j.table.Cells[c])
	}
	kinds, err := j.kinds(in.Fields)
	if err != nil {
		return nil, err
	}
	in.Kinds = kinds
	var mu sync.Mutex
	line := "starting"
	o := dedupe.Options{Threshold: j.threshold, Precision: j.precision, Workers: j.workers, Progress: func(step string, part float64) {
		mu.Lock()
		defer mu.Unlock()
		if line = step; part > 0 {
			line = fmt.Sprintf("%s %.0f%%", step, 100*part)
		}
	}}
	done := j.Show(func() string {
		mu.Lock()
		defer mu.Unlock()
		return line
	})
	start := time.Now()
	r, err := dedupe.Entities(ctx, in, set, o)
	done()
	j.spent.Fit = time.Since(start).Seconds()
	if err == nil && len(r.Entity) > 0 && !slices.ContainsFunc(r.Fields, func(f dedupe.Field) bool { return f.Filled > 0 }) {
		return nil, &door.InputError{File: j.path, Msg: fmt.Sprintf("no row has a value in %s; there is nothing to compare", strings.Join(in.Fields, ", ")), Hint: "--fields names the columns to compare"}
	}
	return r, err
}

// kinds returns how the fields are compared, "" where their cells decide.
func (j *job) kinds(fields []string) ([]string, error) {
	out := make([]string, len(fields))
	for _, entry := range j.compare {
		name, kind, ok := strings.Cut(entry, "=")
		if !ok || !slices.Contains(dedupe.Kinds(), kind) {
			return nil, optionError("compare", "compare must be COLUMN=KIND with a kind of %s, got %q", strings.Join(dedupe.Kinds(), ", "), entry)
		}
		if _, err := j.table.Column(name); err != nil {
			return nil, err
		}
		f := slices.Index(fields, name)
		if f < 0 {
			return nil, optionError("compare", "compare names the column %s, which is not compared", name)
		}
		out[f] = kind
	}
	return out, nil
}
