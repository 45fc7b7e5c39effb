package dataio

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// unfinished are the hidden files that this process is writing.
var unfinished hiddenFiles

type hiddenFiles struct {
	mu    sync.Mutex
	names map[string]bool
	ended bool
}

var errEnding = errors.New("the program is ending")

// create creates a hidden file, unless the program is ending.
func (h *hiddenFiles) create(name string) (*os.File, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return nil, errEnding
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		if h.names == nil {
			h.names = map[string]bool{}
		}
		h.names[name] = true
	}
	return f, err
}

func (h *hiddenFiles) forget(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.names, name)
}

// RemoveUnfinished removes the hidden files of every WriteFile that is under way, which then
// fails, as do later ones: for a program that is about to exit.
func RemoveUnfinished() {
	unfinished.mu.Lock()
	defer unfinished.mu.Unlock()
	unfinished.ended = true
	for name := range unfinished.names {
		os.Remove(name)
	}
}

// createHidden creates a new file next to path, after it has removed those that
// processes left there that were killed while they wrote to path.
func createHidden(path string) (f *os.File, err error) {
	dir, base := filepath.Split(path)
	prefix := hiddenPrefix(base)
	removeLeftovers(dir, prefix)
	for k := range 1000 {
		f, err = unfinished.create(filepath.Join(dir, fmt.Sprintf("%s%d-%d.tmp", prefix, os.Getpid(), k)))
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, err
}

// hiddenPrefix returns how the names of hidden files for a file called base begin: with
// the beginning of that name, so that people see where they belong, and a digest of the name
// and of the machine, so that no other file and no process elsewhere is meant.
func hiddenPrefix(base string) string {
	const most = 60
	h := fnv.New64a()
	host, _ := os.Hostname()
	space, _ := os.Readlink("/proc/self/ns/pid") // containers count their processes on their own
	fmt.Fprintf(h, "%s\x00%s\x00%s", base, host, space)
	if len(base) > most {
		base = strings.ToValidUTF8(base[:most], "")
	}
	return fmt.Sprintf(".%s.inkling-%016x-", base, h.Sum64())
}

// removeLeftovers removes hidden files of processes that no longer exist.
func removeLeftovers(dir, prefix string) {
	if dir == "" {
		dir = "."
	}
	folder, err := os.Open(dir)
	if err != nil {
		return // whatever is wrong, writing will say it
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	for _, name := range names {
		rest, ours := strings.CutPrefix(name, prefix)
		number, _, found := strings.Cut(strings.TrimSuffix(rest, ".tmp"), "-")
		if pid, err := strconv.Atoi(number); ours && found && strings.HasSuffix(rest, ".tmp") && err == nil && pid > 1 && processGone(pid) {
			os.Remove(filepath.Join(dir, name))
		}
	}
}
