package flags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/inklinghq/inkling/internal/support/suggest"
)

// clusterCountNames are names that other programs have for the number of clusters.
var clusterCountNames = []string{"k", "cluster", "clusters", "ncluster", "nclusters", "numcluster", "numclusters", "numberofclusters", "clustercount"}

// Nearest returns the flag of a command that was probably meant by one that it does not
// have, with its dashes; "" where none is near. What other programs call the
// number of clusters means -k where the command has it.
func Nearest(cmd *cobra.Command, given string) string {
	plain := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(given))
	if slices.Contains(clusterCountNames, plain) && cmd.Flags().Lookup("k") != nil {
		return "-k"
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return suggest.Nearest(given, names)
}
