package door

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/format"
)

// parameterError returns an error about a parameter as an *OptionError.
func parameterError(err error) error {
	var bad *catalog.ValueError
	if errors.As(err, &bad) {
		return &OptionError{Option: bad.Parameter, Msg: bad.Msg, Hint: bad.Hint}
	}
	return err
}

// configured is an algorithm with its parameters set.
type configured struct {
	alg   cluster.Algorithm
	files map[string]string // the parameters that were given as a file
}

// configure gives the parameters to the algorithm of method m. recipe brings a
// table of k first centres to the form of the rows.
func configure(m catalog.Method, given map[string]any, recipe *prepare.Recipe, k int) (*configured, error) {
	alg, files, err := m.Configure(given)
	if err != nil {
		return nil, parameterError(err)
	}
	for _, p := range m.Parameters() {
		if path, ok := files[p.Name]; ok {
			if err := startFrom(alg, p, path, recipe, k); err != nil {
				return nil, err
			}
		}
	}
	return &configured{alg, files}, nil
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
	ds, err := dataio.Open(path, dataio.Options{Features: recipe.Sources(), Mixed: recipe.Encoding != nil, TableMissing: recipe.Encoding != nil})
	if err != nil {
		return err
	}
	if err := columns.DivideAs(ds, recipe.Sources()); err != nil {
		return err
	}
	if n := ds.Len(); n != k {
		return &InputError{File: path, Msg: fmt.Sprintf("%s of starting centres, but k is %d", format.Count(n, "row"), k),
			Hint: "give one row for each cluster"}
	}
	if missing := recipe.Lacks(ds); len(missing) > 0 {
		return &InputError{File: path, Msg: fmt.Sprintf("columns missing: \"%s\"", strings.Join(missing, "\", \"")), Hint: "give every centre a number in every column"}
	}
	got, err := recipe.Apply(ds)
	if err != nil {
		return err
	}
	if n := got.X.Len(); n != k {
		return &InputError{File: path, Msg: fmt.Sprintf("%s of starting centres with all values, but k is %d", format.Count(n, "row"), k),
			Hint: "give every centre a number in every column"}
	}
	table := &data.Dense{Cols: got.X.Dim()}
	for i := range got.X.Len() {
		table.V = append(table.V, data.Copy(got.X, i)...)
	}
	starter.StartFrom(table)
	return nil
}
