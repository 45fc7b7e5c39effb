package layout

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// maxEdgesDrawn is how many edges of a graph are drawn, evenly spread over it.
const maxEdgesDrawn = 4000

// The layout of a graph: distances are in units of the space of one node.
const (
	discGap      = 2.5       // between two clusters
	discRounds   = 400       // of the forces between clusters
	layoutWork   = 4e7       // steps that the forces between nodes may take, about
	goldenAngle  = 2.3999632 // radians
	leastSpace   = 0.95      // between two nodes
	landscape    = 1.7       // width over height
	mostDiscs    = 400       // clusters that forces place; more are placed by their sizes alone
	outwardShare = 0.25      // how much an edge to another cluster counts beside one inside
)

// Graph places the nodes of a graph so that its clusters can be seen: every cluster
// is a disc, whose area is proportional to its nodes; discs that share much weight lie
// close together (forces on the contracted graph); within a disc nodes with many
// edges lie in the middle and neighbours side by side. It returns nil where there is
// nothing to draw.
func Graph(ctx context.Context, g *data.Graph, labels []int, k int) (*Projection, error) {
	if g.Len() < 3 || g.Edges() == 0 {
		return nil, ctx.Err()
	}
	l := &graphLayout{graph: g, labels: labels, size: make([]float64, k), x: make([]float64, g.Len()), y: make([]float64, g.Len())}
	for _, h := range labels {
		l.size[h]++
	}
	l.placeDiscs()
	l.placeNodes()
	rounds := int(min(60, max(5, layoutWork/float64(40*g.Len()+2*g.Edges()))))
	for r := range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.attract(0.3 * (1 - float64(r)/float64(rounds)))
		l.separate()
	}
	return &Projection{Name: "The graph: every disc is a cluster, discs with many edges between them lie close together",
		X: l.x, Y: l.y, Edges: someEdges(g)}, nil
}

// A graphLayout is a graph that is being placed.
type graphLayout struct {
	graph  *data.Graph
	labels []int
	size   []float64 // of the clusters
	cx, cy []float64 // their centres
	x, y   []float64 // the nodes
}

func (l *graphLayout) radius(h int) float64 { return math.Sqrt(l.size[h]) * 0.62 }

// placeDiscs places the clusters: the largest in the middle first, then by forces.
func (l *graphLayout) placeDiscs() {
	k := len(l.size)
	l.cx, l.cy = make([]float64, k), make([]float64, k)
	order := make([]int, 0, k)
	for h := range l.size {
		if l.size[h] > 0 {
			order = append(order, h)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.size[b], l.size[a]) })
	area := 0.0
	for at, h := range order {
		r := l.radius(h) + discGap/2
		area += r * r
		out := math.Sqrt(area) * 1.3
		if at == 0 {
			out = 0
		}
		sin, cos := math.Sincos(goldenAngle * float64(at))
		l.cx[h], l.cy[h] = out*cos*math.Sqrt(landscape), out*sin/math.Sqrt(landscape)
	}
	if len(order) > mostDiscs {
		return
	}
	pull := l.contracted(order)
	for round := range discRounds {
		cool := 1 - float64(round)/discRounds
		l.pullDiscs(order, pull, 0.05*cool)
		for range 3 {
			l.pushDiscs(order)
		}
	}
	for range 200 {
		if !l.pushDiscs(order) {
			break
		}
	}
}

// contracted returns the weight between two clusters as a share of what two random
// parts of their volumes would have, at most 1; by place in order.
func (l *graphLayout) contracted(order []int) [][]float64 {
	at, volume := make([]int, len(l.size)), make([]float64, len(order))
	for p, h := range order {
		at[h] = p
	}
	out := make([][]float64, len(order))
	for p := range out {
		out[p] = make([]float64, len(order))
	}
	for i, h := range l.labels {
		to, w := l.graph.Neighbours(i)
		for e, j := range to {
			volume[at[h]] += w[e]
			if other := l.labels[j]; other != h {
				out[at[h]][at[other]] += w[e]
			}
		}
	}
	for p := range out {
		for q := range out[p] {
			if least := math.Sqrt(volume[p] * volume[q]); least > 0 {
				out[p][q] = math.Min(1, 4*out[p][q]/least)
			}
		}
	}
	return out
}

// pullDiscs draws clusters to each other by their weight, and all to the middle.
func (l *graphLayout) pullDiscs(order []int, pull [][]float64, step float64) {
	dx, dy := make([]float64, len(order)), make([]float64, len(order))
	for p, a := range order {
		for q, b := range order {
			w := 0.15 + pull[p][q]
			share := l.size[b] / (l.size[a] + l.size[b])
			dx[p] += step * w * share * (l.cx[b] - l.cx[a])
			dy[p] += step * w * share * (l.cy[b] - l.cy[a]) * landscape
		}
	}
	for p, h := range order {
		scale := 1 / math.Max(1, math.Sqrt(float64(len(order)))/3)
		l.cx[h], l.cy[h] = l.cx[h]+dx[p]*scale, l.cy[h]+dy[p]*scale
	}
}

