package server

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/tablefile"
	"github.com/inklinghq/inkling/internal/serve/workspace"
)

// octets is the media type of columns of numbers.
const octets = "application/octet-stream"

// OpenRequest names built-in data.
type OpenRequest struct {
	Example string `json:"example"`
}

func (s *Server) serveStream(w http.ResponseWriter, r *http.Request) error {
	s.hub.serve(w, r, person(r))
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
	how := r.URL.Query().Get("how")
	if how != "" && how != workspace.Linear && how != workspace.ByNeighbours {
		return workspace.Refuse(workspace.KindOption, "how must be linear or neighbours, got %q", how)
	}
	version, err := number(r.URL.Query(), "version", 0)
	if err != nil {
		return err
	}
	return sendBytes(w, r, fmt.Sprintf("points-%s-%s-%d", work.Identity(), how, version), func() ([]byte, error) { return work.Points(r.Context(), how) })
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
	return sendBytes(w, r, "labels-"+work.Identity()+"-"+f.Tag(), func() ([]byte, error) { return work.Labels(f), nil })
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

func (s *Server) serveEdges(w http.ResponseWriter, r *http.Request) error {
	work, err := s.opened()
	if err != nil {
		return err
	}
	return sendBytes(w, r, "edges-"+work.Identity(), func() ([]byte, error) { return work.Edges(r.Context()) })
}

func (s *Server) serveColumn(w http.ResponseWriter, r *http.Request) error {
	work, err := s.opened()
	if err != nil {
		return err
	}
	name := r.URL.Query().Get("name")
	hash := sha256.Sum256([]byte(name))
	return sendBytes(w, r, "column-"+work.Identity()+"-"+hex.EncodeToString(hash[:8]), func() ([]byte, error) { return work.Column(name) })
}

func (s *Server) exportAll(w http.ResponseWriter, r *http.Request) error {
	points, err := numbers(r.URL.Query(), "points")
	if err != nil {
		return err
	}
	return s.export(w, r, points)
}

func (s *Server) exportSome(w http.ResponseWriter, r *http.Request) error {
	var in workspace.PointList
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	return s.export(w, r, in.Points)
}

// export sends a file to take away, whole or not at all.
func (s *Server) export(w http.ResponseWriter, r *http.Request, points []int) error {
	work, err := s.openedDesk()
	if err != nil {
		return err
	}
	file := r.PathValue("file")
	content, write, err := work.Export(file, points)
	if err != nil {
		return err
	}
	var out pieces
	save := func(to io.Writer) error { return write(r.Context(), to) }
	if r.URL.Query().Get("escape") == "1" && strings.HasSuffix(file, ".csv") {
		save = tablefile.Escape(save)
	}
	if err := save(&out); err != nil {
		return err
	}
	sendFile(w, file, content, out)
	return nil
}

// sendFile sends a file to take away.
func sendFile(w http.ResponseWriter, file, content string, body pieces) {
	w.Header().Set("Content-Type", content)
	w.Header().Set("Content-Disposition", `attachment; filename="`+file+`"`)
	w.Header().Set("Content-Length", strconv.Itoa(body.size()))
	_ = body.writeTo(w)
}

// sendPicture sends an image.
func sendPicture(w http.ResponseWriter, content string, body []byte, err error) error {
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", content)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
	return nil
}

// servePicture sends the picture of a row.
func (s *Server) servePicture(w http.ResponseWriter, r *http.Request) error {
	work, p, err := s.openedAt(r, "p")
	if err != nil {
		return err
	}
	most, err := number(r.URL.Query(), "max", 0)
	if err != nil {
		return err
	}
	b, err := work.Picture(r.Context(), p, most)
	return sendPicture(w, "image/jpeg", b, err)
}

func (s *Server) serveImage(w http.ResponseWriter, r *http.Request) error {
	p, err := s.openedPhoto()
	if err != nil {
		return err
	}
	most, err := number(r.URL.Query(), "max", 0)
	if err != nil {
		return err
	}
	b, err := p.Picture(most)
	return sendPicture(w, "image/jpeg", b, err)
}

func (s *Server) serveMask(w http.ResponseWriter, r *http.Request) error {
	p, err := s.openedPhoto()
	if err != nil {
		return err
	}
	most, err := number(r.URL.Query(), "max", 0)
	if err != nil {
		return err
	}
	n, err := number(r.URL.Query(), "n", 0)
	if err != nil {
		return err
	}
	b, err := p.Mask(n, most)
	return sendPicture(w, "image/png", b, err)
}
