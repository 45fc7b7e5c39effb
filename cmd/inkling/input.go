package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/example"
	"github.com/inklinghq/inkling/hint"
	"github.com/inklinghq/inkling/internal/suggest"
	"github.com/inklinghq/inkling/prepare"
)

// input holds the flags that say how data is read and prepared.
type input struct {
	read dataio.Options
	prep prepare.Options
	cmd  *cobra.Command // that has the flags for preparing; nil if none does
}

// reading adds the flags that say how to read.
func (in *input) reading(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar((*string)(&in.read.Format), "format", "", "read as "+strings.Join(in.read.Format.Values(), "|")+" (default: by name and content)")
	f.StringVar((*string)(&in.read.As), "as", "", "take as "+strings.Join(in.read.As.Values(), "|")+" (default: by format)")
	f.StringVar(&in.read.ID, "id", "", "the column that names the rows (default: row numbers from 0)")
	f.StringSliceVar(&in.read.Drop, "drop", nil, "columns to leave out")
	f.StringSliceVar(&in.read.Columns, "columns", nil, "columns to keep")
	f.StringVar(&in.read.Text, "text", "", "the column of documents, turned into TF-IDF")
	f.IntVar(&in.read.Workers, "workers", 0, "goroutines (default: one per processor); the result does not depend on it")
	values(cmd, "format", in.read.Format.Values()...)
	values(cmd, "as", in.read.As.Values()...)
}

// preparing adds the flags that say how to prepare what was read.
func (in *input) preparing(cmd *cobra.Command) {
	in.cmd = cmd
	f := cmd.Flags()
	f.StringVar(&in.read.Label, "label-col", "", "the column of known labels (empty, ? and NA are unknown)")
	f.StringVar((*string)(&in.prep.Scale), "scale", "none", "scale columns: none|standard|minmax, or rows: l2")
	f.StringVar((*string)(&in.prep.Missing), "missing", "", "on missing values: drop the row, or put the column's mean (default: refuse)")
	f.StringVar(&in.prep.StopWords, "stop-words", "english", "words to leave out of documents: english, none, a list with commas, or a file of words")
	f.IntVar(&in.prep.MinDF, "min-df", 1, "leave out words in fewer documents than this")
	f.Float64Var(&in.prep.MaxDF, "max-df", 1, "leave out words in more than this share of the documents")
	f.IntVar(&in.prep.MaxFeatures, "max-features", 0, "keep only this many of the most common words (default: all)")
	values(cmd, "scale", in.prep.Scale.Values()...)
	values(cmd, "missing", in.prep.Missing.Values()...)
}

func (in *input) check() error {
	for _, f := range []struct {
		flag, value string
		values      []string
	}{
		{"--format", string(in.read.Format), in.read.Format.Values()},
		{"--as", string(in.read.As), in.read.As.Values()},
		{"--scale", string(in.prep.Scale), in.prep.Scale.Values()},
		{"--missing", string(in.prep.Missing), in.prep.Missing.Values()},
	} {
		if f.value == "" {
			continue
		}
		if err := oneOf(f.flag, f.value, f.values...); err != nil {
			return err
		}
	}
	if in.prep.MaxDF <= 0 && in.prep.Scale != "" || in.prep.MaxDF > 1 {
		return usagef("--max-df is %v, it must be above 0 and at most 1", in.prep.MaxDF)
	}
	for _, f := range []struct {
		flag  string
		value int
	}{{"--min-df", in.prep.MinDF}, {"--max-features", in.prep.MaxFeatures}, {"--workers", in.read.Workers}} {
		if f.value < 0 {
			return usagef("%s is %d, it must not be negative", f.flag, f.value)
		}
	}
	if in.read.Text != "" && len(in.read.Columns) > 0 {
		return usagef("--text %s reads that column alone, so --columns has nothing to choose; leave one of them out", in.read.Text)
	}
	words, err := wordsOf(in.prep.StopWords)
	if err != nil {
		return err
	}
	in.prep.StopWords = words
	in.read.Missing = in.prep.Missing != ""
	in.prep.Workers = in.read.Workers
	return nil
}

// open reads a data file, - for stdin, or a built-in one (example:NAME), and
// says what it was taken for.
func (a *app) open(path string, opt dataio.Options) (ds *dataio.Dataset, seconds float64, err error) {
	seconds, err = a.timed("reading "+path, func() error {
		var err error
		if b, ok, builtIn := builtin(path); ok {
			if builtIn != nil {
				return builtIn
			}
			ds, err = dataio.Read(bytes.NewReader(b), path, opt)
			return err
		}
		ds, err = dataio.Open(path, opt)
		return orBuiltin(path, err)
	})
	if err != nil {
		return nil, seconds, err
	}
	for _, note := range ds.Notes {
		a.say("%s: %s", ds.Name, renderHint(note))
	}
	return ds, seconds, nil
}

const builtinPrefix = "example:"

// builtin returns the bytes of a file that inkling example would write; ok is
// false for paths that name none.
func builtin(path string) (b []byte, ok bool, err error) {
	name, ok := strings.CutPrefix(path, builtinPrefix)
	if !ok {
		return nil, false, nil
	}
	var sets, all []string
	for _, s := range example.List() {
		sets = append(sets, s.Name)
	}
	stem, _, _ := strings.Cut(name, ".")
	near := suggest.Nearest(stem, sets)
	for _, s := range example.List() {
		if s.Name != near && !strings.HasPrefix(name, s.Name) {
			continue
		}
		set, err := example.Load(s.Name)
		if err != nil {
			return nil, true, err
		}
		for _, f := range set.Files() {
			all = append(all, f.Name)
			if f.Name == name {
				var buf bytes.Buffer
				err := f.Write(&buf)
				return buf.Bytes(), true, err
			}
		}
	}
	asked := ""
	if w := suggest.Nearest(name, all); w != "" {
		asked = "did you mean " + builtinPrefix + w + "? "
	} else if len(all) > 0 {
		asked = "did you mean " + builtinPrefix + all[0] + "? "
	}
	return nil, true, &dataio.Error{File: path, Msg: "there is no such built-in file",
		Hint: hint.Sprintf("%sinkling example lists the built-in data", asked)}
}

// orBuiltin points somebody who asks for a file that is not there, but built
// in, to that one.
func orBuiltin(path string, err error) error {
	var bad *dataio.Error
	if !errors.As(err, &bad) || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, ok, none := builtin(builtinPrefix + path); ok && none == nil {
		bad.Hint = hint.Sprintf("did you mean %s, which is built in?", builtinPrefix+path)
	}
	return err
}

// values makes the shell complete the values of a flag.
func values(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(fmt.Sprintf("completion of --%s: %v", flag, err))
	}
}
