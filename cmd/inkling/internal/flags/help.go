// Package flags has the values that flags take beside those of the parser, and
// writes help: flags by group, in 80 columns.
package flags

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Groups of flags, as help lists them.
const (
	GroupOther       = "Flags"
	GroupMethod      = "Clusters and method"
	GroupConstraints = "Constraints"
	GroupData        = "Data"
	GroupDocuments   = "Documents"
	GroupOutput      = "Output"
	GroupParameters  = "Parameters of methods"
)

var groups = []string{GroupOther, GroupMethod, GroupConstraints, GroupData, GroupDocuments, GroupOutput, GroupParameters}

const (
	groupKey    = "group"
	advancedKey = "advanced"
)

// helpWidth is how wide help is; without advanced flags it has at most 40 lines.
const helpWidth = 80

// Group puts flags into a group of the help page.
func Group(cmd *cobra.Command, name string, flags ...string) { annotate(cmd, groupKey, name, flags) }

// Advanced leaves flags to --help-all.
func Advanced(cmd *cobra.Command, flags ...string) { annotate(cmd, advancedKey, "yes", flags) }

func annotate(cmd *cobra.Command, key, value string, flags []string) {
	for _, name := range flags {
		if err := cmd.Flags().SetAnnotation(name, key, []string{value}); err != nil {
			panic(fmt.Sprintf("--%s: %v", name, err)) // there is no such flag: found by any test
		}
	}
}

func annotation(f *pflag.Flag, key string) string {
	if v := f.Annotations[key]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// PrintHelp writes the help page of a command: what it does, examples, and its
// flags by group, all of them or those that people need most.
func PrintHelp(out io.Writer, cmd *cobra.Command, all bool) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if command, ok := strings.CutPrefix(paragraph, "\t"); ok {
			paragraph = "  " + command
		} else {
			paragraph = strings.Join(wrapped(paragraph, helpWidth), "\n")
		}
		fmt.Fprintln(out, strings.Repeat("\n", min(i, 1))+paragraph)
	}
	if cmd.Example != "" {
		fmt.Fprint(out, "\nExamples:\n")
		for line := range strings.Lines(cmd.Example) {
			if line = strings.TrimRight(line, "\n"); len(line) > helpWidth {
				line = flagAndValue.ReplaceAllString(line, "$1\x00$2") // kept on one line
				line = strings.ReplaceAll("  "+strings.Join(wrapped(line, helpWidth-8), " \\\n      "), "\x00", " ")
			}
			fmt.Fprintln(out, line)
		}
	}
	use := cmd.UseLine()
	if !cmd.HasParent() {
		use = "inkling COMMAND"
	}
	fmt.Fprintf(out, "\nUsage: %s\n", use)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(out, "\n%s:\n", map[bool]string{true: "Shells", false: "Commands"}[cmd.Name() == "completion"])
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				fmt.Fprintf(out, "  %-*s %s\n", c.NamePadding(), c.Name(), c.Short)
			}
		}
	}
	left := printFlags(out, cmd, all)
	switch {
	case !cmd.HasParent():
		fmt.Fprint(out, "\n`inkling COMMAND --help` shows the flags of a command.\n")
	case left > 0:
		fmt.Fprintf(out, "\n--help-all lists %d more flags. Every command takes --json, -q and -v.\n", left)
	default:
		fmt.Fprint(out, "\nEvery command takes --json, -q and -v: see `inkling --help`.\n")
	}
}

// printFlags writes the flags by group, and returns how many are left to
// --help-all.
func printFlags(out io.Writer, cmd *cobra.Command, all bool) (left int) {
	flags := map[string][][2]string{}
	wide := 0
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		switch name := annotation(f, groupKey); {
		case f.Hidden || f.Name == "help" && cmd.HasParent():
		case annotation(f, advancedKey) != "" && !all:
			left++
		default:
			if name == "" {
				name = GroupOther
			}
			flag, usage := flagUsage(f)
			flags[name], wide = append(flags[name], [2]string{flag, usage}), max(wide, utf8.RuneCountInString(flag))
		}
	})
	for _, name := range groups {
		if flags[name] == nil {
			continue
		}
		fmt.Fprintf(out, "\n%s:\n", name)
		for _, f := range flags[name] {
			fmt.Fprintf(out, "%-*s  %s\n", wide, f[0], Wrap(f[1], wide+2))
		}
	}
	return left
}

var flagAndValue = regexp.MustCompile(`( --?\w[\w-]*) ([^-\s])`)

// flagUsage returns a flag with the name of its value, which its usage begins
// with in backquotes, and what it does.
func flagUsage(f *pflag.Flag) (flag, usage string) {
	value, usage := pflag.UnquoteUsage(f)
	usage = strings.TrimPrefix(usage, value+" ")
	switch flag = "      --" + f.Name; {
	case f.Shorthand != "" && f.Shorthand == f.Name:
		flag = "  -" + f.Name
	case f.Shorthand != "":
		flag = "  -" + f.Shorthand + ", --" + f.Name
	}
	if value != "" {
		flag += " " + value
	}
	if d := f.DefValue; !strings.Contains(usage, "default") && !slices.Contains([]string{"", "0", "0s", "[]", "false"}, d) {
		usage += " (default " + d + ")"
	}
	return flag, usage
}

// Wrap breaks a text into lines that leave room for the indent: the first line
// follows what stands before it, the others begin with as many spaces.
func Wrap(text string, indent int) string {
	return strings.Join(wrapped(text, helpWidth-indent), "\n"+strings.Repeat(" ", indent))
}

// wrapped breaks a text into lines, at spaces, or in long lists after a bar.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
		for utf8.RuneCountInString(line) > width {
			at := strings.LastIndex(line[:width], "|") + 1
			if at == 0 {
				break
			}
			lines, line = append(lines, line[:at]), line[at:]
		}
	}
	return append(lines, line)
}
