package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is what the next release will be called.
const version = "0.1.0-dev"

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the version",
		Long:    "Print the version of inkling, of the source it was built from, and of Go.",
		Example: "  inkling version\n  inkling version --json",
		Args:    none,
		RunE: func(*cobra.Command, []string) error {
			v := newVersionCard()
			if a.json {
				return a.printJSON(v)
			}
			_, err := fmt.Fprintln(a.stdout, v.line())
			return err
		},
	}
}

type versionCard struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersionCard() versionCard {
	return versionCard{"inkling.version/1", version, revision(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
}

func (v versionCard) line() string {
	line := "inkling " + v.Version
	if v.Revision != "" {
		line += " (" + v.Revision + ")"
	}
	return line + " " + v.Go + " " + v.Platform
}

// revision returns the commit that the program was built from, where the build
// recorded it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	rev, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ", changed"
		}
	}
	if rev == "" {
		return ""
	}
	return rev + dirty
}
