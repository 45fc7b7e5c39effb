package dataio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/raster"
)

// readDir reads a folder: of pictures, where these are more than its other files or asked for, else of text documents.
func readDir(path string, opt Options) (*Dataset, error) {
	if opt.Format != "" && opt.Format != source.Text {
		return nil, &Error{File: path, Msg: "a folder is read as text documents or pictures, not as " + string(opt.Format), Hint: "name a file, or use {as}"}
	}
	if opt.Format == source.Text || opt.As == source.AsText || opt.Text != "" {
		return readTextDir(path, opt)
	}
	files, skipped, err := documentFiles(path)
	if err != nil {
		return nil, err
	}
	pictures := make([]string, 0, len(files))
	for _, id := range files {
		if err := opt.Stopped(); err != nil {
			return nil, err
		}
		is, err := isPicture(filepath.Join(path, filepath.FromSlash(id)))
		if err != nil {
			return nil, err
		}
		if is {
			pictures = append(pictures, id)
		}
	}
	switch {
	case opt.As == source.AsImage && len(pictures) == 0:
		return nil, &Error{File: path, Msg: "there are no PNG or JPEG pictures in this folder"}
	case opt.As != source.AsImage && opt.Embeddings == "" && 2*len(pictures) <= len(files):
		return readTextDir(path, opt)
	}
	d, err := readPictures(path, pictures, opt)
	if err != nil {
		return nil, err
	}
	if others := len(files) - len(pictures); others > 0 {
		d.Notes = append(d.Notes, hint.Sprintf("%s left out: neither PNG nor JPEG", source.Counted(others, "file")))
	}
	if skipped > 0 {
		d.Notes = append(d.Notes, hint.Sprintf("%s left out: hidden, or neither file nor folder", source.Counted(skipped, "entry")))
	}
	return d, nil
}

// isPicture reports whether a file begins as a PNG or JPEG image does.
func isPicture(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, source.PathError(path, err)
	}
	defer f.Close()
	head := make([]byte, 8)
	n, _ := io.ReadFull(f, head)
	return isImage(head[:n]), nil
}

// readPictures makes a row of every picture of a folder, by embeddings or by simple numbers.
func readPictures(path string, names []string, opt Options) (*Dataset, error) {
	if err := source.RefuseKind(path, "a folder of pictures", opt, source.AsImage); err != nil {
		return nil, err
	}
	inTable := opt
	if opt.Embeddings != "" {
		inTable.ID = ""
	} else if opt.IDs != "" {
		return nil, &Error{File: path, Msg: "the ids of pictures are their names", Hint: "leave out {ids}"}
	}
	if err := source.RefuseColumns(path, "a folder of pictures", inTable, "folder"); err != nil {
		return nil, err
	}
	d := &Dataset{Name: path, Format: source.Image, IDs: names, Pictures: &source.Pictures{Folder: path}}
	var err error
	if opt.Embeddings != "" {
		err = embed(d, opt)
	} else {
		err = describeAll(d, opt)
	}
	if err != nil {
		return nil, err
	}
	if opt.Label != "" {
		d.Labels = make([]string, len(d.IDs))
		for i, id := range d.IDs {
			if folder, _, inside := strings.Cut(id, "/"); inside {
				d.Labels[i] = folder
			}
		}
	}
	return d, nil
}

// describeAll compares pictures by their colours and edges. Those that cannot be decoded are left out.
func describeAll(d *Dataset, opt Options) error {
	folder, err := os.OpenRoot(d.Pictures.Folder)
	if err != nil {
		return source.PathError(d.Name, err)
	}
	defer folder.Close()
	var done atomic.Int64
	if opt.Watch != nil {
		opt.Watch(func() float64 { return float64(done.Load()) / float64(len(d.IDs)) })
	}
	rows, faults, lab := make([][]float32, len(d.IDs)), make([]error, len(d.IDs)), raster.NewLab()
	err = blocks.Tasks(context.Background(), opt.Workers, len(d.IDs), func(i int) {
		if opt.Stopped() == nil {
			var m image.Image
			if m, faults[i] = openPicture(folder, d.Name, d.IDs[i]); faults[i] == nil {
				rows[i] = describePicture(m, lab)
			}
		}
		done.Add(1)
	})
	if err = cmp.Or(opt.Stopped(), err); err != nil {
		return err
	}
	var values []float32
	var ids, broken []string
	for i, row := range rows {
		if row == nil {
			broken = append(broken, d.IDs[i])
			continue
		}
		ids, values = append(ids, d.IDs[i]), append(values, row...)
	}
	if len(ids) == 0 {
		return cmp.Or(errors.Join(faults[:1]...), fmt.Errorf("there are no pictures"))
	}
	d.IDs, d.Columns = ids, pictureColumns()
	d.X = &data.Dense32{Cols: len(d.Columns), V: values}
	d.Notes = append(d.Notes, hint.Sprintf("read as pictures: %s, compared by simple measures of colour and edges ({embeddings} takes better ones)", source.Counted(len(ids), "file")))
	if len(broken) > 0 {
		d.Notes = append(d.Notes, hint.Sprintf("%s", source.WithNames(source.Counted(len(broken), "picture")+" left out: damaged, or too large", broken)))
	}
	return nil
}

