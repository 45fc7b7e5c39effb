//go:build !unix

package dataio

// mayWrite cannot tell here; whoever writes will.
func mayWrite(string) error { return nil }
