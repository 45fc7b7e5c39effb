package dataio

import "io"

func readMETIS(r io.Reader, name string, opt Options) (*Dataset, error) {
	return nil, &Error{File: name, Msg: "metis is not read yet"}
}
