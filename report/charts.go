package report

import (
	"fmt"
	"math"
)

// SizeChart draws a bar for each cluster.
func SizeChart(clusters []Cluster) string {
	const row, left, right, wide = 26.0, 130.0, 110.0, 520.0
	d := draw(wide, row*float64(len(clusters))+4, "sizes of the clusters")
	most, all := 1, 0
	for _, c := range clusters {
		most, all = max(most, c.Size), all+c.Size
	}
	for h, c := range clusters {
		y := row * float64(h)
		d.text(left-8, y+17, "end", "", clip(c.Name, 20))
		w := float64(c.Size) / float64(most) * (wide - left - right)
		d.rect(left, y+4, w, row-8, Colour(h), fmt.Sprintf("%s: %d", c.Name, c.Size))
		d.text(left+w+8, y+17, "start", "soft", fmt.Sprintf("%d  %s", c.Size, percent(c.Size, all)))
	}
	return d.done()
}

// FeatureChart draws a bar for each named number, to both sides of zero where
// some are negative.
func FeatureChart(features []Feature) string {
	const row, left, right, wide = 22.0, 160.0, 70.0, 520.0
	d := draw(wide, row*float64(len(features))+4, "weights of the features")
	lo, hi := 0.0, 0.0
	for _, f := range features {
		lo, hi = min(lo, f.Value), max(hi, f.Value)
	}
	s := scale{lo, hi, left, wide - right}
	for i, f := range features {
		y, a, b := row*float64(i), s.at(min(0, f.Value)), s.at(max(0, f.Value))
		d.text(left-8, y+15, "end", "", clip(f.Name, 24))
		d.rect(a, y+4, b-a, row-8, "var(--accent,#2563eb)", f.Name+": "+number(f.Value))
		d.text(b+8, y+15, "start", "soft", number(f.Value))
	}
	return d.done()
}

// TraceChart draws the objective over the iterations.
func TraceChart(trace []float64) string {
	const wide, high, left, bottom, top = 520.0, 240.0, 70.0, 30.0, 12.0
	d := draw(wide, high, "the objective after every iteration")
	lo, hi := span(trace)
	x, y := scale{0, math.Max(1, float64(len(trace)-1)), left, wide - 12}, scale{lo, hi, high - bottom, top}
	for _, t := range ticks(lo, hi, 5) {
		d.line(left, y.at(t), wide-12, y.at(t), "axis")
		d.text(left-8, y.at(t)+4, "end", "soft", number(t))
	}
	for _, t := range ticks(x.lo, x.hi, 8) {
		if t == math.Trunc(t) {
			d.text(x.at(t), high-10, "middle", "soft", number(t))
		}
	}
	d.b.WriteString(`<path class="curve" d="`)
	for i, v := range trace {
		op := "L"
		if i == 0 {
			op = "M"
		}
		d.b.WriteString(op + coord(x.at(float64(i))) + " " + coord(y.at(v)))
	}
	d.b.WriteString(`"/>`)
	return d.done()
}

// A Crosstab counts the rows of each class in each cluster.
type Crosstab struct {
	Rows, Columns []string
	N             [][]int // by row and column
}

// CrosstabChart draws a heat map: each cell by its share of its row.
func CrosstabChart(t *Crosstab) string {
	if t == nil {
		return ""
	}
	const cell, left, top = 46.0, 130.0, 40.0
	d := draw(math.Max(520, left+cell*float64(len(t.Columns))+10), top+cell*float64(len(t.Rows))+10, "known labels against clusters")
	for c, name := range t.Columns {
		d.text(left+cell*(float64(c)+.5), top-12, "middle", "", clip(name, 7))
	}
	for r, name := range t.Rows {
		d.text(left-8, top+cell*(float64(r)+.55), "end", "", clip(name, 20))
		sum := 0
		for _, n := range t.N[r] {
			sum += n
		}
		for c, n := range t.N[r] {
			share := float64(n) / math.Max(1, float64(sum))
			x, y := left+cell*float64(c), top+cell*float64(r)
			fmt.Fprintf(&d.b, `<rect x="%s" y="%s" width="44" height="44" rx="3" fill="#2f7ed8" fill-opacity="%.2f" class="cell"/>`,
				coord(x), coord(y), 0.06+0.94*share)
			if n > 0 {
				style := ""
				if share > 0.6 {
					style = "onblue"
				}
				d.text(x+22, y+27, "middle", style, fmt.Sprint(n))
			}
		}
	}
	return d.done()
}

// An Outline is the silhouettes of rows, of all or of a sample.
type Outline struct {
	Mean    float64
	Sampled bool
	Values  [][]float64 // by cluster
}

// SilhouetteChart draws the silhouettes of each cluster, the highest first.
func SilhouetteChart(o *Outline, clusters []Cluster) string {
	if o == nil {
		return ""
	}
	const wide, left, high, gap = 520.0, 130.0, 260.0, 6.0
	n := 0
	for _, v := range o.Values {
		n += len(v)
	}
	if n == 0 {
		return ""
	}
	room := math.Max(high, 16*float64(len(o.Values)))
	d := draw(wide, room+gap*float64(len(o.Values))+24, "silhouettes of the rows by cluster")
	s := scale{-1, 1, left, wide - 10}
	y := 4.0
	for h, values := range o.Values {
		sorted := descending(values)
		tall := math.Max(10, room*float64(len(sorted))/float64(n))
		d.text(left-8, y+tall/2+4, "end", "", clip(clusters[h].Name, 20))
		outlineOf(d, sorted, s, y, tall, Colour(h))
		y += tall + gap
	}
	d.line(s.at(0), 0, s.at(0), y, "axis")
	d.line(s.at(o.Mean), 0, s.at(o.Mean), y, "curve")
	for _, t := range []float64{-1, -0.5, 0, 0.5, 1} {
		d.text(s.at(t), y+14, "middle", "soft", number(t))
	}
	return d.done()
}

// outlineOf fills the area between zero and the values, which are many: no
// more than about 200 of them are drawn.
func outlineOf(d *drawing, values []float64, s scale, y, tall float64, fill string) {
	fmt.Fprintf(&d.b, `<path fill="%s" d="M%s %s`, fill, coord(s.at(0)), coord(y))
	step := 1 + len(values)/200
	for i := 0; i < len(values); i += step {
		at := y + tall*float64(i)/float64(len(values))
		fmt.Fprintf(&d.b, "L%s %sV%s", coord(s.at(values[i])), coord(at), coord(y+tall*float64(min(i+step, len(values)))/float64(len(values))))
	}
	fmt.Fprintf(&d.b, `H%sZ"/>`, coord(s.at(0)))
}
