package cuda

import (
	"fmt"
	"runtime"
	"unsafe"
)

// A Module is a set of kernels that the driver has compiled.
type Module struct {
	module handle
	kernel map[string]*kernel
}

type kernel struct {
	handle
	shared int // bytes of memory that it was given at most
}

// Load compiles PTX.
func Load(ptx []byte) (*Module, error) {
	image := append(ptx[:len(ptx):len(ptx)], 0)
	m := &Module{kernel: map[string]*kernel{}}
	err := check("cuModuleLoadData", cuModuleLoadData(&m.module, unsafe.Pointer(&image[0])))
	runtime.KeepAlive(image)
	return m, err
}

// Launch starts a kernel on blocks of threads, with shared bytes of memory each. An
// argument is a Pointer, uint64, int32, float64, or a pointer to a struct that is passed
// by value.
func (m *Module) Launch(name string, blocks, threads, shared int, args ...any) error {
	f, ok := m.kernel[name]
	if !ok {
		f = &kernel{shared: 48 << 10}
		if err := check("cuModuleGetFunction "+name, cuModuleGetFunction(&f.handle, m.module, name)); err != nil {
			return err
		}
		m.kernel[name] = f
	}
	if shared > f.shared {
		if err := check("cuFuncSetAttribute "+name, cuFuncSetAttribute(f.handle, functionShared, int32(shared))); err != nil {
			return err
		}
		f.shared = shared
	}
	values, at := make([]uint64, len(args)), make([]unsafe.Pointer, len(args))
	var pinned runtime.Pinner
	defer pinned.Unpin()
	pinned.Pin(&values[0])
	pinned.Pin(&at[0])
	for i, a := range args {
		at[i] = unsafe.Pointer(&values[i])
		switch a := a.(type) {
		case Pointer:
			values[i] = uint64(a)
		case uint64:
			values[i] = a
		case int32:
			*(*int32)(at[i]) = a
		case float64:
			*(*float64)(at[i]) = a
		case Struct:
			p := a.Address()
			pinned.Pin(p)
			at[i] = p
		default:
			return fmt.Errorf("cuda: argument %d of %s must be a number or a struct, got %T", i, name, a)
		}
	}
	return check("cuLaunchKernel "+name, cuLaunchKernel(f.handle, uint32(blocks), 1, 1, uint32(threads), 1, 1, uint32(shared), 0, unsafe.Pointer(&at[0]), nil))
}

// A Struct is an argument that is passed by value: Address is where it is.
type Struct interface{ Address() unsafe.Pointer }
