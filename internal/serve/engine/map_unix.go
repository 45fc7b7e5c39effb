//go:build unix

package engine

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapFile maps the first size bytes of f into memory, to be read only.
func mapFile(f *os.File, size int) (b []byte, unmap func(), err error) {
	b, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return b, func() { _ = syscall.Munmap(b) }, nil
}

// mapParts maps files of these sizes one after the other, to be read only. All but the last
// are whole pages; size is their sum.
func mapParts(files []*os.File, sizes []int, size int) (b []byte, unmap func(), err error) {
	at, err := unix.MmapPtr(-1, 0, nil, uintptr(size), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, nil, err
	}
	unmap = func() { _ = unix.MunmapPtr(at, uintptr(size)) }
	done := 0
	for i, f := range files {
		if _, err = unix.MmapPtr(int(f.Fd()), 0, unsafe.Add(at, done), uintptr(sizes[i]), unix.PROT_READ, unix.MAP_SHARED|unix.MAP_FIXED); err != nil {
			unmap()
			return nil, nil, err
		}
		done += sizes[i]
	}
	return unsafe.Slice((*byte)(at), size), unmap, nil
}
