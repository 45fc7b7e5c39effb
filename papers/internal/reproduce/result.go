package reproduce

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// resultSchema names the form of a Result.
const resultSchema = "inkling.paper-result/1"

// A Result is a sheet as data: what was measured, by which build, and a verdict
// for each claim. One file of it is kept for each recipe, and all pages are made
// from these files, so that no two of them can disagree.
type Result struct {
	Schema string       `json:"schema"`
	ID     string       `json:"id"`
	Paper  string       `json:"paper"`
	Title  string       `json:"title"`
	Build  string       `json:"build"` // the commit or the program that measured it
	Full   bool         `json:"full"`  // with the paper's number of repeats
	Seed   uint64       `json:"seed"`
	Claims []Claim      `json:"claims"`
	Parts  []ResultPart `json:"parts"`
}

// A ResultPart is a part of a sheet as data; its charts are files beside the
// results.
type ResultPart struct {
	Title  string     `json:"title"`
	Text   string     `json:"text,omitempty"`
	Head   []string   `json:"head,omitempty"`
	Rows   [][]string `json:"rows,omitempty"`
	Charts []string   `json:"charts,omitempty"`
	Timed  bool       `json:"timed,omitempty"`
}

// Result returns the sheet as data.
func (s *Sheet) Result(l *Lab) *Result {
	r := &Result{Schema: resultSchema, ID: s.ID, Paper: s.Paper, Title: s.Title, Build: l.Program, Full: s.Full, Seed: l.Seed, Claims: s.Claims}
	for _, p := range s.Parts {
		part := ResultPart{Title: p.Title, Text: p.Text, Head: p.Head, Rows: p.Rows, Timed: p.Timed}
		for _, f := range p.Files {
			part.Charts = append(part.Charts, f.Name)
		}
		r.Parts = append(r.Parts, part)
	}
	return r
}

// Write writes the result as JSON.
func (r *Result) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(r)
}

// Page writes the result as Markdown, with its charts in folder.
func (r *Result) Page(w io.Writer, folder string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n%s. Seed %d, %s, measured by %s.\n", r.ID, r.Title, r.Paper, r.Seed, r.repeats(), r.Build)
	if len(r.Claims) > 0 {
		b.WriteString("\n| the paper says | verdict | numbers |\n|---|---|---|\n")
	}
	for _, c := range r.Claims {
		fmt.Fprintf(&b, "| %s | **%s** | %s |\n", cell(c.Text), c.Verdict, cell(c.Numbers))
	}
	for _, p := range r.Parts {
		p.write(&b, folder)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *ResultPart) write(b *strings.Builder, folder string) {
	fmt.Fprintf(b, "\n## %s\n", p.Title)
	if p.Text != "" {
		b.WriteString("\n" + p.Text + "\n")
	}
	if len(p.Head) > 0 {
		b.WriteString("\n")
		line(b, p.Head)
		b.WriteString(strings.Repeat("|---:", len(p.Head)) + "|\n")
		for _, row := range p.Rows {
			line(b, row)
		}
	}
	for _, name := range p.Charts {
		fmt.Fprintf(b, "\n![%s](%s)\n", p.Title, path.Join(folder, name))
	}
}

func line(b *strings.Builder, row []string) {
	for _, s := range row {
		b.WriteString("| " + cell(s) + " ")
	}
	b.WriteString("|\n")
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// ReadResults reads the results of all recipes that files has, in the order of
// the recipes.
func ReadResults(files fs.FS) ([]*Result, error) {
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		return nil, err
	}
	order := map[string]int{}
	for i, r := range Recipes() {
		order[r.ID] = i
	}
	var all []*Result
	for _, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		r := &Result{}
		if err := json.Unmarshal(b, r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if _, ok := order[r.ID]; !ok || r.Schema != resultSchema || r.ID+".json" != name {
			return nil, fmt.Errorf("%s must be the result of the recipe of that name, got schema %q and recipe %q", name, r.Schema, r.ID)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *Result) int { return order[a.ID] - order[b.ID] })
	return all, nil
}

// Counts returns how many of the claims have each verdict.
func Counts(results ...*Result) map[Verdict]int {
	n := map[Verdict]int{}
	for _, r := range results {
		for _, c := range r.Claims {
			n[c.Verdict]++
		}
	}
	return n
}

// WriteVerdicts writes the page of all verdicts: how many by paper, then one
// table for each paper.
func WriteVerdicts(w io.Writer, results []*Result) error {
	var papers []string
	by := map[string][]*Result{}
	for _, r := range results {
		if by[r.Paper] == nil {
			papers = append(papers, r.Paper)
		}
		by[r.Paper] = append(by[r.Paper], r)
	}
	var b strings.Builder
	b.WriteString("# Claims and verdicts\n\nMade by `go run -C papers ./cmd/reproduce pages` from [results](../results); numbers and tables of one recipe: " +
		"`go run -C papers ./cmd/reproduce show NAME`.\nA claim counts as reproduced if the difference has the claimed sign and exceeds two standard errors; " +
		"*partly* means at some settings.\nA verdict is on these data and this protocol.\n\n" +
		"| paper | recipes | claims | reproduced | partly | not |\n|---|---:|---:|---:|---:|---:|\n")
	for _, p := range papers {
		n := Counts(by[p]...)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", cell(p), len(by[p]), n[Reproduced]+n[Partly]+n[Not], n[Reproduced], n[Partly], n[Not])
	}
	for _, p := range papers {
		fmt.Fprintf(&b, "\n## %s\n\n| recipe | claim | verdict |\n|---|---|---|\n", p)
		for _, r := range by[p] {
			for _, c := range r.Claims {
				fmt.Fprintf(&b, "| [%s](../results/%s.json) | %s | %s |\n", r.ID, r.ID, cell(c.Text), c.Verdict)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
