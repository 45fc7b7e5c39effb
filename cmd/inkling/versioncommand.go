package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/support/version"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Long: `Print the version of inkling, of the source it was built from, and of Go. With
--json also the whole commit, its time, and the modules in the program with their
checksums.`,
		Example: "  inkling version\n  inkling version --json",
		Args:    none,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(version.Current())
			}
			_, err := fmt.Fprintln(a.stdout, version.Current())
			return err
		},
	}
}
