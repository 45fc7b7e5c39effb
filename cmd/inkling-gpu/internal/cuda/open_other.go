//go:build !linux && !windows

package cuda

import (
	"fmt"
	"runtime"
)

const library = "CUDA"

func open() (func(name string) (uintptr, error), error) {
	return nil, fmt.Errorf("NVIDIA has no driver for %s", runtime.GOOS)
}
