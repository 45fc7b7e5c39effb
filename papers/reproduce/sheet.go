package reproduce

import (
	"fmt"
	"io"
	"strings"
)

// A Verdict says whether a claim of a paper was reproduced.
type Verdict string

// The verdicts.
const (
	Reproduced Verdict = "reproduced"
	Partly     Verdict = "partly"
	Not        Verdict = "not"
)

// Of returns the verdict on a claim that held in so many of all cases.
func Of(held, all int) Verdict {
	switch {
	case all > 0 && held == all:
		return Reproduced
	case held > 0:
		return Partly
	}
	return Not
}

// A Claim is a statement of a paper, in our words, and whether it was reproduced.
type Claim struct {
	Text    string  `json:"text"`
	Verdict Verdict `json:"verdict"`
	Numbers string  `json:"numbers"`
	Timed   bool    `json:"timed,omitempty"` // it is about times, which no two runs have alike
}

// A Part of a sheet is a table, pictures or words under a title.
type Part struct {
	Title string
	Text  string
	Head  []string
	Rows  [][]string
	Files []File
	Timed bool
}

// A File belongs to a sheet: a chart or a picture.
type File struct {
	Name    string // without a folder
	Content []byte
}

// A Sheet is the result of a recipe.
type Sheet struct {
	Recipe
	Full   bool
	Parts  []Part
	Claims []Claim
}

// Files returns the files of all parts.
func (s *Sheet) Files() (out []File) {
	for _, p := range s.Parts {
		out = append(out, p.Files...)
	}
	return out
}

// Write writes the sheet as Markdown, with its files in folder. Parts and
// claims about times are written if timed is set, and only they; of a sheet
// without any nothing is written.
func (s *Sheet) Write(w io.Writer, folder string, timed bool) error {
	var b strings.Builder
	for _, p := range s.Parts {
		if p.Timed == timed {
			p.write(&b, folder)
		}
	}
	claims := s.claims(timed)
	if b.Len() == 0 && claims == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n## %s: %s\n\n%s.\n%s%s", s.ID, s.Title, s.Paper, claims, b.String())
	return err
}

func (s *Sheet) claims(timed bool) string {
	var b strings.Builder
	for _, c := range s.Claims {
		if c.Timed != timed {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("\n| the paper says | verdict | numbers |\n|---|---|---|\n")
		}
		fmt.Fprintf(&b, "| %s | **%s** | %s |\n", cell(c.Text), c.Verdict, cell(c.Numbers))
	}
	return b.String()
}

func (p *Part) write(b *strings.Builder, folder string) {
	fmt.Fprintf(b, "\n### %s\n", p.Title)
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
	for _, f := range p.Files {
		fmt.Fprintf(b, "\n![%s](%s/%s)\n", p.Title, folder, f.Name)
	}
}

func line(b *strings.Builder, row []string) {
	for _, s := range row {
		b.WriteString("| " + cell(s) + " ")
	}
	b.WriteString("|\n")
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// file returns the name of a file of the recipe: the title in plain letters.
func (l *Lab) file(title, ending string) string {
	texts := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	return l.recipe.ID + "-" + strings.Join(texts, "-") + "." + ending
}
