//go:build unix

package engine

import (
	"os"
	"syscall"
)

// mapFile maps the first size bytes of f into memory, to be read only.
func mapFile(f *os.File, size int) (b []byte, unmap func(), err error) {
	b, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return b, func() { _ = syscall.Munmap(b) }, nil
}
