// Package jsonschema writes the JSON Schema of Go values, from their types: what
// encoding/json would write of them.
package jsonschema

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
)

// A Schema is a JSON Schema, of the keywords that are needed here.
type Schema struct {
	Schema     string             `json:"$schema,omitempty"`
	ID         string             `json:"$id,omitempty"`
	Title      string             `json:"title,omitempty"`
	Type       any                `json:"type,omitempty"` // a name, or several
	Properties map[string]*Schema `json:"properties,omitempty"`
	Required   []string           `json:"required,omitempty"`
	Additional any                `json:"additionalProperties,omitempty"` // false, or a schema
	Items      *Schema            `json:"items,omitempty"`
	AnyOf      []*Schema          `json:"anyOf,omitempty"`
	Const      string             `json:"const,omitempty"`
}

// draft is the version of the standard.
const draft = "https://json-schema.org/draft/2020-12/schema"

// Of returns the schema of the values of type T.
func Of[T any]() *Schema {
	s := of(reflect.TypeFor[T]())
	s.Schema = draft
	return s
}

// OfType returns the schema of the values of a type, as a part of a larger document.
func OfType(t reflect.Type) *Schema { return of(t) }

// OneOf returns the schema of values that have one of several.
func OneOf(list ...*Schema) *Schema {
	if len(list) == 1 {
		return list[0]
	}
	for _, s := range list {
		s.Schema = ""
	}
	return &Schema{Schema: draft, AnyOf: list}
}

var (
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	rawMessage    = reflect.TypeFor[json.RawMessage]()
)

func of(t reflect.Type) *Schema {
	switch {
	case t == rawMessage || t.Implements(jsonMarshaler):
		return &Schema{} // it writes itself: anything
	case t.Implements(textMarshaler):
		return &Schema{Type: "string"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return &Schema{Type: "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &Schema{Type: "integer"}
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: "number"}
	case reflect.String:
		return &Schema{Type: "string"}
	case reflect.Slice:
		return &Schema{Type: []string{"array", "null"}, Items: of(t.Elem())}
	case reflect.Array:
		return &Schema{Type: "array", Items: of(t.Elem())}
	case reflect.Map:
		return &Schema{Type: []string{"object", "null"}, Additional: of(t.Elem())}
	case reflect.Pointer:
		return nullable(of(t.Elem()))
	case reflect.Struct:
		return object(t)
	}
	return &Schema{} // an interface: anything
}

// nullable returns a schema that takes null too.
func nullable(s *Schema) *Schema {
	if name, ok := s.Type.(string); ok {
		s.Type = []string{name, "null"}
	}
	return s
}

// object returns the schema of a struct, with the fields of embedded ones.
func object(t reflect.Type) *Schema {
	s := &Schema{Type: "object", Properties: map[string]*Schema{}, Additional: false}
	s.addFields(t)
	return s
}

func (s *Schema) addFields(t reflect.Type) {
	var embedded []reflect.Type
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && name == "":
			e := f.Type
			if e.Kind() == reflect.Pointer {
				e = e.Elem()
			}
			embedded = append(embedded, e)
			continue
		case name == "":
			name = f.Name
		}
		if s.Properties[name] != nil {
			continue // the outer field counts
		}
		s.Properties[name] = of(f.Type)
		if options != "omitempty" {
			s.Required = append(s.Required, name)
		}
	}
	for _, e := range embedded {
		s.addFields(e)
	}
}
