package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/inklinghq/inkling/internal/suggest"
)

// root returns the command line: every verb and its flags.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "inkling",
		Short: "cluster data with what is known about it",
		Long: `inkling groups rows of data and honours what you know: labels of some rows,
pairs that belong together or apart. What it cannot honour it lists, with the price.`,
		Example: `  inkling cluster example:iris.csv -k 3
  inkling cluster example:iris.csv --labels example:iris-labels.csv -o clusters.csv
  inkling example iris -o demo`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			var verbs []string
			for _, c := range cmd.Commands() {
				verbs = append(verbs, c.Name())
			}
			return usagef("there is no verb %q%s; inkling --help lists the verbs", args[0], question(args[0], verbs))
		},
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpTemplate(helpTemplate)
	root.SetFlagErrorFunc(flagError)
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "print one JSON object on stdout")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "say nothing but errors")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "say more")
	root.AddCommand(a.clusterVerb(), a.checkVerb(), a.scoreVerb(), a.predictVerb(),
		a.methodsVerb(), a.exampleVerb(), a.versionVerb())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "write the completion script of a shell"
		}
	}
	return root
}

// helpTemplate opens with what the verb does and what to type.
const helpTemplate = `{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}{{end}}
{{if .HasExample}}
Examples:
{{.Example}}
{{end}}
{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}`

const usageTemplate = `Usage:{{if .HasAvailableSubCommands}}
  {{.CommandPath}} VERB{{else}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}

Verbs:{{range .Commands}}{{if (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Shared flags:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableSubCommands}}

inkling VERB --help tells more about a verb.{{end}}
`

var unknownFlag = regexp.MustCompile(`^unknown (?:shorthand )?flag: (?:'\w' in )?(-+[^\s=]*)`)

// flagError turns the parser's errors into ours, with the flag that was
// probably meant.
func flagError(cmd *cobra.Command, err error) error {
	if err == pflag.ErrHelp {
		return err
	}
	found := unknownFlag.FindStringSubmatch(err.Error())
	if found == nil {
		return usagef("%v; %s --help lists the flags", err, cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return usagef("there is no flag %s%s; %s --help lists the flags", found[1], question(found[1], names), cmd.CommandPath())
}

// question returns ", did you mean ...?" or nothing.
func question(given string, words []string) string {
	if w := suggest.Nearest(given, words); w != "" {
		return fmt.Sprintf("; did you mean %s?", w)
	}
	return ""
}

// oneOf returns an error unless value is one of words; flag is for the message.
func oneOf(flag, value string, words ...string) error {
	for _, w := range words {
		if value == w {
			return nil
		}
	}
	return usagef("%s is %q, it must be one of %s%s", flag, value, strings.Join(words, ", "), question(value, words))
}

// exactly refuses any number of arguments but n, naming what is expected.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return usagef("%s needs %s; %s --help shows examples", cmd.CommandPath(), what, cmd.CommandPath())
		}
		if len(args) > n {
			return usagef("%s takes only %s, but %q was given too", cmd.CommandPath(), what, args[n])
		}
		return nil
	}
}
