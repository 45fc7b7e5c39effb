package main

import "github.com/spf13/cobra"

// reproduceCommand says where the experiments of the papers went, for scripts
// that still call it.
func (a *app) reproduceCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "reproduce",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return usagef("reproduce is a program of its own now: in the source code of inkling, run go run -C papers ./cmd/reproduce")
		},
	}
}
