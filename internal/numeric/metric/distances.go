package metric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
)

// A Distance says how far a row is from a centre, and what can be done with it. All faces and methods know
// the distances of one table: a new one is a file with its Divergence and its Distance, and a line there.
type Distance struct {
	Name     string
	Searched bool // it is the squared Euclidean distance, of rows of length 1 for the cosine: k-means searches centres by bounds on it
	Unit     bool // rows and centres have length 1
	Weighed  bool // weights of features can be learned for it
	AsGiven  bool // rows are read as they are
	// New makes its Divergence, in which no centre holds less than floor of a feature, so that a point
	// that holds some of it is not infinitely far. Nil: it is Euclidean.
	New func(floor float64) Divergence
}

// Euclidean is ‖x − μ‖².
const Euclidean = "euclidean"

// distances is the table.
var distances = []Distance{
	{Name: Euclidean, Searched: true, Weighed: true, AsGiven: true},
	cosineDistance,
	klDistance,
	iDivergenceDistance,
	itakuraSaitoDistance,
}

// DistanceNames returns the names of all distances that are as asked for, nil: of all.
func DistanceNames(ask func(Distance) bool) (names []string) {
	for _, d := range distances {
		if ask == nil || ask(d) {
			names = append(names, d.Name)
		}
	}
	return names
}

// FindDistance returns the distance of that name.
func FindDistance(name string) (Distance, bool) {
	if i := slices.IndexFunc(distances, func(d Distance) bool { return d.Name == name }); i >= 0 {
		return distances[i], true
	}
	return Distance{}, false
}

// Divergences returns the names that ParseDivergence knows.
func Divergences() []string { return DistanceNames(func(d Distance) bool { return d.New != nil }) }

// ParseDivergence returns the divergence of that name. A floor of 0 stands for DefaultFloor.
func ParseDivergence(name string, floor float64) (Divergence, error) {
	if floor == 0 {
		floor = DefaultFloor
	}
	if !(floor > 0) || !data.Finite(floor) {
		return nil, fmt.Errorf("the floor must be finite and above 0, got %v", floor)
	}
	if d, _ := FindDistance(name); d.New != nil {
		return d.New(floor), nil
	}
	return nil, fmt.Errorf("the divergence must be one of %s, got %q", strings.Join(Divergences(), ", "), name)
}

// PrepareRows returns x as v reads it: x itself if no row changes, else a copy,
// sparse where x is.
func PrepareRows(v Divergence, x data.Rows) data.Rows {
	if d, _ := FindDistance(v.Name()); d.AsGiven {
		return x
	}
	buf, out := make([]float64, x.Dim()), make([]float64, x.Dim())
	if s, ok := x.(*data.Sparse); ok {
		t := &data.Sparse{Cols: s.Cols, Start: s.Start, Idx: s.Idx, Val: slices.Clone(s.Val)}
		for i := range s.Len() {
			copy(t.Val[s.Start[i]:], v.Prepare(s.Row(i, nil), out).Val)
		}
		return t
	}
	t := &data.Dense{Cols: x.Dim(), V: make([]float64, 0, x.Len()*x.Dim())}
	for i := range x.Len() {
		t.V = append(t.V, v.Prepare(x.Row(i, buf), out).Val...)
	}
	return t
}
