package reproduce

import "strings"

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

// file returns the name of a file of the recipe: the title in plain letters.
func (l *Lab) file(title, ending string) string {
	texts := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	return l.recipe.ID + "-" + strings.Join(texts, "-") + "." + ending
}
