package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
	"github.com/inklinghq/inkling/internal/present/report/picture"
	"github.com/inklinghq/inkling/internal/support/format"
)

// The sizes of a drawing of a tree, in units of the picture.
const (
	treeWide    = 900.0
	treeHigh    = 300.0 // of the bar of all points
	treeAxis    = 34.0  // below the tree
	treeRow     = 17.0  // at least, of a branch with a name
	treeBranch  = 3.5   // at least, of another
	treeBar     = 1.5   // the thinnest bar
	treeNameMax = 28    // letters of a name
	manyfold    = 12    // from this ratio of densities on the axis is logarithmic
)

// A treeDrawing is where the nodes of an outline are drawn: density to the right, branches below each other.
type treeDrawing struct {
	*hierarchy.Outline
	children [][]int
	colour   []picture.Colour // of each node
	cluster  []int            // by which it is coloured, -1: none
	top      []float64        // of the strip of each node
	tall     []float64        // of that strip
	unit     float64          // height of one point
	x        scale            // of densities, or of their logarithms
	logs     bool
}

// TreeChart draws a condensed tree: a bar for each branch, from the density at which it appears to that at which it splits or ends, as high as
// it has points, in the colour of its cluster, with the names of the clusters to the right. It
// returns nil where there is no tree or nothing in it to see.
func TreeChart(t *hierarchy.Outline, clusters []Cluster) *picture.Picture {
	if t == nil || len(t.Nodes) == 0 || t.Nodes[0].Size == 0 {
		return nil
	}
	d := &treeDrawing{Outline: t, children: make([][]int, len(t.Nodes)), colour: make([]picture.Colour, len(t.Nodes)), cluster: make([]int, len(t.Nodes)),
		top: make([]float64, len(t.Nodes)), tall: make([]float64, len(t.Nodes)), unit: treeHigh / float64(t.Nodes[0].Size)}
	names := make([]string, len(t.Nodes))
	right := 0.0
	for v, node := range t.Nodes {
		d.cluster[v], d.colour[v] = -1, picture.PaleColour
		if node.Parent >= 0 {
			d.children[node.Parent] = append(d.children[node.Parent], v)
			d.cluster[v] = d.cluster[node.Parent]
		}
		if len(node.Clusters) > 0 {
			d.cluster[v] = node.Clusters[0]
			names[v] = clipText(branchName(node.Clusters, clusters), treeNameMax)
			right = max(right, textWidth(names[v]))
		}
		if d.cluster[v] >= 0 {
			d.colour[v] = Colour(d.cluster[v])
		}
	}
	d.measureDensities(8, treeWide-right-20)
	d.placeNodes(names)
	p := picture.New(treeWide, d.tall[0]+treeAxis+8, "the tree of densities, with the branches that are clusters")
	d.drawAxis(p)
	for v := range t.Nodes {
		d.drawNode(p, v, clusters)
	}
	for v, name := range names {
		if name == "" {
			continue
		}
		y := d.middle(v)
		if end := d.lastX(v); end+8 < d.x.last {
			p.Line(end+3, y, d.x.last+4, y, picture.Stroke{Colour: d.colour[v], Width: 1, Opacity: 0.6, Dash: []float64{1, 4}})
		}
		p.Text(d.x.last+8, y+4, picture.Start, picture.Plain, name)
	}
	return p
}

// branchName names the clusters of a branch.
func branchName(of []int, clusters []Cluster) string {
	var names []string
	for _, h := range of {
		if h < len(clusters) {
			names = append(names, displayName(clusters[h].Name))
		}
	}
	return strings.Join(names, ", ")
}

// measureDensities finds the scale: from the density at which the first points fall out to one at which seven of eight points of every
// branch have.
func (d *treeDrawing) measureDensities(first, last float64) {
	split, end := math.Inf(1), 0.0
	for v, node := range d.Nodes {
		if v > 0 {
			split, end = min(split, node.Birth), max(end, 1.05*node.Birth)
		}
		if n := len(node.Leave); n > 0 {
			end = max(end, node.Leave[max(0, n-2)])
		}
	}
	if !(end > 0) {
		end = 1
	}
	low := 0.0
	if d.logs = split*manyfold < end; d.logs {
		if low = split; len(d.Nodes[0].Leave) > 0 && d.Nodes[0].Leave[0] > 0 {
			low = min(low, d.Nodes[0].Leave[0])
		}
		low, end = math.Log(low/1.3), math.Log(end)
	}
	d.x = scale{low, end, first, last}
}

// at returns the place of a density, within the axis.
func (d *treeDrawing) at(density float64) float64 {
	if d.logs {
		density = math.Log(density)
	}
	return min(d.x.last, max(d.x.first, d.x.pixel(density)))
}

