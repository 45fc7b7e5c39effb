package catalog

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster"
)

// A Parameter is one field of an algorithm's struct, as its tags describe it:
// `json` names it, `help` explains it, `enum` lists its values, and `file` says
// what a file given in place of a value holds.
type Parameter struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Default string   `json:"default"`
	Values  []string `json:"values,omitempty"`
	File    string   `json:"file,omitempty"`
	Help    string   `json:"help"`

	field int
}

// An Enum is a type of parameters with a list of values: a string type whose
// Values returns all that it can be, whatever the receiver. Help, flags and
// checks are made from that one list.
type Enum interface{ Values() []string }

// Parameters returns the parameters of m with their defaults, in the order of
// the struct.
func (m Method) Parameters() []Parameter { return parameters(m.New()) }

func parameters(a cluster.Algorithm) []Parameter {
	v := reflect.ValueOf(a).Elem()
	var out []Parameter
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		p := Parameter{
			Name: strings.ReplaceAll(name, "_", "-"), Type: typeName(f.Type),
			Default: fmt.Sprint(v.Field(i).Interface()), Help: f.Tag.Get("help"), File: f.Tag.Get("file"), field: i,
		}
		if e, ok := v.Field(i).Interface().(Enum); ok {
			p.Values = e.Values()
		} else if e := f.Tag.Get("enum"); e != "" {
			p.Values = strings.Split(e, ",")
		}
		out = append(out, p)
	}
	return out
}

// typeName returns the name of a parameter's type. A cluster.Number is written
// as text.
func typeName(t reflect.Type) string {
	if t == reflect.TypeFor[cluster.Number]() {
		return reflect.String.String()
	}
	return t.Kind().String()
}

// Set gives the parameter called name of a the value that text stands for.
func Set(a cluster.Algorithm, name, text string) error {
	for _, p := range parameters(a) {
		if p.Name != name {
			continue
		}
		if p.Values != nil && !slices.Contains(p.Values, text) {
			return fmt.Errorf("%s is %q, it must be one of %s", name, text, strings.Join(p.Values, ", "))
		}
		return set(reflect.ValueOf(a).Elem().Field(p.field), name, text)
	}
	return fmt.Errorf("there is no parameter %s", name)
}

func set(f reflect.Value, name, text string) error {
	if u, ok := f.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if err := u.UnmarshalText([]byte(text)); err != nil {
			return fmt.Errorf("%s is %q: %w", name, text, err)
		}
		return nil
	}
	var err error
	switch f.Kind() {
	case reflect.String:
		f.SetString(text)
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		f.SetBool(b)
	case reflect.Int, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		f.SetInt(n)
	case reflect.Float64:
		var x float64
		x, err = strconv.ParseFloat(text, 64)
		f.SetFloat(x)
	default:
		return fmt.Errorf("%s has type %s, which no text can give", name, f.Type())
	}
	if err != nil {
		return fmt.Errorf("%s is %q, which is no %s", name, text, f.Kind())
	}
	return nil
}
