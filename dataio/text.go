package dataio

import "io"

func readText(r io.Reader, name string, opt Options) (*Dataset, error) {
	return nil, &Error{File: name, Msg: "text is not read yet"}
}

func readTextDir(path string, opt Options) (*Dataset, error) {
	return nil, &Error{File: path, Msg: "folders are not read yet"}
}
