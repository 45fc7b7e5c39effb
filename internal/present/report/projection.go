package report

import "github.com/inklinghq/inkling/internal/present/layout"

// A Projection puts rows on a plane, see package layout; a Landmark is a row with its
// name there.
type (
	Projection = layout.Projection
	Landmark   = layout.Landmark
)
