// Package saved writes a fit to a file and reads it back: how the rows were
// prepared, what was learned, and the names of the clusters, so that new rows can
// be placed exactly as the fit would have placed them.
//
// A file is two lines. The first says what it is, in which version, and the
// SHA-256 of the second; the second is one JSON object, a Fit. Numbers are
// written so that they come back to the bit.
//
// The JSON object holds the version of the program, method and parameters, seed,
// number of rows, objective, names of the clusters, recipe and model. Read checks,
// in this order, that the file is a saved model, its version, the checksum, the
// name of the method in the catalog, the model, the recipe, and that recipe and
// model agree on the number of features.
package saved
