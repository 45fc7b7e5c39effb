package server

import (
	"context"
	"net/http"
	"reflect"

	"github.com/inklinghq/inkling/internal/serve/photo"
	"github.com/inklinghq/inkling/internal/serve/workspace"
)

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

// onDesk returns a call on what is open, a table or a photograph.
func onDesk[Out any](do func(d desk, ctx context.Context) (*Out, error)) func(*Server, context.Context, workspace.None) (*Out, error) {
	return func(s *Server, ctx context.Context, _ workspace.None) (*Out, error) {
		d, err := s.openedDesk()
		if err != nil {
			return nil, err
		}
		return do(d, ctx)
	}
}

// look returns a call that only looks at the table that is open.
func look[Out any](do func(w *workspace.Workspace) (*Out, error)) func(*Server, *http.Request) (*Out, error) {
	return func(s *Server, _ *http.Request) (*Out, error) {
		w, err := s.opened()
		if err != nil {
			return nil, err
		}
		return do(w)
	}
}

// openedAt returns the table that is open and a number of the query, -1 where it is not given.
func (s *Server) openedAt(r *http.Request, name string) (*workspace.Workspace, int, error) {
	w, err := s.opened()
	if err != nil {
		return nil, 0, err
	}
	n, err := number(r.URL.Query(), name, -1)
	return w, n, err
}

// fits is the parameter of calls on one fit.
var fits = []parameter{{"fit", "integer", "the number of a fit; the latest where it is not given"}}

