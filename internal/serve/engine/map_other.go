//go:build !unix && !windows

package engine

import (
	"io"
	"os"
)

// mapFile reads the first size bytes of f where nothing can be mapped.
func mapFile(f *os.File, size int) (b []byte, unmap func(), err error) {
	b = make([]byte, size)
	_, err = io.ReadFull(f, b)
	return b, func() {}, err
}
