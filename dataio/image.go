package dataio

import "io"

func readImage(r io.Reader, name string, opt Options) (*Dataset, error) {
	return nil, &Error{File: name, Msg: "image is not read yet"}
}
