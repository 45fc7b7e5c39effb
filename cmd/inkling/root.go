package main

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/inklinghq/inkling/cmd/inkling/internal/dedupecommand"
	"github.com/inklinghq/inkling/cmd/inkling/internal/enginecommand"
	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/sessioncommand"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/cmd/inkling/internal/webcommand"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/support/version"
)

// root returns the command line: every command and its flags.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "inkling",
		Short: "cluster data, using what you know about it",
		Long: `Cluster rows of data, documents, graphs and images, using what you know about
them: labels of some rows, pairs that belong together or apart.`,
		Example: `  inkling cluster example:iris.csv -k 3
  inkling cluster example:iris.csv --labels example:iris-labels.csv -o out.csv`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(args[0], commandNames(cmd))
		},
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { flags.PrintHelp(a.stdout, cmd, a.helpAll) })
	root.SetFlagErrorFunc(flagError)
	f := root.PersistentFlags()
	f.BoolVar(&a.json, "json", false, "print one JSON object on stdout")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "print nothing but errors on stderr")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "print more on stderr")
	root.Flags().BoolP("help", "h", false, "show help")
	root.Flags().Bool("version", false, "print the version")
	f.BoolFunc("help-all", "show help with all flags", func(string) error { a.helpAll = true; return pflag.ErrHelp })
	root.AddCommand(a.clusterCommand(), a.checkCommand(), a.suspectCommand(), a.explainCommand(), a.scoreCommand(), a.predictCommand(), a.reportCommand(), a.curveCommand(), a.reproduceCommand(), sessioncommand.NewAsk(a.sessions()), sessioncommand.NewSession(a.sessions()),
		a.webCommand(), a.segmentCommand(), a.methodsCommand(), a.exampleCommand(), a.schemaCommand(), a.versionCommand())
	root.SetHelpCommand(helpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if f := flags.WithoutName(cmd.Flags()); f != nil {
			return usagef("%s must name a file, got an empty name", flagName(f.Name))
		}
		return nil
	}
	root.AddCommand(a.dedupeCommand(), enginecommand.New(enginecommand.Program{Args: none, Stdin: os.Stdin, Stdout: os.Stdout,
		Terminal: func() bool { return term.IsTerminal(int(os.Stdin.Fd())) || term.IsTerminal(int(os.Stdout.Fd())) }}))
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			tidyCompletion(c)
		}
	}
	root.Version = version.Number
	root.SetVersionTemplate(version.Current().String() + "\n")
	return root
}

// sessions is what the commands about sessions need.
func (a *app) sessions() sessioncommand.Program {
	return sessioncommand.Program{Say: a.say, Detail: a.detail, Note: a.note, Show: a.screen.Show, PrintJSON: a.printJSON, WriteFile: a.writeFile, Args: exactly,
		Stdin: os.Stdin, Stdout: a.stdout, JSON: &a.json, Painted: os.Stdout, Canvas: func() (int, bool) { return terminal.Canvas(os.Stdout) },
		Open: func(ctx context.Context, path string, s door.Source) (*door.Table, error) {
			a.screen.BreakBetweenWords()
			t, _, err := a.openTable(ctx, path, s, door.Open)
			return t, err
		},
		Input: func(cmd *cobra.Command, o *door.Options) (*door.Source, func() error) {
			in := &input{}
			in.readingFlags(cmd)
			in.preparingFlags(cmd, o)
			return &in.source, in.check
		}}
}

func (a *app) webCommand() *cobra.Command {
	return webcommand.New(webcommand.Program{Say: a.say, PrintJSON: a.printJSON, Input: a.sessions().Input, Args: atMost(1, "one DATA, SESSION or IMAGE"), Stdout: a.stdout, JSON: &a.json,
		Serving: func() { a.serving = true; a.ending.Store(true); collectOften() }, Terminal: func() bool { return term.IsTerminal(int(os.Stderr.Fd())) }})
}

// unknownCommand refuses a word that is not a command: a wrong one, or data without
// a command.
func unknownCommand(word string, names []string) error {
	const lists = "`inkling --help` lists the commands"
	if isData(word) {
		return usagef("there is no command %q; did you mean inkling cluster %s? %s", word, shellQuoted(word), lists)
	}
	return noSuch("command", word, names, lists)
}

