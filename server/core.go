package server

import (
	"context"
	"io"
	"io/fs"
	"sync"

	"github.com/inklinghq/inkling/internal/serve/photo"
	"github.com/inklinghq/inkling/internal/serve/workspace"
)

// Options say how the page is served.
type Options struct {
	// Token is what a browser must have; "": a random one.
	Token string
	// Unguarded leaves out the token: whoever reaches the handler may use it, because the
	// program around it has asked who they are.
	Unguarded bool
	// Hosts are the names, with their port or without, under which the page is reached. Requests under
	// others are refused, as a foreign site could make its name point here. Empty: all.
	Hosts []string
	// Prefix is the path under which the handler is mounted, if it was not stripped:
	// /clusters/. "": the root, or stripped by http.StripPrefix.
	Prefix string
	// BehindProxy trusts the header X-Forwarded-Proto.
	BehindProxy bool
	// Page holds the files of the page; nil: those that are built in.
	Page fs.FS
	// Folder is where uploads and the sessions of examples are kept; "": a temporary one,
	// which Close removes.
	Folder    string
	MaxUpload int64 // bytes; 0: one less than a gigabyte
	Workers   int   // goroutines; below 1: one per processor
}

// DefaultMaxUpload is how many bytes an upload has at most unless Options say otherwise.
const DefaultMaxUpload = 1<<30 - 1

// A Server is the page. Use it as an http.Handler; Close ends its work.
type Server struct {
	o      Options
	access access
	hub    *hub
	routes map[string]map[string]*route // by path and method
	files  *pageFiles

	description []byte // of all calls, OpenAPI

	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	receiving chan struct{} // a place for each file that is being sent

	mu      sync.Mutex
	current desk      // nil: none
	uploads []*upload // not begun yet
	folder  string    // made on demand
	made    bool      // by us
	unlock  func()    // gives the folder up
}

// A desk is what is worked on: a table or a photograph.
type desk interface {
	State(ctx context.Context) *workspace.State
	Running() *workspace.Running
	Events() int
	Identity() string
	Undo(ctx context.Context) (*workspace.Changed, error)
	Redo(ctx context.Context) (*workspace.Changed, error)
	Cancel()
	History(since int) *workspace.History
	Command() *workspace.CommandLines
	Export(file string, points []int) (content string, write func(context.Context, io.Writer) error, err error)
	Close() error
}

// desk returns what is open; nil: nothing.
func (s *Server) desk() desk {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// openedDesk returns what is open.
func (s *Server) openedDesk() (desk, error) {
	if d := s.desk(); d != nil {
		return d, nil
	}
	return nil, workspace.Refuse(workspace.KindConflict, "nothing is open")
}

// openedPhoto returns the photograph that is open.
func (s *Server) openedPhoto() (*photo.Photo, error) {
	if p, ok := s.desk().(*photo.Photo); ok {
		return p, nil
	}
	return nil, workspace.Refuse(workspace.KindConflict, "no photograph is open")
}

// opened returns the table that is open.
func (s *Server) opened() (*workspace.Workspace, error) {
	if w, ok := s.desk().(*workspace.Workspace); ok {
		return w, nil
	}
	return nil, workspace.Refuse(workspace.KindConflict, "no table is open")
}
