package report

import (
	"fmt"
	"math"
)

// SizeChart draws a bar for each cluster.
func SizeChart(clusters []Cluster) string {
	const row, right, wide = 26.0, 110.0, 520.0
	d := draw(wide, row*float64(len(clusters))+4, "sizes of the clusters")
	most, all := 1, 0
	for _, c := range clusters {
		most, all = max(most, c.Size), all+c.Size
	}
	left := nameRoom(names(clusters))
	for h, c := range clusters {
		y := row * float64(h)
		d.text(left-8, y+17, "end", "", clip(c.Name, 20))
		w := float64(c.Size) / float64(most) * (wide - left - right)
		d.rect(left, y+4, w, row-8, Colour(h), fmt.Sprintf("%s: %d", c.Name, c.Size))
		d.text(left+w+8, y+17, "start", "soft", fmt.Sprintf("%s · %s", Thousands(c.Size), percent(c.Size, all)))
	}
	return d.done()
}

// steep is the fall from which on a trace is drawn by powers of ten: else all
// but the first step would be a flat line.
const steep = 30

// TraceChart draws the objective over the iterations.
func TraceChart(trace []float64) string {
	const wide, high, left, bottom, top, right = 520.0, 250.0, 70.0, 46.0, 14.0, 14.0
	d := draw(wide, high, "the objective after every iteration")
	lo, hi := span(trace)
	word, marks := "iteration", ticks(lo, hi, 5)
	to := func(v float64) float64 { return v }
	if lo > 0 && hi/lo > steep {
		word, marks, to = "iteration (the height by powers of ten)", powers(lo, hi), math.Log10
	}
	x, y := scale{0, math.Max(1, float64(len(trace)-1)), left, wide - right}, scale{to(lo), to(hi), high - bottom, top}
	for _, t := range marks {
		d.line(left, y.at(to(t)), wide-right, y.at(to(t)), "axis")
		d.text(left-8, y.at(to(t))+4, "end", "soft", tick(t))
	}
	for _, t := range ticks(x.lo, x.hi, 8) {
		if t == math.Trunc(t) {
			d.text(x.at(t), high-28, "middle", "soft", tick(t))
		}
	}
	d.text((left+wide-right)/2, high-8, "middle", "soft", word)
	d.b.WriteString(`<path class="curve" d="`)
	for i, v := range trace {
		op := "L"
		if i == 0 {
			op = "M"
		}
		d.b.WriteString(op + coord(x.at(float64(i))) + " " + coord(y.at(to(v))))
	}
	d.b.WriteString(`"/>`)
	if len(trace) <= 40 {
		for i, v := range trace {
			d.dot(x.at(float64(i)), y.at(to(v)), 3, "var(--accent,#2f6fd0)", fmt.Sprintf("%d: %s", i, number(v)))
		}
	}
	return d.done()
}

// powers returns 1, 2 and 5 times powers of ten from lo to hi, or the powers
// alone where those are many.
func powers(lo, hi float64) (out []float64) {
	steps := []float64{1, 2, 5}
	if hi/lo > 1000 {
		steps = steps[:1]
	}
	for e := math.Floor(math.Log10(lo)); e <= math.Log10(hi); e++ {
		for _, s := range steps {
			if v := s * math.Pow(10, e); v >= lo && v <= hi {
				out = append(out, v)
			}
		}
	}
	return out
}

// An Outline is the silhouettes of rows, of all or of a sample.
type Outline struct {
	Mean    float64
	Sampled bool
	Note    string      // what else is to be said of how they were measured
	Values  [][]float64 // by cluster
}

// SilhouetteChart draws the silhouettes of each cluster, the highest first.
func SilhouetteChart(o *Outline, clusters []Cluster) string {
	if o == nil {
		return ""
	}
	const wide, high, gap = 520.0, 260.0, 6.0
	left := nameRoom(names(clusters))
	n := 0
	for _, v := range o.Values {
		n += len(v)
	}
	if n == 0 {
		return ""
	}
	room := math.Max(high, 16*float64(len(o.Values)))
	d := draw(wide, room+gap*float64(len(o.Values))+24, "silhouettes of the rows by cluster")
	least := 0.0
	for _, values := range o.Values {
		if lo, _ := span(values); lo < least {
			least = lo
		}
	}
	s := scale{max(-1, math.Floor(4*least)/4), 1, left + 6, wide - 14}
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
	for _, t := range []float64{-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1} {
		if t >= s.lo {
			d.text(s.at(t), y+14, "middle", "soft", number(t))
		}
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

func names(clusters []Cluster) (out []string) {
	for _, c := range clusters {
		out = append(out, c.Name)
	}
	return out
}
