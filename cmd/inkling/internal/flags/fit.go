package flags

import (
	"time"

	"github.com/spf13/cobra"
)

// Fit adds the flags about a fit. What the variables hold is the default.
func Fit(cmd *cobra.Command, seed *uint64, restarts, maxIter *int, tol *float64, timeout *time.Duration) {
	f := cmd.Flags()
	f.Uint64Var(seed, "seed", *seed, "`N` random seed")
	Integer(f, restarts, "restarts", "", 0, "`N` number of starts (default: as many as pay)")
	Integer(f, maxIter, "max-iter", "", 0, "`N` maximum number of iterations of a run")
	f.Float64Var(tol, "tol", *tol, "`X` relative decrease of the objective that counts as convergence")
	f.DurationVar(timeout, "timeout", *timeout, "`TIME` stop after this time (5s, 2m) with the best so far")
	Group(cmd, GroupMethod, "seed", "restarts", "max-iter", "tol", "timeout")
	Advanced(cmd, "restarts", "max-iter", "tol")
}
