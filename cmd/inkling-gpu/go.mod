module github.com/inklinghq/inkling/cmd/inkling-gpu

go 1.26.0

replace github.com/inklinghq/inkling => ../../

// opens the driver without cgo; with it the program needs the C library of Linux at
// start, which is why it is a program of its own
require github.com/ebitengine/purego v0.11.2

require github.com/inklinghq/inkling v0.0.0

require golang.org/x/sys v0.49.0 // indirect
