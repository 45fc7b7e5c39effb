package catalog

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster"
)

// A Parameter is one field of an algorithm's struct, as its type and its tags
// describe it: `json` names it, `help` explains it, `rules` lists the rules of a
// cluster.Number, and `file` says what a file given in place of a value contains.
type Parameter struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default string `json:"default"`
	// Published is what the paper of the method has; it is Default where the two agree.
	Published string   `json:"published"`
	Values    []string `json:"values,omitempty"` // all allowed values, of an Enum
	Rules     []string `json:"rules,omitempty"`  // allowed in place of a number, of a cluster.Number
	File      string   `json:"file,omitempty"`
	Help      string   `json:"help"`

	field int
}

// An Enum is a type of parameters with a list of values: a string type whose
// method Values returns all of them, whatever the receiver. Help, flags and
// checks are made from that one list.
type Enum interface{ Values() []string }

var numberType = reflect.TypeFor[cluster.Number]()

// Parameters returns the parameters of m with their defaults, in the order of
// the struct.
func (m Method) Parameters() []Parameter {
	out := parametersOf(m.New())
	for i := range out {
		if v, ok := m.Published[out[i].Name]; ok {
			out[i].Published = v
		}
	}
	return out
}

func parametersOf(a cluster.Algorithm) []Parameter {
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
		p.Published = p.Default
		if e, ok := v.Field(i).Interface().(Enum); ok {
			p.Values = e.Values()
		}
		if rules := f.Tag.Get("rules"); rules != "" {
			p.Rules = strings.Split(rules, ",")
		}
		out = append(out, p)
	}
	return out
}

// typeName returns the name of a parameter's type. A cluster.Number is written
// as text, so that it can be the name of a rule.
func typeName(t reflect.Type) string {
	if t == numberType {
		return reflect.String.String()
	}
	return t.Kind().String()
}

// allowed says which values the parameter can have, after "must be".
func (p Parameter) allowed() string {
	switch {
	case p.Values != nil:
		return "one of " + strings.Join(p.Values, ", ")
	case p.Rules != nil:
		return "a number or " + strings.Join(p.Rules, ", ")
	case p.Type == "int" || p.Type == "int64":
		return "an integer"
	case p.Type == "float64":
		return "a number"
	case p.Type == "bool":
		return "true or false"
	}
	return "a text"
}

// checkValue refuses a value of field f that is not among Values, or a rule that
// is not among Rules.
func (p Parameter) checkValue(name string, f reflect.Value) error {
	text, allowed := f.String(), p.Values
	if f.Type() == numberType {
		text, allowed = f.Interface().(cluster.Number).Rule, p.Rules
		if text == "" {
			return nil
		}
	}
	if allowed != nil && !slices.Contains(allowed, text) {
		return fmt.Errorf("%s must be %s, got %q", name, p.allowed(), text)
	}
	return nil
}

// Set sets the parameter of a called name from text.
func Set(a cluster.Algorithm, name, text string) error {
	for _, p := range parametersOf(a) {
		if p.Name != name {
			continue
		}
		f := reflect.ValueOf(a).Elem().Field(p.field)
		before := reflect.ValueOf(f.Interface())
		err := setField(f, text)
		switch {
		case errors.Is(err, errNoText):
			return fmt.Errorf("%s has type %s: %w", name, f.Type(), err)
		case err != nil:
			err = fmt.Errorf("%s must be %s, got %q", name, p.allowed(), text)
		default:
			err = p.checkValue(name, f)
		}
		if err != nil {
			f.Set(before)
		}
		return err
	}
	return fmt.Errorf("there is no parameter %s", name)
}

var errNoText = errors.New("it cannot be set from text")

func setField(f reflect.Value, text string) (err error) {
	if u, ok := f.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
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
		return errNoText
	}
	return err
}
