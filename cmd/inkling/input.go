package main

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// input holds the flags that say how data is read and prepared.
type input struct {
	source door.Source
	cmd    *cobra.Command
	o      *door.Options // for preparing; nil where a model says how
	plan   string        // a file of the roles of columns
	write  bool          // it is to be written
}

// readingFlags adds the flags that say how to read.
func (in *input) readingFlags(cmd *cobra.Command) {
	in.cmd = cmd
	f, s := cmd.Flags(), &in.source
	f.StringVar((*string)(&s.Format), "format", "", "`NAME` read as "+strings.Join(s.Format.Values(), "|")+" (default: by name and content)")
	f.StringVar((*string)(&s.As), "as", "", "`KIND` use as "+strings.Join(s.As.Values(), "|")+" (default: by format)")
	f.StringVar(&s.ID, "id", "", "`COLUMN` row ids, or none for row numbers (default: found)")
	f.StringVar(&s.IDs, "ids", "", "`FILE` row ids, one a line, of npy, svm and mtx files")
	f.StringVar(&s.Embeddings, "embeddings", "", "`FILE` a row of numbers for each picture of a folder (default: simple measures of colour and edges)")
	f.StringSliceVar(&s.Drop, "drop", nil, "`COLUMNS` columns to leave out, separated by commas")
	f.StringSliceVar(&s.Columns, "columns", nil, "`COLUMNS` columns to keep, separated by commas")
	f.BoolVar(&s.Transpose, "transpose", false, "exchange rows and columns: ids in the header line, names in the first column")
	f.StringVar(&s.Text, "text", "", "`COLUMN` documents, compared by TF-IDF")
	flags.Workers(f, &s.Workers, "`N` number of goroutines (default: one per processor); does not change the result")
	completeValues(cmd, "format", s.Format.Values()...)
	completeValues(cmd, "as", s.As.Values()...)
	flags.Group(cmd, flags.GroupData, "format", "as", "id", "ids", "embeddings", "drop", "columns", "transpose", "text", "workers")
	flags.Advanced(cmd, "format", "as", "ids", "embeddings", "drop", "columns", "transpose", "workers")
}

// forModel returns the source with columns that were named as "" marked as absent,
// where a model would name them.
func (in *input) forModel() door.Source {
	s := in.source
	if s.ID == "" && in.cmd.Flags().Changed("id") {
		s.ID = door.NoColumn
	}
	if s.Text == "" && in.cmd.Flags().Changed("text") {
		s.Text = door.NoColumn
	}
	return s
}

// preparingFlags adds the flags that say how to prepare what was read.
func (in *input) preparingFlags(cmd *cobra.Command, o *door.Options) {
	in.o = o
	f := cmd.Flags()
	f.StringVar(&in.source.LabelColumn, "label-col", "", "`COLUMN` known labels (empty, ? and NA are unknown)")
	f.StringVar((*string)(&o.Scale), "scale", "", "`HOW` auto|none|standard|minmax|l2|rows|detrend|shares")
	f.StringVar((*string)(&in.source.Missing), "missing", "", "`HOW` missing values: auto|error|drop|mean")
	f.StringVar(&o.StopWords, "stop-words", "", "`WORDS` words to leave out: languages or words separated by commas, none, or a file (default: by the texts)")
	flags.Integer(f, &o.MinDF, "min-df", "", 0, "`N` leave out words in fewer documents than this (default: 1)")
	f.Float64Var(&o.MaxDF, "max-df", 0, "`X` leave out words in more than this fraction of the documents (default: 1)")
	flags.Integer(f, &o.MaxFeatures, "max-features", "", 0, "`N` keep only this many of the most common words (default: all)")
	flags.Integer(f, &o.NGrams, "ngrams", "", 1, "`N` terms of documents: 1 for words, 2 also for words that follow each other (default: 1)")
	flags.Columns(cmd, &in.source, &in.plan)
	completeValues(cmd, "scale", o.Scale.Values()...)
	completeValues(cmd, "missing", in.source.Missing.Values()...)
	flags.Group(cmd, flags.GroupData, "label-col", "scale", "missing")
	flags.Group(cmd, flags.GroupDocuments, "stop-words", "min-df", "max-df", "max-features", "ngrams")
	flags.Advanced(cmd, "stop-words", "min-df", "max-df", "max-features", "ngrams")
}

// check refuses values of the flags for preparing, whatever the data, and reads
// the file of stop words if there is one.
func (in *input) check() (err error) {
	if in.cmd.Flags().Changed("max-df") && !(in.o.MaxDF > 0 && in.o.MaxDF <= 1) {
		return usagef("--max-df must be above 0 and at most 1, got %v", in.o.MaxDF)
	}
	if in.source.Missing != "" {
		if err := oneOf("--missing", string(in.source.Missing), in.source.Missing.Values()...); err != nil {
			return err
		}
	}
	if in.o.StopWords, err = stopWords(in.o.StopWords); err != nil {
		return err
	}
	in.o.Workers = in.source.Workers
	if in.write, err = flags.UsePlan(&in.source, in.plan); err != nil {
		return err
	}
	return in.o.Check()
}

