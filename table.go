package inkling

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/support/mirror"
)

// A Format is how a file is written: csv, tsv, jsonl, npy, parquet, svm, mtx, edges,
// metis, text or image.
type Format string

// An As is what a file is used as: vectors, graph, kernel, text or image.
type As string

// Missing says what becomes of missing cells: auto, error, drop or mean.
type Missing string

// A Source says how a file is read. The zero value decides by its name and
// content, takes every column for a feature and numbers the rows from 0.
type Source struct {
	Format      Format   // "": by name and content
	As          As       // "": by format
	ID          string   // the column with the ids of the rows
	LabelColumn string   // the column of known labels; empty, ? and NA are unknown
	Text        string   // the column of texts, compared by TF-IDF beside the other columns
	Drop        []string // columns to leave out
	Columns     []string // columns to keep; empty: all
	// Columns of tables that are numbers, categories or dates, whatever they look
	// like; Table.Plan says what was decided about the others.
	Number, Category, Date []string
	Log                    []string // numbers whose logarithm is taken; "auto" alone: those with a heavy tail
	DateParts              bool     // month, weekday and hour of dates are features too
	Profile                []string // columns that describe clusters in the report but do not make them
	// Transpose reads CSV or TSV that has rows where others have columns: its header line holds the
	// ids, its first column the names of the columns.
	Transpose bool
	IDs       string // a file with the id of each row, one a line, for formats without columns
	// Embeddings is a file with the numbers of each picture of a folder, in the order of their names or by IDs.
	Embeddings string
	// Missing cells: "" or auto fills in those of tables from similar rows
	// and refuses NaN in arrays, error refuses them, drop leaves out their rows, mean
	// fills in the column's mean, keep is for CheckConstraints alone.
	Missing Missing
	Workers int // goroutines; below 1: one per processor. The result does not depend on it
	// Watch, if not nil, is called before the file is read with a function that returns
	// the share of it that has been read, from 0 to 1, on any goroutine.
	Watch func(share func() float64) `json:"-"`

	edits map[string]columns.Edit // of a plan
	inner *door.Source            // of a program of this module: the source, in place of all above
}

func (s Source) behind() door.Source {
	if s.inner != nil {
		return *s.inner
	}
	out := mirror.To[door.Source](s)
	out.Watch, out.Edits = s.Watch, s.edits
	return out
}

// UsePlan takes the decisions of a plan that Plan.Write wrote, in place of its own.
func (s *Source) UsePlan(r io.Reader, name string) error {
	behind := s.behind()
	err := behind.UsePlan(r, name)
	watch := s.Watch
	*s = mirror.To[Source](behind)
	s.Watch, s.edits = watch, behind.Edits
	return publicError(err)
}

// NoColumn as the ID or Text of a Source for Model.Open says that there is no such
// column, where the model would name one.
const NoColumn = door.NoColumn

// BuiltinPrefix is how the paths of built-in files begin: example:iris.csv.
const BuiltinPrefix = door.BuiltinPrefix

// Builtin returns the bytes of a built-in file. found is false for a path that
// does not begin with BuiltinPrefix; a path that does and names no file is an
// error.
func Builtin(path string) (b []byte, found bool, err error) {
	b, found, err = door.Builtin(path)
	return b, found, publicError(err)
}

// A Table is what is clustered: rows of numbers, texts, a graph or a kernel
// matrix, each row or node with an id. Make one with Open, Read or one of the
// From functions; the zero value holds nothing.
type Table struct {
	t        *door.Table
	contents func() *contents.Reader
}

// newTable wraps a table; an error leaves none.
func newTable(t *door.Table, err error) (*Table, error) {
	if err != nil {
		return nil, publicError(err)
	}
	return &Table{t: t, contents: sync.OnceValue(t.Contents)}, nil
}

func (t *Table) behind() *door.Table {
	if t == nil {
		return nil
	}
	return t.t
}

// Open reads a table from the file at path: a file, compressed or not, a folder
// of text files or pictures, - for standard input, or a built-in file, example:iris.csv. What
// is wrong with the file is an *InputError.
func Open(ctx context.Context, path string, s Source) (*Table, error) {
	return newTable(door.Open(ctx, path, s.behind()))
}

// Read reads a table from r. Its name stands in messages, and where it ends in
// an extension helps to recognise the format.
func Read(ctx context.Context, r io.Reader, name string, s Source) (*Table, error) {
	return newTable(door.Read(ctx, r, name, s.behind()))
}

