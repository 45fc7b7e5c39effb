package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/catalog"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/hint"
	"github.com/inklinghq/inkling/prepare"
)

// methodFlags are the flags made from the parameters of all methods. One that
// several methods have is one flag.
type methodFlags map[string]*methodFlag

type methodFlag struct {
	text    string
	given   bool
	file    bool     // text is the path of a file
	mayFile bool     // it may be
	takes   []string // the methods that have it
	values  []string // that some method takes; nil: there is no list
	differs string   // what is not the same for all that take it: its default, or its meaning too
}

func (m *methodFlag) String() string     { return m.text }
func (m *methodFlag) Type() string       { return "value" }
func (m *methodFlag) Set(s string) error { m.text, m.given = s, true; return nil }

func newMethodFlags(cmd *cobra.Command) methodFlags {
	all := methodFlags{}
	help := map[string]catalog.Parameter{}
	var order []string
	for _, m := range catalog.Methods() {
		for _, p := range m.Parameters() {
			if all[p.Name] == nil {
				all[p.Name], help[p.Name] = &methodFlag{}, p
				order = append(order, p.Name)
			}
			f := all[p.Name]
			switch first := help[p.Name]; {
			case p.Help != first.Help:
				f.differs = "meaning and default"
			case p.Default != first.Default && f.differs == "":
				f.differs = "default"
			}
			f.takes, f.mayFile = append(f.takes, m.Name), f.mayFile || p.File != ""
			for _, w := range p.Values {
				if !slices.Contains(f.values, w) {
					f.values = append(f.values, w)
				}
			}
		}
	}
	for _, name := range order {
		f, text := all[name], help[name].Help
		if f.values != nil {
			text += ": " + strings.Join(f.values, "|")
		}
		if f.mayFile {
			text += "|FILE"
		}
		usual := "default " + help[name].Default
		if f.differs != "" {
			usual = f.differs + " by method: inkling methods NAME tells"
		}
		cmd.Flags().Var(f, name, fmt.Sprintf("%s (%s; %s)", text, strings.Join(f.takes, ", "), usual))
		if f.values != nil && !f.mayFile {
			values(cmd, name, f.values...)
		}
	}
	return all
}

// check refuses, before any file is read, values that no method takes and
// flags that the method asked for does not have.
func (all methodFlags) check(method string) error {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := all[name]
		switch {
		case !f.given:
		case method != "" && !slices.Contains(f.takes, method):
			return usagef("--%s does not apply to %s; it is for %s", name, method, strings.Join(f.takes, ", "))
		case f.values != nil && !f.mayFile && !slices.Contains(f.values, f.text):
			return usagef("--%s is %q, it must be one of %s%s", name, f.text, strings.Join(f.values, ", "), question(f.text, f.values))
		}
	}
	return nil
}

// files returns the values that may be paths of files.
func (all methodFlags) files() (out []string) {
	for _, f := range all {
		if f.mayFile && f.given {
			out = append(out, f.text)
		}
	}
	return out
}

// apply gives the flags that were set to the algorithm of method m, and
// refuses those that m does not have. recipe brings a table of k first centres
// to the form of the rows.
func (all methodFlags) apply(m catalog.Method, alg cluster.Algorithm, recipe *prepare.Recipe, k int) error {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := all[name]
		if !f.given {
			continue
		}
		at := slices.IndexFunc(m.Parameters(), func(p catalog.Parameter) bool { return p.Name == name })
		if at < 0 {
			return usagef("--%s does not apply to %s; it is for %s", name, m.Name, strings.Join(f.takes, ", "))
		}
		p := m.Parameters()[at]
		if p.File != "" && !slices.Contains(p.Values, f.text) {
			if err := startFrom(alg, p, f.text, recipe, k); err != nil {
				return err
			}
			f.file = true
			continue
		}
		if err := catalog.Set(alg, name, f.text); err != nil {
			return usagef("--%s%s%s", err.Error(), question(f.text, p.Values), takers(name, f.text))
		}
	}
	return nil
}

// takers names the methods whose parameter takes a value, if any do.
func takers(name, value string) string {
	var found []string
	for _, m := range catalog.Methods() {
		for _, p := range m.Parameters() {
			if p.Name == name && slices.Contains(p.Values, value) {
				found = append(found, m.Name)
			}
		}
	}
	if found == nil {
		return ""
	}
	return fmt.Sprintf("; %s is for %s", value, strings.Join(found, ", "))
}

// describe returns the parameters of alg as JSON, with the path of a file in
// place of what it was read instead of.
func (all methodFlags) describe(alg cluster.Algorithm) json.RawMessage {
	b, err := json.Marshal(alg)
	if err != nil {
		panic(err) // the catalogue's test makes sure that this cannot be
	}
	for name, f := range all {
		if !f.file {
			continue
		}
		var object map[string]any
		if err := json.Unmarshal(b, &object); err != nil {
			panic(err)
		}
		object[strings.ReplaceAll(name, "-", "_")] = f.text
		if b, err = json.Marshal(object); err != nil {
			panic(err)
		}
	}
	return b
}

// startFrom reads a table of centres for an algorithm that can start from one.
func startFrom(alg cluster.Algorithm, p catalog.Parameter, path string, recipe *prepare.Recipe, k int) error {
	starter, ok := alg.(interface{ StartFrom(*data.Dense) })
	if _, err := os.Stat(path); err != nil || !ok || recipe == nil {
		return usagef("--%s is %q, which is neither %s nor a file%s", p.Name, path, strings.Join(p.Values, ", "), question(path, p.Values))
	}
	ds, err := dataio.Open(path, dataio.Options{Features: recipe.Columns})
	if err != nil {
		return err
	}
	if n := ds.Len(); n != k {
		return &dataio.Error{File: path, Msg: fmt.Sprintf("there are %s of first centres, but k is %d", count(n, "row"), k),
			Hint: hint.Sprintf("{%s} takes one row for each cluster", p.Name)}
	}
	got, err := recipe.Apply(ds)
	if err != nil {
		return err
	}
	table := &data.Dense{Cols: got.X.Dim()}
	for i := range got.X.Len() {
		table.V = append(table.V, data.Copy(got.X, i)...)
	}
	starter.StartFrom(table)
	return nil
}
