package version_test

import (
	"reflect"
	"runtime/debug"
	"testing"

	"github.com/inklinghq/inkling/internal/support/version"
)

func TestOf(t *testing.T) {
	build := &debug.BuildInfo{
		GoVersion: "go1.26.0",
		Deps: []*debug.Module{
			{Path: "example.com/a", Version: "v1.0.0", Sum: "h1:a="},
			{Path: "example.com/b", Version: "v2.0.0", Replace: &debug.Module{Path: "example.com/c", Version: "v3.0.0", Sum: "h1:c="}},
		},
		Settings: []debug.BuildSetting{
			{Key: "GOOS", Value: "plan9"}, {Key: "GOARCH", Value: "arm"},
			{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
			{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "false"},
		},
	}
	want := version.Info{
		Schema: "inkling.version/1", Version: version.Number, Revision: "0123456789ab",
		Commit: "0123456789abcdef0123456789abcdef01234567", Time: "2026-01-02T03:04:05Z",
		Go: "go1.26.0", Platform: "plan9/arm",
		Modules: []version.Module{{"example.com/a", "v1.0.0", "h1:a="}, {"example.com/c", "v3.0.0", "h1:c="}},
	}
	if got := version.Of(build); !reflect.DeepEqual(got, want) {
		t.Errorf("found\n%+v\nwanted\n%+v", got, want)
	}
	if got, want := version.Of(build).String(), "inkling "+version.Number+" (0123456789ab) go1.26.0 plan9/arm"; got != want {
		t.Errorf("found %q, wanted %q", got, want)
	}
	build.Settings[4].Value = "true"
	if got := version.Of(build); !got.Changed || got.Revision != "0123456789ab, changed" {
		t.Errorf("a changed checkout is described as %+v", got)
	}
	if got := version.Of(&debug.BuildInfo{}); got.Commit != "" || got.Revision != "" || got.Modules == nil {
		t.Errorf("a build without information is described as %+v", got)
	}
}
