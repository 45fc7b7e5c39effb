package engine

import (
	"os"
	"syscall"
	"unsafe"
)

// mapFile maps the first size bytes of f into memory, to be read only.
func mapFile(f *os.File, size int) (b []byte, unmap func(), err error) {
	h, err := syscall.CreateFileMapping(syscall.Handle(f.Fd()), nil, syscall.PAGE_READONLY, uint32(uint64(size)>>32), uint32(size), nil)
	if err != nil {
		return nil, nil, err
	}
	at, err := syscall.MapViewOfFile(h, syscall.FILE_MAP_READ, 0, 0, uintptr(size))
	_ = syscall.CloseHandle(h) // the view keeps the mapping
	if err != nil {
		return nil, nil, err
	}
	b = unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size)
	return b, func() { _ = syscall.UnmapViewOfFile(at) }, nil
}
