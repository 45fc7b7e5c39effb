package prepare

import (
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
)

// A Recipe says how rows were prepared. It is plain data, and its JSON keeps
// every number exactly. A value x of column f becomes
// (x − Shift[f]) / Factor[f] when Scale is Standard or MinMax.
type Recipe struct {
	Columns []string  `json:"columns,omitempty"` // the features in order; nil where they have no names
	Dim     int       `json:"dim"`
	Scale   Scale     `json:"scale"`
	Missing Missing   `json:"missing,omitempty"`
	Shift   []float64 `json:"shift,omitempty"`
	Factor  []float64 `json:"factor,omitempty"`
	Means   []float64 `json:"means,omitempty"` // in place of missing cells, before scaling
	Text    *TFIDF    `json:"text,omitempty"`  // how documents become rows; nil for numbers
	// Encoding says how the columns of a mixed table become features; nil where every
	// column is one.
	Encoding *Encoding `json:"encoding,omitempty"`
}

// Check returns what is wrong with a recipe, such as one from a damaged file.
func (r *Recipe) Check() error {
	if r.Dim < 1 {
		return fmt.Errorf("recipe of %d columns, at least 1 is needed", r.Dim)
	}
	if err := (Options{Scale: r.Scale, Missing: r.Missing}).check(); err != nil {
		return fmt.Errorf("recipe: %w", err)
	}
	byColumn := r.Scale == Standard || r.Scale == MinMax
	for _, part := range []struct {
		name   string
		length int
		needed bool
	}{
		{"columns", len(r.Columns), r.Columns != nil},
		{"shift", len(r.Shift), byColumn},
		{"factor", len(r.Factor), byColumn},
		{"means", len(r.Means), (r.Missing == Mean || r.Missing == Fill) && r.Text == nil && r.Encoding == nil},
	} {
		if part.needed && part.length != r.Dim {
			return fmt.Errorf("recipe of %d columns with %d %s", r.Dim, part.length, part.name)
		}
	}
	if r.Encoding != nil {
		if err := r.Encoding.check(r.Dim); err != nil {
			return err
		}
	}
	for f, y := range r.Factor {
		if y == 0 || !data.Finite(y) {
			return fmt.Errorf("recipe: the factor of column %d must be finite and not 0, got %v", f, y)
		}
	}
	if r.Text != nil && (len(r.Text.Vocabulary) != r.Dim || len(r.Text.IDF) != r.Dim) {
		return fmt.Errorf("recipe of %d columns with %d words and %d weights", r.Dim, len(r.Text.Vocabulary), len(r.Text.IDF))
	}
	if r.Text != nil && (r.Text.NGrams < 0 || r.Text.NGrams > maxNGrams) {
		return fmt.Errorf("recipe: ngrams must be 0 to %d, got %d", maxNGrams, r.Text.NGrams)
	}
	if r.Text != nil {
		for f, y := range r.Text.IDF {
			if !(y > 0 && y < 100) { // ln n + 1 at most
				return fmt.Errorf("recipe: the weight of word %q must be above 0 and below 100, got %v", r.Text.Vocabulary[f], y)
			}
		}
	}
	return nil
}

// A TFIDF says how documents become rows, one feature a word (see Words). A
// word that stands tf times in a document weighs tf·idf, with
//
//	idf = ln((1 + n) / (1 + df)) + 1
//
// for the n fitted documents, df of which have the word; then each row is
// divided by its length. Words that are not in the vocabulary are ignored, and
// a document with no other word is a zero row. With NGrams 2 two words that follow
// each other, neither of them a stop word, are a term too ("flat tyre"), if it
// stands in at least two documents.
type TFIDF struct {
	Vocabulary  []string  `json:"vocabulary"`         // ascending by bytes
	IDF         []float64 `json:"idf"`                // by word
	Docs        int       `json:"docs"`               // n
	StopWords   string    `json:"stop_words"`         // languages, none or the given list
	Frequent    int       `json:"frequent,omitempty"` // most frequent words that are left out beside them
	MinDF       int       `json:"min_df"`
	MaxDF       float64   `json:"max_df"`
	MaxFeatures int       `json:"max_features,omitempty"`
	NGrams      int       `json:"ngrams,omitempty"` // words of a term at most; 0: 1
}
