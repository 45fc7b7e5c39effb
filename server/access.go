package server

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// newToken returns a token that nobody can guess.
func newToken() string {
	b := make([]byte, 24)
	_, _ = rand.Read(b) // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// policy is what the page may load: nothing but its own files.
const policy = "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// protect sets the headers that every answer has.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cache-Control", "no-store")
}

// An access says who may use the page.
type access struct {
	token  string // "": everybody that reaches the handler
	hosts  []string
	prefix string
	proxy  bool
}

// isHost reports whether the server is reached under a name that is its own, so that no
// other site can make its own name point here.
func (a *access) isHost(host string) bool {
	if len(a.hosts) == 0 {
		return true
	}
	for _, own := range a.hosts {
		if strings.EqualFold(host, own) {
			return true
		}
		if name, _, err := net.SplitHostPort(host); err == nil && !hasPort(own) && strings.EqualFold(strings.Trim(own, "[]"), name) {
			return true
		}
	}
	return false
}

func hasPort(host string) bool {
	_, _, err := net.SplitHostPort(host)
	return err == nil
}

// isOwnOrigin reports whether a request that changes something was made by our own page, or by a
// program that is not a browser.
func (a *access) isOwnOrigin(r *http.Request) bool {
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return false
		}
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	if len(origins) > 1 || err != nil || u.Host == "" {
		return false
	}
	return strings.EqualFold(u.Host, r.Host) && u.Scheme == a.scheme(r)
}

// scheme is that by which the request reached us, or the proxy before us.
func (a *access) scheme(r *http.Request) string {
	if r.TLS != nil || a.proxy && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		return "https"
	}
	return "http"
}

// cookieName is different for every port, as cookies are not.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "0"
	}
	return "inkling_" + port
}

// isAllowed reports whether a request has the token, as a cookie or in its header.
func (a *access) isAllowed(r *http.Request) bool {
	if a.token == "" {
		return true
	}
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return a.isToken(given)
	}
	for _, c := range r.CookiesNamed(cookieName(r)) {
		if a.isToken(c.Value) {
			return true
		}
	}
	return false
}

func (a *access) isToken(given string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(a.token)) == 1
}

// enter takes the token of the first address and keeps it in a cookie, so that it does not
// stay in the history of the browser. It reports whether the request is answered.
func (a *access) enter(w http.ResponseWriter, r *http.Request) bool {
	query := r.URL.Query()
	if a.token == "" || r.Method != http.MethodGet || r.URL.Path != "/" || !query.Has("token") || !a.isToken(query.Get("token")) {
		return false
	}
	c := &http.Cookie{Name: cookieName(r), Value: a.token, HttpOnly: true, SameSite: http.SameSiteStrictMode, Path: a.prefix, Secure: a.scheme(r) == "https"}
	to := "./"
	if a.prefix != "" {
		to = a.prefix
	}
	http.SetCookie(w, c)
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
	return true
}

// noToken is what somebody without the token reads.
const noToken = `<!doctype html><html lang="en"><meta charset="utf-8"><title>inkling</title>
<h1>This page needs its link</h1>
<p>Open the link that the program printed when it started: it ends in <code>?token=…</code>.</p>
</html>
`

func refuseEntry(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("WWW-Authenticate", "Bearer")
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = w.Write([]byte(noToken))
}
