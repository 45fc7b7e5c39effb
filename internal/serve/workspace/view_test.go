package workspace

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

func idsOf(list *RowList) (out []string) {
	for _, r := range list.Rows {
		out = append(out, r.ID)
	}
	return out
}

const mixedRows = "id,size,plan,since\nc10,3,pro,2024-01-02\nc9,1,pro,2024-01-01\nc2,,basic,2024-02-01\nc1,20,,\nd1,4,team,2024-03-01\nd02,5,basic,2024-01-01\n"

// Rows are listed in any order of any column, empty cells first, of ids by the numbers in them.
func TestRowsInOrder(t *testing.T) {
	w := still(t, mixedRows, door.Source{ID: "id", Date: []string{"since"}, Category: []string{"plan"}}, door.Options{K: 2, Method: "kmeans"})
	ctx := context.Background()
	for _, c := range []struct {
		q    RowQuery
		want string
	}{
		{RowQuery{Sort: "id"}, "c1 c2 c9 c10 d1 d02"},
		{RowQuery{Sort: "id", Desc: true, Limit: 2}, "d02 d1"},
		{RowQuery{Sort: "id", Offset: 4}, "d1 d02"},
		{RowQuery{Sort: "id", Offset: 40}, ""},
		{RowQuery{Sort: "size"}, "c2 c9 c10 d1 d02 c1"},
		{RowQuery{Sort: "plan", Points: []int{w.points.pointOf("c9"), w.points.pointOf("c2"), w.points.pointOf("d1")}}, "c2 c9 d1"},
		{RowQuery{Sort: "id", Q: "basic"}, "c2 d02"},
	} {
		list, err := w.Rows(ctx, c.q)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(idsOf(list), " "); got != c.want {
			t.Errorf("%+v lists %s, not %s", c.q, got, c.want)
		}
	}
	for _, q := range []RowQuery{{Sort: "nothing"}, {Offset: -1}, {Cluster: "none"}, {Points: []int{99}}} {
		if _, err := w.Rows(ctx, q); problem(err) == "" {
			t.Errorf("%+v is not refused", q)
		}
	}
	f := w.Latest()
	list, err := w.Rows(ctx, RowQuery{Cluster: clusterAt(w, "c1")})
	if err != nil || list.Total != f.sizes[f.label[3]] {
		t.Errorf("the cluster of c1 has %d rows in the list, %v", list.Total, err)
	}
}

func TestNaturalOrder(t *testing.T) {
	in := []string{"", "a", "a1", "a02", "a2b", "a10", "a10b", "b"}
	for i, a := range in {
		for j, b := range in {
			if got := natural(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%q and %q compare as %d", a, b, got)
			}
		}
	}
}

// A column is described by its levels, the most frequent first, or is numbers or days.
func TestFacets(t *testing.T) {
	w := still(t, mixedRows, door.Source{ID: "id", Date: []string{"since"}, Category: []string{"plan"}}, door.Options{K: 2, Method: "kmeans"})
	plan, err := w.Facet("plan")
	if err != nil || plan.Holds != "category" || plan.Missing != 1 || plan.Rare != 0 || !slices.Equal(plan.Levels, []FacetLevel{{"basic", 2}, {"pro", 2}, {"team", 1}}) {
		t.Errorf("plan is %+v, %v", plan, err)
	}
	since, err := w.Facet("since")
	if err != nil || since.Holds != "date" || since.Missing != 1 {
		t.Errorf("since is %+v, %v", since, err)
	}
	raw, err := w.Column("plan")
	if err != nil || len(raw) != 8+4*6 {
		t.Fatal(len(raw), err)
	}
	for p, row := range w.points.order {
		got := math.Float32frombits(binary.LittleEndian.Uint32(raw[8+4*p:]))
		want := []float32{1, 1, 0, float32(math.NaN()), 2, 0}[row]
		if got != want && (got == got || want == want) {
			t.Errorf("the plan of row %d is level %v, not %v", row, got, want)
		}
	}
	if _, err := w.Facet("nothing"); problem(err) != KindNotFound {
		t.Errorf("a column that is not there: %v", err)
	}
}

// Two fits are compared by a table of their clusters and by the settings in which they differ.
func TestCompare(t *testing.T) {
	w := stillEight(t)
	first := w.Latest()
	if err := w.fitSettings.change(FitRequest{K: ptr(3), Seed: ptr(uint64(5))}); err != nil {
		t.Fatal(err)
	}
	w.fits.fitOnce("test")
	second := w.Latest()
	c, err := w.Compare(0, 0)
	if err != nil || c.From.N != first.N || c.To.N != second.N {
		t.Fatalf("compared are %d and %d, %v", c.From.N, c.To.N, err)
	}
	rows, moved := 0, 0
	for i, line := range c.Table.Counts {
		sum := 0
		for _, n := range line {
			sum += n
		}
		rows += sum
		if sum != 4 {
			t.Errorf("cluster %s had %d rows", c.Table.Rows[i], sum)
		}
	}
	for i := range first.label {
		if first.label[i] != second.label[i] {
			moved++
		}
	}
	if rows != 8 || len(c.Table.Columns) != 3 || c.Moved != moved || len(c.Rows) != moved || !(c.ARI < 1 && c.ARI > 0) {
		t.Errorf("%d rows in %d columns, %d moved (%d), ARI %v", rows, len(c.Table.Columns), c.Moved, moved, c.ARI)
	}
	if want := []SettingDifference{{"groups", "2", "3"}, {"seed", "1", "5"}}; !slices.Equal(c.Settings, want) {
		t.Errorf("the settings differ in %+v", c.Settings)
	}
	if _, err := w.Compare(0, 99); problem(err) != KindNotFound {
		t.Errorf("a fit that is not there: %v", err)
	}
}

