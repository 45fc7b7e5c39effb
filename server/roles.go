package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/serve/workspace"
)

// lookRequest asks how a file would be read.
type lookRequest struct {
	Upload  string            `json:"upload,omitempty"` // a file that was sent; "": the table that is open
	Reading workspace.Reading `json:"reading,omitempty"`
	Head    bool              `json:"head,omitempty"` // send the first rows too
}

// describeFile describes a file that is read from a source. A table that cannot be clustered like this is described too, with the
// reason: its columns may have other roles than they seem to have.
func describeFile(ctx context.Context, path string, source door.Source, head bool) (*workspace.ColumnTable, error) {
	var rows *door.Head
	var err error
	if head {
		if rows, err = door.ReadHead(ctx, path, source, previewRows); err != nil {
			return nil, err
		}
	}
	t, err := door.Open(ctx, path, source)
	if err != nil {
		if rows == nil || len(rows.Columns) == 0 {
			return nil, err
		}
		return workspace.DescribeUnreadable(rows, source, inUpload(&upload{path: path}, err)), nil
	}
	out := workspace.DescribeColumns(t, source)
	if rows != nil {
		out.Head = workspace.HeadOf(rows)
	}
	return out, nil
}

// lookAgain says how a file would be read with other roles.
func (s *Server) lookAgain(ctx context.Context, r lookRequest) (*workspace.ColumnTable, error) {
	var path string
	var source door.Source
	if r.Upload != "" {
		u, err := s.sent(r.Upload)
		if err != nil {
			return nil, err
		}
		path = u.path
	} else {
		w, err := s.opened()
		if err != nil {
			return nil, err
		}
		path, source = w.Session().DataPath(), w.Session().Header().Source.Source
	}
	source.Workers = s.o.Workers
	if err := r.Reading.ApplyTo(&source); err != nil {
		return nil, err
	}
	out, err := describeFile(ctx, path, source, r.Head)
	if r.Upload != "" {
		err = inUpload(&upload{path: path}, err)
	}
	return out, err
}

// reopened says what became of a table that was read again.
type reopened struct {
	Answers int `json:"answers"` // that were kept
	Lost    int `json:"lost"`    // answers about rows that are no longer in the data
}

// reopen reads the table that is open in another way. Answers stay with their rows, in a session beside the one
// before, which is left as it is.
func (s *Server) reopen(ctx context.Context, r workspace.Reading) (*reopened, error) {
	w, err := s.opened()
	if err != nil {
		return nil, err
	}
	before := w.Session()
	source := before.Header().Source.Source
	if err := r.ApplyTo(&source); err != nil {
		return nil, err
	}
	reading := source
	reading.Workers = s.o.Workers
	t, err := door.Open(ctx, before.DataPath(), reading)
	if err != nil {
		return nil, inUpload(&upload{path: before.DataPath()}, err)
	}
	h := before.Header()
	settings := w.FitSettings()
	h.Data.Path, h.Data.Rows, h.Source, h.Fit = before.DataPath(), t.Len(), session.Source{Source: source}, settings
	path, err := nextPath(before.Path())
	if err != nil {
		return nil, err
	}
	work, kept, err := before.Carry(path, h, w.Table(), t)
	if err != nil {
		return nil, err
	}
	notes := append(workspace.PlainNotes("the columns have other roles: what you do now is in "+filepath.Base(path)), workspace.TableNotes(t)...)
	said := before.Totals()
	next := workspace.New(workspace.Options{Session: work, Table: t, Settings: settings, Workers: s.o.Workers, Notes: notes, Changed: s.hub.changed})
	if err := s.replace(next); err != nil {
		return nil, err
	}
	all := said.Labels + said.Must + said.Cannot + said.Beliefs + said.Unsure + said.Skipped
	return &reopened{Answers: kept, Lost: max(0, all-kept)}, nil
}

// nextPath returns a path beside that of a session which no file has: work-2.jsonl after work.jsonl.
func nextPath(path string) (string, error) {
	ext := filepath.Ext(path)
	base := strings.TrimSuffix(path, ext)
	for n := 2; n < 10_000; n++ {
		next := fmt.Sprintf("%s-%d%s", base, n, ext)
		if _, err := os.Lstat(next); os.IsNotExist(err) {
			return next, nil
		}
	}
	return "", workspace.Refuse(workspace.KindConflict, "there are too many sessions beside %s", filepath.Base(path))
}
