package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/example"
)

func (a *app) exampleVerb() *cobra.Command {
	dir := "."
	var names []string
	for _, e := range example.List() {
		names = append(names, e.Name)
	}
	cmd := &cobra.Command{
		Use:   "example [NAME]",
		Short: "write built-in data to play with",
		Long: `Write a built-in data set as files: NAME.csv (or .edges), NAME-truth.csv with the true
label of every row, NAME-labels.csv with a few of them, NAME-links.csv with a few pairs.
Without NAME, list the sets. Every such file can also be read in place as example:FILE.`,
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
	cmd.Flags().StringVarP(&dir, "output", "o", ".", "the folder to write to, made if need be")
	return cmd
}

func (a *app) listExamples() error {
	if a.json {
		type card struct {
			Name  string `json:"name"`
			Title string `json:"title"`
		}
		var all []card
		for _, e := range example.List() {
			all = append(all, card{e.Name, e.Title})
		}
		return a.printJSON(struct {
			Schema   string `json:"schema"`
			Examples []card `json:"examples"`
		}{"inkling.example/1", all})
	}
	for _, e := range example.List() {
		fmt.Fprintf(a.stdout, "%-14s %s\n", e.Name, e.Title)
	}
	return nil
}

func (a *app) writeExample(name string, names []string, dir string) error {
	set, err := example.Load(name)
	if err != nil {
		return usagef("there is no built-in set %q%s; inkling example lists them", name, question(name, names))
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
		return a.printJSON(struct {
			Schema string   `json:"schema"`
			Name   string   `json:"name"`
			Files  []string `json:"files"`
		}{"inkling.example/1", name, written})
	}
	for _, path := range written {
		fmt.Fprintln(a.stdout, path)
	}
	return nil
}
