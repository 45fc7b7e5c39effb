package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/serve/photo"
	"github.com/inklinghq/inkling/internal/serve/workspace"
)

// Uploads.
const (
	previewRows   = 50
	uploadsKept   = 8                // that were not begun
	slowestChunk  = 30 * time.Second // in which some bytes must arrive
	longestName   = 80
	uploadsAtOnce = 4
)

// An upload is a file that was sent and not begun.
type upload struct {
	number string
	path   string // ours: nothing of it was chosen by the browser but harmless letters
}

// harmlessName returns a name for a file that is like the one that a browser says, without a
// folder and without letters that mean something to a system or a shell.
func harmlessName(name string) string {
	if at := strings.LastIndexAny(name, `/\`); at >= 0 {
		name = name[at+1:]
	}
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
	name = strings.TrimLeft(name, ".-")
	if len(name) > longestName {
		name = name[len(name)-longestName:]
	}
	if strings.Trim(name, "._-") == "" {
		return "data"
	}
	return strings.TrimLeft(name, ".-")
}

// steady is a body that must keep coming.
type steady struct {
	from    io.Reader
	control *http.ResponseController
	begun   time.Time
	bytes   int64
	failed  error // why it ended too early
}

func (s *steady) Read(b []byte) (int, error) {
	until := time.Now()
	if slowest := s.begun.Add(timeFor(s.bytes)); slowest.Before(until) {
		until = slowest
	}
	_ = s.control.SetReadDeadline(until.Add(slowestChunk))
	n, err := s.from.Read(b)
	s.bytes += int64(n)
	if err != nil && err != io.EOF {
		s.failed = err
	}
	return n, err
}

// receive writes a file that is sent into the folder of the server, piece by piece.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength > s.o.MaxUpload {
		return tooLarge(s.o.MaxUpload)
	}
	select {
	case s.receiving <- struct{}{}:
		defer func() { <-s.receiving }()
	default:
		return workspace.Refuse(workspace.KindConflict, "other files are being sent; try again in a moment")
	}
	folder, err := s.workFolder()
	if err != nil {
		return err
	}
	b := make([]byte, 12)
	_, _ = rand.Read(b)
	u := &upload{number: hex.EncodeToString(b)}
	own := filepath.Join(folder, uploadPrefix+u.number)
	if err := os.Mkdir(own, 0o700); err != nil {
		return err
	}
	u.path = filepath.Join(own, harmlessName(r.URL.Query().Get("name")))
	control := http.NewResponseController(w)
	err = writeUpload(u.path, &steady{from: http.MaxBytesReader(w, r.Body, s.o.MaxUpload), control: control, begun: time.Now()})
	_ = control.SetReadDeadline(time.Time{})
	var out *workspace.Uploaded
	if err == nil {
		err = checkUnpacked(u.path, s.o.MaxUpload)
	}
	if err == nil {
		out, err = preview(r.Context(), u, s.o.Workers)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(own))
	}
	s.keepUpload(u)
	reply(w, http.StatusOK, out)
	return nil
}

func tooLarge(limit int64) error {
	return workspace.Refuse(workspace.KindTooLarge, "the file has more than %d bytes, which is the limit", limit)
}

func writeUpload(path string, from *steady) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	err = errors.Join(err, f.Close())
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return tooLarge(large.Limit)
	}
	if from.failed != nil {
		return workspace.Refuse(workspace.KindInput, "the file did not arrive whole: send it again")
	}
	return err
}

// checkUnpacked refuses a small file that becomes a large one when it is unpacked.
func checkUnpacked(path string, limit int64) error {
	plain, err := source.OpenFile(path)
	if err != nil {
		return nil // whoever reads it says what is wrong
	}
	defer plain.Close()
	if n, _ := io.Copy(io.Discard, io.LimitReader(plain, limit+1)); n > limit {
		return workspace.Refuse(workspace.KindTooLarge, "the file has more than %d bytes when it is unpacked, which is the limit", limit)
	}
	return nil
}

// keepUpload keeps a file until it is begun, or others came after it.
func (s *Server) keepUpload(u *upload) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uploads = append(s.uploads, u)
	if len(s.uploads) > uploadsKept {
		_ = os.RemoveAll(filepath.Dir(s.uploads[0].path))
		s.uploads = s.uploads[1:]
	}
}

// preview shows what a file is, and the first rows of a table with the roles of its columns.
func preview(ctx context.Context, u *upload, workers int) (*workspace.Uploaded, error) {
	out := &workspace.Uploaded{Upload: u.number, Name: filepath.Base(u.path), Kind: "table"}
	if IsImage(u.path) {
		m, err := photo.Read(u.path)
		if err != nil {
			return nil, inUpload(u, err)
		}
		out.Kind, out.Rows = "image", m.Bounds().Dx()*m.Bounds().Dy()
		out.Preview = *workspace.DescribeUnreadable(&door.Head{}, door.Source{}, nil)
		return out, nil
	}
	t, err := describeFile(ctx, u.path, door.Source{Workers: workers}, true)
	if err != nil {
		return nil, inUpload(u, err)
	}
	out.Kind, out.Rows, out.Preview = t.Kind, t.Rows, *t
	return out, nil
}

// inUpload names a file as the person who sent it knows it.
func inUpload(u *upload, err error) error {
	var bad *door.InputError
	if errors.As(err, &bad) {
		named := *bad
		named.File = filepath.Base(u.path)
		return &named
	}
	return err
}

// sent returns a file that was sent and not begun.
func (s *Server) sent(number string) (*upload, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.uploads {
		if u.number == number {
			return u, nil
		}
	}
	return nil, workspace.Refuse(workspace.KindNotFound, "there is no such file: send it again")
}

// begin opens a file that was sent.
func (s *Server) begin(ctx context.Context, r workspace.BeginRequest) (*workspace.None, error) {
	found, err := s.sent(r.Upload)
	if err != nil {
		return nil, err
	}
	d := dataset{Path: found.path, Session: filepath.Join(filepath.Dir(found.path), "session-"+newToken()[:8]+".jsonl"),
		Source: door.Source{ID: r.ID, LabelColumn: r.Label, Text: r.Text, Drop: r.Drop}, Options: door.Options{K: r.K},
		Notes: []string{"the file and what you do are in a temporary folder: export the session or the clusters to keep them"}}
	if s.o.Folder != "" {
		d.Notes = nil
	}
	if r.Reading != nil {
		if err := r.Reading.ApplyTo(&d.Source); err != nil {
			return nil, err
		}
	}
	return &workspace.None{}, inUpload(found, s.show(ctx, d))
}