// Names are what is said about rows that are in memory. Everything may be left
// out.
type Names struct {
	Name    string   // of the table, for messages; "": data
	IDs     []string // of the rows, each once; nil: row numbers from 0
	Columns []string // of the features
	Labels  []string // the known label of each row; "" is unknown
	Missing Missing  // what to do about NaN, which is a missing value: "" refuses it, drop leaves out the row, mean fills in the column's mean
}

func (n Names) behind() door.Names { return mirror.To[door.Names](n) }

// FromRows makes a table of rows of numbers, which it copies.
func FromRows(rows [][]float64, n Names) (*Table, error) {
	return newTable(door.FromRows(rows, n.behind()))
}

// FromMatrix makes a table of a matrix (data.Dense, data.Dense32 or data.Sparse),
// which it keeps: do not change it afterwards.
func FromMatrix(x data.Rows, n Names) (*Table, error) {
	return newTable(door.FromMatrix(x, n.behind()))
}

// FromGraph makes a table of an undirected weighted graph, which it keeps.
func FromGraph(g *data.Graph, n Names) (*Table, error) {
	return newTable(door.FromGraph(g, n.behind()))
}

// FromKernel makes a table of a square, symmetric matrix of similarities, which
// it keeps.
func FromKernel(k *data.Dense, n Names) (*Table, error) {
	return newTable(door.FromKernel(k, n.behind()))
}

// FromTexts makes a table of texts, which are compared by TF-IDF.
func FromTexts(texts []string, n Names) (*Table, error) {
	return newTable(door.FromTexts(texts, n.behind()))
}

// Name returns where the table came from.
func (t *Table) Name() string { return t.t.Name() }

// Format returns how the table was written, memory where it was not read from a file.
func (t *Table) Format() Format { return Format(t.t.Format()) }

// Len returns the number of rows.
func (t *Table) Len() int { return t.t.Len() }

// ID returns the id of row i, from 0.
func (t *Table) ID(i int) string { return t.t.ID(i) }

// Row returns the row with this id.
func (t *Table) Row(id string) (i int, ok bool) { return t.t.Row(id) }

// Columns returns the names of the features, nil where they have none.
func (t *Table) Columns() []string { return t.t.Columns() }

// Notes return what was decided while the table was read.
func (t *Table) Notes() []Note { return mirror.To[[]Note](t.t.Notes()) }

// Input returns the form that the table has for a method: rows (texts and images
// too), a graph or a kernel.
func (t *Table) Input() cluster.Input { return t.t.Input() }

// Weigh gives the rows weights, which it keeps: a row of weight 2 counts as two such rows.
func (t *Table) Weigh(weight []float64) { t.t.Weigh(weight) }

// HasTexts reports whether the rows of the table are texts.
func (t *Table) HasTexts() bool { return t.t.HasTexts() }

// A RowPair is what two rows hold, side by side: fields of a table, texts of
// documents, the colours of pixels; and of a graph or a kernel how much they are
// joined.
type RowPair struct {
	Fields []PairField `json:"fields,omitempty"`
	Texts  *struct {
		A string `json:"a"`
		B string `json:"b"`
	} `json:"texts,omitempty"`
	Joined *float64 `json:"joined,omitempty"` // the weight of the edge between two nodes, or their similarity
}

// A PairField is one column of both rows.
type PairField struct {
	Column string `json:"column"`
	A      string `json:"a"`
	B      string `json:"b"`
	// Differs says that the cells are not the same text, or are numbers more than a
	// standard deviation of the column apart.
	Differs bool `json:"differs"`
}

// Pair returns rows a and b as people read them, for a question about them.
func (t *Table) Pair(a, b int) RowPair { return mirror.To[RowPair](t.contents().Pair(a, b)) }

// Cells returns the cells of a row as people read them, with the names of their
// columns; none for sparse rows, graphs and documents.
func (t *Table) Cells(row int) (columns, cells []string) {
	c := t.contents()
	return c.Columns(), c.Cells(row)
}

// A Plan is the role of every column of a table.
type Plan struct {
	Columns []PlannedColumn

	p *door.Plan
}

// A PlannedColumn is a line of a plan.
type PlannedColumn struct {
	Name    string `json:"column"`
	Role    string `json:"role"` // id, label, number, category, date, text, drop, constant, unique or empty
	Used    bool   `json:"used"` // as a feature
	Why     string `json:"why"`
	Missing int    `json:"missing"` // missing cells
	Levels  int    `json:"levels,omitempty"`
}

