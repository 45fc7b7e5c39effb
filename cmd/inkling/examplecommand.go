package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/input/example"
)

func (a *app) exampleCommand() *cobra.Command {
	dir := "."
	var names []string
	for _, e := range example.List() {
		names = append(names, e.Name)
	}
	cmd := &cobra.Command{
		Use:   "example [NAME]",
		Short: "write built-in example data",
		Long: `Write a built-in data set as files: NAME.csv (or .edges), NAME-truth.csv with
the true label of every row, NAME-labels.csv with a few labels, NAME-links.csv
with a few links. Without NAME, list the data sets. Every command also reads
these files without writing them first, as example:FILE.`,
		Example: `  inkling example
  inkling example iris -o demo
  inkling cluster example:iris.csv -k 3`,
		Args:              atMost(1, "one NAME"),
		ValidArgsFunction: cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listExamples()
			}
			return a.writeExample(args[0], names, dir)
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", ".", "`FOLDER` where to write; created if it does not exist")
	return cmd
}

// examplesOutput is what inkling example prints with --json, exampleOutput what
// inkling example NAME does.
type examplesOutput struct {
	Schema   string        `json:"schema"`
	Examples []exampleCard `json:"examples"`
}

type exampleCard struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

type exampleOutput struct {
	Schema string   `json:"schema"`
	Name   string   `json:"name"`
	Files  []string `json:"files"`
}

func (a *app) listExamples() error {
	if a.json {
		out := examplesOutput{Schema: "inkling.example/1"}
		for _, e := range example.List() {
			out.Examples = append(out.Examples, exampleCard{e.Name, e.Title})
		}
		return a.printJSON(out)
	}
	for _, e := range example.List() {
		fmt.Fprintf(a.stdout, "%-14s %s\n", e.Name, e.Title)
	}
	return nil
}

func (a *app) writeExample(name string, names []string, dir string) error {
	set, err := example.Load(name)
	if err != nil {
		return noSuch("built-in data set", name, names, "`inkling example` lists them")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usagef("-o %s: %v", dir, errors.Unwrap(err))
	}
	var written []string
	for _, f := range set.Files() {
		path := filepath.Join(dir, f.Name)
		if err := a.writeFile(path, f.Write); err != nil {
			return err
		}
		written = append(written, path)
	}
	if a.json {
		return a.printJSON(exampleOutput{"inkling.example/1", name, written})
	}
	for _, path := range written {
		fmt.Fprintln(a.stdout, path)
	}
	return nil
}
