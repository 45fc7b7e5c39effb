// Package inkling clusters data with what you know about it: labels of some
// rows, pairs that must or cannot be in one cluster, beliefs about pairs, a
// second graph or table of the same rows. It is the front door of the module:
// the command line uses it, and so can any Go program.
//
//	t, err := inkling.Open(ctx, "customers.csv", inkling.Source{ID: "customer"})
//	c, err := inkling.ReadConstraints(ctx, t, inkling.ConstraintFiles{Links: []string{"pairs.csv"}})
//	r, err := inkling.Cluster(ctx, t, c, inkling.Options{K: 5})
//	for row := range r.Rows() {
//		fmt.Println(row.ID, row.Cluster)
//	}
//
// A Table is what is clustered: rows of numbers, texts, a graph or a kernel,
// each row with an id. Open reads one from a file; FromRows, FromMatrix,
// FromGraph, FromKernel and FromTexts make one of what is in memory.
//
// Constraints are what you know about the rows of one table. They come from
// files (ReadConstraints) or from calls (NewConstraints, Must, Cannot, Label,
// Belief). Nil constraints are those of the table's label column, if it has one.
//
// Cluster prepares the rows, chooses a method unless Options names one, and fits
// it. The zero Options are the defaults. The Result has the cluster of every row
// by name, the constraints that are violated, each with the cost of satisfying
// it, and the model. Save writes the model, Load reads it, and Model.Predict
// places new rows exactly as the fit would have.
//
// # Errors
//
// Errors that a program may want to tell apart are types: *InputError (a file
// is wrong: file, line and column), *OptionError (an option is wrong),
// *ConstraintError (the constraints contradict each other, or k clusters cannot
// satisfy them). Advice finds what a user can do about an error, as a Hint that
// names options and that a program words for its users.
//
// # Contexts and progress
//
// Every call that can take long takes a context. When it ends during a fit,
// Cluster returns the best result so far together with the context's error.
// Options.Progress is called, on the goroutine that called Cluster, after every
// step.
//
// # Concurrency
//
// A Table, a Result and a Model are never changed once they are made, and may be
// used by any number of goroutines. Constraints may be used by many goroutines
// as long as none adds to them.
//
// Programs that want their own loop, algorithms or preparation use the packages
// below: cluster (Problem, Algorithm, Fit), catalog (methods by name), constraint,
// data, score and so on.
package inkling
