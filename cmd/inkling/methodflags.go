package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

// methodFlags are the flags made from the parameters of all methods. One that
// several methods have is one flag.
type methodFlags map[string]*methodFlag

type methodFlag struct {
	text    string
	set     bool
	mayFile bool     // the text may be the path of a file
	takes   []string // the methods that have it
	values  []string // that some method takes; nil: there is no list
	differs string   // what is not the same for all that take it: its default, or its meaning too
}

func (m *methodFlag) String() string     { return m.text }
func (m *methodFlag) Type() string       { return "VALUE" }
func (m *methodFlag) Set(s string) error { m.text, m.set = s, true; return nil }

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
				f.differs = "meaning and default depend"
			case p.Default != first.Default && f.differs == "":
				f.differs = "default depends"
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
			usual = f.differs + " on the method; see `inkling methods NAME`"
		}
		cmd.Flags().Var(f, name, fmt.Sprintf("%s (%s; %s)", text, strings.Join(f.takes, ", "), strings.ReplaceAll(usual, "`", "")))
		if f.values != nil && !f.mayFile {
			completeValues(cmd, name, f.values...)
		}
		if help[name].Type == "bool" {
			cmd.Flags().Lookup(name).NoOptDefVal = "true"
		}
		flags.Group(cmd, flags.GroupParameters, name)
		flags.Advanced(cmd, name)
	}
	return all
}

// joinedSwitches returns args with "--hard false" as "--hard=false" for all parameters that are on or off, since these may be given
// without a value.
func joinedSwitches(args []string) (joined []string) {
	switches := map[string]bool{}
	for _, m := range catalog.Methods() {
		for _, p := range m.Parameters() {
			if p.Type == "bool" {
				switches["--"+p.Name] = true
			}
		}
	}
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(joined, args[i:]...)
		}
		if i+1 < len(args) && switches[args[i]] && (args[i+1] == "true" || args[i+1] == "false") {
			joined = append(joined, args[i]+"="+args[i+1])
			i++
			continue
		}
		joined = append(joined, args[i])
	}
	return joined
}

// given returns the parameters whose flags were given.
func (all methodFlags) given() map[string]any {
	out := map[string]any{}
	for name, f := range all {
		if f.set {
			out[name] = f.text
		}
	}
	return out
}

// files returns the values that may be paths of files.
func (all methodFlags) files() (out []string) {
	for _, f := range all {
		if f.mayFile && f.set {
			out = append(out, f.text)
		}
	}
	return out
}

// checkFit refuses values of the flags about a fit that are negative.
func checkFit(f *pflag.FlagSet) error {
	for _, name := range []string{"tol", "timeout"} {
		if v := f.Lookup(name).Value.String(); strings.HasPrefix(v, "-") || v == "NaN" {
			return usagef("--%s must not be negative, got %s", name, v)
		}
	}
	return nil
}
