package catalog

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// New returns the method of the table called name, with parameters from a
// configuration: a JSON object such as
//
//	{"init": "random", "batches": 3}
//
// Names are those of Method.Parameters, or with _ for -, so that the parameters
// of a saved fit can be given. Parameters that are not named keep their defaults;
// nil names none. A method or a parameter that does not exist, and a value that
// is not allowed, is a *cluster.ParameterError.
func New(name string, parameters []byte) (cluster.Algorithm, error) {
	return Methods().New(name, parameters)
}

// New returns the method called name as the function New does.
func (l List) New(name string, parameters []byte) (cluster.Algorithm, error) {
	m, ok := l.Find(name)
	if !ok {
		return nil, parameterErrorf("there is no method %q; %s", name, suggestOrList(name, l.Names()))
	}
	a := m.New()
	if len(parameters) == 0 {
		return a, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(parameters, &given); err != nil {
		return nil, parameterErrorf("the parameters of %s are not a JSON object: %w", name, err)
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if err := setFromJSON(a, key, given[key]); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// setFromJSON sets one parameter of a from its JSON value.
func setFromJSON(a cluster.Algorithm, key string, value json.RawMessage) error {
	name, list := strings.ReplaceAll(key, "_", "-"), parametersOf(a)
	i := slices.IndexFunc(list, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		var names []string
		for _, p := range list {
			names = append(names, p.Name)
		}
		return parameterErrorf("there is no parameter %q; %s", key, suggestOrList(name, names))
	}
	p := list[i]
	f := reflect.ValueOf(a).Elem().Field(p.field)
	if err := json.Unmarshal(value, f.Addr().Interface()); err != nil || string(value) == "null" {
		return parameterErrorf("%s must be %s, got %s", key, p.allowed(), value)
	}
	if err := p.checkValue(key, f); err != nil {
		return &cluster.ParameterError{Err: err}
	}
	return nil
}

// suggestOrList suggests a name that is close to the one given, or lists all.
func suggestOrList(given string, names []string) string {
	if s := suggest.DidYouMean(given, names); s != "" {
		return s
	}
	if len(names) == 0 {
		return "it has no parameters"
	}
	return "there are " + strings.Join(names, ", ")
}

func parameterErrorf(format string, args ...any) error {
	return &cluster.ParameterError{Err: fmt.Errorf(format, args...)}
}
