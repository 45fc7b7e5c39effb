package main

import (
	"os"
	"path/filepath"
	"strings"
)

// outside refuses outputs among the documents of a folder that is read: the
// next run would take them for documents. Hidden names are no documents.
func outside(outputs []output, inputs ...string) error {
	for _, path := range inputs {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			continue
		}
		for _, o := range outputs {
			if o.path != "" && !o.isStdout() && holds(path, o.path) {
				return usagef("%s %s lies among the documents of %s: the next run would take it for one of them; write it elsewhere, or give it a name that begins with a dot, which is no document",
					o.flag, o.path, path)
			}
		}
	}
	return nil
}

// holds says whether a reader of the documents of folder would meet path, once
// it is written.
func holds(folder, path string) bool {
	folder, path = landing(folder), landing(path)
	inside, err := filepath.Rel(folder, path)
	if err != nil {
		return false // on another drive
	}
	for _, name := range strings.Split(filepath.ToSlash(inside), "/") {
		if strings.HasPrefix(name, ".") { // hidden, or not below the folder
			return inside == "." // the folder itself, for many files
		}
	}
	return true
}

// landing returns where path leads to, links followed as far as there is
// something.
func landing(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(landing(parent), filepath.Base(path))
}
