// Package version names the program and what it was built from: the commit, its
// time, the modules, Go and the platform. The number of the next release stands
// here and nowhere else.
package version

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
)

// Number is what the next release will be called.
const Number = "0.1.0-dev"

// cmd/release/build sets these when it links the program. Other programs have what Go
// records, which is nothing in a linked worktree.
var commit, commitTime, commitChanged string

// Info says what a program was built from. Commit and Time are empty where that was
// not a checkout of the repository.
type Info struct {
	Schema   string   `json:"schema"`
	Version  string   `json:"version"`
	Revision string   `json:"revision,omitempty"` // the commit in short, for people
	Commit   string   `json:"commit,omitempty"`
	Time     string   `json:"time,omitempty"` // of the commit, RFC 3339
	Changed  bool     `json:"changed"`        // against the commit
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Modules  []Module `json:"modules"`
}

// A Module is part of the program. Sum is its checksum as in go.sum.
type Module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum,omitempty"`
}

// Current describes the running program.
func Current() Info {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = &debug.BuildInfo{}
	}
	info := Of(build)
	if commit != "" {
		info = info.From(commit, commitTime, commitChanged == "true")
	}
	info.Go, info.Platform = runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH
	return info
}

// Of describes a program by the information that Go keeps in it.
func Of(build *debug.BuildInfo) Info {
	settings := map[string]string{}
	for _, s := range build.Settings {
		settings[s.Key] = s.Value
	}
	info := Info{
		Schema: "inkling.version/1", Version: Number,
		Go: build.GoVersion, Platform: settings["GOOS"] + "/" + settings["GOARCH"], Modules: []Module{},
	}
	for _, m := range build.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		info.Modules = append(info.Modules, Module{m.Path, m.Version, m.Sum})
	}
	return info.From(settings["vcs.revision"], settings["vcs.time"], settings["vcs.modified"] == "true")
}

// From returns i as built from a commit, with changes to it or without.
func (i Info) From(commit, time string, changed bool) Info {
	i.Commit, i.Time, i.Changed = commit, time, changed
	i.Revision = commit[:min(12, len(commit))]
	if i.Revision != "" && changed {
		i.Revision += ", changed"
	}
	return i
}

// LinkerFlags returns what go build -ldflags takes for Current to name a commit.
func LinkerFlags(commit, time string, changed bool) string {
	here := reflect.TypeFor[Info]().PkgPath() // wherever this package stands
	return fmt.Sprintf("-X %s.commit=%s -X %s.commitTime=%s -X %s.commitChanged=%t", here, commit, here, time, here, changed)
}

// String describes the program in a line.
func (i Info) String() string {
	line := "inkling " + i.Version
	if i.Revision != "" {
		line += " (" + i.Revision + ")"
	}
	return line + " " + i.Go + " " + i.Platform
}
