package catalog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// A ValueError refuses a parameter, or a value of it, that was given by name.
type ValueError struct {
	Parameter string
	Msg       string
	Hint      hint.Hint
}

func (e *ValueError) Error() string     { return e.Msg }
func (e *ValueError) Advice() hint.Hint { return e.Hint }

// CheckParameters refuses parameters that the method, or any method where none
// is named, does not have, and values that no method takes: a *ValueError.
// Values are texts, numbers or booleans.
func CheckParameters(method string, given map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		methods, values, file := takers(name)
		text := ParameterText(given[name])
		switch {
		case methods == nil:
			var all []string
			for _, m := range Methods() {
				for _, p := range m.Parameters() {
					all = append(all, p.Name)
				}
			}
			return &ValueError{name, fmt.Sprintf("there is no parameter %q%s", name, didYouMean(name, all)), "`inkling methods NAME` lists those of a method"}
		case method != "" && !slices.Contains(methods, method):
			return notForMethod(name, method, methods)
		case values != nil && !file && !slices.Contains(values, text):
			return &ValueError{Parameter: name, Msg: fmt.Sprintf("%s must be one of %s, got %q%s", name, strings.Join(values, ", "), text, didYouMean(text, values))}
		}
	}
	return nil
}

// Configure returns the algorithm of m with the parameters given by name. What is
// not among the values of a parameter that can be a file is taken for a path and
// returned in files, for the caller to read. Errors are *ValueError.
func (m Method) Configure(given map[string]any) (alg cluster.Algorithm, files map[string]string, err error) {
	alg, files = m.New(), map[string]string{}
	list := m.Parameters()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		at := slices.IndexFunc(list, func(p Parameter) bool { return p.Name == name })
		if at < 0 {
			methods, _, _ := takers(name)
			return nil, nil, notForMethod(name, m.Name, methods)
		}
		p, text := list[at], ParameterText(given[name])
		if p.File != "" && !slices.Contains(p.Values, text) {
			files[name] = text
			continue
		}
		if err := Set(alg, name, text); err != nil {
			return nil, nil, &ValueError{Parameter: name, Msg: err.Error() + didYouMean(text, p.Values) + takersOf(name, text)}
		}
	}
	return alg, files, nil
}

// HasParameter reports whether the method has a parameter of this name.
func (m Method) HasParameter(name string) bool {
	return slices.ContainsFunc(m.Parameters(), func(p Parameter) bool { return p.Name == name })
}

// takers returns the methods that have a parameter, the values that some of them
// take (nil where there is no list), and whether one of them takes a file.
func takers(name string) (methods, values []string, file bool) {
	for _, m := range Methods() {
		for _, p := range m.Parameters() {
			if p.Name != name {
				continue
			}
			methods, file = append(methods, m.Name), file || p.File != ""
			for _, v := range p.Values {
				if !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
		}
	}
	return methods, values, file
}

// takersOf names the methods whose parameter takes a value, if any do.
func takersOf(name, value string) string {
	var found []string
	for _, m := range Methods() {
		for _, p := range m.Parameters() {
			if p.Name == name && slices.Contains(p.Values, value) {
				found = append(found, m.Name)
			}
		}
	}
	if found == nil {
		return ""
	}
	return fmt.Sprintf("; %s is for %s", value, strings.Join(found, ", "))
}

func notForMethod(name, method string, methods []string) error {
	return &ValueError{Parameter: name, Msg: fmt.Sprintf("%s does not apply to %s; it is for %s", name, method, strings.Join(methods, ", "))}
}

// didYouMean returns "; did you mean ...?" or nothing.
func didYouMean(given string, words []string) string {
	if w := suggest.Nearest(given, words); w != "" {
		return "; did you mean " + w + "?"
	}
	return ""
}

// ParameterText writes the value of a parameter as text; a whole number without
// an exponent.
func ParameterText(value any) string {
	if x, ok := value.(float64); ok && x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// WithPublished returns the given parameters with those of the method's paper beside them.
func (m Method) WithPublished(given map[string]any) map[string]any {
	out := make(map[string]any, len(given)+len(m.Published))
	for name, value := range m.Published {
		out[name] = value
	}
	maps.Copy(out, given)
	return out
}
