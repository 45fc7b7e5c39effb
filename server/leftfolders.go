package server

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/inklinghq/inkling/internal/serve/session"
)

const (
	folderPrefix = "inkling-web-" // of the folders for uploads
	folderLock   = "uploads"      // what a server holds in its folder while it runs
	uploadPrefix = "upload-"      // of the folder of each file that was sent
)

// removeLeftFolders removes folders of uploads that servers of this user left behind because
// they were killed. Those of servers that run are locked.
func removeLeftFolders() {
	found, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*"))
	for _, folder := range found {
		if info, err := os.Lstat(folder); err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !isOwn(info) {
			continue
		}
		held := filepath.Join(folder, folderLock)
		if info, err := os.Lstat(held + ".lock"); err != nil || info.Mode()&fs.ModeType != 0 {
			continue // not begun yet, or made by something else
		}
		if release, err := session.Lock(held); err == nil {
			removeUploads(folder)
			release()
		}
	}
}

// removeUploads removes what was sent to a server that is gone, and its folder unless there are
// sessions in it: their answers can still be exported.
func removeUploads(folder string) {
	uploads, _ := filepath.Glob(filepath.Join(folder, uploadPrefix+"*"))
	for _, path := range uploads {
		_ = os.RemoveAll(path)
	}
	if sessions, _ := filepath.Glob(filepath.Join(folder, "*.jsonl")); len(sessions) == 0 {
		_ = os.RemoveAll(folder)
	}
}