// What is known of a point and a pair: neighbours, links and the chain that joins them.
func TestPointAndPair(t *testing.T) {
	w, ctx := stillEight(t), context.Background()
	for _, pair := range []string{"ab", "bc", "gh"} {
		if _, err := w.Link(ctx, LinkRequest{Kind: "must", A: at(w, pair)[0], B: at(w, pair)[1]}); err != nil {
			t.Fatal(err)
		}
	}
	p, err := w.Point(at(w, "b")[0])
	if err != nil || p.ID != "b" || p.Cluster != clusterAt(w, "a") || len(p.Links) != 2 || len(p.Neighbours) != 7 {
		t.Fatalf("the point is %+v, %v", p, err)
	}
	if n := p.Neighbours[0]; n.ID != "a" || math.Abs(n.Similarity-1/1.1) > 1e-4 { // at the distance of 0.1
		t.Errorf("the nearest neighbour of b is %s at %v", n.ID, n.Similarity)
	}
	pair, err := w.Pair(at(w, "a")[0], at(w, "c")[0])
	if err != nil || !pair.Together || strings.Join(pair.Chain, "") != "abc" {
		t.Errorf("the pair is joined by %v, %v", pair.Chain, err)
	}
	if pair, err := w.Pair(at(w, "a")[0], at(w, "h")[0]); err != nil || pair.Together || len(pair.Chain) != 0 {
		t.Errorf("a and h are joined by %v, %v", pair.Chain, err)
	}
}

// The plane has every row that is clustered, and neighbours are those of the prepared rows, others left out.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	x := make([]float64, 200)
	for i := range x {
		x[i] = math.Round(rng.NormFloat64()*100) / 100
	}
	var text strings.Builder
	text.WriteString("id,p,q,r,s,t\n")
	for i := range 40 {
		cells := make([]string, 5)
		for c := range cells {
			cells[c] = strings.TrimSpace(sureText(ptr(x[5*i+c])))
		}
		if i == 7 {
			cells = make([]string, 5)
		}
		text.WriteString("r" + string(rune('A'+i)) + "," + strings.Join(cells, ",") + "\n")
	}
	ps, j, rec := ground(t, text.String(), door.Source{ID: "id"}, door.Options{Scale: prepare.None, K: 2})
	pl := newPlaces(j, ps, rec, 2)
	pl.place()
	raw, err := pl.Points(context.Background(), Linear)
	if err != nil || len(raw) != 8+8*40 {
		t.Fatal(len(raw), err)
	}
	for p, row := range ps.order {
		at := math.Float32frombits(binary.LittleEndian.Uint32(raw[8+4*p:]))
		if (at != at) != (row == 7) {
			t.Errorf("row %d is at %v", row, at)
		}
	}
	dist := func(a, b int) (d float64) {
		for c := range 5 {
			d += (x[5*a+c] - x[5*b+c]) * (x[5*a+c] - x[5*b+c])
		}
		return d
	}
	near := pl.nearest(3, 6)
	var rest []float64
	for i := range 40 {
		if i != 3 && i != 7 {
			rest = append(rest, dist(3, i))
		}
	}
	slices.Sort(rest)
	for i, n := range near {
		if n.row == 3 || n.row == 7 || math.Abs(n.d-dist(3, n.row)) > 1e-9 || math.Abs(n.d-rest[i]) > 1e-9 {
			t.Errorf("neighbour %d is row %d at %v, not %v", i, n.row, n.d, rest[i])
		}
	}
	if len(near) != 6 || pl.nearest(7, 6) != nil {
		t.Errorf("%d neighbours, and %d of a row that was left out", len(near), len(pl.nearest(7, 6)))
	}
	if s := pl.state(); !s.Near || s.Settling || s.Version != 0 {
		t.Errorf("the places are %+v", s)
	}
	if _, err := pl.Edges(context.Background()); problem(err) != KindNotFound {
		t.Errorf("rows have edges: %v", err)
	}
}

// A graph has its edges on the plane.
func TestEdges(t *testing.T) {
	ps, j, rec := ground(t, "from,to\na,b\nb,c\nc,a\nd,e\ne,f\nf,d\nc,d\n", door.Source{As: "graph"}, door.Options{K: 2})
	pl := newPlaces(j, ps, rec, 2)
	pl.place()
	raw, err := pl.Edges(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	n := int(binary.LittleEndian.Uint32(raw))
	var edges []string
	for i := range n {
		a, b := int(binary.LittleEndian.Uint32(raw[4+4*i:])), int(binary.LittleEndian.Uint32(raw[4+4*n+4*i:]))
		p := pairOf(ps.id(a), ps.id(b))
		edges = append(edges, p[0]+p[1])
	}
	slices.Sort(edges)
	if got := strings.Join(edges, " "); got != "ab ac bc cd de df ef" || pl.edges() != 7 || pl.state().Near {
		t.Errorf("the edges are %s, %d of them", got, pl.edges())
	}
}