// embed gives pictures the rows of a file of embeddings: in the order of their names, or by the ids that the file has or {ids} gives it.
func embed(d *Dataset, opt Options) error {
	how := Options{ID: opt.ID, IDs: opt.IDs, Workers: opt.Workers, Ended: opt.Ended, Watch: opt.Watch, As: source.AsVectors}
	e, err := Open(opt.Embeddings, how)
	if err != nil {
		return err
	}
	if e.X == nil {
		return &Error{File: opt.Embeddings, Msg: "embeddings must be rows of numbers"}
	}
	d.X, d.Columns = e.X, e.Columns
	if e.IDs == nil {
		if e.X.Len() != len(d.IDs) {
			return &Error{File: opt.Embeddings, Msg: fmt.Sprintf("%s for %s", source.Counted(e.X.Len(), "row"), source.Counted(len(d.IDs), "picture")),
				Hint: "{ids} names the picture of each row"}
		}
		d.Notes = append(d.Notes, hint.Sprintf("read as pictures: %s, with the rows of %s in the order of their names ({ids} gives another)", source.Counted(len(d.IDs), "file"), opt.Embeddings))
		return nil
	}
	at := make(map[string]int, len(e.IDs))
	for i, id := range e.IDs {
		at[filepath.ToSlash(id)] = i
	}
	rows := make([]int, len(d.IDs))
	for i, id := range d.IDs {
		row, ok := at[id]
		if !ok {
			return &Error{File: opt.Embeddings, Msg: fmt.Sprintf("there is no row for the picture %s", source.Clip([]byte(id))), Hint: "ids are the paths of the pictures in their folder"}
		}
		rows[i] = row
	}
	d.X = data.Pick(e.X, rows)
	d.Notes = append(d.Notes, hint.Sprintf("read as pictures: %s, with rows of %s", source.Counted(len(d.IDs), "file"), opt.Embeddings))
	if left := e.X.Len() - len(rows); left > 0 {
		d.Notes = append(d.Notes, hint.Sprintf("%s of %s left out: they name no picture of the folder", source.Counted(left, "row"), opt.Embeddings))
	}
	return nil
}

// openPicture decodes a picture below a folder, and nothing that lies elsewhere.
func openPicture(folder *os.Root, at, name string) (image.Image, error) {
	path := filepath.Join(at, filepath.FromSlash(name))
	info, err := folder.Stat(filepath.FromSlash(name))
	if err != nil {
		return nil, source.PathError(path, err)
	}
	if !info.Mode().IsRegular() { // a pipe would wait for ever
		return nil, &Error{File: path, Msg: "not a file"}
	}
	f, err := folder.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, source.PathError(path, err)
	}
	defer f.Close()
	return decodeImage(f, path)
}

// OpenPicture decodes one of the pictures p, by its name in their folder. What lies outside of the folder is refused, also by
// way of links.
func OpenPicture(p *source.Pictures, name string) (image.Image, error) {
	folder, err := os.OpenRoot(p.Folder)
	if err != nil {
		return nil, source.PathError(p.Folder, err)
	}
	defer folder.Close()
	return openPicture(folder, p.Folder, name)
}

// NamesPictures returns the pictures that the ids of a table name, in the folder that the table lies in; nil: they name none.
// The first few are looked for.
func NamesPictures(d *Dataset) *source.Pictures {
	const few = 20
	if len(d.IDs) == 0 || d.Name == "" || d.Pictures != nil {
		return d.Pictures
	}
	for _, id := range d.IDs[:min(few, len(d.IDs))] {
		if extensions[strings.ToLower(filepath.Ext(id))] != source.Image {
			return nil
		}
	}
	folder, err := os.OpenRoot(filepath.Dir(d.Name))
	if err != nil {
		return nil
	}
	defer folder.Close()
	for _, id := range d.IDs[:min(few, len(d.IDs))] {
		if info, err := folder.Stat(filepath.FromSlash(id)); err != nil || !info.Mode().IsRegular() {
			return nil
		}
	}
	return &source.Pictures{Folder: filepath.Dir(d.Name)}
}
