package workspace

import (
	"strings"
)

// CommandLines are command lines that make the current result again.
type CommandLines struct {
	Command string   `json:"command"`
	Lines   []string `json:"lines"`
}

// Command returns the command line that makes the current result again.
func (w *Workspace) Command() *CommandLines {
	line := "inkling session replay " + Quoted(w.session.Path()) + " -o clusters.csv"
	return &CommandLines{Command: line, Lines: []string{line}}
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
