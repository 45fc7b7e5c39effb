package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A file is a name, permissions and bytes, nothing that differs between machines.
type file struct {
	name    string // with slashes
	mode    fs.FileMode
	content []byte
}

// archiveOf returns the archive of a program, with what must come with it: a zip
// for Windows, a tar elsewhere.
func archiveOf(root string, p platform, prog *program, notices file) (file, error) {
	stem := "inkling-" + prog.info.Version + "-" + p.os + "-" + p.arch
	files := []file{{p.executable(), 0o755, prog.content}}
	for _, name := range []string{"LICENSE", "README.md"} {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return file{}, err
		}
		files = append(files, file{name, 0o644, content})
	}
	files = append(files, notices)
	for i := range files {
		files[i].name = path.Join(stem, files[i].name)
	}
	if p.os == "windows" {
		content, err := zipped(files, prog.time)
		return file{stem + ".zip", 0o644, content}, err
	}
	content, err := tarred(files, prog.time)
	return file{stem + ".tar.gz", 0o644, content}, err
}

func tarred(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	t := tar.NewWriter(z)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: at, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

func zipped(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		header.SetMode(f.mode)
		w, err := z.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// checksums returns SHA256SUMS, which sha256sum --check reads.
func checksums(files []file) file {
	lines := make([]string, len(files))
	for i, f := range files {
		lines[i] = fmt.Sprintf("%x  %s\n", sha256.Sum256(f.content), f.name)
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return file{"SHA256SUMS", 0o644, []byte(strings.Join(lines, ""))}
}
