package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/present/report"
)

// pageFlags are the flags about the report of a clustering.
type pageFlags struct {
	report  string
	charts  string
	truth   string
	against string
}

func (f *pageFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.charts, "charts", "", "`FOLDER` write each chart of the report as SVG and PNG")
	cmd.Flags().StringVar(&f.truth, "truth", "", "`FILE` true classes, id,label, to compare with in the report")
	cmd.Flags().StringVar(&f.against, "against", "", "`FILE` another run, id,cluster, to compare with in the report")
}

func (f *pageFlags) files() (out []string) {
	for _, path := range []string{f.truth, f.against} {
		if path != "" {
			out = append(out, path)
		}
	}
	return out
}

func (f *pageFlags) options() door.ReportOptions {
	return door.ReportOptions{Truth: f.truth, Against: f.against}
}

// folder is where the charts go.
func (f *pageFlags) folder() targets.Target { return targets.Target{Flag: "--charts", Path: f.charts} }

// check refuses files to compare with where there is no report, and charts in place of one
// of the files that are written.
func (f *pageFlags) check(files []targets.Target) error {
	if f.report == "" && f.charts == "" {
		for flag, path := range map[string]string{"--truth": f.truth, "--against": f.against} {
			if path != "" {
				return usagef("%s is for the report; give --report FILE.html or --charts FOLDER", flag)
			}
		}
	}
	return targets.Folder(f.folder(), files)
}

// writePage writes the report and the charts that were asked for, and returns the
// page, nil where none was.
func (a *app) writePage(ctx context.Context, r *door.Result, f *pageFlags, path string) (page *report.Page, err error) {
	if f.report == "" && f.charts == "" {
		return nil, nil
	}
	o := f.options()
	o.Source, o.Command = path, "inkling"
	for _, arg := range os.Args[1:] {
		o.Command += " " + shellQuoted(arg)
	}
	var notes []door.Note
	if _, err := a.timed("drawing the report", func() (err error) {
		page, notes, err = r.Report(ctx, o)
		return err
	}); err != nil {
		return nil, err
	}
	a.notes(notes)
	if f.report != "" {
		if err := a.writeFile(f.report, page.Write); err != nil {
			return nil, err
		}
	}
	return page, a.writeCharts(f.charts, page)
}

// writeCharts writes every chart of a page into a folder, which it makes where
// there is none.
func (a *app) writeCharts(dir string, page *report.Page) error {
	if dir == "" {
		return nil
	}
	if _, err := os.Stat(dir); err != nil {
		defer os.Remove(dir) // where nothing could be written into it; what is not empty stays
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return writeError(dir, err)
	}
	for _, c := range page.Charts() {
		if err := a.writeFile(filepath.Join(dir, c.Name+".svg"), c.WriteSVG); err != nil {
			return err
		}
		if err := a.writeFile(filepath.Join(dir, c.Name+".png"), c.WritePNG); err != nil {
			return err
		}
	}
	return nil
}
