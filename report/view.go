package report

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
)

// view gives the template what it asks for beside the page itself. Charts are
// built of numbers and escaped text alone (see svg.go), so that the template
// may take them as they are.
type view struct{ *Page }

func (v view) N() int { return len(v.Labels) }

// Noun is what is clustered, in the plural.
func (v view) Noun() string {
	if v.Points == "" {
		return "rows"
	}
	return v.Points
}

// A drawnMap is a map with its picture and what is to be said of it.
type drawnMap struct {
	Chart template.HTML
	Note  string
}

func (v view) DrawnMaps() (out []drawnMap) {
	for at, m := range v.Maps {
		if chart := MapChart(v.Page, at); chart != "" {
			out = append(out, drawnMap{template.HTML(chart), v.mapNote(m)})
		}
	}
	return out
}

func (v view) mapNote(m *Projection) string {
	note := m.Name
	if m.Share > 0 {
		note += fmt.Sprintf(", which show %.0f %% of the variance", 100*m.Share)
	}
	if m.Edges != nil {
		note += "; fine lines are edges"
	}
	return note + "."
}

// MapNote is what is to be said of all maps together.
func (v view) MapNote() string {
	var notes []string
	if len(v.Links) > 0 {
		notes = append(notes, "Lines join must-links, dashed lines cannot-links; red ones are not honoured.")
	}
	if len(v.Links) > mostLinks {
		notes = append(notes, fmt.Sprintf("Of %s pairs %d are drawn.", Thousands(len(v.Links)), mostLinks))
	}
	if step := thinning(len(v.Labels)); step > 1 {
		notes = append(notes, fmt.Sprintf("One in %d %s of each cluster is drawn.", step, v.Noun()))
	}
	return strings.Join(notes, " ")
}

// A card is a cluster with its number.
type card struct {
	At int
	Cluster
}

// Cards are the clusters that are shown, in their order.
func (v view) Cards() (out []card) {
	order := make([]int, len(v.Clusters))
	for h := range order {
		order[h] = h
	}
	slices.SortStableFunc(order, func(a, b int) int { return v.Clusters[b].Size - v.Clusters[a].Size })
	order = order[:min(cardsShown, len(order))]
	slices.Sort(order)
	for _, h := range order {
		out = append(out, card{h, v.Clusters[h]})
	}
	return out
}

// Untold is how many clusters have no card.
func (v view) Untold() int { return max(0, len(v.Clusters)-cardsShown) }

func (v view) SizeChart() template.HTML  { return template.HTML(SizeChart(v.Clusters)) }
func (v view) TraceChart() template.HTML { return template.HTML(TraceChart(v.Trace)) }
func (v view) SilhouetteChart() template.HTML {
	return template.HTML(SilhouetteChart(v.Silhouette, v.Clusters))
}
func (v view) WeightChart() template.HTML { return template.HTML(WeightChart(v.Weights)) }
func (v view) CrosstabChart(t *Crosstab) template.HTML {
	return template.HTML(CrosstabChart(t))
}

// HasFeatures says whether cards have features.
func (v view) HasFeatures() bool {
	return slices.ContainsFunc(v.Clusters, func(c Cluster) bool { return len(c.Features) > 0 })
}

// MovedNote says how many rows lie elsewhere.
func (c *Comparison) MovedNote() string {
	switch {
	case c.MovedAll > len(c.Moved) && len(c.Moved) > 0:
		return fmt.Sprintf("And %s more: %s in all.", Thousands(c.MovedAll-len(c.Moved)), Thousands(c.MovedAll))
	case c.MovedAll == 0 && len(c.Agreement) > 0:
		return "No row lies elsewhere: each class is a cluster."
	}
	return ""
}

// called returns what to call a cluster of that name: numbers alone say little.
func called(name string) string {
	if _, err := strconv.Atoi(name); err == nil {
		return "cluster " + name
	}
	return name
}

// Thousands writes a count with commas.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// signed writes a number with its sign.
func signed(x float64) string { return strings.Replace(fmt.Sprintf("%+.2f", x), "-", "−", 1) }

// score writes a measure of agreement.
func score(x float64) string { return strings.Replace(fmt.Sprintf("%.3f", x), "-", "−", 1) }