// pushDiscs moves clusters apart that overlap, and reports whether any did.
func (l *graphLayout) pushDiscs(order []int) (moved bool) {
	for p, a := range order {
		for _, b := range order[:p] {
			dx, dy := l.cx[a]-l.cx[b], l.cy[a]-l.cy[b]
			d, need := math.Hypot(dx, dy), l.radius(a)+l.radius(b)+discGap
			if d >= need {
				continue
			}
			if d < 1e-9 {
				sin, cos := math.Sincos(goldenAngle * float64(p))
				dx, dy, d = cos, sin, 1
			}
			push, share := (need-d)/d, l.size[b]/(l.size[a]+l.size[b])
			l.cx[a], l.cy[a] = l.cx[a]+dx*push*share, l.cy[a]+dy*push*share
			l.cx[b], l.cy[b] = l.cx[b]-dx*push*(1-share), l.cy[b]-dy*push*(1-share)
			moved = moved || need-d > 0.01
		}
	}
	return moved
}

// placeNodes fills every disc like the head of a sunflower, nodes with many edges in the
// middle.
func (l *graphLayout) placeNodes() {
	order := make([]int, len(l.labels))
	degree := make([]float64, len(l.labels))
	for i := range order {
		order[i], degree[i] = i, l.graph.Degree(i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(degree[b], degree[a]) })
	placed := make([]float64, len(l.size))
	for _, i := range order {
		h := l.labels[i]
		sin, cos := math.Sincos(goldenAngle * placed[h])
		r := l.radius(h) * math.Sqrt((placed[h]+0.5)/l.size[h])
		l.x[i], l.y[i] = l.cx[h]+r*cos, l.cy[h]+r*sin
		placed[h]++
	}
}

// attract moves every node a step towards the mean of its neighbours.
func (l *graphLayout) attract(step float64) {
	for i, h := range l.labels {
		var x, y, sum float64
		to, w := l.graph.Neighbours(i)
		for e, j := range to {
			weight := w[e]
			if l.labels[j] != h {
				weight *= outwardShare
			}
			x, y, sum = x+weight*l.x[j], y+weight*l.y[j], sum+weight
		}
		if sum > 0 {
			l.x[i], l.y[i] = l.x[i]+step*(x/sum-l.x[i]), l.y[i]+step*(y/sum-l.y[i])
		}
	}
}

// separate moves nodes apart that lie too close, and back into their discs.
func (l *graphLayout) separate() {
	x0, x1 := bounds(l.x)
	y0, y1 := bounds(l.y)
	side := math.Max(1, math.Sqrt((x1-x0)*(y1-y0)/(4*float64(len(l.x))+1e6))) // of a cell; there are never too many
	columns, rows := int((x1-x0)/side)+1, int((y1-y0)/side)+1
	first, next := slices.Repeat([]int32{-1}, columns*rows), make([]int32, len(l.x))
	cell := func(i int) (int, int) {
		return min(columns-1, max(0, int((l.x[i]-x0)/side))), min(rows-1, max(0, int((l.y[i]-y0)/side)))
	}
	for i := range l.x {
		c, r := cell(i)
		next[i], first[r*columns+c] = first[r*columns+c], int32(i)
	}
	for i, h := range l.labels {
		c, r := cell(i)
		for rr := max(0, r-1); rr <= min(rows-1, r+1); rr++ {
			for cc := max(0, c-1); cc <= min(columns-1, c+1); cc++ {
				steps := 0
				for j := first[rr*columns+cc]; j >= 0 && steps < 12; j = next[j] {
					if int(j) != i && l.labels[j] == h {
						l.pushNodes(i, int(j))
					}
					steps++
				}
			}
		}
	}
	for i, h := range l.labels {
		dx, dy := l.x[i]-l.cx[h], l.y[i]-l.cy[h]
		if d, most := math.Hypot(dx, dy), l.radius(h); d > most {
			l.x[i], l.y[i] = l.cx[h]+dx*most/d, l.cy[h]+dy*most/d
		}
	}
}

// pushNodes moves two nodes of one cluster apart.
func (l *graphLayout) pushNodes(i, j int) {
	dx, dy := l.x[i]-l.x[j], l.y[i]-l.y[j]
	d := math.Hypot(dx, dy)
	if d >= leastSpace {
		return
	}
	if d < 1e-9 {
		sin, cos := math.Sincos(goldenAngle * float64(i))
		dx, dy, d = cos, sin, 1
	}
	push := 0.5 * (leastSpace - math.Min(d, leastSpace)) / d
	l.x[i], l.y[i], l.x[j], l.y[j] = l.x[i]+dx*push, l.y[i]+dy*push, l.x[j]-dx*push, l.y[j]-dy*push
}

// someEdges returns one edge in so many, evenly spread.
func someEdges(g *data.Graph) (out [][2]int32) {
	step, count := 1+g.Edges()/maxEdgesDrawn, 0
	for i := range g.Len() {
		to, _ := g.Neighbours(i)
		for _, b := range to {
			if int(b) > i {
				if count%step == 0 {
					out = append(out, [2]int32{int32(i), b})
				}
				count++
			}
		}
	}
	return out
}
