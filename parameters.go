package inkling

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/catalog"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/internal/format"
	"github.com/inklinghq/inkling/prepare"
)

// takers returns the methods that have a parameter, the values that some of them
// take (nil where there is no list), and whether one of them takes a file.
func takers(name string) (methods, values []string, file bool) {
	for _, m := range catalog.Methods() {
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

// checkParameters refuses parameters that the method, or any method where none
// is named, does not have, and values that no method takes.
func checkParameters(method string, given map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		methods, values, file := takers(name)
		text := parameterText(given[name])
		switch {
		case methods == nil:
			var all []string
			for _, m := range catalog.Methods() {
				for _, p := range m.Parameters() {
					all = append(all, p.Name)
				}
			}
			return optionError(name, "`inkling methods NAME` lists those of a method", "there is no parameter %q%s", name, didYouMean(name, all))
		case method != "" && !slices.Contains(methods, method):
			return notForMethod(name, method, methods)
		case values != nil && !file && !slices.Contains(values, text):
			return optionError(name, "", "%s must be one of %s, got %q%s", name, strings.Join(values, ", "), text, didYouMean(text, values))
		}
	}
	return nil
}

func notForMethod(name, method string, methods []string) error {
	return optionError(name, "", "%s does not apply to %s; it is for %s", name, method, strings.Join(methods, ", "))
}

// configured is an algorithm with its parameters set.
type configured struct {
	alg   cluster.Algorithm
	files map[string]string // the parameters that were given as a file
}

// configure gives the parameters to the algorithm of method m. recipe brings a
// table of k first centres to the form of the rows.
func configure(m catalog.Method, given map[string]any, recipe *prepare.Recipe, k int) (*configured, error) {
	c := &configured{alg: m.New(), files: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		at := slices.IndexFunc(m.Parameters(), func(p catalog.Parameter) bool { return p.Name == name })
		if at < 0 {
			methods, _, _ := takers(name)
			return nil, notForMethod(name, m.Name, methods)
		}
		p, text := m.Parameters()[at], parameterText(given[name])
		if p.File != "" && !slices.Contains(p.Values, text) {
			if err := startFrom(c.alg, p, text, recipe, k); err != nil {
				return nil, err
			}
			c.files[name] = text
			continue
		}
		if err := catalog.Set(c.alg, name, text); err != nil {
			return nil, optionError(name, "", "%s%s%s", err.Error(), didYouMean(text, p.Values), takersOf(name, text))
		}
	}
	return c, nil
}

// takersOf names the methods whose parameter takes a value, if any do.
func takersOf(name, value string) string {
	var found []string
	for _, m := range catalog.Methods() {
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

// describe returns the parameters as JSON, with the path of a file where one was
// given.
func (c *configured) describe() (json.RawMessage, error) {
	b, err := json.Marshal(c.alg)
	if err != nil || len(c.files) == 0 {
		return b, err
	}
	var object map[string]any
	if err := json.Unmarshal(b, &object); err != nil {
		return nil, err
	}
	for name, path := range c.files {
		object[strings.ReplaceAll(name, "-", "_")] = path
	}
	return json.Marshal(object)
}

// startFrom reads a table of centres for an algorithm that can start from one.
func startFrom(alg cluster.Algorithm, p catalog.Parameter, path string, recipe *prepare.Recipe, k int) error {
	starter, ok := alg.(interface{ StartFrom(*data.Dense) })
	if _, err := os.Stat(path); err != nil || !ok || recipe == nil {
		return optionError(p.Name, "", "%s must be one of %s, or a file; there is no file %q%s", p.Name, strings.Join(p.Values, ", "), path, didYouMean(path, p.Values))
	}
	ds, err := dataio.Open(path, dataio.Options{Features: recipe.Columns})
	if err != nil {
		return err
	}
	if n := ds.Len(); n != k {
		return &InputError{File: path, Msg: fmt.Sprintf("%s of starting centres, but k is %d", format.Count(n, "row"), k),
			Hint: "give one row for each cluster"}
	}
	got, err := recipe.Apply(ds)
	if err != nil {
		return err
	}
	table := &data.Dense{Cols: got.X.Dim()}
	for i := range got.X.Len() {
		table.V = append(table.V, data.Copy(got.X, i)...)
	}
	starter.StartFrom(table)
	return nil
}

// parameterText writes a parameter as text; a whole number without an exponent.
func parameterText(value any) string {
	if x, ok := value.(float64); ok && x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}
