package dataio

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// Checksum returns the SHA-256 of what r holds; "" where it cannot be read.
func Checksum(r io.Reader) string {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// FileChecksum returns the checksum of the file at path; false where it is not a
// regular file that can be read.
func FileChecksum(path string) (string, bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	sum := Checksum(f)
	return sum, sum != ""
}

// IsRegular reports whether path is a regular file, which can be read more than once.
func IsRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
