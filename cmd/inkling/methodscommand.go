package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

// methodsOutput is what inkling methods prints with --json, methodOutput what
// inkling methods NAME does.
type methodsOutput struct {
	Schema  string         `json:"schema"`
	Methods []catalog.Card `json:"methods"`
}

type methodOutput struct {
	Schema string `json:"schema"`
	catalog.Card
}

func (a *app) methodsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "methods [NAME]",
		Short: "list the methods, or describe one",
		Long:  "List the methods, or describe one: its paper, its input and its parameters.\ninkling cluster --method auto, the default, compares them by held-out constraints.",
		Example: `  inkling methods
  inkling methods kmeans
  inkling methods --json`,
		Args:              atMost(1, "one NAME"),
		ValidArgsFunction: cobra.FixedCompletions(catalog.Names(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.printMethod(args[0])
			}
			cards := catalog.Methods().Cards()
			if a.json {
				return a.printJSON(methodsOutput{"inkling.methods/1", cards})
			}
			for _, c := range cards {
				fmt.Fprintf(a.stdout, "%-20s %s\n", c.Name, flags.Wrap(c.Title, 21))
			}
			return nil
		},
	}
}

func (a *app) printMethod(name string) error {
	m, ok := catalog.Find(name)
	if !ok {
		return noSuch("method", name, catalog.Names(), "`inkling methods` lists them")
	}
	c := m.Card()
	if a.json {
		return a.printJSON(methodOutput{"inkling.methods/1", c})
	}
	uses := "no constraints"
	if len(c.Uses) > 0 {
		words := make([]string, len(c.Uses))
		for i, kind := range c.Uses {
			words[i] = string(kind)
		}
		uses = strings.Join(words, ", ")
	}
	fmt.Fprintf(a.stdout, "%s\n  %s\n\nfrom   %s\ntakes  %s\nuses   %s\n", c.Name, flags.Wrap(c.Title, 2), flags.Wrap(c.Paper, 7), takes(m), flags.Wrap(uses, 7))
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
		values := "default " + p.Default
		if p.Published != p.Default {
			values += ", published " + p.Published
		}
		fmt.Fprintf(a.stdout, "  %s\n      %s\n", flags.Wrap("--"+p.Name+" "+choice, 6), flags.Wrap(p.Help+" ("+values+")", 6))
	}
	a.printPublished(c)
	return nil
}

// printPublished lists what --settings published changes, and what was chosen where the
// paper leaves a choice.
func (a *app) printPublished(c catalog.Card) {
	fmt.Fprintf(a.stdout, "\n%-16s %-20s %s\n", "settings", "recommended", "published")
	row := func(name, ours, paper string) { fmt.Fprintf(a.stdout, "  %-14s %-20s %s\n", name, ours, paper) }
	for _, p := range c.Parameters {
		if p.Published != p.Default {
			row(p.Name, p.Default, p.Published)
		}
	}
	row("effort", "normal", "low")
	row("restarts", "auto", "1")
	if len(c.Choices) > 0 {
		fmt.Fprint(a.stdout, "\nchosen where the paper leaves it open\n")
	}
	for _, choice := range c.Choices {
		fmt.Fprintf(a.stdout, "  - %s\n", flags.Wrap(choice, 4))
	}
}

// kinds are the types of parameters in words.
var kinds = map[string]string{"int": "INTEGER", "float64": "NUMBER", "bool": "true|false", "string": "VALUE"}

// takes names the input of a method; one for graphs that has neighbours among its
// parameters makes a graph of rows.
func takes(m catalog.Method) string {
	if !m.Takes(cluster.InputRows) && slices.ContainsFunc(m.Parameters(), func(p catalog.Parameter) bool { return p.Name == "knn" }) {
		return "graph, or rows with --knn"
	}
	return m.InputNames()
}