// isData reports whether a word in place of a command names data.
func isData(word string) bool {
	_, err := os.Stat(word)
	return err == nil || strings.HasPrefix(word, door.BuiltinPrefix)
}

// tidyCompletion makes the parser's own command read and fail like ours.
func tidyCompletion(c *cobra.Command) {
	c.Use, c.Short = "completion SHELL", "print the completion script of a shell"
	c.Long = "Print the completion script of a shell. `inkling completion SHELL --help`\nexplains how to load it."
	c.Example = "  inkling completion bash\n  inkling completion zsh --help"
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		shells := commandNames(cmd)
		return noSuch("completion for", args[0], shells, "the shells are "+strings.Join(shells, ", "))
	}
	for _, shell := range c.Commands() {
		shell.Args = none
		shell.Short = "print the script for " + shell.Name()
	}
}

func commandNames(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return names
}

var unknownFlag = regexp.MustCompile(`^unknown (?:shorthand )?flag: (?:'\w' in )?(-+[^\s=]*)`)

// flagError turns the parser's errors into ours, with the flag that was
// probably meant.
func flagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return pflag.ErrHelp
	}
	var bad *pflag.InvalidValueError
	if errors.As(err, &bad) {
		f := bad.GetFlag()
		if value := bad.GetValue(); strings.HasPrefix(value, "-") && len(value) > 1 && isFlag(cmd, value) {
			return usagef("%s was given without a value: give %s", flagName(f.Name), flags.Describe(f.Value))
		}
		return usagef("%s must be %s, got %q", flagName(f.Name), flags.Describe(f.Value), bad.GetValue())
	}
	var without *pflag.ValueRequiredError
	if errors.As(err, &without) {
		f := without.GetFlag()
		if !strings.HasPrefix(f.Value.Type(), "string") {
			return usagef("%s was given without a value: give %s", flagName(f.Name), flags.Describe(f.Value))
		}
		return usagef("%s was given without a value; `%s --help-all` lists the flags", flagName(f.Name), cmd.CommandPath())
	}
	found := unknownFlag.FindStringSubmatch(err.Error())
	if found == nil {
		return usagef("%v; `%s --help-all` lists the flags", err, cmd.CommandPath())
	}
	if words := cmd.Flags().Args(); !cmd.HasParent() && len(words) > 0 && !isData(words[0]) {
		return unknownCommand(words[0], commandNames(cmd))
	}
	if !cmd.HasParent() {
		return usagef("%s was given without a command; write, for example, inkling cluster DATA -k 3 (`inkling --help` lists the commands)", found[1])
	}
	text := "there is no flag " + found[1] + didYouMean(flags.Nearest(cmd, found[1]))
	return usageAdvice(text, door.Hint("`"+cmd.CommandPath()+" --help-all` lists the flags"))
}

// isFlag reports whether a word of the command line is one of the flags of a command.
func isFlag(cmd *cobra.Command, word string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	return cmd.Flags().Lookup(name) != nil || len(name) == 1 && cmd.Flags().ShorthandLookup(name) != nil
}

// helpCommand is --help for people who type the words in another order.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "show help for a command",
		Args:  atMost(1, "one COMMAND"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			names := commandNames(root)
			if !slices.Contains(names, args[0]) {
				return unknownCommand(args[0], names)
			}
			found, _, err := root.Find(args)
			if err != nil {
				return err
			}
			return found.Help()
		},
	}
}

type dedupeOutput = dedupecommand.Output // what inkling dedupe prints with --json

func (a *app) dedupeCommand() *cobra.Command {
	return dedupecommand.New(between(1, 2, "one TABLE: a file, or - for stdin; or two"), dedupecommand.Program{Say: a.say, Note: a.note, Show: a.screen.Show,
		PrintJSON: a.printJSON, WriteFile: a.writeFile, JSON: &a.json, Verbose: &a.verbose, Stdin: os.Stdin, Painted: os.Stdout,
		Canvas: func() (int, bool) { return terminal.Canvas(os.Stdout) }})
}
