package cuda

import "github.com/ebitengine/purego"

const library = "libcuda.so.1"

func open() (func(name string) (uintptr, error), error) {
	lib, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, err
	}
	return func(name string) (uintptr, error) { return purego.Dlsym(lib, name) }, nil
}
