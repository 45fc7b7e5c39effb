package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// A builder bundles what is below one folder.
type builder struct {
	web   string // holds src and vendor
	plain bool   // readable output
}

// vendored says which file of vendor an import means.
var vendored = map[string]string{
	"preact":               "preact/dist/preact.mjs",
	"preact/hooks":         "preact/hooks/dist/hooks.mjs",
	"preact/jsx-runtime":   "preact/jsx-runtime/dist/jsxRuntime.mjs",
	"@preact/signals":      "@preact/signals/dist/signals.mjs",
	"@preact/signals-core": "@preact/signals-core/dist/signals-core.mjs",
}

// page writes the files of the page into the folder out and removes what else was
// there: app.js and app.css, what src/static holds, index.html and the licences.
func (b builder) page(out string) error {
	files, err := b.bundle(api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: filepath.Join(b.web, "src", "app.tsx"), OutputPath: "app"}},
		Outdir:              out,
		Platform:            api.PlatformBrowser,
		Target:              api.ES2022,
	})
	if err != nil {
		return err
	}
	for from, to := range map[string]string{"src/static": "", "src/index.html": "index.html"} {
		if err := files.addCopies(filepath.Join(b.web, from), to); err != nil {
			return err
		}
	}
	if files["LICENSES.txt"], err = licences(filepath.Join(b.web, "vendor")); err != nil {
		return err
	}
	return files.write(out)
}

// testFiles says which files below tests are programs of their own.
var testFiles = []string{"unit/*.test.ts", "journeys/*.test.ts", "journeys/serve.ts", "measure/*.ts"}

// tests writes each program of the tests as one module that Node can run. Packages of
// Node are left out: it finds them from the folder out.
func (b builder) tests(out string) error {
	var entries []string
	for _, pattern := range testFiles {
		some, err := filepath.Glob(filepath.Join(b.web, "tests", filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		entries = append(entries, some...)
	}
	if len(entries) == 0 {
		return fmt.Errorf("no tests in %s", filepath.Join(b.web, "tests"))
	}
	base, err := filepath.Abs(filepath.Join(b.web, "tests"))
	if err != nil {
		return err
	}
	files, err := b.bundle(api.BuildOptions{
		EntryPoints:  entries,
		Outbase:      base,
		External:     []string{"playwright-core", "axe-core"},
		Outdir:       out,
		Platform:     api.PlatformNode,
		Target:       api.ES2022,
		OutExtension: map[string]string{".js": ".mjs"},
	})
	if err != nil {
		return err
	}
	return files.write(out)
}

// bundle runs esbuild and returns what it made, by name below o.Outdir.
func (b builder) bundle(o api.BuildOptions) (outputs, error) {
	base, err := filepath.Abs(o.Outdir)
	if err != nil {
		return nil, err
	}
	web, err := filepath.Abs(b.web)
	if err != nil {
		return nil, err
	}
	o.Alias = map[string]string{}
	for name, file := range vendored {
		o.Alias[name] = filepath.ToSlash(filepath.Join(web, "vendor", file))
	}
	o.AbsWorkingDir = web
	for i := range o.EntryPointsAdvanced {
		if o.EntryPointsAdvanced[i].InputPath, err = filepath.Abs(o.EntryPointsAdvanced[i].InputPath); err != nil {
			return nil, err
		}
	}
	for i := range o.EntryPoints {
		if o.EntryPoints[i], err = filepath.Abs(o.EntryPoints[i]); err != nil {
			return nil, err
		}
	}
	o.Outdir = base
	o.Bundle = true
	o.Format = api.FormatESModule
	o.Charset = api.CharsetUTF8
	o.LegalComments = api.LegalCommentsNone // the licences are in a file of their own
	o.JSX = api.JSXAutomatic
	o.JSXImportSource = "preact"
	o.TsconfigRaw = `{"compilerOptions":{"strict":true,"useDefineForClassFields":true}}`
	o.LogLevel = api.LogLevelSilent
	if b.plain {
		o.Sourcemap = api.SourceMapInline
	} else {
		o.MinifyIdentifiers, o.MinifySyntax, o.MinifyWhitespace = true, true, true
	}
	result := api.Build(o)
	var problems []error
	for _, m := range append(result.Errors, result.Warnings...) {
		where := ""
		if m.Location != nil {
			where = fmt.Sprintf("%s:%d:%d: ", m.Location.File, m.Location.Line, m.Location.Column+1)
		}
		problems = append(problems, errors.New(where+m.Text))
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	files := outputs{}
	for _, f := range result.OutputFiles {
		name, err := filepath.Rel(base, f.Path)
		if err != nil {
			return nil, err
		}
		files[filepath.ToSlash(name)] = f.Contents
	}
	return files, nil
}

// outputs are files by name.
type outputs map[string][]byte

// addCopies adds a file, or all files of a folder, as they are. What does not exist adds nothing.
func (o outputs) addCopies(from, to string) error {
	info, err := os.Stat(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if !info.IsDir() {
		o[to], err = os.ReadFile(from)
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := o.addCopies(filepath.Join(from, e.Name()), strings.TrimPrefix(to+"/"+e.Name(), "/")); err != nil {
			return err
		}
	}
	return nil
}

// write replaces the folder dir by these files.
func (o outputs) write(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for name, contents := range o {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, contents, 0o644); err != nil {
			return err
		}
	}
	return nil
}
