package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/inklinghq/inkling/internal/serve/workspace"
)

// maxBody is how many bytes a request in JSON has at most: the numbers of two million
// points.
const maxBody = 16 << 20

// A route is one call of the page.
type route struct {
	method, path string // below api/; a last part {file} stands for any name
	summary      string
	query        []parameter
	in, out      reflect.Type // bodies in JSON; nil: none
	content      string       // the media type of an answer that is not JSON
	upload       bool         // the body is any bytes
	do           func(s *Server, w http.ResponseWriter, r *http.Request) error
}

// A parameter is a part of the query of a call.
type parameter struct{ name, kind, about string }

// get returns a call that answers with JSON.
func get[Out any](path, summary string, query []parameter, do func(s *Server, r *http.Request) (*Out, error)) route {
	return route{method: http.MethodGet, path: path, summary: summary, query: query, out: reflect.TypeFor[Out](), do: func(s *Server, w http.ResponseWriter, r *http.Request) error {
		out, err := do(s, r)
		if err != nil {
			return err
		}
		reply(w, http.StatusOK, out)
		return nil
	}}
}

// post returns a call that takes and returns JSON.
func post[In, Out any](path, summary string, do func(s *Server, ctx context.Context, in In) (*Out, error)) route {
	return route{method: http.MethodPost, path: path, summary: summary, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](), do: func(s *Server, w http.ResponseWriter, r *http.Request) error {
		var in In
		if err := readJSON(w, r, &in); err != nil {
			return err
		}
		out, err := do(s, r.Context(), in)
		if err != nil {
			return err
		}
		reply(w, http.StatusOK, out)
		return nil
	}}
}

// raw returns a call that answers with bytes of another kind.
func raw(path, summary, content string, query []parameter, do func(s *Server, w http.ResponseWriter, r *http.Request) error) route {
	return route{method: http.MethodGet, path: path, summary: summary, query: query, content: content, do: do}
}

// readJSON reads the body of a request: one object with fields that are known, each once.
func readJSON(w http.ResponseWriter, r *http.Request, to any) error {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(slowestBody))
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = control.SetReadDeadline(time.Time{})
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return workspace.Refuse(workspace.KindTooLarge, "the request has more than %d bytes", large.Limit)
	}
	if err == nil {
		err = checkFields(raw, reflect.TypeOf(to).Elem())
	}
	if err == nil {
		in := json.NewDecoder(bytes.NewReader(raw))
		in.DisallowUnknownFields()
		err = in.Decode(to)
	}
	if err != nil {
		return workspace.Refuse(workspace.KindInput, "the body is not the JSON object that this call takes: %.200s", err.Error())
	}
	return nil
}

// checkFields reports what is not one JSON object with different fields, among them all that
// the description of a call says are required.
func checkFields(raw []byte, of reflect.Type) error {
	in := json.NewDecoder(bytes.NewReader(raw))
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return errors.Join(errors.New("it does not begin with {"), err)
	}
	seen, given := map[string]bool{}, map[string]bool{}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return err
		}
		field := strings.ToLower(fmt.Sprint(name)) // as encoding/json compares them
		if seen[field] {
			return fmt.Errorf("field %q is there twice", field)
		}
		seen[field] = true
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return err
		}
		given[field] = string(value) != "null"
	}
	if _, err := in.Token(); err != nil {
		return err
	}
	if _, err := in.Token(); err != io.EOF {
		return errors.New("something follows it")
	}
	for i := range of.NumField() {
		name, options, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		if options != "omitempty" && !given[strings.ToLower(name)] {
			return fmt.Errorf("field %q is missing", name)
		}
	}
	return nil
}

// reply writes JSON.
func reply(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"error":{"kind":"internal","message":"the answer cannot be written as JSON","hint":""}}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)+1))
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n'))
}

// failure is the body of an answer that refuses a request.
type failure struct {
	Error workspace.Problem `json:"error"`
}

func problem(kind, message, hint string) failure {
	return failure{workspace.Problem{Kind: kind, Message: message, Hint: hint}}
}

// statuses are those of the kinds of problems.
var statuses = map[string]int{
	workspace.KindInput: http.StatusBadRequest, workspace.KindOption: http.StatusBadRequest, workspace.KindConstraint: http.StatusConflict,
	workspace.KindNotFound: http.StatusNotFound, workspace.KindConflict: http.StatusConflict, workspace.KindTooLarge: http.StatusRequestEntityTooLarge,
	workspace.KindInternal: http.StatusInternalServerError,
}

func replyError(w http.ResponseWriter, err error) {
	p := workspace.ProblemOf(err)
	var request *workspace.RequestError
	if errors.As(err, &request) && request.Body != nil {
		body := map[string]any{}
		if raw, err := json.Marshal(request.Body); err == nil {
			_ = json.Unmarshal(raw, &body)
		}
		body["error"] = p
		reply(w, statuses[p.Kind], body)
		return
	}
	reply(w, statuses[p.Kind], failure{p})
}

// find returns the route of a path below api/, whatever its method.
func (s *Server) find(path string) (methods map[string]*route, file string) {
	if methods = s.routes[path]; methods != nil {
		return methods, ""
	}
	if folder, name, ok := strings.Cut(path, "/"); ok && name != "" && !strings.Contains(name, "/") {
		return s.routes[folder+"/{file}"], name
	}
	return nil, ""
}

// serveCall answers a call of the page.
func (s *Server) serveCall(w http.ResponseWriter, r *http.Request, path string) {
	methods, file := s.find(path)
	if methods == nil {
		reply(w, http.StatusNotFound, problem(workspace.KindNotFound, "there is no such call", "api/openapi.json lists them"))
		return
	}
	call := methods[r.Method]
	if call == nil && r.Method == http.MethodHead {
		call = methods[http.MethodGet]
	}
	if call == nil {
		w.Header().Set("Allow", strings.Join(sortedKeys(methods), ", "))
		reply(w, http.StatusMethodNotAllowed, problem(workspace.KindOption, "this call does not take "+r.Method, ""))
		return
	}
	if call.method == http.MethodPost {
		if !s.access.isOwnOrigin(r) {
			reply(w, http.StatusForbidden, problem(workspace.KindOption, "the request comes from another site", ""))
			return
		}
		want := "application/json"
		if call.upload {
			want = "application/octet-stream"
		}
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != want {
			reply(w, http.StatusUnsupportedMediaType, problem(workspace.KindOption, "the body must be of type "+want, ""))
			return
		}
	}
	if file != "" {
		r.SetPathValue("file", file)
	}
	if err := call.do(s, w, r); err != nil {
		if r.Context().Err() != nil {
			return // nobody reads it
		}
		replyError(w, err)
	}
}

func sortedKeys(m map[string]*route) (keys []string) {
	for _, k := range []string{http.MethodGet, http.MethodPost} {
		if m[k] != nil {
			keys = append(keys, k)
		}
	}
	return keys
}

// number reads a whole number of a query; missing is what it is where it is not given.
func number(q url.Values, name string, missing int) (int, error) {
	text := q.Get(name)
	if text == "" {
		return missing, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, workspace.Refuse(workspace.KindOption, "%s must be an integer, got %q", name, text)
	}
	return n, nil
}

// numbers reads whole numbers separated by commas; nil where none is given.
func numbers(q url.Values, name string) (out []int, err error) {
	if q.Get(name) == "" {
		return nil, nil
	}
	out = []int{}
	for _, part := range strings.Split(q.Get(name), ",") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, workspace.Refuse(workspace.KindOption, "%s must be integers separated by commas, got %q", name, part)
		}
		out = append(out, n)
	}
	return out, nil
}
