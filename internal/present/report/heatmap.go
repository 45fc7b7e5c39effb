package report

import "github.com/inklinghq/inkling/internal/present/report/picture"

// A heatMap is a table of cells, each coloured by its share.
type heatMap struct {
	title         string
	rows, columns []string
	shares        [][]float64 // from 0 to 1
	texts         [][]string  // of the cells
}

func (h *heatMap) addRow(shares []float64, texts []string) {
	h.shares, h.texts = append(h.shares, shares), append(h.texts, texts)
}

func (h *heatMap) drawHeatMap() *picture.Picture {
	const wide, gap = 520.0, 2.0
	left := marginFor(h.rows)
	cell := min(88, max(14, (wide-left-10)/float64(max(1, len(h.columns)))))
	tall := min(cell, 40)
	slant := false // names of columns that are wider than a column
	for _, name := range h.columns {
		slant = slant || textWidth(clipText(name, 14)) > cell-4
	}
	top := 26.0
	if slant {
		top = 14 + 0.75*marginFor(h.columns)
	}
	width := max(wide, left+cell*float64(len(h.columns))+10)
	if slant {
		width = max(width, left+cell*float64(len(h.columns))+0.7*textWidth(clipText(h.columns[len(h.columns)-1], 14)))
	}
	p := picture.New(width, top+tall*float64(len(h.rows))+8, h.title)
	for c, name := range h.columns {
		x := left + cell*(float64(c)+.5)
		if slant {
			p.Turned(x, top-8, -45, clipText(name, 14))
		} else {
			p.Text(x, top-9, picture.Middle, picture.Plain, name)
		}
	}
	for r, name := range h.rows {
		y := top + tall*float64(r)
		p.Text(left-8, y+tall/2+4, picture.End, picture.Plain, clipText(name, 20))
		for c, x := range h.shares[r] {
			at := left + cell*float64(c)
			p.Cell(at, y, cell-gap, tall-gap, palette[0], 0.06+0.94*x, name+", "+h.columns[c]+": "+h.texts[r][c])
			if cell >= 26 {
				style := picture.Plain
				if x > 0.5 {
					style = picture.OnCell
				}
				p.Text(at+(cell-gap)/2, y+tall/2+3, picture.Middle, style, h.texts[r][c])
			}
		}
	}
	return p
}
