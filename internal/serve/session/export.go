package session

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/inklinghq/inkling/internal/door"
)

// WriteClusters writes the clusters of a fit as id,cluster, with the names that clusters were
// given in the session.
func (s *Session) WriteClusters(w io.Writer, r *door.Result) error {
	names := s.Names()
	if len(names) == 0 {
		return r.WriteCSV(w)
	}
	out := csv.NewWriter(w)
	if err := out.Write([]string{"id", "cluster"}); err != nil {
		return err
	}
	shown := ShownNames(r.Clusters, names)
	for row := range r.Rows() {
		name := row.Cluster
		if row.ClusterIndex >= 0 {
			name = shown[row.ClusterIndex]
		}
		if err := out.Write([]string{row.ID, name}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteLabels writes the labels in force as a labels file: id,label[,weight].
func (s *Session) WriteLabels(w io.Writer) error {
	return s.export(w, []string{"id", "label"}, func(e *Event) []string {
		if e.Op != OpLabel {
			return nil
		}
		return []string{e.ID, e.Label}
	})
}

// WriteLinks writes the must-links and cannot-links in force as a links file:
// a,b,kind[,weight].
func (s *Session) WriteLinks(w io.Writer) error {
	return s.export(w, []string{"a", "b", "kind"}, func(e *Event) []string {
		if e.Op != OpMust && e.Op != OpCannot {
			return nil
		}
		return []string{e.A, e.B, string(e.Op)}
	})
}

// WriteBeliefs writes the beliefs in force as a links file: a,b,belief.
func (s *Session) WriteBeliefs(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"a", "b", "belief"}); err != nil {
		return err
	}
	for _, e := range lastWords(s.InForce()) {
		if e.Op == OpBelief {
			if err := out.Write([]string{e.A, e.B, strconv.FormatFloat(*e.Weight, 'g', -1, 64)}); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// export writes the rows that line returns, with a column of weights if one is not 1.
func (s *Session) export(w io.Writer, header []string, line func(*Event) []string) error {
	var rows [][]string
	var weights []string
	weighted := false
	for _, e := range lastWords(s.InForce()) {
		row := line(&e)
		if row == nil {
			continue
		}
		weight := 1.0
		if e.Weight != nil {
			weight = *e.Weight
		}
		weighted = weighted || weight != 1
		rows, weights = append(rows, row), append(weights, strconv.FormatFloat(weight, 'g', -1, 64))
	}
	if weighted {
		header = append(header, "weight")
		for i := range rows {
			rows[i] = append(rows[i], weights[i])
		}
	}
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	return out.WriteAll(rows)
}
