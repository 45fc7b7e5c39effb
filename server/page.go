package server

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

// pageFiles are the files of the page.
type pageFiles struct{ from fs.FS }

// types are those of the files that a page is made of; others are not served.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
	".png": "image/png", ".ico": "image/x-icon", ".txt": "text/plain; charset=utf-8", ".woff2": "font/woff2", ".json": "application/json", ".map": "application/json",
}

// placeholder is shown where no page was built in.
const placeholder = `<!doctype html><html lang="en"><meta charset="utf-8"><title>inkling</title><h1>inkling</h1>
<p>The page is not part of this build; the calls below api/ are.</p></html>
`

func (p *pageFiles) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	kind := types[path.Ext(name)]
	if !fs.ValidPath(name) || kind == "" {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	var content []byte
	err := fs.ErrNotExist
	if p.from != nil {
		content, err = fs.ReadFile(p.from, name)
	}
	if err != nil && name == "index.html" {
		content, err = []byte(placeholder), nil
	}
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	sum := sha256.Sum256(content)
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sum[:12]))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}
