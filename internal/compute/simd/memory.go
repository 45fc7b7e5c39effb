package simd

import "unsafe"

// aligned returns n zeros that start at a multiple of 64 bytes.
func aligned[T any](n int) []T {
	var t T
	size := unsafe.Sizeof(t)
	b := make([]T, n+int(64/size))
	skip := 0
	if r := uintptr(unsafe.Pointer(&b[0])) % 64; r != 0 {
		skip = int((64 - r) / size)
	}
	return b[skip : skip+n : skip+n]
}

func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// beyond says which memory the rows after from take, at most values numbers.
func beyond[T any](x []T, from, values int) (at uintptr, bytes int) {
	ahead := x[from:min(from+values, len(x))]
	return uintptr(unsafe.Pointer(unsafe.SliceData(ahead))), len(ahead) * int(unsafe.Sizeof(x[0]))
}
