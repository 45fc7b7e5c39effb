package dataio

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// readTextDir reads every regular file below path as a document, in the order
// of the relative paths, which are the ids. Hidden files and folders, and
// binary files, are left out. With the label "folder" the first folder of the path is the label.
func readTextDir(path string, opt Options) (*Dataset, error) {
	if err := source.RefuseKind(path, "a folder", opt, source.AsText); err != nil {
		return nil, err
	}
	if err := source.RefuseColumns(path, "a folder of documents", opt, "folder"); err != nil {
		return nil, err
	}
	ids, skipped, err := documentFiles(path)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, &Error{File: path, Msg: "there are no files in this folder"}
	}
	ds := &Dataset{Name: path, Format: source.Text}
	var binary, others []string
	for _, id := range ids {
		doc, converted, nul, err := readDocument(filepath.Join(path, filepath.FromSlash(id)))
		if err != nil {
			return nil, err
		}
		if nul {
			binary = append(binary, id)
			continue
		}
		if converted {
			others = append(others, id)
		}
		ds.IDs, ds.Docs = append(ds.IDs, id), append(ds.Docs, doc)
		if opt.Label != "" {
			folder, _, inside := strings.Cut(id, "/")
			if !inside {
				folder = ""
			}
			ds.Labels = append(ds.Labels, folder)
		}
	}
	if skipped > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s left out: hidden, or neither file nor folder", source.Counted(skipped, "entry")))
	}
	if len(ds.IDs) == 0 {
		return nil, &Error{File: path, Msg: source.WithNames("all files in this folder are binary, not text", binary)}
	}
	if len(binary) > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s", source.WithNames(source.Counted(len(binary), "file")+" left out: binary, not text", binary)))
	}
	if len(others) > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s", source.WithNames(source.Counted(len(others), "document")+" "+source.ReadAsLatin1, others)))
	}
	return ds, nil
}

// documentFiles lists the files below root by their relative paths with
// slashes, sorted, and counts what it passed over.
func documentFiles(root string) (ids []string, skipped int, err error) {
	name := root
	if root, err = filepath.EvalSymlinks(name); err != nil { // a walk does not follow its root
		return nil, 0, source.PathError(name, err)
	}
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == root {
			if !e.IsDir() {
				return fmt.Errorf("not a folder")
			}
			return nil
		}
		if strings.HasPrefix(e.Name(), ".") {
			skipped++
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if e.IsDir() {
			return nil
		}
		if !e.Type().IsRegular() {
			skipped++
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		ids = append(ids, filepath.ToSlash(rel))
		return nil
	})
	if err != nil {
		return nil, 0, source.PathError(name, err)
	}
	sort.Strings(ids)
	return ids, skipped, nil
}

// readDocument reads a file as text, in UTF-8 or UTF-16 or, which it says, as
// Latin-1; or says that it is binary.
func readDocument(path string) (doc string, converted, binary bool, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return "", false, false, source.PathError(path, err)
	}
	if is, big := source.UTF16Mark(b); is {
		// All of it is in memory, and the half of a letter at the end is none.
		b, _ = io.ReadAll(&source.UTF16Reader{Source: bufio.NewReader(bytes.NewReader(b)), BigEndian: big})
	}
	doc, converted, nul := decodeDocument(bytes.TrimPrefix(b, source.UTF8BOM))
	return doc, converted, nul >= 0, nil
}
