package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// A log is a file of the conversations that were held, so that a study that was stopped goes on. A nil log
// remembers nothing.
type log struct {
	mu   sync.Mutex
	path string
	held map[string][]cell
}

type logged struct {
	Of    string `json:"of"`
	Cells []cell `json:"cells"`
}

// openLog reads what there is.
func openLog(path string) (*log, error) {
	l := &log{path: path, held: map[string][]cell{}}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		var one logged
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		l.held[one.Of] = one.Cells
	}
	return l, lines.Err()
}

// get returns what is known of a conversation, or holds it and writes it down.
func (l *log) get(table string, seed uint64, wrong float64, answers []int, hold func() ([]cell, error)) ([]cell, error) {
	if l == nil {
		return hold()
	}
	of := fmt.Sprintf("%s, seed %d, %g wrong, %v answers", table, seed, wrong, answers)
	l.mu.Lock()
	cells, ok := l.held[of]
	l.mu.Unlock()
	if ok {
		return cells, nil
	}
	cells, err := hold()
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(logged{of, cells})
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(append(line, '\n'))
	return cells, errors.Join(err, f.Close())
}
