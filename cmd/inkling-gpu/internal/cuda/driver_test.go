//go:build linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"strings"
	"testing"

	"github.com/ebitengine/purego"
)

// A driver that is too old, lacks a function, has no GPU or has lost it is refused with the reason.
func TestOpenRefuses(t *testing.T) {
	var version, count, failing int32
	fine := purego.NewCallback(func() int32 { return 0 })
	drivers := map[string]uintptr{
		"cuInit":             purego.NewCallback(func(uint32) int32 { return failing }),
		"cuDriverGetVersion": purego.NewCallback(func(v *int32) int32 { *v = version; return 0 }),
		"cuDeviceGetCount":   purego.NewCallback(func(n *int32) int32 { *n = count; return 0 }),
	}
	for _, c := range []struct {
		version, count, failing int32
		lacks, want             string
	}{
		{version: 12080, count: 1, want: "the driver must have CUDA 13.0 or later, got 12.8"},
		{version: 13000, count: 1, lacks: "cuMemHostRegister_v2", want: "is too old: it has no cuMemHostRegister_v2"},
		{version: 13000, count: 0, want: "found no GPU"},
		{version: 13000, count: 1, failing: 46, want: "cuInit failed: unknown error (46)"}, // CUDA_ERROR_DEVICE_UNAVAILABLE
	} {
		version, count, failing = c.version, c.count, c.failing
		_, err := openBy(func(name string) (uintptr, error) {
			if name == c.lacks {
				return 0, errors.New("undefined symbol")
			}
			if f := drivers[name]; f != 0 {
				return f, nil
			}
			return fine, nil
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error must say %q, got %v", c.want, err)
		}
	}
}
