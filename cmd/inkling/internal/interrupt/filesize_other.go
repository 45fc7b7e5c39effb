//go:build !unix

package interrupt

func ignoreFileSize() {}