// routes are all calls of the page.
var routes = []route{
	get("state", "What the page shows of the whole.", nil, func(s *Server, r *http.Request) (*workspace.State, error) { return s.state(r.Context()), nil }),
	raw("stream", "Server-sent events: state, progress, question.", "text/event-stream", nil, (*Server).serveStream),
	raw("points", "The places of all points: uint32 n, uint32 0, float32 x[n], float32 y[n].", octets, []parameter{{"how", "string", "linear or neighbours"}, {"version", "integer", "of the picture, from the state: points settle"}}, (*Server).servePoints),
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
	get("question", "The question for the person who asks, none that is open with another one.", nil, func(s *Server, r *http.Request) (*workspace.Ask, error) {
		w, err := s.opened()
		if err != nil {
			return nil, err
		}
		return w.Question(r.Context()), nil
	}),
	post("answer", "Answer a question, or say whether two other points belong together. The answer is on disk when this returns.", on((*workspace.Workspace).AnswerQuestion)),
	post("keep", "Keep the clusters as they were: answers move only the rows that they name.", on((*workspace.Workspace).Keep)),
	post("label", "Label points.", on((*workspace.Workspace).Label)),
	post("link", "Link two points.", on((*workspace.Workspace).Link)),
	post("links", "Link pairs of points.", on((*workspace.Workspace).Links)),
	post("undo", "Take back what the person who asks did last.", onDesk(desk.Undo)),
	post("redo", "Do again what they undid last.", onDesk(desk.Redo)),
	post("fit", "Change settings, those that are given, and cluster.", on(func(w *workspace.Workspace, _ context.Context, r workspace.FitRequest) (*workspace.None, error) {
		return &workspace.None{}, w.Fit(r)
	})),
	post("cancel", "End the fit under way.", onDesk(func(d desk, _ context.Context) (*workspace.None, error) {
		d.Cancel()
		return &workspace.None{}, nil
	})),
	post("auto", "Say whether changes are followed by a fit.", on(func(w *workspace.Workspace, _ context.Context, r workspace.AutoRequest) (*workspace.None, error) {
		w.SetAuto(r.On)
		return &workspace.None{}, nil
	})),
	get("point", "All about a point.", []parameter{{"p", "integer", "its number"}}, func(s *Server, r *http.Request) (*workspace.Point, error) {
		w, p, err := s.openedAt(r, "p")
		if err != nil {
			return nil, err
		}
		return w.Point(p)
	}),
	get("pair", "Why two points are together or apart.", []parameter{{"a", "integer", "a point"}, {"b", "integer", "the other"}}, func(s *Server, r *http.Request) (*workspace.PairOf, error) {
		w, a, err := s.openedAt(r, "a")
		if err != nil {
			return nil, err
		}
		b, err := number(r.URL.Query(), "b", -1)
		if err != nil {
			return nil, err
		}
		return w.Pair(a, b)
	}),
	get("cluster", "What a cluster is.", []parameter{{"name", "string", "its name"}}, func(s *Server, r *http.Request) (*workspace.Card, error) {
		w, err := s.opened()
		if err != nil {
			return nil, err
		}
		return w.Cluster(r.Context(), r.URL.Query().Get("name"))
	}),
	get("violations", "The violated constraints, the most costly first.", nil, look((*workspace.Workspace).Violations)),
	get("suspects", "Constraints by how likely they are wrong; the first call begins to look for them.", nil, look((*workspace.Workspace).Suspects)),
	get("links", "The links and labels in force.", nil, look((*workspace.Workspace).LinkList)),
	get("history", "What was done, the newest last.", []parameter{{"since", "integer", "events after this one"}}, func(s *Server, r *http.Request) (*workspace.History, error) {
		d, err := s.openedDesk()
		if err != nil {
			return nil, err
		}
		since, err := number(r.URL.Query(), "since", 0)
		if err != nil {
			return nil, err
		}
		return d.History(since), nil
	}),
	get("compare", "How two fits differ.", []parameter{{"from", "integer", "a fit; that before the other where it is not given"}, {"to", "integer", "a fit; the latest where it is not given"}}, func(s *Server, r *http.Request) (*workspace.Comparison, error) {
		w, from, err := s.openedAt(r, "from")
		if err != nil {
			return nil, err
		}
		to, err := number(r.URL.Query(), "to", 0)
		if err != nil {
			return nil, err
		}
		return w.Compare(max(0, from), to)
	}),
	get("command", "Command lines that make the current result again.", nil, func(s *Server, _ *http.Request) (*workspace.CommandLines, error) {
		d, err := s.openedDesk()
		if err != nil {
			return nil, err
		}
		return d.Command(), nil
	}),
	raw("picture", "The picture of a point, where rows are pictures.", "image/jpeg", []parameter{{"p", "integer", "the number of the point"}, {"max", "integer", "its longest side at most; 160 where it is not given"}}, (*Server).servePicture),
	raw("image", "The photograph.", "image/jpeg", []parameter{{"max", "integer", "its longest side at most; 2048 where it is not given"}}, (*Server).serveImage),
	raw("mask", "The segments as PNG with a palette: the index of a pixel is its label.", "image/png", []parameter{{"n", "integer", "the number of the mask"}, {"max", "integer", "its longest side at most"}}, (*Server).serveMask),
	post("stroke", "Draw a stroke. It is on disk when this returns.", func(s *Server, ctx context.Context, r photo.StrokeRequest) (*photo.StrokeEvent, error) {
		p, err := s.openedPhoto()
		if err != nil {
			return nil, err
		}
		return p.Stroke(ctx, r)
	}),
	get("strokes", "The strokes in force.", nil, func(s *Server, _ *http.Request) (*photo.StrokeList, error) {
		p, err := s.openedPhoto()
		if err != nil {
			return nil, err
		}
		return p.Strokes(), nil
	}),
	post("merge", "Say that two clusters are one.", on((*workspace.Workspace).Merge)),
	post("split", "Say that points are a cluster of their own.", on((*workspace.Workspace).Split)),
	post("remove", "Say that a point does not belong in its cluster.", on((*workspace.Workspace).Remove)),
	post("accept", "Label points with the names of their clusters.", on((*workspace.Workspace).Accept)),
	post("rename", "Give a cluster a name.", on((*workspace.Workspace).Rename)),
	post("name", "Give a fit a name, to return to it.", on((*workspace.Workspace).NameState)),
	post("return", "Return to a fit: to its settings and to what was in force for it.", on((*workspace.Workspace).Return)),
	post("forget", "Take back events, or the labels of points.", on((*workspace.Workspace).Forget)),
	post("soften", "Give a constraint another weight.", on((*workspace.Workspace).Soften)),
	raw("export/{file}", "A file to take away: clusters.csv, rows.csv, rows.jsonl, rows.parquet, labels.csv, links.csv, session.jsonl, report.html, map.svg; of a photograph mask.png, overlay.png, strokes.png, session.jsonl.", octets,
		[]parameter{{"points", "string", "the rows of these points only, separated by commas"}, {"escape", "string", "1: an apostrophe before cells that a spreadsheet would take for formulas"}}, (*Server).exportAll),
	{method: http.MethodPost, path: "export/{file}", summary: "A file to take away with the rows of some points.", in: reflect.TypeFor[workspace.PointList](), content: octets, do: (*Server).exportSome},
	get("facet", "A column by which rows can be filtered: what it holds, and the levels of a category.", []parameter{{"name", "string", "the column"}}, func(s *Server, r *http.Request) (*workspace.Facet, error) {
		w, err := s.opened()
		if err != nil {
			return nil, err
		}
		return w.Facet(r.URL.Query().Get("name"))
	}),
	raw("column", "The numbers of a column by point, or the places of its values among the levels of its facet: uint32 n, uint32 0, float32 values[n]; NaN: none.", octets, []parameter{{"name", "string", "the column"}}, (*Server).serveColumn),
	raw("edges", "The edges of a graph: uint32 m, uint32 a[m], uint32 b[m].", octets, []parameter{{"view", "string", "which graph"}}, (*Server).serveEdges),
	{method: http.MethodPost, path: "upload", summary: "Send a file.", query: []parameter{{"name", "string", "what it is called"}}, upload: true, out: reflect.TypeFor[workspace.Uploaded](), do: (*Server).receive},
	post("look", "What each column of a file would be read as, by itself and with roles that a person gives.", (*Server).lookAgain),
	post("begin", "Make a file that was sent the current table.", (*Server).begin),
	post("reopen", "Read the table that is open with other roles of its columns; answers stay with their rows.", (*Server).reopen),
	raw("openapi.json", "This description.", "application/json", nil, (*Server).serveDescription),
	post("open", "Open built-in data.", func(s *Server, ctx context.Context, r OpenRequest) (*workspace.None, error) {
		return &workspace.None{}, s.OpenExample(ctx, r.Example)
	}),
	post("close", "Close what is open.", func(s *Server, _ context.Context, _ workspace.None) (*workspace.None, error) {
		return &workspace.None{}, s.replace(nil)
	}),
}
