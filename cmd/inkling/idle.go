package main

import (
	"io"
	"os"
	"strings"

	"github.com/inklinghq/inkling/dataio"
)

// Flags that only some kinds of data have a use for.
var (
	columnFlags = []string{"scale", "missing"}
	wordFlags   = []string{"stop-words", "min-df", "max-df", "max-features"}
)

// given returns those of the flags, with their dashes, that were given.
func (in *input) given(names ...string) (out []string) {
	for _, name := range names {
		if in.cmd != nil && in.cmd.Flags().Changed(name) {
			out = append(out, "--"+name)
		}
	}
	return out
}

// idle warns of flags that have nothing to do on data of this kind.
func (a *app) idle(in *input, ds *dataio.Dataset) {
	var names []string
	why := "there are no documents; --text names a column of them"
	switch {
	case ds.Graph != nil || ds.Kernel != nil:
		names, why = in.given(append(columnFlags, wordFlags...)...), "a graph or a matrix of similarities is taken as it is"
	case ds.Docs != nil:
		names, why = in.given("missing"), "documents have no missing values; those without words stay, as zero rows"
	default:
		names = in.given(wordFlags...)
	}
	if len(names) > 0 {
		a.warn("%s: nothing to do here: %s", strings.Join(names, ", "), why)
	}
}

// wordsOf returns the words of a file of stop words, with commas between, or
// what was given if that is no file.
func wordsOf(given string) (string, error) {
	if info, err := os.Stat(given); err != nil || !info.Mode().IsRegular() {
		return given, nil
	}
	r, err := dataio.OpenFile(given)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		return "", &dataio.Error{File: given, Msg: err.Error(), Err: err}
	}
	return strings.Join(strings.Fields(string(b)), ","), nil
}
