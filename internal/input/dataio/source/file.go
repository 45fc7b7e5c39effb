package source

import (
	"errors"
	"io"
	"os"
)

// OpenWith has read read the file at path; "-" is standard input.
func OpenWith[T any](path string, read func(io.Reader, string) (T, error)) (none T, err error) {
	if path == "-" {
		return read(os.Stdin, "stdin")
	}
	f, err := os.Open(path)
	if err != nil {
		return none, PathError(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return none, &Error{File: path, Msg: "this is a folder", Hint: "name a file"}
	}
	return read(f, path)
}

// OpenFile opens the file at path as plain bytes, with the compression undone;
// "-" is standard input.
func OpenFile(path string) (io.ReadCloser, error) {
	if path == "-" {
		return plainFile(os.Stdin, "stdin", func() error { return nil })
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, PathError(path, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, &Error{File: path, Msg: "this is a folder", Hint: "name a file"}
	}
	return plainFile(f, path, f.Close)
}

func plainFile(f *os.File, name string, closeFile func() error) (io.ReadCloser, error) {
	s, err := NewStream(f, name)
	if err != nil {
		return nil, errors.Join(err, closeFile())
	}
	return &opened{s, func() error { s.Close(); return closeFile() }}, nil
}

type opened struct {
	io.Reader
	close func() error
}

func (o *opened) Close() error { return o.close() }