// sideFiles are the files that the flags name beside the data, to be read.
func (in *input) sideFiles() (out []string) {
	for _, path := range []string{in.source.IDs, in.source.Embeddings} {
		if path != "" {
			out = append(out, path)
		}
	}
	if in.plan != "" && !in.write {
		out = append(out, in.plan)
	}
	return out
}

// planTarget is the file of the roles of columns, where it is to be written.
func (in *input) planTarget() targets.Target {
	t := targets.Target{Flag: "--columns-plan"}
	if in.write {
		t.Path = in.plan
	}
	return t
}

// stopWords returns the words of a file of stop words, separated by commas, or
// what was given where that is not a file.
func stopWords(given string) (string, error) {
	if info, err := os.Stat(given); err != nil || !info.Mode().IsRegular() {
		return given, nil
	}
	r, err := dataio.OpenSideFile(given)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		return "", &door.InputError{File: given, Msg: err.Error(), Err: err}
	}
	return strings.Join(strings.Fields(string(b)), ","), nil
}

// oneData is what most commands take.
const oneData = "one DATA: a file, a folder of text files or pictures, or - for stdin"

type tableOpener func(ctx context.Context, path string, s door.Source) (*door.Table, error)

// openTable reads a table with inkling.Open or as a model says, and reports what
// it was read as.
func (a *app) openTable(ctx context.Context, path string, s door.Source, open tableOpener) (t *door.Table, seconds float64, err error) {
	start := time.Now()
	var share atomic.Pointer[func() float64]
	s.Watch = func(f func() float64) { share.Store(&f) }
	done := a.screen.Show(func() string {
		if f := share.Load(); f != nil {
			return terminal.TimeLeft("reading "+path, (*f)(), time.Since(start))
		}
		return "reading " + path
	})
	t, err = open(ctx, path, s)
	done()
	if seconds = time.Since(start).Seconds(); err != nil {
		return nil, seconds, err
	}
	for _, n := range t.Notes() {
		a.say("%s: %s", t.Name(), renderHint(n.Text))
	}
	return t, seconds, nil
}

// openData reads a table as the flags say, and writes the plan of its columns where
// that was asked for. The column that holds the ids of known is that of the ids.
func (a *app) openData(ctx context.Context, path string, in *input, known door.ConstraintFiles) (*door.Table, float64, error) {
	if in.source.ID == "" {
		in.source.Named = known.IDs()
	}
	t, seconds, err := a.openTable(ctx, path, in.source, door.Open)
	if err == nil && in.write {
		err = a.writeFile(in.plan, t.Plan().Write)
	}
	return t, seconds, err
}

// constraintFlags hold the flags that name files of constraints.
type constraintFlags struct{ files door.ConstraintFiles }

func (s *constraintFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&s.files.Labels, "labels", nil, "`FILE` known labels: id,label[,weight] (repeatable)")
	f.StringArrayVar(&s.files.Links, "links", nil, "`FILE` links: a,b,kind[,weight], kind must or cannot; or a,b,belief (repeatable)")
	f.BoolVar(&s.files.IgnoreUnknown, "ignore-unknown", false, "leave out constraints on ids that DATA does not have")
	flags.Group(cmd, flags.GroupConstraints, "labels", "links", "ignore-unknown")
	flags.Advanced(cmd, "ignore-unknown")
}

func (s *constraintFlags) paths() []string { return slices.Concat(s.files.Labels, s.files.Links) }

// constraints reads the constraints on the rows of t.
func (a *app) constraints(ctx context.Context, s *constraintFlags, t *door.Table) (*door.Constraints, error) {
	c, err := door.ReadConstraints(ctx, t, s.files)
	if err != nil {
		return nil, err
	}
	a.notes(c.Notes())
	return c, nil
}

// viewFlags hold the flags that name other graphs or tables of the same rows.
type viewFlags struct {
	files  []string
	as, id string
}

func (v *viewFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&v.files, "view", nil, "`FILE` another graph or table of the same ids, as soft constraints (csp; repeatable)")
	f.StringVar(&v.as, "view-as", "", "`KIND` use views as vectors|graph|text (default: by format)")
	f.StringVar(&v.id, "view-id", "", "`COLUMN` ids of views (default: as --id)")
	completeValues(cmd, "view-as", "vectors", "graph", "text")
	flags.Group(cmd, flags.GroupConstraints, "view", "view-as", "view-id")
	flags.Advanced(cmd, "view-as", "view-id")
}

// sources returns the views, and refuses flags about views where there are none.
func (v *viewFlags) sources() (out []door.ViewSource, err error) {
	for flag, value := range map[string]string{"--view-as": v.as, "--view-id": v.id} {
		if value != "" && len(v.files) == 0 {
			return nil, usagef("%s says how a view is read, but no --view is given", flag)
		}
	}
	for _, path := range v.files {
		out = append(out, door.ViewSource{Path: path, As: door.As(v.as), ID: v.id})
	}
	return out, nil
}
