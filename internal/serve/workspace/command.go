package workspace

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// CommandLines are command lines that make the current result again.
type CommandLines struct {
	Command string   `json:"command"`
	Lines   []string `json:"lines"`
}

// Command returns the command line that makes clusters.csv again, and lines that do it from
// plain files where that is possible.
func (v *view) Command() *CommandLines {
	path := Quoted(v.record.session.Path())
	out := &CommandLines{Command: "inkling session export " + path + " --clusters clusters.csv"}
	out.Lines = []string{out.Command}
	if f := v.kept.Latest(); f != nil && v.isPlain() {
		labels := v.record.session.Totals().Labels > 0
		export, line := "inkling session export "+path, v.clusterLine(f)
		if labels {
			export, line = export+" --labels labels.csv", line+" --labels labels.csv"
		}
		if t := v.record.session.Totals(); t.Must+t.Cannot > 0 {
			export, line = export+" --links links.csv", line+" --links links.csv"
			labels = true
		}
		if labels {
			out.Lines = append(out.Lines, export)
		}
		out.Lines = append(out.Lines, line+" -o clusters.csv")
	}
	return out
}

// isPlain reports whether inkling cluster can be given all that the session says.
func (v *view) isPlain() bool {
	if len(v.record.session.Header().Source.Edits) > 0 {
		return false // settings of columns stand in a plan
	}
	for _, e := range v.record.session.InForce() {
		switch e.Op {
		case session.OpRename, session.OpUnlabel, session.OpBelief, session.OpUnsure:
			return false
		case session.OpLabel:
			if v.record.session.Header().Source.LabelColumn != "" {
				return false // it may override the column
			}
		}
	}
	return true
}

// clusterLine returns the command that clusters as a fit did.
func (v *view) clusterLine(f *Fit) string {
	h := v.record.session.Header()
	words := []string{"inkling", "cluster", Quoted(v.record.session.DataPath())}
	flag := func(name, value string) {
		if value != "" {
			words = append(words, "--"+name, Quoted(value))
		}
	}
	s := h.Source
	flag("format", string(s.Format))
	flag("as", string(s.As))
	flag("id", s.ID)
	flag("ids", s.IDs)
	flag("embeddings", s.Embeddings)
	flag("label-col", s.LabelColumn)
	flag("text", s.Text)
	flag("drop", strings.Join(s.Drop, ","))
	flag("columns", strings.Join(s.Columns, ","))
	flag("number", strings.Join(s.Number, ","))
	flag("category", strings.Join(s.Category, ","))
	flag("date", strings.Join(s.Date, ","))
	flag("log", strings.Join(s.Log, ","))
	flag("profile", strings.Join(s.Profile, ","))
	flag("missing", string(s.Missing))
	flag("scale", string(h.Prepare.Scale))
	set := f.settings
	flag("method", set.Method)
	switch {
	case set.KMax >= door.AutoKMax:
		words = append(words, "-k", "auto")
	case set.KMax > 0:
		words = append(words, "-k", fmt.Sprintf("%d-%d", set.KMin, set.KMax))
	case set.K > 0:
		words = append(words, "-k", fmt.Sprint(set.K))
	}
	if set.Seed != nil && *set.Seed != door.DefaultSeed {
		flag("seed", fmt.Sprint(*set.Seed))
	}
	if set.Effort != "" && set.Effort != door.EffortNormal {
		flag("effort", string(set.Effort))
	}
	for _, name := range slices.Sorted(maps.Keys(set.Parameters)) {
		flag(strings.ReplaceAll(name, "_", "-"), fmt.Sprint(set.Parameters[name]))
	}
	return strings.Join(words, " ")
}

// Quoted quotes a word for a shell, where that is needed.
func Quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:,=+@%", r)
	}
	if word != "" && !strings.HasPrefix(word, "-") && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
