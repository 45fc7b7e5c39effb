package server

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/inklinghq/inkling/internal/serve/session"
)

// What a killed server left is removed when the next one begins; what runs, what is not ours
// and what has just been made stays.
func TestLeftFoldersAreRemoved(t *testing.T) {
	home := t.TempDir()
	t.Setenv("TMPDIR", home)
	t.Setenv("TMP", home)
	make := func(name string, mode fs.FileMode, lock bool) string {
		t.Helper()
		folder := filepath.Join(home, folderPrefix+name)
		if err := os.MkdirAll(filepath.Join(folder, "upload-1"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
		if lock {
			if err := os.WriteFile(filepath.Join(folder, folderLock+".lock"), []byte("process 1\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return folder
	}
	killed, begun, open, running := make("killed", 0o700, true), make("begun", 0o700, false), make("open", 0o755, true), make("running", 0o700, false)
	answered := make("answered", 0o700, true)
	answers := filepath.Join(answered, "iris-1.jsonl")
	if err := os.WriteFile(answers, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	release, err := session.Lock(filepath.Join(running, folderLock))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	s := &Server{}
	folder, err := s.workFolder()
	if err != nil {
		t.Fatal(err)
	}
	for path, stays := range map[string]bool{killed: false, begun: true, open: true, running: true, folder: true, answers: true, filepath.Join(answered, "upload-1"): false} {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) == stays {
			t.Errorf("%s: stays is %v: %v", filepath.Base(path), stays, err)
		}
	}
	if again, err := s.workFolder(); again != folder || err != nil {
		t.Errorf("then %s, %v", again, err)
	}
	s.unlock()
}
