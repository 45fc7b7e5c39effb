package server

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/workspace"
	"github.com/inklinghq/inkling/internal/support/jsonschema"
)

// The parts of an OpenAPI document that are needed here.
type (
	document struct {
		OpenAPI    string                           `json:"openapi"`
		Info       documentInfo                     `json:"info"`
		Paths      map[string]map[string]*operation `json:"paths"`
		Components components                       `json:"components"`
		Security   []map[string][]string            `json:"security"`
	}
	documentInfo struct {
		Title       string `json:"title"`
		Version     string `json:"version"`
		Description string `json:"description"`
	}
	components struct {
		Schemas  map[string]*jsonschema.Schema `json:"schemas"`
		Security map[string]map[string]string  `json:"securitySchemes"`
	}
	operation struct {
		Summary    string               `json:"summary"`
		ID         string               `json:"operationId"`
		Parameters []described          `json:"parameters,omitempty"`
		Body       *body                `json:"requestBody,omitempty"`
		Responses  map[string]*response `json:"responses"`
	}
	described struct {
		Name        string            `json:"name"`
		In          string            `json:"in"`
		Description string            `json:"description"`
		Required    bool              `json:"required"`
		Schema      map[string]string `json:"schema"`
	}
	body struct {
		Required bool             `json:"required"`
		Content  map[string]media `json:"content"`
	}
	response struct {
		Description string           `json:"description"`
		Content     map[string]media `json:"content"`
	}
	media struct {
		Schema map[string]string `json:"schema"`
	}
)

// describe writes the table of calls as OpenAPI 3.1.
func describe(calls []route) []byte {
	d := document{OpenAPI: "3.1.0", Info: documentInfo{"inkling web", door.Version, "The calls of the page of inkling web. Points are numbered from 0 in a fixed shuffled order."},
		Paths: map[string]map[string]*operation{}, Security: []map[string][]string{{"token": {}}},
		Components: components{Schemas: map[string]*jsonschema.Schema{}, Security: map[string]map[string]string{"token": {"type": "http", "scheme": "bearer"}}}}
	refer := func(t reflect.Type) media {
		d.Components.Schemas[t.Name()] = jsonschema.OfType(t)
		return media{map[string]string{"$ref": "#/components/schemas/" + t.Name()}}
	}
	bytesOf := media{map[string]string{"type": "string", "format": "binary"}}
	failed := &response{"What is wrong.", map[string]media{"application/json": refer(reflect.TypeFor[workspace.Problem]())}}
	failed.Content["application/json"] = refer(reflect.TypeFor[failure]())
	for i := range calls {
		c := &calls[i]
		o := &operation{Summary: c.summary, ID: operationID(c), Responses: map[string]*response{"default": failed}}
		for _, p := range c.query {
			o.Parameters = append(o.Parameters, described{p.name, "query", p.about, false, map[string]string{"type": p.kind}})
		}
		if strings.Contains(c.path, "{file}") {
			o.Parameters = append(o.Parameters, described{"file", "path", "the name of the file", true, map[string]string{"type": "string"}})
		}
		switch {
		case c.upload:
			o.Body = &body{true, map[string]media{octets: bytesOf}}
		case c.in != nil:
			o.Body = &body{true, map[string]media{"application/json": refer(c.in)}}
		}
		ok := &response{c.summary, map[string]media{}}
		if c.out != nil {
			ok.Content["application/json"] = refer(c.out)
		} else {
			ok.Content[c.content] = bytesOf
		}
		o.Responses["200"] = ok
		path := "/api/" + c.path
		if d.Paths[path] == nil {
			d.Paths[path] = map[string]*operation{}
		}
		d.Paths[path][strings.ToLower(c.method)] = o
	}
	raw, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return []byte("{}")
	}
	return append(raw, '\n')
}

// operationID is a name for a call: getState, postAnswer.
func operationID(c *route) string {
	name := strings.NewReplacer("/{file}", "File", ".json", "").Replace(c.path)
	return strings.ToLower(c.method) + strings.ToUpper(name[:1]) + name[1:]
}

func (s *Server) serveDescription(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(s.description)
	return nil
}
