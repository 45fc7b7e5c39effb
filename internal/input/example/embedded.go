package example

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
)

// See sets/README.md for sources and licences.
var (
	//go:embed sets/iris.csv
	irisRows string
	//go:embed sets/iris-labels.txt
	irisLabels string
	//go:embed sets/wine.csv
	wineRows string
	//go:embed sets/wine-labels.txt
	wineLabels string
	//go:embed sets/text.txt
	texts string
)

func loadIris() (*Set, error) {
	return embedded(irisRows, irisLabels, "R. A. Fisher, Iris, 1936, UCI Machine Learning Repository, https://doi.org/10.24432/C56C76")
}

func loadWine() (*Set, error) {
	return embedded(wineRows, wineLabels, "S. Aeberhard and M. Forina, Wine, 1992, UCI Machine Learning Repository, https://doi.org/10.24432/C5PC7J")
}

func embedded(rows, labels, source string) (*Set, error) {
	cells, err := csv.NewReader(strings.NewReader(rows)).ReadAll()
	if err != nil {
		return nil, err
	}
	x := &data.Dense{Cols: len(cells[0])}
	for _, row := range cells[1:] {
		for _, cell := range row {
			y, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, err
			}
			x.V = append(x.V, y)
		}
	}
	s := &Set{Source: source, Licence: "CC BY 4.0", K: 3, Columns: cells[0], X: x, Truth: strings.Fields(labels)}
	if len(s.Truth) != x.Len() {
		return nil, fmt.Errorf("%d rows and %d labels", x.Len(), len(s.Truth))
	}
	return s, nil
}

func loadText() (*Set, error) {
	s := &Set{K: 3}
	for line := range strings.Lines(texts) {
		topic, text, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			return nil, fmt.Errorf("no tab in %q", line)
		}
		s.Truth, s.Docs = append(s.Truth, topic), append(s.Docs, text)
	}
	return s, nil
}
