package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/sessioncommand"
	"github.com/inklinghq/inkling/cmd/inkling/internal/webcommand"
	"github.com/inklinghq/inkling/internal/support/jsonschema"
)

// schemas returns the JSON Schema of what each command prints with --json.
func schemas() map[string]*jsonschema.Schema {
	return map[string]*jsonschema.Schema{
		"ask":     jsonschema.OneOf(jsonschema.Of[sessioncommand.Asked](), jsonschema.Of[sessioncommand.Line](), jsonschema.Of[sessioncommand.Batch]()),
		"check":   jsonschema.Of[checkOutput](),
		"cluster": jsonschema.Of[clusterOutput](),
		"curve":   jsonschema.Of[curveOutput](),
		"dedupe":  jsonschema.Of[dedupeOutput](),
		"example": jsonschema.OneOf(jsonschema.Of[examplesOutput](), jsonschema.Of[exampleOutput]()),
		"explain": jsonschema.Of[explainOutput](),
		"methods": jsonschema.OneOf(jsonschema.Of[methodsOutput](), jsonschema.Of[methodOutput]()),
		"predict": jsonschema.Of[predictOutput](),
		"report":  jsonschema.Of[reportOutput](),
		"schema":  jsonschema.Of[schemaOutput](),
		"score":   jsonschema.Of[scoreOutput](),
		"segment": jsonschema.Of[segmentCard](),
		"session": jsonschema.OneOf(jsonschema.Of[sessioncommand.Shown](), jsonschema.Of[sessioncommand.Replayed]()),
		"suspect": jsonschema.Of[suspectOutput](),
		"web":     jsonschema.Of[webcommand.Output](),
		"version": jsonschema.Of[versionOutput](),
	}
}

// schemaOutput is what inkling schema prints with --json.
type schemaOutput struct {
	Schema  string                     `json:"schema"`
	Schemas map[string]json.RawMessage `json:"schemas"`
}

func (a *app) schemaCommand() *cobra.Command {
	names := slices.Sorted(maps.Keys(schemas()))
	return &cobra.Command{
		Use:   "schema [COMMAND]",
		Short: "print the JSON Schema of a command's --json output",
		Long:  "Print the JSON Schema of what a command prints with --json. Without COMMAND, list\nthe commands that have one.",
		Example: `  inkling schema
  inkling schema cluster`,
		Args:              atMost(1, "one COMMAND"),
		ValidArgsFunction: cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				s, ok := schemas()[args[0]]
				if !ok {
					return noSuch("schema of", args[0], names, "`inkling schema` lists the commands")
				}
				s.Title = "inkling " + args[0] + " --json"
				return a.printJSON(s)
			}
			if !a.json {
				for _, name := range names {
					fmt.Fprintln(a.stdout, name)
				}
				return nil
			}
			out := schemaOutput{"inkling.schema/1", map[string]json.RawMessage{}}
			for name, s := range schemas() {
				b, err := json.Marshal(s)
				if err != nil {
					return err
				}
				out.Schemas[name] = b
			}
			return a.printJSON(out)
		},
	}
}
