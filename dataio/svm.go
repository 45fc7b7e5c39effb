package dataio

import "io"

func readSVM(r io.Reader, name string, opt Options) (*Dataset, error) {
	return nil, &Error{File: name, Msg: "svm is not read yet"}
}
