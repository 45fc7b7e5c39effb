package engine

import (
	"fmt"
	"os"
)

// cutShort returns the first of the files that were mapped that has fewer bytes than then, and
// "" where there is none.
func (m *memory) cutShort() string {
	for path, size := range m.files {
		if info, err := os.Stat(path); err == nil && info.Size() < size {
			return path
		}
	}
	return ""
}

// mapFiles maps the first size bytes of files, one after the other, into memory, to be read
// only.
func mapFiles(paths []string, size int) (b []byte, unmap func(), err error) {
	var files []*os.File
	var sizes []int
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	rest := size
	for at, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, nil, fmt.Errorf("the file of an array must be a regular file, but %s is not", path) // a pipe would be waited for
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, fmt.Errorf("cannot open the file of an array: %w", err)
		}
		files = append(files, f)
		info, err := f.Stat()
		if err != nil {
			return nil, nil, err
		}
		part := int(min(info.Size(), int64(rest)))
		if last := at == len(paths)-1; !last && (part == 0 || part%os.Getpagesize() != 0) {
			return nil, nil, fmt.Errorf("part %d of an array has %d bytes, which are not whole pages of %d", at, info.Size(), os.Getpagesize())
		}
		sizes, rest = append(sizes, part), rest-part
	}
	if rest > 0 {
		return nil, nil, fmt.Errorf("the file of an array has %d bytes, too few for its shape", size-rest)
	}
	if len(files) == 1 {
		b, unmap, err = mapFile(files[0], size)
	} else {
		b, unmap, err = mapParts(files, sizes, size)
	}
	if err != nil {
		err = fmt.Errorf("cannot map the file of an array: %w", err)
	}
	return b, unmap, err
}
