package report

import (
	"fmt"

	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// SizeChart draws a bar for each cluster.
func SizeChart(clusters []Cluster) *picture.Picture {
	const row, right, wide = 26.0, 110.0, 520.0
	p := picture.New(wide, row*float64(len(clusters))+4, "sizes of the clusters")
	most, all := 1, 0
	for _, c := range clusters {
		most, all = max(most, c.Size), all+c.Size
	}
	left := marginFor(clusterNames(clusters))
	for h, c := range clusters {
		y := row * float64(h)
		p.Text(left-8, y+17, picture.End, picture.Plain, clipText(c.Name, 20))
		w := float64(c.Size) / float64(most) * (wide - left - right)
		p.Bar(left, y+4, w, row-8, Colour(h), fmt.Sprintf("%s: %d", c.Name, c.Size))
		p.Text(left+w+8, y+17, picture.Start, picture.Soft, fmt.Sprintf("%s · %s", Thousands(c.Size), percentOf(c.Size, all)))
	}
	return p
}
