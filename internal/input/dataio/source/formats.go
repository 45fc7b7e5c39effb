package source

// A Format is how a source is written; "" decides by name and content.
type Format string

// The formats that can be read.
const (
	CSV     Format = "csv"
	TSV     Format = "tsv"
	JSONL   Format = "jsonl"
	NPY     Format = "npy"
	Parquet Format = "parquet"
	SVM     Format = "svm"
	MTX     Format = "mtx"
	Edges   Format = "edges"
	METIS   Format = "metis"
	Text    Format = "text"
	Image   Format = "image"
)

// Values returns the formats that can be read.
func (Format) Values() []string {
	return names(CSV, TSV, JSONL, NPY, Parquet, SVM, MTX, Edges, METIS, Text, Image)
}

// An As is what a source is read as; "" decides by format.
type As string

// What a source can be read as.
const (
	AsVectors As = "vectors"
	AsGraph   As = "graph"
	AsKernel  As = "kernel"
	AsText    As = "text"
	AsImage   As = "image"
)

// Values returns what a source can be read as.
func (As) Values() []string { return names(AsVectors, AsGraph, AsKernel, AsText, AsImage) }

func names[T ~string](values ...T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}
