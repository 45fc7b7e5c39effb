package dataio

import "io"

func readEdges(r io.Reader, name string, opt Options) (*Dataset, error) {
	return nil, &Error{File: name, Msg: "edges is not read yet"}
}
