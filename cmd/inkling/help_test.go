package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/inklinghq/inkling/internal/method/catalog"
)

// helpOf returns what the program prints for these arguments.
func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := (&app{stdout: &outlet{to: &out}}).root()
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		t.Fatalf("inkling %s: %v", strings.Join(args, " "), err)
	}
	return out.String()
}

// allCommands returns the command line of every command, the root's first.
func allCommands() (paths [][]string) {
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		paths = append(paths, strings.Fields(c.CommandPath())[1:])
		for _, sub := range c.Commands() {
			if sub.DisableFlagParsing {
				continue // it only says where it went, whatever its flags
			}
			add(sub)
		}
	}
	add((&app{stdout: &outlet{}}).root())
	return paths
}

// Help fits a terminal of 80 columns and 40 lines.
func TestHelpFitsScreen(t *testing.T) {
	for _, path := range allCommands() {
		name := strings.Join(append([]string{"inkling"}, path...), " ")
		text := helpOf(t, append(path, "--help")...)
		if n := strings.Count(text, "\n"); n > 40 {
			t.Errorf("%s --help has %d lines, want at most 40", name, n)
		}
		for _, text := range []string{text, helpOf(t, append(path, "--help-all")...)} {
			for line := range strings.Lines(text) {
				if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > 80 || strings.Contains(line, "\t") {
					t.Errorf("%s: %q is wider than 80 columns, or has a tab", name, line)
				}
			}
		}
	}
}

// The description of a method is as wide as help.
func TestMethodsFitScreen(t *testing.T) {
	for _, name := range append(catalog.Names(), "") {
		args := append([]string{"methods"}, strings.Fields(name)...)
		for line := range strings.Lines(helpOf(t, args...)) {
			if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > 80 || strings.Contains(line, "\t") {
				t.Errorf("inkling methods %s: %q is wider than 80 columns, or has a tab", name, line)
			}
		}
	}
}

// --help-all lists every flag of a command, --help says how many it leaves out.
func TestHelpAllListsEveryFlag(t *testing.T) {
	for _, path := range allCommands() {
		if len(path) == 0 {
			continue
		}
		root := (&app{stdout: &outlet{}}).root()
		cmd, _, err := root.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		short, all := helpOf(t, append(path, "--help")...), helpOf(t, append(path, "--help-all")...)
		left := 0
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			words := func(text string) bool {
				return slices.Contains(strings.Fields(text), "--"+f.Name) || f.Name == "k" && strings.Contains(text, "\n  -k N ")
			}
			if !words(all) {
				t.Errorf("%s --help-all does not list --%s", cmd.CommandPath(), f.Name)
			}
			if !strings.Contains(flagLines(short), " --"+f.Name+" ") && f.Name != "k" {
				left++
			}
		})
		if says := strings.Contains(short, "--help-all lists"); says != (left > 0) {
			t.Errorf("%s --help leaves out %d flags, and says so: %v", cmd.CommandPath(), left, says)
		}
	}
}

// flagLines returns the lines of help that list flags.
func flagLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "      --") || strings.HasPrefix(line, "  -") {
			b.WriteString(strings.TrimSuffix(line, "\n") + " \n")
		}
	}
	return b.String()
}
