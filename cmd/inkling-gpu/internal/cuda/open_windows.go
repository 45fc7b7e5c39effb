package cuda

import "syscall"

const library = "nvcuda.dll"

func open() (func(name string) (uintptr, error), error) {
	lib, err := syscall.LoadLibrary(library)
	if err != nil {
		return nil, err
	}
	return func(name string) (uintptr, error) { return syscall.GetProcAddress(lib, name) }, nil
}
