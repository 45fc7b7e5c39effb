// Package paths says where paths lead to, and which program is running.
package paths

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Inside reports whether a reader of the texts of folder would read path once
// it is written.
func Inside(folder, path string) bool {
	folder, path = Resolved(folder), Resolved(path)
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

// Resolved returns where path leads to, with links followed as far as it exists; the
// last link may point to nothing yet.
func Resolved(path string) string { return resolve(path, 40) }

// resolve follows at most this many links to what does not exist.
func resolve(path string, links int) string {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	if to, err := os.Readlink(path); err == nil && links > 0 {
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		return resolve(to, links-1)
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolve(parent, links), filepath.Base(path))
}

// Same reports whether two paths lead to one file, which need not exist yet. fold says
// that names of files are the same in upper and lower case.
func Same(a, b string, fold bool) bool {
	if x, err := os.Stat(a); err == nil {
		if y, err := os.Stat(b); err == nil && os.SameFile(x, y) {
			return true
		}
	}
	a, b = Resolved(a), Resolved(b)
	return a == b || fold && strings.EqualFold(a, b)
}

// ProgramDigest returns the start of the SHA-256 of the running program, and
// "unknown" where it cannot be read.
func ProgramDigest() string {
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	f, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "unknown"
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}
