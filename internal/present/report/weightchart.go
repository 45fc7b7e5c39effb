package report

import (
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// WeightChart draws the shares of the features: bars beside those without
// learning, or, where every cluster has its own metric, a heat map of them. It
// returns nil where there is nothing to draw.
func WeightChart(w *Weights) *picture.Picture {
	if w == nil || len(w.Features) == 0 {
		return nil
	}
	if len(w.Learned) > 1 {
		return w.perClusterChart()
	}
	const row, right, wide = 30.0, 64.0, 520.0
	left := marginFor(w.Features)
	p := picture.New(wide, row*float64(len(w.Features))+4, "how much each feature counts in the learned distance")
	most := slices.Max(w.Learned[0])
	if w.Plain != nil {
		most = max(most, slices.Max(w.Plain))
	}
	s := scale{0, most, 0, wide - left - right}
	for f, name := range w.Features {
		y, x := row*float64(f), w.Learned[0][f]
		p.Text(left-8, y+17, picture.End, picture.Plain, clipText(name, 20))
		p.Bar(left, y+4, max(1, s.pixel(x)), 12, picture.AccentColour, name+", learned: "+shareInWords(x))
		p.Text(left+max(1, s.pixel(x))+6, y+14, picture.Start, picture.Plain, fmt.Sprintf("%.1f %%", 100*x))
		if w.Plain != nil {
			p.Bar(left, y+18, max(1, s.pixel(w.Plain[f])), 6, picture.PaleColour, name+", without learning: "+shareInWords(w.Plain[f]))
		}
	}
	return p
}

func (w *Weights) perClusterChart() *picture.Picture {
	h := heatMap{title: "how much each feature counts in the distance of each cluster", rows: w.Features, columns: w.Clusters}
	for f := range w.Features {
		var shares []float64
		var texts []string
		for _, l := range w.Learned {
			shares, texts = append(shares, l[f]), append(texts, fmt.Sprintf("%.0f %%", 100*l[f]))
		}
		h.addRow(shares, texts)
	}
	return h.drawHeatMap()
}
