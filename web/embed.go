// Package web holds the page of the web app as the build wrote it. The sources are
// TypeScript in src, with code of others in vendor; dist is kept in the repository,
// so that go build alone gives the whole program, and CI builds it again and finds
// no difference.
package web

import (
	"embed"
	"io/fs"
)

//go:generate go run -C build .

//go:embed dist
var dist embed.FS

// Files returns the files of the page, index.html among them, by name.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil { // only for a name that is not a path
		return dist
	}
	return files
}
