package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/support/version"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Long: `Print the version of inkling, of the source it was built from, and of Go. With
--json also the whole commit, its time, the modules in the program with their
checksums, and the GPU that --device auto would use, or why it would use the cores.`,
		Example: "  inkling version\n  inkling version --json",
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.json {
				return a.printJSON(versionOutput{version.Current(), door.FindGPU(cmd.Context())})
			}
			_, err := fmt.Fprintln(a.stdout, version.Current())
			return err
		},
	}
}

// versionOutput is what inkling version prints with --json.
type versionOutput struct {
	version.Info
	GPU door.GPU `json:"gpu"`
}
