package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes files by name into a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	o := outputs{}
	for name, text := range files {
		o[name] = []byte(text)
	}
	if err := o.write(filepath.Join(dir, "web")); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "web")
}

var small = map[string]string{
	"src/app.tsx":                 "import './style.css';\nimport {two} from './two';\nconsole.log(two satisfies number);",
	"src/two.ts":                  "export const two: number = 2;",
	"src/style.css":               "body { margin: 0 }",
	"src/index.html":              "<!doctype html>",
	"src/static/icons/a.svg":      "<svg/>",
	"vendor/@of/one/package.json": `{"name":"@of/one","version":"1.2.3"}`,
	"vendor/@of/one/LICENSE":      "do as you like",
	"dist/old.js":                 "left from before",
}

func TestPage(t *testing.T) {
	web := tree(t, small)
	out := filepath.Join(web, "dist")
	if err := (builder{web: web}).page(out); err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]string{
		"app.js":       "console.log(2)",
		"app.css":      "body{margin:0}",
		"index.html":   "<!doctype html>",
		"icons/a.svg":  "<svg/>",
		"LICENSES.txt": "@of/one 1.2.3\n\ndo as you like",
	} {
		b, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Error(err)
		} else if got := strings.ReplaceAll(string(b), "var o=2;console.log(o)", "console.log(2)"); !strings.Contains(got, part) {
			t.Errorf("%s is %q and should contain %q", name, got, part)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "old.js")); err == nil {
		t.Error("a file of an earlier build is still there")
	}
}

func TestPageDoesNotDependOnItsFolder(t *testing.T) {
	var first string
	for range 2 {
		web := tree(t, small)
		if err := (builder{web: web}).page(filepath.Join(web, "dist")); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(web, "dist", "app.js"))
		if err != nil {
			t.Fatal(err)
		}
		if first != "" && first != string(b) {
			t.Errorf("another folder gives other bytes:\n%s\n%s", first, b)
		}
		first = string(b)
	}
}

func TestPageReportsWhereAMistakeIs(t *testing.T) {
	files := map[string]string{}
	for name, text := range small {
		files[name] = text
	}
	files["src/two.ts"] = "export const two = ;"
	web := tree(t, files)
	err := (builder{web: web}).page(filepath.Join(web, "dist"))
	if err == nil || !strings.Contains(err.Error(), "src/two.ts:1:20") {
		t.Errorf("the error does not name the place: %v", err)
	}
	if _, err := os.Stat(filepath.Join(web, "dist", "old.js")); err != nil {
		t.Error("a build that failed removed the files of the one before")
	}
}

func TestTestsAreProgramsForNode(t *testing.T) {
	web := tree(t, map[string]string{
		"src/two.ts":               "export const two: number = 2;",
		"tests/unit/two.test.ts":   "import { two } from '../../src/two';\nimport { chromium } from 'playwright-core';\nconsole.log(two, chromium);",
		"tests/unit/helper.ts":     "",
		"tests/measure/speed.ts":   "console.log(1);",
		"tests/journeys/a.test.ts": "console.log(1);",
	})
	out := filepath.Join(web, "tests", "build")
	if err := (builder{web: web}).tests(out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"unit/two.test.mjs", "measure/speed.mjs", "journeys/a.test.mjs"} {
		if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "unit", "helper.mjs")); err == nil {
		t.Error("a module that is no test became a program")
	}
	if err := (builder{web: t.TempDir()}).tests(out); err == nil {
		t.Error("no tests at all are no error")
	}
}

func TestEveryPackageNeedsItsLicence(t *testing.T) {
	web := tree(t, map[string]string{"vendor/one/package.json": `{"name":"one"}`})
	if _, err := licences(filepath.Join(web, "vendor")); err == nil {
		t.Error("a package without a licence was accepted")
	}
}
