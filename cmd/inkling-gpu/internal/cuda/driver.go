// Package cuda is the little that inkling-gpu needs of CUDA's driver: one GPU, memory on
// it, and kernels. It is called from one thread, which Open locks.
package cuda

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Pointer is an address on the GPU.
type Pointer uint64

type handle uintptr

// The functions of the driver, by the names that cuda.h gives them.
var (
	cuInit                   func(flags uint32) int32
	cuDriverGetVersion       func(version *int32) int32
	cuDeviceGetCount         func(count *int32) int32
	cuDeviceGet              func(device *int32, ordinal int32) int32
	cuDeviceGetName          func(name *byte, length, device int32) int32
	cuDeviceGetAttribute     func(value *int32, attribute, device int32) int32
	cuDevicePrimaryCtxRetain func(context *handle, device int32) int32
	cuCtxSetCurrent          func(context handle) int32
	cuCtxSynchronize         func() int32
	cuModuleLoadData         func(module *handle, image unsafe.Pointer) int32
	cuModuleGetFunction      func(function *handle, module handle, name string) int32
	cuFuncSetAttribute       func(function handle, attribute, value int32) int32
	cuMemAlloc               func(p *Pointer, size uint64) int32
	cuMemFree                func(p Pointer) int32
	cuMemGetInfo             func(free, total *uint64) int32
	cuMemAllocHost           func(p *unsafe.Pointer, size uint64) int32
	cuMemHostRegister        func(p unsafe.Pointer, size uint64, flags uint32) int32
	cuMemcpyHtoD             func(to Pointer, from unsafe.Pointer, size uint64) int32
	cuMemcpyDtoH             func(to unsafe.Pointer, from Pointer, size uint64) int32
	cuMemsetD8               func(p Pointer, value uint8, size uint64) int32
	cuLaunchKernel           func(function handle, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32, stream handle, args, extra unsafe.Pointer) int32
	cuGetErrorName           func(code int32, text **byte) int32
)

func functions() map[string]any {
	return map[string]any{
		"cuInit": &cuInit, "cuDriverGetVersion": &cuDriverGetVersion, "cuDeviceGetCount": &cuDeviceGetCount, "cuDeviceGet": &cuDeviceGet,
		"cuDeviceGetName": &cuDeviceGetName, "cuDeviceGetAttribute": &cuDeviceGetAttribute, "cuDevicePrimaryCtxRetain": &cuDevicePrimaryCtxRetain,
		"cuCtxSetCurrent": &cuCtxSetCurrent, "cuCtxSynchronize": &cuCtxSynchronize, "cuModuleLoadData": &cuModuleLoadData,
		"cuModuleGetFunction": &cuModuleGetFunction, "cuFuncSetAttribute": &cuFuncSetAttribute, "cuMemAlloc_v2": &cuMemAlloc, "cuMemFree_v2": &cuMemFree,
		"cuMemGetInfo_v2": &cuMemGetInfo, "cuMemAllocHost_v2": &cuMemAllocHost, "cuMemHostRegister_v2": &cuMemHostRegister, "cuMemcpyHtoD_v2": &cuMemcpyHtoD, "cuMemcpyDtoH_v2": &cuMemcpyDtoH,
		"cuMemsetD8_v2": &cuMemsetD8, "cuLaunchKernel": &cuLaunchKernel, "cuGetErrorName": &cuGetErrorName,
	}
}

// LeastDriver is the version of CUDA that a driver must have, for the kernels' PTX.
const LeastDriver = 13000

// LeastCompute is the compute capability that a GPU must have.
const LeastCompute = 80

// A GPU is one that was opened.
type GPU struct {
	Name    string
	Driver  int // 13000 is CUDA 13.0
	Compute int // 90 is 9.0
	Units   int // multiprocessors
	Shared  int // bytes of shared memory that a block may have
}

// Attributes of a device and of a function, as cuda.h numbers them.
const (
	attributeUnits        = 16
	attributeComputeMajor = 75
	attributeComputeMinor = 76
	attributeShared       = 97
	functionShared        = 8
)

// Open opens the driver and the first GPU, and locks the calling goroutine to its thread.
func Open() (*GPU, error) {
	symbol, err := open()
	if err != nil {
		return nil, fmt.Errorf("the driver %s cannot be opened: %w", library, err)
	}
	return openBy(symbol)
}

// openBy is Open by the functions of a driver, which symbol finds.
func openBy(symbol func(name string) (uintptr, error)) (*GPU, error) {
	for name, f := range functions() {
		at, err := symbol(name)
		if err != nil {
			return nil, fmt.Errorf("the driver %s is too old: it has no %s", library, name)
		}
		purego.RegisterFunc(f, at)
	}
	if err := check("cuInit", cuInit(0)); err != nil {
		return nil, err
	}
	var version, count, device int32
	if err := check("cuDriverGetVersion", cuDriverGetVersion(&version)); err != nil {
		return nil, err
	}
	if version < LeastDriver {
		return nil, fmt.Errorf("the driver must have CUDA %s or later, got %s", Number(LeastDriver), Number(int(version)))
	}
	if err := check("cuDeviceGetCount", cuDeviceGetCount(&count)); err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, fmt.Errorf("the driver found no GPU")
	}
	runtime.LockOSThread()
	if err := check("cuDeviceGet", cuDeviceGet(&device, 0)); err != nil {
		return nil, err
	}
	name := make([]byte, 256)
	if err := check("cuDeviceGetName", cuDeviceGetName(&name[0], int32(len(name)), device)); err != nil {
		return nil, err
	}
	var major, minor, units, shared int32
	for attribute, to := range map[int32]*int32{attributeComputeMajor: &major, attributeComputeMinor: &minor, attributeUnits: &units, attributeShared: &shared} {
		if err := check("cuDeviceGetAttribute", cuDeviceGetAttribute(to, attribute, device)); err != nil {
			return nil, err
		}
	}
	g := &GPU{Name: text(&name[0]), Driver: int(version), Compute: int(10*major + minor), Units: int(units), Shared: int(shared)}
	if g.Compute < LeastCompute {
		return nil, fmt.Errorf("the GPU must have compute capability %d.%d or later, got %s with %d.%d", LeastCompute/10, LeastCompute%10, g.Name, major, minor)
	}
	var context handle
	if err := check("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&context, device)); err != nil {
		return nil, err
	}
	current = context
	return g, Enter()
}

// Number writes a version as people do: 13.0.
func Number(version int) string { return fmt.Sprintf("%d.%d", version/1000, version%1000/10) }

// An Error is a call of the driver that failed.
type Error struct {
	Call string
	Code int
	Name string // CUDA's
}

func (e *Error) Error() string { return fmt.Sprintf("%s failed: %s (%d)", e.Call, e.Name, e.Code) }

// outOfMemory is CUDA_ERROR_OUT_OF_MEMORY.
const outOfMemory = 2

// OutOfMemory reports whether there was too little memory on the GPU.
func (e *Error) OutOfMemory() bool { return e.Code == outOfMemory }

func check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	e := &Error{Call: call, Code: int(code), Name: "unknown error"}
	var p *byte
	if cuGetErrorName != nil && cuGetErrorName(code, &p) == 0 && p != nil {
		e.Name = text(p)
	}
	return e
}

// text returns a string of C.
func text(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

var current handle

// Enter makes the GPU that of the calling thread, which must be locked.
func Enter() error { return check("cuCtxSetCurrent", cuCtxSetCurrent(current)) }
