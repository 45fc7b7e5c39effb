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

import "github.com/inklinghq/inkling/internal/door"

type (
	As                 = door.As
	Choice             = door.Choice
	ClusterExplanation = door.ClusterExplanation
	ConfidenceSource   = door.ConfidenceSource
	Conflict           = door.Conflict
	ConstraintError    = door.ConstraintError
	ConstraintFiles    = door.ConstraintFiles
	ConstraintReport   = door.ConstraintReport
	Constraints        = door.Constraints
	Drop               = door.Drop
	Effort             = door.Effort
	Fault              = door.Fault
	FaultKind          = door.FaultKind
	Feasibility        = door.Feasibility
	Format             = door.Format
	Hint               = door.Hint
	HintOption         = door.HintOption
	InputError         = door.InputError
	Link               = door.Link
	LinkKind           = door.LinkKind
	Method             = door.Method
	Misplaced          = door.Misplaced
	Missing            = door.Missing
	Model              = door.Model
	Names              = door.Names
	Note               = door.Note
	Obeyed             = door.Obeyed
	Objective          = door.Objective
	OptionError        = door.OptionError
	Options            = door.Options
	PairExplanation    = door.PairExplanation
	Place              = door.Place
	Plan               = door.Plan
	PlannedColumn      = door.PlannedColumn
	Prediction         = door.Prediction
	Progress           = door.Progress
	ReportOptions      = door.ReportOptions
	Result             = door.Result
	Row                = door.Row
	RowDetail          = door.RowDetail
	RowExplanation     = door.RowExplanation
	Satisfaction       = door.Satisfaction
	Scale              = door.Scale
	ScoreCount         = door.ScoreCount
	ScoreOptions       = door.ScoreOptions
	Scores             = door.Scores
	Source             = door.Source
	Suspect            = door.Suspect
	SuspectReport      = door.SuspectReport
	Table              = door.Table
	TimeLimitError     = door.TimeLimitError
	TracePoint         = door.TracePoint
	Trial              = door.Trial
	Unconstrained      = door.Unconstrained
	ViewEffect         = door.ViewEffect
	ViewScore          = door.ViewScore
	ViewSource         = door.ViewSource
	ViewSummary        = door.ViewSummary
	Violation          = door.Violation
)

const (
	BeliefLink            = door.BeliefLink
	BuiltinPrefix         = door.BuiltinPrefix
	CannotLink            = door.CannotLink
	ConfidenceFromLabels  = door.ConfidenceFromLabels
	ConfidenceFromMargins = door.ConfidenceFromMargins
	ConfidenceHeuristic   = door.ConfidenceHeuristic
	DefaultSeed           = door.DefaultSeed
	EachComponent         = door.EachComponent
	EffortHigh            = door.EffortHigh
	EffortLow             = door.EffortLow
	EffortNormal          = door.EffortNormal
	FaultDuplicate        = door.FaultDuplicate
	FaultUnknownID        = door.FaultUnknownID
	FaultUnknownKind      = door.FaultUnknownKind
	FaultView             = door.FaultView
	FaultWeight           = door.FaultWeight
	FeasibleNo            = door.FeasibleNo
	FeasibleUnknown       = door.FeasibleUnknown
	FeasibleYes           = door.FeasibleYes
	LargestComponent      = door.LargestComponent
	LooksWrong            = door.LooksWrong
	MaxConflicts          = door.MaxConflicts
	MustLink              = door.MustLink
	NoColumn              = door.NoColumn
	StageChoosing         = door.StageChoosing
	StageComparing        = door.StageComparing
	StageFitting          = door.StageFitting
	StageJudging          = door.StageJudging
	StagePreparing        = door.StagePreparing
	StageStarting         = door.StageStarting
	Version               = door.Version
	WholeGraph            = door.WholeGraph
)

var (
	Advice           = door.Advice
	Builtin          = door.Builtin
	CheckConstraints = door.CheckConstraints
	Choose           = door.Choose
	Cluster          = door.Cluster
	DetailColumns    = door.DetailColumns
	ErrNotModel      = door.ErrNotModel
	FromGraph        = door.FromGraph
	FromKernel       = door.FromKernel
	FromMatrix       = door.FromMatrix
	FromRows         = door.FromRows
	FromTexts        = door.FromTexts
	Load             = door.Load
	Methods          = door.Methods
	NewConstraints   = door.NewConstraints
	NewProblem       = door.NewProblem
	NoViewsError     = door.NoViewsError
	Open             = door.Open
	Read             = door.Read
	ReadConstraints  = door.ReadConstraints
	Score            = door.Score
	Suspects         = door.Suspects
)
