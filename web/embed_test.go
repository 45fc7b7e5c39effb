package web

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := fs.ReadFile(Files(), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The page must work under any path and under a policy that allows neither inline
// scripts nor inline styles nor other hosts.
func TestThePageNeedsNothingBesideItself(t *testing.T) {
	page := read(t, "index.html")
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		name, local := strings.CutPrefix(m[1], "./")
		if !local {
			t.Errorf("index.html refers to %s, which is not below ./", m[1])
			continue
		}
		read(t, name)
	}
	for _, bad := range []string{"<style", " style=", " onclick=", " onload="} {
		if strings.Contains(page, bad) {
			t.Errorf("index.html contains %s, which the policy of the server forbids", bad)
		}
	}
	if regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(page) {
		t.Error("index.html contains an inline script, which the policy of the server forbids")
	}
}

func TestLicencesGoWithThePage(t *testing.T) {
	text := read(t, "LICENSES.txt")
	for _, name := range []string{"preact 11.2.0", "@preact/signals 2.11.4", "@preact/signals-core 1.14.5", "Permission is hereby granted"} {
		if !strings.Contains(text, name) {
			t.Errorf("LICENSES.txt does not contain %q", name)
		}
	}
}
