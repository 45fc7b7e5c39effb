package cuda

import (
	"runtime"
	"unsafe"
)

// Alloc returns memory on the GPU, at least a byte.
func Alloc(size uint64) (p Pointer, err error) {
	return p, check("cuMemAlloc", cuMemAlloc(&p, max(size, 1)))
}

// Free gives memory back; 0 is none.
func Free(p Pointer) {
	if p != 0 {
		cuMemFree(p)
	}
}

// Memory returns how many bytes the GPU has, and how many are free.
func Memory() (free, total uint64, err error) {
	return free, total, check("cuMemGetInfo", cuMemGetInfo(&free, &total))
}

// HostMemory returns memory of the machine that the GPU reads and writes directly. It is
// never given back.
func HostMemory(size int) ([]byte, error) {
	var p unsafe.Pointer
	if err := check("cuMemAllocHost", cuMemAllocHost(&p, uint64(size))); err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(p), size), nil
}

// Lock makes memory of the machine what the GPU reads and writes directly.
func Lock(b []byte) error {
	return check("cuMemHostRegister", cuMemHostRegister(unsafe.Pointer(&b[0]), uint64(len(b)), 0))
}

// Upload copies s to the GPU.
func Upload[T any](to Pointer, s []T) error {
	if len(s) == 0 {
		return nil
	}
	err := check("cuMemcpyHtoD", cuMemcpyHtoD(to, unsafe.Pointer(&s[0]), uint64(len(s))*uint64(unsafe.Sizeof(s[0]))))
	runtime.KeepAlive(s)
	return err
}

// Download copies from the GPU to s, when the kernels before it have ended.
func Download[T any](s []T, from Pointer) error {
	if len(s) == 0 {
		return nil
	}
	err := check("cuMemcpyDtoH", cuMemcpyDtoH(unsafe.Pointer(&s[0]), from, uint64(len(s))*uint64(unsafe.Sizeof(s[0]))))
	runtime.KeepAlive(s)
	return err
}

// Clear sets memory to 0.
func Clear(p Pointer, size uint64) error { return Fill(p, 0, size) }

// Fill sets all bytes of memory to value.
func Fill(p Pointer, value uint8, size uint64) error {
	return check("cuMemsetD8", cuMemsetD8(p, value, size))
}

// Wait returns when all kernels have ended, with the error of one that failed.
func Wait() error { return check("cuCtxSynchronize", cuCtxSynchronize()) }
