// Package server is the page of inkling as an http.Handler: a table or a photograph, its
// clusters on a plane, questions, labels and links by hand, and fits that follow in the
// background. Everything that is said is an event of a session (package session), on disk
// before it is confirmed.
//
//	s, err := server.New(server.Options{Hosts: []string{"127.0.0.1:8080"}})
//	err = s.Open(ctx, server.Data{Path: "customers.csv", Session: "customers.jsonl"})
//	http.Handle("/clusters/", http.StripPrefix("/clusters", s))
//	fmt.Println("http://127.0.0.1:8080/clusters/?token=" + s.Token())
//
// routes.go is the table of all calls, from which api/openapi.json is made; access.go has the
// token and the checks of host and origin; stream.go sends events to all tabs;
// package workspace below does the work.
package server

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"

	"github.com/inklinghq/inkling/internal/serve/workspace"
	"github.com/inklinghq/inkling/web"
)

// New returns a server without data.
func New(o Options) (*Server, error) {
	if o.MaxUpload == 0 {
		o.MaxUpload = DefaultMaxUpload
	}
	if o.Prefix != "" {
		o.Prefix = "/" + strings.Trim(o.Prefix, "/") + "/"
		o.Prefix = strings.ReplaceAll(o.Prefix, "//", "/")
	}
	if o.Token == "" {
		o.Token = newToken()
	}
	if o.Unguarded {
		o.Token = ""
	}
	s := &Server{o: o, hub: newHub(), access: access{token: o.Token, hosts: o.Hosts, prefix: o.Prefix, proxy: o.BehindProxy}, folder: o.Folder, receiving: make(chan struct{}, uploadsAtOnce)}
	if o.Page == nil {
		o.Page = web.Files()
	}
	s.files = &pageFiles{from: o.Page}
	s.routes = map[string]map[string]*route{}
	for i := range routes {
		r := &routes[i]
		if s.routes[r.path] == nil {
			s.routes[r.path] = map[string]*route{}
		}
		s.routes[r.path][r.method] = r
	}
	s.description = describe(routes)
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		s.hub.run(s.ctx, s.message)
	}()
	return s, nil
}

// Token returns what the first address ends with: ?token=…; "" where none is needed.
func (s *Server) Token() string { return s.access.token }

// message returns what the stream sends to a person when something has changed; nil: nothing. That a fit has ended is
// said by the state alone, together with the fit.
func (s *Server) message(what, who string) any {
	switch what {
	case workspace.ProgressMade:
		if w := s.desk(); w != nil {
			if running := w.Running(); running != nil {
				return running
			}
		}
		return nil
	case workspace.QuestionChanged:
		n := 0
		if w := s.desk(); w != nil {
			n = w.Events() + 1
		}
		return struct {
			N int `json:"n"`
		}{n}
	}
	return s.state(workspace.WithPerson(s.ctx, who))
}

// Close ends all work and closes the session. Requests after it are refused.
func (s *Server) Close() error {
	s.stop()
	s.work.Wait()
	s.mu.Lock()
	w := s.current
	s.current = nil
	s.mu.Unlock()
	var err error
	if w != nil {
		err = w.Close()
	}
	if s.unlock != nil {
		s.unlock()
	}
	if s.made {
		err = errors.Join(err, os.RemoveAll(s.folder))
	}
	return err
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = patient(w, r)
	protect(w.Header())
	if !s.access.isHost(r.Host) {
		reply(w, http.StatusMisdirectedRequest, problem(workspace.KindOption, "this server is not called "+r.Host, "use the address that the program printed"))
		return
	}
	if p := strings.TrimSuffix(s.o.Prefix, "/"); p != "" {
		if rest, ok := strings.CutPrefix(r.URL.Path, p); ok && (rest == "" || rest[0] == '/') {
			r = r.Clone(r.Context())
			r.URL.Path, r.URL.RawPath = rest, ""
		}
	}
	if r.URL.Path == "" {
		r = r.Clone(r.Context())
		r.URL.Path = "/"
	}
	if s.access.enter(w, r) {
		return
	}
	if !s.access.isAllowed(r) {
		refuseEntry(w)
		return
	}
	if s.ctx.Err() != nil {
		reply(w, http.StatusServiceUnavailable, problem(workspace.KindInternal, "the server has ended", ""))
		return
	}
	if rest, ok := strings.CutPrefix(r.URL.Path, "/api/"); ok {
		s.serveCall(w, asPerson(r), rest)
		return
	}
	s.files.serve(w, r)
}
