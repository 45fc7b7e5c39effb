package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
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
			return noVerb(args[0], namesOf(cmd))
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
	root.AddCommand(a.clusterVerb(), a.checkVerb(), a.scoreVerb(), a.predictVerb(), a.reportVerb(), a.curveVerb(), a.reproduceVerb(),
		a.segmentVerb(), a.methodsVerb(), a.exampleVerb(), a.versionVerb())
	root.SetHelpCommand(helpVerb())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			tidyCompletion(c)
		}
	}
	root.Version = version
	root.SetVersionTemplate(newVersionCard().line() + "\n")
	return root
}

// noVerb refuses a word that is no verb: a wrong one, or data without one.
func noVerb(word string, verbs []string) error {
	asked := question(word, verbs)
	if _, err := os.Stat(word); err == nil || strings.HasPrefix(word, builtinPrefix) {
		asked = "; did you mean inkling cluster " + word + "?"
	}
	return usagef("there is no verb %q%s; inkling --help lists the verbs", word, asked)
}

// helpVerb is --help for people who type the words in another order.
func helpVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "tell about a verb",
		Args:  atMost(1, "one verb"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			verbs := namesOf(root)
			if !slices.Contains(verbs, args[0]) {
				return noVerb(args[0], verbs)
			}
			verb, _, err := root.Find(args)
			if err != nil {
				return err
			}
			return verb.Help()
		},
	}
}

// tidyCompletion makes the parser's own verb speak and fail like ours.
func tidyCompletion(c *cobra.Command) {
	c.Use, c.Short = "completion SHELL", "write the completion script of a shell"
	c.Long = "Write the completion script of a shell. The help of each shell tells how to load it."
	c.Example = "  inkling completion bash\n  inkling completion zsh --help"
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		shells := namesOf(cmd)
		return usagef("there is no completion for %q%s; there is for %s", args[0], question(args[0], shells), strings.Join(shells, ", "))
	}
	for _, shell := range c.Commands() {
		shell.Args = none
		shell.Short = "write it for " + shell.Name()
	}
}

func namesOf(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// helpTemplate opens with what the verb does and what to type.
const helpTemplate = `{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}{{end}}
{{if .HasExample}}
Examples:
{{.Example}}
{{end}}
{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}`

const usageTemplate = `Usage:{{if .HasParent}}
  {{.UseLine}}{{else}}
  {{.CommandPath}} VERB{{end}}{{if .HasAvailableSubCommands}}

{{if .HasParent}}Shells{{else}}Verbs{{end}}:{{range .Commands}}{{if (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Shared flags:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if not .HasParent}}

inkling VERB --help tells more about a verb.{{end}}
`

var unknownFlag = regexp.MustCompile(`^unknown (?:shorthand )?flag: (?:'\w' in )?(-+[^\s=]*)`)

var badValue = regexp.MustCompile(`(?s)^invalid argument (".*") for "(-[^",]+).*" flag: (.*)$`)

// valueKind says what a flag takes, from the parser's complaint.
func valueKind(complaint string) string {
	switch {
	case strings.Contains(complaint, "Atoi"):
		return "whole numbers with commas between them"
	case strings.Contains(complaint, "is no number"):
		return "numbers with commas between them"
	case strings.Contains(complaint, "ParseInt"):
		return "a whole number"
	case strings.Contains(complaint, "ParseUint"):
		return fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64))
	case strings.Contains(complaint, "ParseFloat"):
		return "a number"
	case strings.Contains(complaint, "ParseBool"):
		return "true or false"
	case strings.Contains(complaint, "duration"):
		return "a time with its unit, such as 500ms, 5s or 2m"
	}
	return "something else: " + complaint
}

// flagError turns the parser's errors into ours, with the flag that was
// probably meant.
func flagError(cmd *cobra.Command, err error) error {
	if err == pflag.ErrHelp {
		return err
	}
	if bad := badValue.FindStringSubmatch(err.Error()); bad != nil {
		return usagef("%s is %s, it must be %s", bad[2], bad[1], valueKind(bad[3]))
	}
	found := unknownFlag.FindStringSubmatch(err.Error())
	if found == nil {
		return usagef("%v; %s --help lists the flags", err, cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	if !cmd.HasParent() {
		return usagef("there is no flag %s without a verb, as in inkling cluster DATA -k 3; inkling --help lists the verbs", found[1])
	}
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

// atMost refuses more than n arguments, naming what is expected.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("%s takes only %s, but %q was given too", cmd.CommandPath(), what, args[n])
		}
		return nil
	}
}

// none refuses arguments.
func none(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, but %q was given", cmd.CommandPath(), args[0])
	}
	return nil
}

// exactly refuses any number of arguments but n, naming what is expected.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return usagef("%s needs %s; %s --help shows examples", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return atMost(n, what)(cmd, args)
	}
}
