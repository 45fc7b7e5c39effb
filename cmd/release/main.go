// The program release makes the files of a release from a checkout: for each
// platform the program in an archive, a list of what is in it (CycloneDX) and a
// Python wheel around it, and SHA256SUMS over all. The same commit and the same Go
// give the same bytes, wherever and whenever it is run. Use it as cmd/release/build.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	if err := run(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "cmd/release/build:", err)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("cmd/release/build", flag.ContinueOnError)
	out := flags.String("o", "dist", "the `folder` for the files")
	names := flags.String("platform", "all", "the `platforms`, such as linux/amd64,windows/amd64; all, or here")
	wheelOnly := flags.Bool("wheel-only", false, "make wheels and nothing else, of changed files too")
	base := flags.String("from", ".", "the `folder` that -o is relative to")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	chosen, err := platformsOf(*names)
	if err != nil {
		return err
	}
	if !filepath.IsAbs(*out) {
		*out = filepath.Join(*base, *out)
	}
	from, err := commitOf(ctx, ".")
	if err != nil {
		return err
	}
	if from.changed && !*wheelOnly {
		return errors.New("a release is made of a commit, but git status lists files that are changed or new; commit or remove them")
	}
	files, err := release(ctx, ".", from, chosen, *wheelOnly)
	if err != nil {
		return err
	}
	return write(*out, files)
}

// platformsOf reads the value of --platform.
func platformsOf(names string) (chosen []platform, err error) {
	if names == "all" {
		return platforms, nil
	}
	for _, name := range strings.Split(names, ",") {
		if name == "here" {
			name = runtime.GOOS + "/" + runtime.GOARCH
		}
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("there are no releases for %q, only for %v", name, platforms)
		}
		chosen = append(chosen, platforms[i])
	}
	return chosen, nil
}

// release returns the files of a release of the checkout at root.
func release(ctx context.Context, root string, from commit, chosen []platform, wheelOnly bool) (files []file, err error) {
	project, err := readProject(ctx, root)
	if err != nil {
		return nil, err
	}
	for _, p := range chosen {
		fmt.Fprintln(os.Stderr, "building for", p)
		program, err := build(ctx, root, p, from)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		notices, err := thirdParty(ctx, root, program.info.Modules)
		if err != nil {
			return nil, err
		}
		sbom := file{"inkling-" + program.info.Version + "-" + p.os + "-" + p.arch + ".cdx.json", 0o644, materialsOf(program)}
		if !wheelOnly {
			archive, err := archiveOf(root, p, program, notices)
			if err != nil {
				return nil, err
			}
			files = append(files, archive, sbom)
		}
		wheel, err := wheelOf(project, p, program, notices, sbom)
		if err != nil {
			return nil, err
		}
		files = append(files, wheel)
	}
	if !wheelOnly {
		files = append(files, checksums(files))
	}
	return files, nil
}

// write puts files into a folder, each aside first, and prints their paths.
func write(dir string, files []file) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		aside := path + ".part"
		if err := os.WriteFile(aside, f.content, 0o666); err != nil {
			return err
		}
		if err := os.Rename(aside, path); err != nil {
			return err
		}
		fmt.Println(path)
	}
	return nil
}
