package dataio

import "io"

func readMTX(r io.Reader, name string, opt Options) (*Dataset, error) {
	return nil, &Error{File: name, Msg: "mtx is not read yet"}
}
