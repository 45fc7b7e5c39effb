package report

import (
	"slices"

	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

// A Page is what one report shows. Clusters are numbered as in Clusters; rows
// by their place in Labels.
type Page struct {
	Title   string
	Verdict []string // plain sentences, the most important first
	Figures []Figure // the few numbers to look at first
	Facts   []Fact   // what was run: method, parameters, seed, version, …
	Command string   // the command that makes this page again
	Points  string   // what is clustered, in the plural; "" for rows

	Clusters []Cluster
	Labels   []int // the cluster of each row

	Maps           []*Projection // the rows on a plane, in one way or several
	Links          []Link        // given pairs, drawn on the maps
	Constraints    []Satisfied   // constraints satisfied, by kind
	Effect         string        // what the constraints changed; "": unknown
	Violations     []Violation   // some of the violated constraints, most costly first
	MoreViolations int           // how many more there are
	Suspects       []Suspect     // some of the constraints that look wrong, the likeliest first
	MoreSuspects   int           // how many more there are
	Trace          []float64     // the objective after every iteration
	Silhouette     *Silhouettes
	Compared       []*Comparison      // with known labels, the truth, another clustering
	Weights        *Weights           // of a learned metric
	Borderline     []Borderline       // rows between two clusters
	Tree           *hierarchy.Outline // of a method whose clusters are branches of one
}

// A Fact is one line of how the result came about.
type Fact struct{ Name, Value string }

// A Figure is one number with what it counts. Bad ones are marked.
type Figure struct {
	Value, Name string
	Bad         bool
}

// A Cluster is a card of the page.
type Cluster struct {
	Name       string
	Size       int
	Terms      []string     // of documents: the terms that are typical of it
	Traits     []Trait      // of rows: where it differs most from all rows
	Profile    []Trait      // where it differs most in columns that were not clustered on
	Links      *Connections // of a graph
	Columns    []string     // that the examples are shown in
	Typical    []Example    // the rows nearest to its centre
	Borderline []Example    // the rows that are least sure of it
	Clear      bool         // no row is borderline
}

// A Link is a given pair. Kind is must or cannot.
type Link struct {
	A, B      int
	Kind      string
	Satisfied bool
}

// Satisfied counts the constraints of one kind.
type Satisfied struct {
	Kind             string
	Satisfied, Given int
}

// A Violation is a constraint that is violated, with its own term in the objective and
// the cost of satisfying it; "" where these are unknown.
type Violation struct{ Constraint, Penalty, Cost string }

// A Suspect is a constraint that looks wrong, with the evidence and an estimate of the
// probability that it is.
type Suspect struct {
	Constraint, Why string
	Score           float64
}

// Borderline is a row between two clusters: its own and the next.
type Borderline struct {
	ID, Own, Next string
	Silhouette    float64
}

// Noun is what is clustered, in the plural.
func (p *Page) Noun() string {
	if p.Points == "" {
		return "rows"
	}
	return p.Points
}

// maxCards is how many clusters have a card; the largest ones are shown.
const maxCards = 60

// A numberedCluster is a cluster with its number.
type numberedCluster struct {
	Number int
	Cluster
}

// shownClusters returns the largest clusters, ordered by their numbers.
func (p *Page) shownClusters() (out []numberedCluster) {
	order := make([]int, len(p.Clusters))
	for h := range order {
		order[h] = h
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.Clusters[b].Size - p.Clusters[a].Size })
	order = order[:min(maxCards, len(order))]
	slices.Sort(order)
	for _, h := range order {
		out = append(out, numberedCluster{h, p.Clusters[h]})
	}
	return out
}

func clusterNames(clusters []Cluster) (out []string) {
	for _, c := range clusters {
		out = append(out, c.Name)
	}
	return out
}
