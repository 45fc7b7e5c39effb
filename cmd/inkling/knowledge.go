package main

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/dataio"
)

// knowledge is what the user knows, by row, with where each piece stands.
type knowledge struct {
	set    *constraint.Set
	places map[string][]place // by list of the set: labels, must, cannot, beliefs
	faults []fault            // what could not be matched with a row
	name   func(row int) string
	point  string // what a row is called: row, or node of a graph
	soft   int    // rows with weighed labels of several classes
	views  int    // other looks at the same rows
}

// A place is where a piece of knowledge was given; line 0 is nowhere in
// particular.
type place struct {
	file string
	line int
}

func (p place) String() string {
	if p.line == 0 {
		return p.file
	}
	return fmt.Sprintf("%s:%d", p.file, p.line)
}

// A fault is a piece of knowledge that something is wrong with.
type fault struct {
	Kind    string `json:"kind"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

func (f fault) String() string { return fmt.Sprintf("%s: %s", place{f.File, f.Line}, f.Message) }

// sources holds the flags that name files of knowledge.
type sources struct {
	labels, links []string
}

func (s *sources) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&s.labels, "labels", nil, "file of known labels: id,label[,weight] (repeatable)")
	f.StringArrayVar(&s.links, "links", nil, "file of pairs: a,b,kind[,weight] with kind must or cannot, or a,b,belief (repeatable)")
}

func (s *sources) files() []string { return slices.Concat(s.labels, s.links) }

// load reads the files and the label column of ds, and matches them with the
// rows that are left of ds; rows is nil where all are.
func (a *app) load(s *sources, ds *dataio.Dataset, rows []int) (*knowledge, error) {
	k := newKnowledge(ds, rows)
	for _, file := range s.labels {
		given, err := readKnowledge(file, dataio.ReadLabels, dataio.OpenLabels)
		if err != nil {
			return nil, err
		}
		if len(given) == 0 {
			a.warn("%s: there is no label in it; empty, ? and NA are unknown", file)
		}
		for _, r := range given {
			k.addLabel(r.ID, r.Label, r.Weight, place{file, r.Line})
		}
	}
	if ds.Labels != nil {
		known := false
		for i, label := range ds.Labels {
			if label != "" {
				known = true
				k.addLabel(ds.ID(i), label, 1, place{file: ds.Name})
			}
		}
		if !known {
			a.warn("%s: the label column names no label; empty, ? and NA are unknown", ds.Name)
		}
	}
	for _, file := range s.links {
		given, err := readKnowledge(file, dataio.ReadLinks, dataio.OpenLinks)
		if err != nil {
			return nil, err
		}
		if len(given) == 0 {
			a.warn("%s: there is no link in it", file)
		}
		for _, r := range given {
			k.addLink(r, place{file, r.Line})
		}
	}
	k.set.Names, k.soft = k.names, len(k.set.SoftSeeds())
	for _, name := range k.names {
		if slices.Contains(hollow, strings.ToLower(name)) {
			a.warn("the label %q is taken for a class like any other; empty, ? and NA are unknown", name)
		}
	}
	if n := k.dropped; n > 0 {
		a.warn("%s about rows that were dropped for missing values left out", count(n, "piece")+" of knowledge")
	}
	return &k.knowledge, nil
}

// hollow are labels, in small letters, by which other programs mean that there
// is none.
var hollow = []string{"-1", "na", "n/a", "nan", "null", "none", "unknown", "unlabelled", "unlabeled"}

// builder collects knowledge.
type builder struct {
	knowledge
	row     map[string]int    // by id; nil where ids are row numbers
	folder  []string          // the ids of a folder of documents
	short   map[string]string // these, by what is easily written instead
	n       int               // rows of the dataset
	kept    []int             // the number of a dataset's row among those left, -1 if dropped; nil: all left
	classes map[string]int
	names   []string
	dropped int
}

func newKnowledge(ds *dataio.Dataset, rows []int) *builder {
	b := &builder{n: ds.Len(), classes: map[string]int{}}
	b.set, b.places, b.point = &constraint.Set{}, map[string][]place{}, "row"
	if ds.Graph != nil {
		b.point = "node"
	}
	b.name = func(i int) string {
		if rows != nil {
			i = rows[i]
		}
		return ds.ID(i)
	}
	if ds.IDs != nil {
		if ds.Docs != nil && ds.Format == dataio.Text {
			b.folder = ds.IDs
		}
		b.row = make(map[string]int, len(ds.IDs))
		for i, id := range ds.IDs {
			b.row[id] = i
		}
	}
	if rows != nil {
		b.kept = slices.Repeat([]int{-1}, b.n)
		for at, i := range rows {
			b.kept[i] = at
		}
	}
	return b
}

// find returns the row with this id, and whether there is one to speak of.
func (b *builder) find(id string, at place) (int, bool) {
	i, ok := b.row[id]
	if b.row == nil {
		var err error
		i, err = strconv.Atoi(id)
		ok = err == nil && i >= 0 && i < b.n && strconv.Itoa(i) == id
	}
	if !ok {
		hint := "the ids are those of the id column"
		switch {
		case b.row == nil && b.point == "node":
			hint = fmt.Sprintf("the nodes are numbered 0 to %d", b.n-1)
		case b.row == nil:
			hint = fmt.Sprintf("the rows are numbered 0 to %d; --id names a column of ids", b.n-1)
		case b.point == "node":
			hint = "the ids are those in the list of edges"
		case b.folder != nil:
			hint = "the ids are the paths of the files within the folder" + b.document(id)
		}
		b.faults = append(b.faults, fault{"unknown-id", at.file, at.line, fmt.Sprintf("there is no %s %q; %s", b.point, id, hint)})
		return 0, false
	}
	if b.kept != nil {
		if i = b.kept[i]; i < 0 {
			b.dropped++
			return 0, false
		}
	}
	return i, true
}

// document asks for the file of the folder that id leaves out the folder or
// the extension of, if there is one.
func (b *builder) document(id string) string {
	if b.short == nil {
		b.short = map[string]string{}
		for _, name := range slices.Backward(b.folder) { // of several the first
			base := path.Base(name)
			b.short[base] = name
			b.short[strings.TrimSuffix(base, path.Ext(base))] = name
			b.short[strings.TrimSuffix(name, path.Ext(name))] = name
		}
	}
	if name := b.short[id]; name != "" {
		return fmt.Sprintf("; did you mean %q?", name)
	}
	return ""
}

func (b *builder) addLabel(id, label string, weight float64, at place) {
	i, ok := b.find(id, at)
	if !ok {
		return
	}
	c, seen := b.classes[label]
	if !seen {
		c = len(b.names)
		b.classes[label], b.names = c, append(b.names, label)
	}
	b.set.Labels = append(b.set.Labels, constraint.Label{I: i, Class: c, W: weight})
	b.places["labels"] = append(b.places["labels"], at)
}

func (b *builder) addLink(r dataio.LinkRow, at place) {
	i, okA := b.find(r.A, at)
	j, okB := b.find(r.B, at)
	if !okA || !okB {
		return
	}
	list, key := &b.set.Must, "must"
	switch r.Kind {
	case "cannot":
		list, key = &b.set.Cannot, "cannot"
	case "belief":
		list, key = &b.set.Beliefs, "beliefs"
	}
	*list = append(*list, constraint.Pair{I: i, J: j, W: r.Weight})
	b.places[key] = append(b.places[key], at)
}

// lint returns everything that is wrong with single pieces of knowledge.
func (k *knowledge) lint(n int) []fault {
	out := slices.Clone(k.faults)
	for _, p := range constraint.Lint(n, k.set) {
		at := k.places[p.List][p.Index]
		out = append(out, fault{string(p.Kind), at.file, at.line, p.Describe(k.name)})
	}
	return out
}

// refuse returns an error for the first fault that makes the knowledge
// unusable: an id that no row has.
func (k *knowledge) refuse() error {
	if len(k.faults) == 0 {
		return nil
	}
	f := k.faults[0]
	more := ""
	if n := len(k.faults) - 1; n > 0 {
		more = fmt.Sprintf(" (and %s more; inkling check lists them)", count(n, "such line"))
	}
	return &dataio.Error{File: f.File, Line: f.Line, Msg: f.Message + more}
}

// contradiction returns an error where the knowledge contradicts itself, with
// the shortest chain that proves it, or cannot be honoured with k clusters.
func (k *knowledge) contradiction(n, clusters int) error {
	closed, err := constraint.Close(n, k.set)
	if err != nil {
		found := constraint.Conflicts(n, k.set, 1)
		if len(found) == 0 {
			return err
		}
		return &exitError{code: exitConflict, err: fmt.Errorf("what is known contradicts itself: %s; inkling check tells what to drop", k.proved(found[0]))}
	}
	if v := closed.Feasible(clusters); v.Answer == constraint.No {
		hint := ""
		if need := len(k.set.Names); need > clusters {
			hint = fmt.Sprintf("; -k %d has a cluster for each class", need)
		}
		return &exitError{code: exitConflict, err: fmt.Errorf("what is known cannot be honoured with %s: %s%s",
			count(clusters, "cluster"), k.infeasible(closed, v), hint)}
	}
	return nil
}

// readKnowledge reads a built-in file or one on disk.
func readKnowledge[Row any](path string, read func(r io.Reader, name string) ([]Row, error), open func(path string) ([]Row, error)) ([]Row, error) {
	if b, ok, err := builtin(path); ok {
		if err != nil {
			return nil, err
		}
		return read(bytes.NewReader(b), path)
	}
	given, err := open(path)
	return given, orBuiltin(path, err)
}
