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
	folder, path = resolved(folder), resolved(path)
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

// resolved returns where path leads to, with links followed as far as it exists.
func resolved(path string) string {
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
	return filepath.Join(resolved(parent), filepath.Base(path))
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
