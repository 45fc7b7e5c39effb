package experiment

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// A Method is a method of the catalogue with some parameters set.
type Method struct {
	catalog.Method
	set  []setting
	full string // the name with every parameter, for the key of a fit
}

type setting struct{ name, text string }

// String returns the method as it was asked for: NAME:PARAMETER=VALUE:…
func (m Method) String() string {
	s := m.Name
	for _, p := range m.set {
		s += ":" + p.name + "=" + p.text
	}
	return s
}

// UsesViews reports whether the method uses the views of a problem.
func (m Method) UsesViews() bool {
	return m.Algorithm().Capabilities().UsesKind(cluster.Views)
}

// ParseMethods reads methods separated by commas, each a name of the catalogue, or
// of a method in own, with parameters after colons:
// kmeans,cop-kmeans:assignment=greedy.
func ParseMethods(text string, own ...catalog.Method) ([]Method, error) {
	var out []Method
	for _, part := range strings.Split(text, ",") {
		m, err := parseMethod(strings.TrimSpace(part), append(catalog.Methods(), own...))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o Method) bool { return o.full == m.full }) {
			return nil, fmt.Errorf("method %s is given twice", m)
		}
		out = append(out, m)
	}
	return out, nil
}

func parseMethod(text string, list catalog.List) (Method, error) {
	parts := strings.Split(text, ":")
	found, ok := list.Find(parts[0])
	if !ok {
		names := list.Names()
		if parts[0] == "" {
			return Method{}, fmt.Errorf("a method must have a name, one of %s", strings.Join(names, ", "))
		}
		return Method{}, fmt.Errorf("there is no method %q; the methods are %s%s", parts[0], strings.Join(names, ", "), didYouMean(parts[0], names))
	}
	m := Method{Method: found}
	for _, part := range parts[1:] {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return Method{}, fmt.Errorf("what follows %s must be PARAMETER=VALUE, got %q", m.Name, part)
		}
		var err error
		if m, err = m.With(strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
			return Method{}, err
		}
	}
	m.full = m.describe()
	return m, nil
}

// With returns m with one more parameter set.
func (m Method) With(name, text string) (Method, error) {
	all := m.Parameters()
	at := slices.IndexFunc(all, func(p catalog.Parameter) bool { return p.Name == name })
	if at < 0 {
		names := make([]string, len(all))
		for i, p := range all {
			names[i] = p.Name
		}
		if len(names) == 0 {
			return m, fmt.Errorf("%s has no parameters, not %q", m.Name, name)
		}
		return m, fmt.Errorf("%s has no parameter %q; its parameters are %s%s", m.Name, name, strings.Join(names, ", "), didYouMean(name, names))
	}
	if m.Sets(name) {
		return m, fmt.Errorf("%s: %s is given twice", m.Name, name)
	}
	if err := catalog.Set(m.New(), name, text); err != nil {
		return m, fmt.Errorf("%s: %s%s", m.Name, err.Error(), didYouMean(text, all[at].Values))
	}
	m.set = append(slices.Clone(m.set), setting{name, text})
	m.full = m.describe()
	return m, nil
}

// Sets says whether m was given a value for the parameter called name.
func (m Method) Sets(name string) bool {
	return slices.ContainsFunc(m.set, func(p setting) bool { return p.name == name })
}

// Algorithm returns the algorithm with its parameters set, one of its own for
// every call.
func (m Method) Algorithm() cluster.Algorithm {
	a := m.New()
	for _, p := range m.set {
		if err := catalog.Set(a, p.name, p.text); err != nil {
			panic(err) // With has tried the same
		}
	}
	return a
}

// describe returns the name with the value of every parameter, set or not, so
// that methods that differ only in writing are one and a changed default is
// another method.
func (m Method) describe() string {
	values := map[string]json.RawMessage{}
	if b, err := json.Marshal(m.Algorithm()); err == nil {
		_ = json.Unmarshal(b, &values) // a parameter that is missing has its default
	}
	s := m.Name
	for _, p := range m.Parameters() {
		value := p.Default
		if raw, ok := values[strings.ReplaceAll(p.Name, "-", "_")]; ok {
			value = strings.Trim(string(raw), `"`)
		}
		s += ":" + p.Name + "=" + value
	}
	return s
}

// didYouMean suggests a name that is close to the one given.
func didYouMean(given string, names []string) string {
	if q := suggest.DidYouMean(given, names); q != "" {
		return "; " + q
	}
	return ""
}
