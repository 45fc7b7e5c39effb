package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/inklinghq/inkling/internal/support/version"
)

// A platform is what a program runs on, and what wheels call it.
type platform struct {
	os, arch string
	tags     []string // of wheels; pip takes one of any
}

// platforms that there are releases for. The Linux programs need no C library, so
// their wheels suit those with glibc (manylinux) and with musl.
var platforms = []platform{
	{"linux", "amd64", []string{"manylinux2014_x86_64", "manylinux_2_17_x86_64", "musllinux_1_1_x86_64"}},
	{"linux", "arm64", []string{"manylinux2014_aarch64", "manylinux_2_17_aarch64", "musllinux_1_1_aarch64"}},
	{"darwin", "arm64", []string{"macosx_11_0_arm64"}},
	{"darwin", "amd64", []string{"macosx_11_0_x86_64"}},
	{"windows", "amd64", []string{"win_amd64"}},
}

func (p platform) String() string { return p.os + "/" + p.arch }

// executable is the name of the program there.
func (p platform) executable() string {
	if p.os == "windows" {
		return "inkling.exe"
	}
	return "inkling"
}

// A program was built for a platform from a commit.
type program struct {
	content []byte
	info    version.Info
	time    time.Time // of the commit
}

// A commit is what a checkout is of.
type commit struct {
	hash    string
	time    time.Time
	changed bool // files differ from it
}

// commitOf asks git. Go would record the commit in the program by itself, but not
// in a linked worktree, and with a version that depends on which tags were fetched.
func commitOf(ctx context.Context, root string) (c commit, err error) {
	said, err := output(ctx, root, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return c, err
	}
	var seconds int64
	if _, err := fmt.Sscan(string(said), &c.hash, &seconds); err != nil {
		return c, fmt.Errorf("git log printed %q: %w", said, err)
	}
	c.time = time.Unix(seconds, 0).UTC()
	status, err := output(ctx, root, "git", "status", "--porcelain")
	c.changed = len(status) > 0
	return c, err
}

// build makes the program of the checkout at root for a platform.
func build(ctx context.Context, root string, p platform, from commit) (*program, error) {
	dir, err := os.MkdirTemp("", "inkling-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, p.executable())
	// Nothing of the machine goes into the program: no paths (-trimpath), no
	// identifier of the toolchain's own build, no settings of the person.
	link := "-s -w -buildid= " + version.LinkerFlags(from.hash, from.time.Format(time.RFC3339), from.changed)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags="+link, "-o", path, "./cmd/inkling")
	cmd.Dir = root
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		switch name {
		case "GOEXPERIMENT", "GOFIPS140", "GOEXE":
		default:
			cmd.Env = append(cmd.Env, setting)
		}
	}
	cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=-mod=readonly", "GOWORK=off")
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, said)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return describe(p, content, from)
}

// describe reads from a program what is in it, and refuses one that is not for the
// platform, that needs other files there, or that does not name its commit.
func describe(p platform, content []byte, from commit) (*program, error) {
	built, err := buildinfo.Read(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	info := version.Of(built).From(from.hash, from.time.Format(time.RFC3339), from.changed)
	if info.Platform != p.String() {
		return nil, fmt.Errorf("the program is for %s", info.Platform)
	}
	if !bytes.Contains(content, []byte(info.Commit)) || !bytes.Contains(content, []byte(info.Time)) {
		return nil, errors.New("the program does not name its commit")
	}
	if p.os == "linux" {
		if err := static(bytes.NewReader(content)); err != nil {
			return nil, err
		}
	}
	return &program{content, info, from.time}, nil
}

// static refuses a Linux program that needs a loader or libraries.
func static(r io.ReaderAt) error {
	f, err := elf.NewFile(r)
	if err != nil {
		return err
	}
	for _, part := range f.Progs {
		if part.Type == elf.PT_INTERP {
			return errors.New("the program has a dynamic dependency: it needs a loader (PT_INTERP)")
		}
	}
	needed, err := f.ImportedLibraries()
	if err != nil {
		return err
	}
	if len(needed) > 0 {
		return fmt.Errorf("the program has dynamic dependencies: %s", strings.Join(needed, ", "))
	}
	return nil
}

// output runs a command and returns its stdout.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, said.String())
	}
	return out, nil
}