// Plan returns what the columns of the table are for; nil where they have no names.
func (t *Table) Plan() *Plan {
	p := t.t.Plan()
	if p == nil {
		return nil
	}
	return &Plan{Columns: mirror.To[[]PlannedColumn](p.Columns), p: p}
}

// Write writes the plan as CSV: column,role,used,transform,unit,scale,missing,weight,why. Edit roles and
// transforms and read the file again with Source.UsePlan.
func (p *Plan) Write(w io.Writer) error { return p.p.Write(w) }

// Constraints are what you know about the rows of one table: labels, pairs that
// must or cannot be in one cluster, and beliefs about pairs. Rows are named by
// their ids; an id that the table does not have is reported by Err, by Cluster
// and by CheckConstraints, not by the call that adds it.
type Constraints struct{ c *door.Constraints }

func (c *Constraints) behind() *door.Constraints {
	if c == nil {
		return nil
	}
	return c.c
}

// NewConstraints returns the constraints of t's label column, or none where it
// has no such column. Make Constraints with it or with ReadConstraints: the zero
// value belongs to no table.
func NewConstraints(t *Table) *Constraints { return &Constraints{door.NewConstraints(t.behind())} }

// ConstraintFiles name the files that constraints are read from.
type ConstraintFiles struct {
	Labels []string // files of id,label[,weight]
	Links  []string // files of a,b,kind[,weight], kind must or cannot, or of a,b,belief
	// IgnoreUnknown leaves out constraints on ids that the table does not have, with a
	// warning that counts them.
	IgnoreUnknown bool
}

// ReadConstraints reads constraints on the rows of t from files, built-in ones
// (example:NAME) too, and from its label column. A file that cannot be read is an
// *InputError; an id that t does not have is reported by Constraints.Err.
func ReadConstraints(ctx context.Context, t *Table, files ConstraintFiles) (*Constraints, error) {
	c, err := door.ReadConstraints(ctx, t.behind(), mirror.To[door.ConstraintFiles](files))
	if err != nil {
		return nil, publicError(err)
	}
	return &Constraints{c}, nil
}

// A LinkKind is a kind of constraint on two rows.
type LinkKind string

// The kinds of links.
const (
	MustLink   LinkKind = "must"
	CannotLink LinkKind = "cannot"
	BeliefLink LinkKind = "belief"
)

// A Link is a constraint on two rows.
type Link struct {
	A, B   string
	Kind   LinkKind
	Weight float64 // of a must-link or a cannot-link, 0 stands for the default, 1; the belief of a belief
}

// Add adds a link.
func (c *Constraints) Add(l Link) { c.c.Add(mirror.To[door.Link](l)) }

// Must says that rows a and b belong in one cluster.
func (c *Constraints) Must(a, b string) { c.c.Must(a, b) }

// Cannot says that rows a and b do not belong in one cluster.
func (c *Constraints) Cannot(a, b string) { c.c.Cannot(a, b) }

// Belief says how strongly you believe that rows a and b belong together: from
// -1, certainly not, to 1, certainly.
func (c *Constraints) Belief(a, b string, belief float64) { c.c.Belief(a, b, belief) }

// Label says that the row with this id is of the class with this name.
func (c *Constraints) Label(id, class string) { c.c.Label(id, class) }

// LabelWeighted is Label with a weight; 0 stands for the default, 1. A row with
// labels of several classes whose weights are not all 1 is a soft seed: it counts
// for each class by weight.
func (c *Constraints) LabelWeighted(id, class string, weight float64) {
	c.c.LabelWeighted(id, class, weight)
}

// Unlabel takes back the labels of the row with this id, those of the label
// column too.
func (c *Constraints) Unlabel(id string) { c.c.Unlabel(id) }

// Classes returns the class of each row of the table by its label, -1 where it has
// none, and the names of the classes. Labels of two classes on one row are an
// *InputError that says where the second was given.
func (c *Constraints) Classes() (class []int, names []string, err error) {
	class, names, err = c.c.Classes()
	return class, slices.Clone(names), publicError(err)
}

// Len returns the number of constraints.
func (c *Constraints) Len() int { return c.c.Len() }

// Notes return what users should know about how the constraints were read.
func (c *Constraints) Notes() []Note { return mirror.To[[]Note](c.c.Notes()) }

// Err returns an *InputError for the first constraint on a row that the table
// does not have, nil where there is none.
func (c *Constraints) Err() error { return publicError(c.c.Err()) }
