package catalog

import (
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster"
)

// A Card describes a method, as `inkling methods --json` has it.
type Card struct {
	Name       string         `json:"name"`
	Title      string         `json:"title"`
	Paper      string         `json:"paper"`
	Input      string         `json:"input"` // the forms of points that it takes: "rows or graph"
	Uses       []cluster.Kind `json:"uses"`
	Predicts   bool           `json:"predicts"`
	Parameters []Parameter    `json:"parameters"`
	// Choices say what was chosen where the paper is silent, ambiguous or wrong.
	Choices []string `json:"choices"`
}

// Card returns the card of m.
func (m Method) Card() Card {
	c := Card{m.Name, m.Title, m.Paper, m.InputNames(), m.Uses(), m.Saved != nil, m.Parameters(), slices.Concat([]string{}, m.Choices)}
	if c.Uses == nil {
		c.Uses = []cluster.Kind{}
	}
	return c
}

// InputNames returns the forms of points that m takes: "rows or graph".
func (m Method) InputNames() string {
	var names []string
	for _, in := range m.Inputs() {
		names = append(names, string(in))
	}
	return strings.Join(names, " or ")
}

// Cards returns the cards of all methods.
func (l List) Cards() (out []Card) {
	for _, m := range l {
		out = append(out, m.Card())
	}
	return out
}
