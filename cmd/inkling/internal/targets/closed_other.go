//go:build !unix

package targets

// stdoutClosed reports whether the program was started without a standard output, where
// that can be seen.
func stdoutClosed() bool { return false }
