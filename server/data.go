package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/serve/photo"
	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/serve/workspace"
)

// Data say what to open: a table with its session, or a session that is there.
type Data struct {
	// Path is a file, or a built-in one, example:iris.csv. "": that of the session.
	Path string
	// Session is the file of the session: continued where it is there, else begun. "": one
	// in the folder of the server.
	Session string
	Source  inkling.Source
	Options inkling.Options // how rows are prepared and clustered
	Notes   []string        // to be shown on the page
}

// dataset is Data for the implementation.
type dataset struct {
	Path, Session string
	Source        door.Source
	Options       door.Options
	Notes         []string
}

// Open makes data the current ones. What was open before is closed.
func (s *Server) Open(ctx context.Context, d Data) error {
	err := s.show(ctx, dataset{d.Path, d.Session, door.Bridge.Source(d.Source), door.Bridge.Options(d.Options), d.Notes})
	return door.Bridge.Error(err)
}

func (s *Server) show(ctx context.Context, d dataset) error {
	w, err := s.open(ctx, d)
	if err != nil {
		return err
	}
	return s.replace(w)
}

// replace makes w the current workspace; nil: none.
func (s *Server) replace(w desk) error {
	s.mu.Lock()
	before := s.current
	s.current = w
	s.mu.Unlock()
	s.hub.changed(workspace.StateChanged) // at once: closing what was open may take a while
	s.hub.changed(workspace.QuestionChanged)
	if before != nil {
		return before.Close()
	}
	return nil
}

func (s *Server) open(ctx context.Context, d dataset) (desk, error) {
	if d.Session == "" {
		folder, err := s.workFolder()
		if err != nil {
			return nil, err
		}
		d.Session = filepath.Join(folder, sessionName(d.Path))
	}
	var work *session.Session
	var t *door.Table
	_, err := os.Stat(d.Session)
	if isPhoto(&d, err == nil) {
		return s.openPhoto(ctx, d, err == nil)
	}
	switch {
	case err == nil:
		work, t, err = continueSession(ctx, &d, s.o.Workers)
	case d.Path == "":
		err = &door.InputError{File: d.Session, Msg: "there is no such session"}
	case errors.Is(err, fs.ErrNotExist):
		work, t, err = beginSession(ctx, &d, s.o.Workers)
	}
	if err != nil {
		return nil, err
	}
	notes := append(workspace.PlainNotes(slices.Concat(d.Notes, work.Notes())...), workspace.TableNotes(t)...)
	return workspace.New(workspace.Options{Session: work, Table: t, Settings: session.SettingsOf(d.Options), Workers: s.o.Workers, Notes: notes, Changed: s.hub.changed}), nil
}

// isPhoto reports whether data are a photograph: by the session, where there is one, else by
// the name of the file.
func isPhoto(d *dataset, continued bool) bool {
	if continued {
		work, err := session.Read(d.Session)
		return err == nil && photo.IsImage(work.Header())
	}
	return IsImage(d.Path) && (d.Source.As == "" || d.Source.As == "image")
}

// IsImage reports whether a file is a photograph by its name.
func IsImage(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", ".jpg", ".jpeg":
		return true
	}
	return false
}

// openPhoto opens a photograph with its session.
func (s *Server) openPhoto(ctx context.Context, d dataset, continued bool) (desk, error) {
	var work *session.Session
	var err error
	if continued {
		work, err = session.Open(d.Session)
	} else {
		m, bad := photo.Read(d.Path)
		if bad != nil {
			return nil, bad
		}
		var h session.Header
		if h, err = session.NewImageHeader(ctx, d.Path, m.Bounds().Dx()*m.Bounds().Dy()); err == nil {
			work, err = session.Create(d.Session, h)
		}
	}
	if err != nil {
		return nil, err
	}
	p, err := photo.New(photo.Options{Session: work, Workers: s.o.Workers, Notes: append(d.Notes, work.Notes()...), Changed: s.hub.changed})
	if err != nil {
		return nil, errors.Join(err, work.Close())
	}
	return p, nil
}

