package dataio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// WriteFile has write produce the contents of the file at path, which appears
// whole or not at all: the bytes go to a hidden file beside it that takes its
// name at the end. Where anything fails the hidden file is removed and the old
// contents stay. A file that is there keeps its mode, unless it is write-protected:
// then it is refused. A symbolic link stays
// one, and a device or pipe is written to directly. The paths "-" and
// "/dev/stdout" are standard output; .gz and .zst compress.
func WriteFile(path string, write func(io.Writer) error) error {
	target, err := resolveLinks(path)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	switch {
	case path == "-" || target == "/dev/stdout" || target == "/dev/fd/1":
		return writeAll(os.Stdout, "", write)
	case target == "/dev/stderr" || target == "/dev/fd/2":
		return writeAll(os.Stderr, "", write)
	}
	mode := fs.FileMode(0)
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("writing %s: this is a folder; name a file in it", path)
	case err == nil && (!info.Mode().IsRegular() || isOpenFile(target)):
		return writeDevice(target, write)
	case err == nil:
		if err := protected(target, info); err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return replaceFile(target, mode, write)
}

// Writable returns why WriteFile could not make or replace the file path, as far
// as the permissions of its folder show, so that a long run need not fail at its
// end. Nothing is written.
func Writable(path string) error {
	target, err := resolveLinks(path)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	info, err := os.Stat(target)
	if isOpenFile(target) || err == nil && !info.Mode().IsRegular() {
		return nil // written to as it is
	}
	if err == nil {
		if err := protected(target, info); err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
	}
	if err := mayWrite(filepath.Dir(target)); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// protected returns an error for a file that nobody, or not this user, may write to. A
// new file could take its name all the same, but that is not what its owner wants.
func protected(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 {
		return &fs.PathError{Op: "open", Path: path, Err: errProtected}
	}
	return mayWriteFile(path)
}

var errProtected = errors.New("the file is write-protected; allow writing to it, or give another name")

// resolveLinks follows symbolic links, the last of which may point to nothing yet,
// up to names of what this process has open.
func resolveLinks(path string) (string, error) {
	const most = 40
	for range most {
		to, err := os.Readlink(path)
		if err != nil || isOpenFile(path) {
			return path, nil // no link, or one that only looks like it
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fmt.Errorf("more than %d symbolic links in a row", most)
}

// isOpenFile reports whether path names what this process has open already, such as
// /dev/stdout or /dev/fd/63: to be written to as it is, even a file, for the
// shell that opened it may have more to say there.
func isOpenFile(path string) bool {
	path = filepath.Clean(path)
	return path == "/dev/stdout" || path == "/dev/stderr" ||
		strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// writeDevice writes to what is there, after what it holds.
func writeDevice(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("%w", err)
	}
	return errors.Join(writeAll(f, path, write), f.Close())
}

// replaceFile writes a hidden file and renames it to path. Mode 0 leaves the mode
// to the system.
func replaceFile(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	f, err := createHidden(path)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	kept := false
	defer func() { // also when write panics
		if !kept {
			f.Close()
			os.Remove(f.Name())
		}
		unfinished.forget(f.Name())
	}()
	if err := writeAll(f, path, write); err != nil {
		return err
	}
	if mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	kept = true
	// The name is safe only when its folder is on disk too; systems that
	// cannot do this say so, and lose nothing by it.
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		dir.Sync()
		dir.Close()
	}
	return nil
}

// writeAll has write write to w, buffered, and compressed as the name says.
func writeAll(w io.Writer, name string, write func(io.Writer) error) error {
	buf := bufio.NewWriterSize(w, 1<<18)
	var packer io.WriteCloser
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		packer = gzip.NewWriter(buf)
	case ".zst":
		z, err := zstd.NewWriter(buf)
		if err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		packer = z
	}
	if packer == nil {
		if err := write(buf); err != nil {
			return err
		}
		return buf.Flush()
	}
	if err := write(packer); err != nil {
		return errors.Join(err, packer.Close())
	}
	if err := packer.Close(); err != nil {
		return err
	}
	return buf.Flush()
}
