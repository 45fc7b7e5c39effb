package workspace

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"strconv"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio/tablefile"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// An export is a file that people take away.
type export struct {
	content string
	write   func(v *view, ctx context.Context, out io.Writer, rows []int) error
}

// exports are all of them, by name. rows are those of the table that are wanted, in its
// order.
var exports = map[string]export{
	"clusters.csv":  {"text/csv; charset=utf-8", (*view).writeClusters},
	"rows.csv":      {"text/csv; charset=utf-8", (*view).writeRows},
	"rows.parquet":  {"application/vnd.apache.parquet", (*view).writeParquet},
	"rows.jsonl":    {"application/x-ndjson", (*view).writeLines},
	"labels.csv":    {"text/csv; charset=utf-8", (*view).writeLabels},
	"links.csv":     {"text/csv; charset=utf-8", (*view).writeLinks},
	"session.jsonl": {"application/x-ndjson", (*view).writeSession},
	"report.html":   {"text/html; charset=utf-8", (*view).writeReport},
	"map.svg":       {"image/svg+xml", (*view).writeMap},
}

// Export returns the media type of a file to take away, and what writes it: all rows, or those of
// points.
func (v *view) Export(file string, points []int) (content string, write func(context.Context, io.Writer) error, err error) {
	e, ok := exports[file]
	if !ok {
		return "", nil, Refuse(KindNotFound, "there is no file %q to export", file)
	}
	rows := make([]int, 0, len(v.points.order))
	if points == nil {
		for i := range v.points.order {
			rows = append(rows, i)
		}
	} else {
		wanted := make([]bool, len(v.points.order))
		for _, p := range points {
			row, ok := v.points.row(p)
			if !ok {
				return "", nil, noPoint(p)
			}
			wanted[row] = true
		}
		for i, want := range wanted {
			if want {
				rows = append(rows, i)
			}
		}
	}
	return e.content, func(ctx context.Context, out io.Writer) error { return e.write(v, ctx, out, rows) }, nil
}

// fitted returns the latest fit, which most files need.
func (v *view) fitted() (*Fit, error) {
	if f := v.kept.Latest(); f != nil {
		return f, nil
	}
	return nil, Refuse(KindConflict, "there is no fit yet")
}

// writeClusters writes what `inkling cluster` writes: rows without a cluster have an empty cell, rows that were dropped are left out.
func (v *view) writeClusters(_ context.Context, out io.Writer, rows []int) error {
	f, err := v.fitted()
	if err != nil {
		return err
	}
	called := v.names.called(f)
	free := map[string]bool{} // rows of the result that have no cluster
	for row := range f.Result.Rows() {
		if row.ClusterIndex < 0 {
			free[row.ID] = true
		}
	}
	return writeCSV(out, []string{"id", "cluster"}, rows, func(row int) []string {
		if id := v.points.table.ID(row); f.label[row] < 0 && !free[id] {
			return nil
		} else if free[id] {
			return []string{id, ""}
		}
		return []string{v.points.table.ID(row), f.clusterOf(row, called)}
	})
}

// writeCSV writes a line for each row; nil: none.
func writeCSV(out io.Writer, header []string, rows []int, line func(row int) []string) error {
	to := csv.NewWriter(out)
	if err := to.Write(header); err != nil {
		return err
	}
	for _, row := range rows {
		if cells := line(row); cells != nil {
			if err := to.Write(cells); err != nil {
				return err
			}
		}
	}
	to.Flush()
	return to.Error()
}

// sureText writes a confidence; "" where it is unknown.
func sureText(c *float64) string {
	if c == nil {
		return ""
	}
	return strconv.FormatFloat(*c, 'f', -1, 64)
}

func (v *view) writeRows(_ context.Context, out io.Writer, rows []int) error {
	f, err := v.fitted()
	if err != nil {
		return err
	}
	called := v.names.called(f)
	header := append(append([]string{"id"}, v.rowColumns()...), "cluster", "confidence")
	return writeCSV(out, header, rows, func(row int) []string {
		return append(append([]string{v.points.table.ID(row)}, v.cells(row)...), f.clusterOf(row, called), sureText(f.confidence(row)))
	})
}

func (v *view) writeParquet(ctx context.Context, out io.Writer, rows []int) error {
	return tablefile.Encode("rows.parquet", false, func(out io.Writer) error { return v.writeRows(ctx, out, rows) })(out)
}

func (v *view) writeLines(_ context.Context, out io.Writer, rows []int) error {
	f, err := v.fitted()
	if err != nil {
		return err
	}
	labels, err := v.record.labels()
	if err != nil {
		return err
	}
	called, names, to := v.names.called(f), v.rowColumns(), json.NewEncoder(out)
	for _, row := range rows {
		line := struct {
			ID         string            `json:"id"`
			Cluster    *string           `json:"cluster"`
			Confidence *float64          `json:"confidence"`
			Label      string            `json:"label,omitempty"`
			Cells      map[string]string `json:"cells"`
		}{ID: v.points.table.ID(row), Confidence: f.confidence(row), Label: labels[row], Cells: map[string]string{}}
		if name := f.clusterOf(row, called); name != "" {
			line.Cluster = &name
		}
		for i, cell := range v.cells(row) {
			if i < len(names) {
				line.Cells[names[i]] = cell
			}
		}
		if err := to.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func (v *view) writeLabels(_ context.Context, out io.Writer, rows []int) error {
	labels, err := v.record.labels()
	if err != nil {
		return err
	}
	return writeCSV(out, []string{"id", "label"}, rows, func(row int) []string {
		if labels[row] == "" {
			return nil
		}
		return []string{v.points.table.ID(row), labels[row]}
	})
}

func (v *view) writeLinks(_ context.Context, out io.Writer, _ []int) error {
	return v.record.session.WriteLinks(out)
}

func (v *view) writeSession(_ context.Context, out io.Writer, _ []int) error {
	return CopySession(out, v.record.session)
}

// CopySession writes the file of a session.
func CopySession(out io.Writer, s *session.Session) error {
	f, err := os.Open(s.Path())
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(out, f)
	return err
}

// reported returns the page about the latest fit as a report.
func (v *view) reported(ctx context.Context) (*report.Page, error) {
	f, err := v.fitted()
	if err != nil {
		return nil, err
	}
	p, _, err := f.Result.Report(ctx, door.ReportOptions{Command: v.Command().Command, Source: v.record.session.DataPath()})
	if err != nil {
		return nil, err
	}
	called := v.names.called(f)
	for i, c := range p.Clusters {
		if given, ok := called[c.Name]; ok {
			p.Clusters[i].Name = given
		}
	}
	return p, nil
}

func (v *view) writeReport(ctx context.Context, out io.Writer, _ []int) error {
	p, err := v.reported(ctx)
	if err != nil {
		return err
	}
	return p.Write(out)
}

func (v *view) writeMap(ctx context.Context, out io.Writer, _ []int) error {
	p, err := v.reported(ctx)
	if err != nil {
		return err
	}
	if m := report.MapChart(p, 0); m != nil {
		return report.Chart{Name: "map", Title: p.Title, Picture: m}.WriteSVG(out)
	}
	return Refuse(KindNotFound, "there is nothing to draw")
}