// placeNodes gives each node a strip: as high as it has points, and as its children and its name need.
func (d *treeDrawing) placeNodes(names []string) {
	for v := len(d.Nodes) - 1; v >= 0; v-- {
		below := 0.0
		for _, u := range d.children[v] {
			below += d.tall[u]
		}
		least := treeBranch
		if names[v] != "" {
			least = treeRow
		}
		d.tall[v] = max(float64(d.Nodes[v].Size)*d.unit, below, least)
	}
	d.top[0] = 4
	for v := range d.Nodes {
		free := d.tall[v]
		for _, u := range d.children[v] {
			free -= d.tall[u]
		}
		at := d.top[v] + free/2
		for _, u := range d.children[v] {
			d.top[u] = at
			at += d.tall[u]
		}
	}
}

func (d *treeDrawing) middle(v int) float64 { return d.top[v] + d.tall[v]/2 }

// lastX returns where the bars of a node and of all below it end.
func (d *treeDrawing) lastX(v int) float64 {
	end := d.at(d.Nodes[v].Death)
	for _, u := range d.children[v] {
		end = max(end, d.lastX(u))
	}
	return end
}

// drawNode draws a bar that gets thinner as points fall out, and the line from which its children start.
func (d *treeDrawing) drawNode(p *picture.Picture, v int, clusters []Cluster) {
	node, y := d.Nodes[v], d.middle(v)
	x, left := d.at(node.Birth), float64(node.Size)
	var upper, lower []picture.Point
	add := func(x, points float64) {
		half := max(treeBar, points*d.unit) / 2
		upper, lower = append(upper, picture.Point{X: x, Y: y - half}), append(lower, picture.Point{X: x, Y: y + half})
	}
	add(x, left)
	for _, density := range node.Leave {
		x = d.at(density)
		add(x, left)
		left -= float64(node.Size-node.Stay) / float64(len(node.Leave))
		add(x, left)
	}
	if end := d.at(node.Death); end > x {
		add(end, left)
		x = end
	}
	for i := len(lower) - 1; i >= 0; i-- {
		upper = append(upper, lower[i])
	}
	p.Area(upper, d.colour[v], d.describe(v, clusters))
	if c := d.children[v]; len(c) > 0 {
		p.Line(x, d.middle(c[0]), x, d.middle(c[len(c)-1]), picture.Stroke{Colour: d.colour[v], Width: 1})
	}
}

// describe is the tooltip of a branch.
func (d *treeDrawing) describe(v int, clusters []Cluster) string {
	node := d.Nodes[v]
	var parts []string
	if h := d.cluster[v]; h >= 0 && h < len(clusters) {
		where := displayName(clusters[h].Name)
		if len(node.Clusters) > 0 {
			where = branchName(node.Clusters, clusters)
		} else {
			where = "part of " + where
		}
		parts = append(parts, where)
	}
	parts = append(parts, format.Count(node.Size, "row"))
	if node.Birth > 0 {
		parts = append(parts, "from distance "+number(1/node.Birth)+" on")
	}
	if node.Folded > 0 {
		parts = append(parts, smallerBranches(node.Folded)+" not drawn")
	}
	return strings.Join(parts, ", ")
}

func smallerBranches(n int) string {
	if n == 1 {
		return "1 smaller branch"
	}
	return Thousands(n) + " smaller branches"
}

// drawAxis writes distances below the tree.
func (d *treeDrawing) drawAxis(p *picture.Picture) {
	y := d.tall[0] + 14
	p.Line(d.x.first, y, d.x.last, y, picture.Axis)
	const steps = 5
	for s := range steps + 1 {
		x := d.x.first + (d.x.last-d.x.first)*float64(s)/steps
		density := d.x.lo + (d.x.hi-d.x.lo)*float64(s)/steps
		if d.logs {
			density = math.Exp(density)
		}
		label, anchor := "∞", picture.Middle
		if density > 0 {
			label = fmt.Sprintf("%.3g", 1/density)
		}
		if s == 0 {
			anchor = picture.Start
		} else if s == steps {
			anchor = picture.End
		}
		p.Line(x, y, x, y+4, picture.Axis)
		p.Text(x, y+18, anchor, picture.Soft, label)
	}
	p.Text(d.x.last+8, y+18, picture.Start, picture.Soft, "distance")
}

// treeNote explains the drawing and says what it leaves out.
func treeNote(t *hierarchy.Outline, points string) string {
	note := "Each bar is a branch: as high as it has " + points + ", from the distance at which it separates, on the left, to that at which it splits or ends; to the right it is denser. " +
		"Coloured branches are the clusters, grey ones hold several of them or noise. Bars get thinner as " + points + " fall out."
	if t.Folded > 0 {
		note += " " + smallerBranches(t.Folded) + " " + were(t.Folded) + " not drawn."
	}
	if n := len(t.Hidden); n > 0 {
		note += " Among them: " + format.Count(n, "cluster") + "."
	}
	if n := len(t.Detached); n > 0 {
		note += fmt.Sprintf(" %s %s not a branch: made from labels.", format.Count(n, "cluster"), were(n))
	}
	return note
}
