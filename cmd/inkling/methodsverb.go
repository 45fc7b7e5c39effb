package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/catalog"
	"github.com/inklinghq/inkling/cluster"
)

// methodCard is a method as --json tells it.
type methodCard struct {
	Name       string              `json:"name"`
	Title      string              `json:"title"`
	Paper      string              `json:"paper"`
	Input      string              `json:"input"`
	Uses       []cluster.Kind      `json:"uses"`
	Predicts   bool                `json:"predicts"`
	Parameters []catalog.Parameter `json:"parameters"`
}

func newMethodCard(m catalog.Method) methodCard {
	c := methodCard{m.Name, m.Title, m.Paper, inputNames(m), m.Uses(), m.Saved != nil, m.Parameters()}
	if c.Uses == nil {
		c.Uses = []cluster.Kind{}
	}
	return c
}

func (a *app) methodsVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "methods [NAME]",
		Short: "list the methods, or tell all about one",
		Long:  "List the methods, or tell where one comes from, what it takes, and its parameters.",
		Example: `  inkling methods
  inkling methods kmeans
  inkling methods --json`,
		Args:              atMost(1, "one NAME"),
		ValidArgsFunction: cobra.FixedCompletions(catalog.Names(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.tellMethod(args[0])
			}
			var cards []methodCard
			for _, m := range catalog.Methods() {
				cards = append(cards, newMethodCard(m))
			}
			if a.json {
				return a.printJSON(struct {
					Schema  string       `json:"schema"`
					Methods []methodCard `json:"methods"`
				}{"inkling.methods/1", cards})
			}
			for _, c := range cards {
				fmt.Fprintf(a.stdout, "%-20s %s\n", c.Name, c.Title)
			}
			return nil
		},
	}
}

func (a *app) tellMethod(name string) error {
	m, ok := catalog.Find(name)
	if !ok {
		return usagef("there is no method %q%s; inkling methods lists them", name, question(name, catalog.Names()))
	}
	c := newMethodCard(m)
	if a.json {
		return a.printJSON(struct {
			Schema string `json:"schema"`
			methodCard
		}{"inkling.methods/1", c})
	}
	uses := "nothing that is known"
	if len(c.Uses) > 0 {
		words := make([]string, len(c.Uses))
		for i, kind := range c.Uses {
			words[i] = string(kind)
		}
		uses = strings.Join(words, ", ")
	}
	fmt.Fprintf(a.stdout, "%s\n  %s\n\nfrom   %s\ntakes  %s\nuses   %s\n", c.Name, c.Title, c.Paper, takes(m), uses)
	if len(c.Parameters) > 0 {
		fmt.Fprint(a.stdout, "\nparameters\n")
	}
	for _, p := range c.Parameters {
		choice := kinds[p.Type]
		if p.Values != nil {
			choice = strings.Join(p.Values, "|")
		}
		if p.File != "" {
			choice += "|FILE"
		}
		fmt.Fprintf(a.stdout, "  --%s %s\n      %s (default %s)\n", p.Name, choice, p.Help, p.Default)
	}
	return nil
}

// kinds are the types of parameters in words.
var kinds = map[string]string{"int": "WHOLE-NUMBER", "float64": "NUMBER", "bool": "true|false", "string": "VALUE"}

// inputNames returns the forms of points that a method takes: "rows or graph".
func inputNames(m catalog.Method) string {
	var names []string
	for _, in := range m.Inputs() {
		names = append(names, string(in))
	}
	return strings.Join(names, " or ")
}

// takes tells what a method clusters; one for graphs that has neighbours among
// its parameters makes a graph of rows.
func takes(m catalog.Method) string {
	if !m.Takes(cluster.InputRows) && slices.ContainsFunc(m.Parameters(), func(p catalog.Parameter) bool { return p.Name == "knn" }) {
		return "graph, or rows with --knn"
	}
	return inputNames(m)
}