func beginSession(ctx context.Context, d *dataset, workers int) (*session.Session, *door.Table, error) {
	source := d.Source
	source.Workers = workers
	t, err := door.Open(ctx, d.Path, source)
	if err != nil {
		return nil, nil, err
	}
	h, err := session.NewHeader(ctx, d.Path, d.Source, t, d.Options)
	if err != nil {
		return nil, nil, err
	}
	work, err := session.Create(d.Session, h)
	return work, t, err
}

// continueSession opens a session with its data; other data than d names are refused.
func continueSession(ctx context.Context, d *dataset, workers int) (*session.Session, *door.Table, error) {
	work, err := session.Open(d.Session)
	if err != nil {
		return nil, nil, err
	}
	t, err := work.Table(ctx, workers)
	var changed *session.ChangedError
	if errors.As(err, &changed) {
		err = &door.OptionError{Option: "session", Msg: changed.Error()}
	}
	if err == nil && d.Path != "" {
		var h session.Header
		if h, err = session.NewHeader(ctx, d.Path, work.Header().Source.Source, t, d.Options); err == nil && h.Data.SHA256 != work.Header().Data.SHA256 {
			err = &door.OptionError{Option: "session", Msg: d.Session + " is about " + work.Header().Data.Path + ", not about " + d.Path, Hint: "begin another session"}
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, work.Close())
	}
	return work, t, nil
}

// workFolder returns the folder for uploads and sessions, and makes it where there is none.
func (s *Server) workFolder() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder != "" {
		return s.folder, nil
	}
	removeLeftFolders()
	folder, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return "", fmt.Errorf("no temporary folder for uploads: %w; make one, and name it by the variable TMPDIR", err)
	}
	if s.unlock, err = session.Lock(filepath.Join(folder, folderLock)); err != nil {
		return "", errors.Join(err, os.RemoveAll(folder))
	}
	s.folder, s.made = folder, true
	return folder, nil
}

// sessionName is a name for the session of data that nobody has used.
func sessionName(path string) string {
	base := filepath.Base(strings.TrimPrefix(path, door.BuiltinPrefix))
	base = strings.TrimSuffix(base, filepath.Ext(base))
	b := make([]byte, 4)
	_, _ = rand.Read(b)
	return base + "-" + hex.EncodeToString(b) + ".jsonl"
}

// state returns the state of the page, also where nothing is open.
func (s *Server) state(ctx context.Context) *workspace.State {
	var out *workspace.State
	if w := s.desk(); w != nil {
		out = w.State(ctx)
	} else {
		out = &workspace.State{Kind: "none", Version: door.Version, Columns: []workspace.ColumnRole{}, Methods: []workspace.MethodTitle{}, Notes: []workspace.Note{},
			Settings: workspace.Settings{Parameters: map[string]any{}}}
	}
	out.Examples = examples()
	return out
}

// exampleFiles are the files of the built-in sets that the page offers, and what they are.
var exampleFiles = []struct{ name, file, kind string }{
	{"iris", "iris.csv", "table"}, {"wine", "wine.csv", "table"}, {"blobs", "blobs.csv", "table"}, {"two-moons", "two-moons.csv", "table"},
	{"text", "text.csv", "table"}, {"graph", "graph.edges", "graph"}, {"scene", "scene.png", "image"},
}

// exampleList describes the built-in sets once.
var exampleList = sync.OnceValue(func() (out []workspace.Example) {
	for _, e := range exampleFiles {
		if set, err := example.Load(e.name); err == nil {
			out = append(out, workspace.Example{Name: e.name, Title: set.Title, Rows: set.Len(), Kind: e.kind})
		}
	}
	return out
})

// examples returns the built-in data that the page offers.
func examples() []workspace.Example { return append([]workspace.Example{}, exampleList()...) }

// OpenExample opens a built-in set by name.
func (s *Server) OpenExample(ctx context.Context, name string, notes ...string) error {
	for _, e := range exampleFiles {
		if e.name != name {
			continue
		}
		set, err := example.Load(name)
		if err != nil {
			return err
		}
		d := dataset{Path: door.BuiltinPrefix + e.file, Notes: notes, Options: door.Options{K: set.K}}
		if e.name == "text" {
			d.Source.Text = "text"
		}
		return s.show(ctx, d)
	}
	return workspace.Refuse(workspace.KindNotFound, "there is no built-in set %q", name)
}
