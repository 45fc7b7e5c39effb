package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
)

// fitFlags adds the flags about a fit. What the variables hold is the default.
func fitFlags(cmd *cobra.Command, seed *uint64, restarts, maxIter *int, tol *float64, timeout *time.Duration) {
	f := cmd.Flags()
	f.Uint64Var(seed, "seed", *seed, "`N` random seed")
	flags.Integer(f, restarts, "restarts", "", 0, "`N` number of starts (default: as many as pay)")
	flags.Integer(f, maxIter, "max-iter", "", 0, "`N` maximum number of iterations of a run")
	f.Float64Var(tol, "tol", *tol, "`X` relative decrease of the objective that counts as convergence")
	f.DurationVar(timeout, "timeout", *timeout, "`TIME` stop after this time (5s, 2m) with the best so far")
	flags.Group(cmd, flags.GroupMethod, "seed", "restarts", "max-iter", "tol", "timeout")
	flags.Advanced(cmd, "restarts", "max-iter", "tol")
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
