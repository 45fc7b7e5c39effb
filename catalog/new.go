package catalog

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/suggest"
)

// New returns the method called name, as a program that is told of it by a
// configuration needs it. Parameters are a JSON object such as
//
//	{"init": "random", "batches": 3}
//
// by the names that Method.Parameters has, or with _ for -, so that what a saved
// fit has under parameters will do. Those that are not named keep their
// defaults; nil is no object and names none. A method or a parameter that does
// not exist, and a value that cannot be, is a *cluster.ParameterError.
func New(name string, parameters []byte) (cluster.Algorithm, error) {
	m, ok := Find(name)
	if !ok {
		return nil, bad("there is no method %q; %s", name, instead(name, Names()))
	}
	a := m.New()
	if len(parameters) == 0 {
		return a, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(parameters, &given); err != nil {
		return nil, bad("the parameters of %s are no JSON object: %w", name, err)
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if err := read(a, key, given[key]); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// read sets one parameter of a from its JSON value.
func read(a cluster.Algorithm, key string, value json.RawMessage) error {
	name, list := strings.ReplaceAll(key, "_", "-"), parameters(a)
	at := slices.IndexFunc(list, func(p Parameter) bool { return p.Name == name })
	if at < 0 {
		var names []string
		for _, p := range list {
			names = append(names, p.Name)
		}
		return bad("there is no parameter %q; %s", key, instead(name, names))
	}
	p := list[at]
	f := reflect.ValueOf(a).Elem().Field(p.field)
	if err := json.Unmarshal(value, f.Addr().Interface()); err != nil || string(value) == "null" {
		return bad("%s is %s, which is no %s", key, value, p.Type)
	}
	if p.Values != nil && !slices.Contains(p.Values, f.String()) {
		return bad("%s is %q, it must be one of %s", key, f.String(), strings.Join(p.Values, ", "))
	}
	return nil
}

// instead says which word may be meant, or all that there are.
func instead(given string, words []string) string {
	if s := suggest.DidYouMean(given, words); s != "" {
		return s
	}
	return "there are " + strings.Join(words, ", ")
}

func bad(format string, args ...any) error {
	return &cluster.ParameterError{Err: fmt.Errorf(""+format, args...)}
}
