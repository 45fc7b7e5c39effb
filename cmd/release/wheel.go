package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/support/version"
)

// A project is what a wheel is made of, apart from the program.
type project struct {
	name, version string
	metadata      []byte // METADATA, without what depends on files
	entryPoints   []byte // nil if there are none
	readmeName    string // "" if there is none
	readme        []byte
	licence       file
	files         []file // of the package
}

// readProject reads the folder python of the checkout at root.
func readProject(ctx context.Context, root string) (*project, error) {
	dir := filepath.Join(root, "python")
	text, err := os.ReadFile(filepath.Join(dir, "pyproject.toml"))
	if err != nil {
		return nil, err
	}
	top, err := parseTOML(string(text))
	if err != nil {
		return nil, fmt.Errorf("python/pyproject.toml: %w", err)
	}
	p, err := projectOf(top)
	if err != nil {
		return nil, fmt.Errorf("python/pyproject.toml: %w", err)
	}
	if p.readmeName != "" {
		if p.readme, err = os.ReadFile(filepath.Join(dir, p.readmeName)); err != nil {
			return nil, err
		}
	}
	licence, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return nil, err
	}
	p.licence = file{"LICENSE", 0o644, licence}
	if p.files, err = packageFiles(ctx, dir); err != nil {
		return nil, err
	}
	return p, p.checkVersion()
}

var versionLine = regexp.MustCompile(`(?m)^__version__ = "(.*)"$`)

// checkVersion refuses a package that calls itself by another version.
func (p *project) checkVersion() error {
	for _, f := range p.files {
		if said := versionLine.FindSubmatch(f.content); said != nil && string(said[1]) != p.version {
			return fmt.Errorf("python: __version__ in %s is %s, but that of the program is %s", f.name, said[1], p.version)
		}
	}
	return nil
}

// packageFiles returns what git has, or would add, of the package: neither caches
// nor what an earlier build left.
func packageFiles(ctx context.Context, dir string) (files []file, err error) {
	listed, err := output(ctx, dir, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "inkling", "src/inkling")
	if err != nil {
		return nil, err
	}
	for _, name := range strings.FieldsFunc(string(listed), func(r rune) bool { return r == 0 }) {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, not yet committed
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file{strings.TrimPrefix(name, "src/"), 0o644, content})
	}
	if len(files) == 0 {
		return nil, errors.New("python/inkling has no files")
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// projectOf writes the metadata of a wheel from [project].
func projectOf(top map[string]any) (*project, error) {
	given, _ := top["project"].(map[string]any)
	text := func(key string) string { s, _ := given[key].(string); return s }
	p := &project{name: text("name"), version: pythonVersion(version.Number), readmeName: text("readme")}
	if p.name == "" {
		return nil, errors.New("[project] has no name")
	}
	if v := text("version"); v != "" && v != p.version {
		return nil, fmt.Errorf("the version is %s, but that of the program is %s; write %s, or dynamic = [\"version\"]", v, version.Number, p.version)
	}
	var b bytes.Buffer
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	line("Metadata-Version", "2.4")
	line("Name", p.name)
	line("Version", p.version)
	line("Summary", text("description"))
	line("Keywords", strings.Join(texts(given["keywords"]), ","))
	line("License-Expression", text("license"))
	line("License-File", "LICENSE")
	line("License-File", "THIRD-PARTY.txt")
	for _, c := range texts(given["classifiers"]) {
		line("Classifier", c)
	}
	urls, _ := given["urls"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(urls)) {
		line("Project-URL", fmt.Sprintf("%s, %v", name, urls[name]))
	}
	line("Requires-Python", text("requires-python"))
	for _, r := range texts(given["dependencies"]) {
		line("Requires-Dist", r)
	}
	extras, _ := given["optional-dependencies"].(map[string]any)
	for _, extra := range slices.Sorted(maps.Keys(extras)) {
		line("Provides-Extra", extra)
		for _, r := range texts(extras[extra]) {
			line("Requires-Dist", requirementOf(r, extra))
		}
	}
	p.metadata = b.Bytes()
	if scripts, _ := given["scripts"].(map[string]any); len(scripts) > 0 {
		var e bytes.Buffer
		e.WriteString("[console_scripts]\n")
		for _, name := range slices.Sorted(maps.Keys(scripts)) {
			fmt.Fprintf(&e, "%s = %v\n", name, scripts[name])
		}
		p.entryPoints = e.Bytes()
	}
	return p, nil
}

// requirementOf binds a requirement to an extra.
func requirementOf(r, extra string) string {
	what, marker, conditional := strings.Cut(r, ";")
	if conditional {
		return fmt.Sprintf("%s; (%s) and extra == '%s'", strings.TrimSpace(what), strings.TrimSpace(marker), extra)
	}
	return fmt.Sprintf("%s; extra == '%s'", r, extra)
}

func texts(list any) (out []string) {
	items, _ := list.([]any)
	for _, v := range items {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

var preRelease = regexp.MustCompile(`-(dev|alpha|beta|rc)\.?(\d*)$`)

// pythonVersion writes a version as Python does: 0.1.0-dev is 0.1.0.dev0.
func pythonVersion(v string) string {
	return preRelease.ReplaceAllStringFunc(v, func(s string) string {
		m := preRelease.FindStringSubmatch(s)
		if m[2] == "" {
			m[2] = "0"
		}
		return map[string]string{"dev": ".dev", "alpha": "a", "beta": "b", "rc": "rc"}[m[1]] + m[2]
	})
}

// wheelOf returns the wheel of a program: a zip of the package with the program in
// inkling/bin, what pip reads about it, and the checksum of every file in it.
func wheelOf(p *project, on platform, prog *program, notices, sbom file) (file, error) {
	stem := strings.ReplaceAll(p.name, "-", "_") + "-" + p.version // as wheels write a name
	info := stem + ".dist-info/"
	metadata := slices.Clone(p.metadata)
	if p.readme != nil {
		metadata = append(append(metadata, "Description-Content-Type: text/markdown\n\n"...), p.readme...)
	}
	about := "Wheel-Version: 1.0\nGenerator: inkling cmd/release/build\nRoot-Is-Purelib: false\n"
	for _, tag := range on.tags {
		about += "Tag: py3-none-" + tag + "\n"
	}
	files := append(slices.Clone(p.files),
		file{"inkling/bin/" + on.executable(), 0o755, prog.content},
		file{info + "METADATA", 0o644, metadata},
		file{info + "WHEEL", 0o644, []byte(about)})
	if p.entryPoints != nil {
		files = append(files, file{info + "entry_points.txt", 0o644, p.entryPoints})
	}
	files = append(files,
		file{info + "licenses/" + p.licence.name, 0o644, p.licence.content},
		file{info + "licenses/" + notices.name, 0o644, notices.content},
		file{info + "sboms/" + path.Base(sbom.name), 0o644, sbom.content})
	var record strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.content))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	files = append(files, file{info + "RECORD", 0o644, []byte(record.String())})
	content, err := zipped(files, prog.time)
	return file{stem + "-py3-none-" + strings.Join(on.tags, ".") + ".whl", 0o644, content}, err
}
