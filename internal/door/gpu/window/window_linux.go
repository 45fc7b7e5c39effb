package window

import (
	"os"
	"syscall"

	"github.com/inklinghq/inkling/internal/numeric/device/wire"
)

// reserve gives the file its length, and room for all of it, so that memory that is shared is there when it is written.
func reserve(f *os.File) error { return syscall.Fallocate(int(f.Fd()), 0, 0, 2*wire.Half) }

// share returns the file as memory; nil: there is none.
func share(f *os.File) []byte {
	if b, err := syscall.Mmap(int(f.Fd()), 0, 2*wire.Half, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED); err == nil {
		return b
	}
	return nil
}

// unshare gives it back.
func unshare(b []byte) {
	if b != nil {
		syscall.Munmap(b) //nolint:errcheck // it is nobody's any more
	}
}
