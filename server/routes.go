package server

import (
	"context"
	"net/http"
	"strconv"

	"github.com/inklinghq/inkling/server/workspace"
)

// opened returns the table that is open.
func (s *Server) opened() (*workspace.Workspace, error) {
	if w := s.table(); w != nil {
		return w, nil
	}
	return nil, workspace.Refuse(workspace.KindConflict, "no table is open")
}

// on returns a call on the table that is open.
func on[In, Out any](do func(w *workspace.Workspace, ctx context.Context, in In) (*Out, error)) func(*Server, context.Context, In) (*Out, error) {
	return func(s *Server, ctx context.Context, in In) (*Out, error) {
		w, err := s.opened()
		if err != nil {
			return nil, err
		}
		return do(w, ctx, in)
	}
}

// fits is the parameter of calls on one fit.
var fits = []parameter{{"fit", "integer", "the number of a fit; the latest where it is not given"}}

// routes are all calls of the page.
var routes = []route{
	get("state", "What the page shows of the whole.", nil, func(s *Server, _ *http.Request) (*workspace.State, error) { return s.state(), nil }),
	raw("stream", "Server-sent events: state, progress, question.", "text/event-stream", nil, (*Server).serveStream),
	raw("points", "The places of all points: uint32 n, uint32 0, float32 x[n], float32 y[n].", octets, nil, (*Server).servePoints),
	raw("labels", "The clusters of all points: uint32 n, uint32 bytes of a cluster, clusters, uint8 flags[n].", octets, fits, (*Server).serveLabels),
	get("rows", "Some of the rows.", []parameter{{"offset", "integer", "rows to leave out"}, {"limit", "integer", "rows to list, at most 500"}, {"cluster", "string", "those of a cluster"},
		{"q", "string", "those with these words"}, {"sort", "string", "a column, id, cluster, confidence, next or label"}, {"desc", "boolean", "the last first"},
		{"points", "string", "these points, separated by commas"}, {"unassigned", "boolean", "those without a cluster"}}, (*Server).listRows),
	post("rows", "Some of the rows.", on(func(w *workspace.Workspace, ctx context.Context, q workspace.RowQuery) (*workspace.RowList, error) {
		return w.Rows(ctx, q)
	})),
	get("search", "All points whose rows have these words.", []parameter{{"q", "string", "the words"}}, func(s *Server, r *http.Request) (*workspace.PointList, error) {
		w, err := s.opened()
		if err != nil {
			return nil, err
		}
		return w.Search(r.Context(), r.URL.Query().Get("q"))
	}),
	get("question", "The question to answer now.", nil, func(s *Server, r *http.Request) (*workspace.Ask, error) {
		w, err := s.opened()
		if err != nil {
			return nil, err
		}
		return w.Question(r.Context()), nil
	}),
	post("answer", "Answer the current question. The answer is on disk when this returns.", on((*workspace.Workspace).Answer)),
	post("label", "Label points.", on((*workspace.Workspace).Label)),
	post("link", "Link two points.", on((*workspace.Workspace).Link)),
	post("links", "Link pairs of points.", on((*workspace.Workspace).Links)),
	post("undo", "Take back what was done last.", on(func(w *workspace.Workspace, _ context.Context, _ workspace.None) (*workspace.Changed, error) {
		return w.Undo()
	})),
	post("redo", "Do again what was undone last.", on(func(w *workspace.Workspace, _ context.Context, _ workspace.None) (*workspace.Changed, error) {
		return w.Redo()
	})),
	post("fit", "Change settings, those that are given, and cluster.", on(func(w *workspace.Workspace, _ context.Context, r workspace.FitRequest) (*workspace.None, error) {
		return &workspace.None{}, w.Fit(r)
	})),
	post("cancel", "End the fit under way.", on(func(w *workspace.Workspace, _ context.Context, _ workspace.None) (*workspace.None, error) {
		w.Cancel()
		return &workspace.None{}, nil
	})),
	post("auto", "Say whether changes are followed by a fit.", on(func(w *workspace.Workspace, _ context.Context, r workspace.AutoRequest) (*workspace.None, error) {
		w.SetAuto(r.On)
		return &workspace.None{}, nil
	})),
	post("open", "Open built-in data.", func(s *Server, ctx context.Context, r OpenRequest) (*workspace.None, error) {
		return &workspace.None{}, s.OpenExample(ctx, r.Example)
	}),
	post("close", "Close what is open.", func(s *Server, _ context.Context, _ workspace.None) (*workspace.None, error) {
		return &workspace.None{}, s.replace(nil)
	}),
}

// octets is the media type of columns of numbers.
const octets = "application/octet-stream"

// OpenRequest names built-in data.
type OpenRequest struct {
	Example string `json:"example"`
}

func (s *Server) serveStream(w http.ResponseWriter, r *http.Request) error {
	s.hub.serve(w, r, message("state", s.state()))
	return nil
}

// sendBytes writes bytes that change only with their tag.
func sendBytes(w http.ResponseWriter, r *http.Request, tag string, content func() ([]byte, error)) error {
	w.Header().Set("ETag", `"`+tag+`"`)
	w.Header().Set("Cache-Control", "no-cache")
	if r.Header.Get("If-None-Match") == `"`+tag+`"` {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	b, err := content()
	if err != nil {
		w.Header().Del("ETag")
		return err
	}
	w.Header().Set("Content-Type", octets)
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	_, _ = w.Write(b)
	return nil
}

func (s *Server) servePoints(w http.ResponseWriter, r *http.Request) error {
	work, err := s.opened()
	if err != nil {
		return err
	}
	return sendBytes(w, r, "points-"+work.Identity(), func() ([]byte, error) { return work.Points(r.Context()) })
}

func (s *Server) serveLabels(w http.ResponseWriter, r *http.Request) error {
	work, err := s.opened()
	if err != nil {
		return err
	}
	n, err := number(r.URL.Query(), "fit", 0)
	if err != nil {
		return err
	}
	f, err := work.FitNumber(n)
	if err != nil {
		return err
	}
	return sendBytes(w, r, "labels-"+work.Identity()+"-"+strconv.Itoa(f.N), func() ([]byte, error) { return work.Labels(f), nil })
}

func (s *Server) listRows(r *http.Request) (*workspace.RowList, error) {
	w, err := s.opened()
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	out := workspace.RowQuery{Cluster: q.Get("cluster"), Q: q.Get("q"), Sort: q.Get("sort"), Desc: isTrue(q.Get("desc")), Unassigned: isTrue(q.Get("unassigned"))}
	if out.Offset, err = number(q, "offset", 0); err != nil {
		return nil, err
	}
	if out.Limit, err = number(q, "limit", 0); err != nil {
		return nil, err
	}
	if out.Points, err = numbers(q, "points"); err != nil {
		return nil, err
	}
	return w.Rows(r.Context(), out)
}

func isTrue(text string) bool { return text == "1" || text == "true" }
