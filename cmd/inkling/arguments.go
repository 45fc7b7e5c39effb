package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// noSuch refuses a name that is not one of names, with the one that was probably
// meant; lists is the command that lists them.
func noSuch(what, name string, names []string, lists string) error {
	return usageAdvice(fmt.Sprintf("there is no %s %q%s", what, name, question(name, names)), door.Hint(lists))
}

// usageAdvice refuses a command line, and says what to do.
func usageAdvice(text string, h door.Hint) error { return usagef("%s", withAdvice(text, h)) }

// question returns "; did you mean ...?" or nothing.
func question(given string, words []string) string { return didYouMean(suggest.Nearest(given, words)) }

// didYouMean returns "; did you mean ...?", or nothing where word is "".
func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", word)
}

// oneOf returns an error unless value is one of words; flag is for the message.
func oneOf(flag, value string, words ...string) error {
	for _, w := range words {
		if value == w {
			return nil
		}
	}
	return usagef("%s must be one of %s, got %q%s", flag, strings.Join(words, ", "), value, question(value, words))
}

// atMost refuses more than n arguments, naming what is expected.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("%s takes only %s, but %q was given too", commandName(cmd), what, args[n])
		}
		return nil
	}
}

// commandName is the name of a command as messages have it, which begin with the name of
// the program.
func commandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// none refuses arguments.
func none(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, but %q was given", commandName(cmd), args[0])
	}
	return nil
}

// exactly refuses any number of arguments but n, naming what is expected.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return usagef("%s needs %s; `%s --help` shows examples", commandName(cmd), what, cmd.CommandPath())
		}
		return atMost(n, what)(cmd, args)
	}
}

// between refuses fewer than least and more than most arguments.
func between(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least {
			return exactly(least, what)(cmd, args)
		}
		return atMost(most, what)(cmd, args)
	}
}

// completeValues makes the shell complete the values of a flag.
func completeValues(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(fmt.Sprintf("completion of --%s: %v", flag, err)) // there is no such flag: found by any test
	}
}
