// Package window is the file through which inkling and the program that drives a GPU pass rows, centres and labels.
package window

import (
	"os"
	"sync"
)

// A Window is two times wire.Half bytes: memory of both sides where the system can do that.
type Window struct {
	file   *os.File
	mu     sync.RWMutex // of memory: Close takes it away
	memory []byte       // nil: the file is read and written
}

// Make makes one, in memory where the system has a folder for that and there is room in it.
func Make() (w *Window, err error) {
	for _, dir := range []string{"/dev/shm", ""} {
		if dir != "" {
			if s, err := os.Stat(dir); err != nil || !s.IsDir() {
				continue
			}
		}
		f, failed := os.CreateTemp(dir, "inkling-gpu-*")
		if err = failed; err != nil {
			continue
		}
		if err = reserve(f); err == nil {
			return &Window{file: f, memory: share(f)}, nil
		}
		f.Close()
		os.Remove(f.Name())
	}
	return nil, err
}

// Open opens the one that Make has made.
func Open(name string) (*Window, error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return &Window{file: f, memory: share(f)}, nil
}

// Name is what Open opens.
func (w *Window) Name() string { return w.file.Name() }

// Memory is the window as memory, which must not be used after Close; nil: there is none.
func (w *Window) Memory() []byte { return w.memory }

// Close closes it and takes its memory away.
func (w *Window) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	unshare(w.memory)
	w.memory = nil
	return w.file.Close()
}

// ReadAt reads the bytes from one on.
func (w *Window) ReadAt(b []byte, from int64) (int, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.memory == nil {
		return w.file.ReadAt(b, from)
	}
	return copy(b, w.memory[from:]), nil
}

// WriteAt writes the bytes from one on.
func (w *Window) WriteAt(b []byte, from int64) (int, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.memory == nil {
		return w.file.WriteAt(b, from)
	}
	return copy(w.memory[from:], b), nil
}
