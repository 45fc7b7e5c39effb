package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

// distributed are the methods whose passes run on workers.
var distributed = []string{"kmeans", "seeded-kmeans", "constrained-kmeans", "cop-kmeans", "pc-kmeans", "m-kmeans", "mpc-kmeans", "hmrf-kmeans"}

// methodFlags are the flags made from the parameters of these methods.
type methodFlags map[string]*string

func newMethodFlags(cmd *cobra.Command) methodFlags {
	all := methodFlags{}
	for _, m := range catalog.Methods() {
		if !slices.Contains(distributed, m.Name) {
			continue
		}
		for _, p := range m.Parameters() {
			if all[p.Name] == nil {
				all[p.Name] = cmd.Flags().String(p.Name, "", p.Help+" (see inkling methods NAME)")
			}
		}
	}
	return all
}

// given returns the parameters whose flags were given.
func (all methodFlags) given(cmd *cobra.Command) map[string]any {
	out := map[string]any{}
	for name, v := range all {
		if cmd.Flags().Changed(name) {
			out[name] = *v
		}
	}
	return out
}

// checkMethod refuses what does not run on workers.
func checkMethod(o *door.Options, constrained bool) error {
	if o.Method == "" {
		if constrained {
			return usagef("name a method for the constraints with --method: one of %s", strings.Join(distributed[1:], ", "))
		}
		o.Method = "kmeans"
	}
	if !slices.Contains(distributed, o.Method) {
		return usagef("%s does not run on Beam; these do: %s", o.Method, strings.Join(distributed, ", "))
	}
	if o.Effort != door.EffortLow {
		return usagef("--effort %s does not run on Beam, only low: each run stops in its first local minimum, as inkling cluster --effort low does", o.Effort)
	}
	if d := parameter(o, "distortion"); d != "" && d != "euclidean" && d != "cosine" {
		return usagef("--distortion %s does not run on Beam, only euclidean and cosine", d)
	}
	if a := parameter(o, "assignment"); a == "greedy" {
		return usagef("--assignment greedy does not run on Beam, only search")
	}
	if m := parameter(o, "metric"); strings.HasPrefix(m, "per-cluster") {
		return usagef("--metric %s does not run on Beam: a metric for each cluster takes all distances; use diagonal or full", m)
	}
	return nil
}

// parameter returns a parameter of the method as given or by default.
func parameter(o *door.Options, name string) string {
	if v, ok := o.Parameters[name]; ok {
		return fmt.Sprint(v)
	}
	for _, m := range catalog.Methods() {
		if m.Name == o.Method {
			for _, p := range m.Parameters() {
				if p.Name == name {
					return p.Default
				}
			}
		}
	}
	return ""
}
