// Package report draws a clustering: one HTML page with everything on it, no
// network, light and dark, good on paper; and the charts by themselves as SVG
// and PNG.
//
// NewPage makes a Page of a Clustering; a Page is plain data, and a part without
// data is left out.
//
// The page is for people who decide: a sentence of result, a card for each cluster (what
// sets it apart in the units of the table, typical and borderline points), what the
// constraints did, suspects, a map; the statistics are folded.
//
// Charts are pictures (package picture), a display list that is written as SVG
// or painted as PNG.
//
// A number of a learned matrix depends on units, so the page shows shares: how much
// of the squared distance between two random rows comes from each feature, with
// and without the metric. Where clusters share a metric, map, silhouettes and
// typical rows are those of the transformed rows. The style sheet of the page sets
// the colours of its charts for light and dark. A test opens pages in Chromium,
// where there is one, and looks for errors, requests, missing charts, pale text
// and pages that are too wide.
package report
