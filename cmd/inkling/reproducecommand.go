package main

import (
	"slices"

	"github.com/spf13/cobra"
)

// reproduceCommand says where the experiments of the papers went, for scripts
// that still call it.
func (a *app) reproduceCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reproduce",
		Short: "say where the experiments of the papers are",
		Long: `The experiments of the papers are a program of their own. In the source code of
inkling: go run -C papers ./cmd/reproduce`,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.ContainsFunc(args, func(arg string) bool { return arg == "-h" || arg == "--help" || arg == "--help-all" }) {
				return cmd.Help()
			}
			return usagef("reproduce is a program of its own now: in the source code of inkling, run go run -C papers ./cmd/reproduce")
		},
	}
}
