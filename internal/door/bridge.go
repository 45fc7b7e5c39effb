package door

// Bridge converts between the types of this package and those of the public
// package at the root of the module, which sets it. The public packages beside it
// use it; values of public types are any, because this package stands below.
var Bridge struct {
	Table       func(public any) *Table // of a *inkling.Table
	Options     func(public any) Options
	Source      func(public any) Source
	Error       func(error) error
	ToTable     func(*Table) any
	ToResult    func(*Result) any
	ToOptions   func(Options) any
	ToSource    func(Source) any
	Constraints func(*Constraints) any // a *inkling.Constraints
}
