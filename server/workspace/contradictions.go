package workspace

import (
	"context"

	"github.com/inklinghq/inkling/session"
)

// contradiction proves that events do not go together with what is in force; nil where
// they do.
func (w *Workspace) contradiction(ctx context.Context, events []session.Event) (*Contradiction, error) {
	return nil, nil
}
