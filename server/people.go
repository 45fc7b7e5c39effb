package server

import (
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/inklinghq/inkling/internal/serve/workspace"
)

// Who sends a request: a cookie that the page sets, or a header of programs. Both are percent-encoded.
const (
	personCookie  = "inkling-person"
	personHeader  = "Inkling-Person"
	longestPerson = 60 // characters of a name
)

// person returns who sends a request: their name, or what the page made up beginning with ~; "" where the
// request does not say.
func person(r *http.Request) string {
	text := r.Header.Get(personHeader)
	if text == "" {
		if c, err := r.Cookie(personCookie); err == nil {
			text = c.Value
		}
	}
	name, err := url.PathUnescape(text)
	if err != nil || !utf8.ValidString(name) {
		return ""
	}
	name = strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return -1
	}, name))
	if letters := []rune(name); len(letters) > longestPerson {
		name = string(letters[:longestPerson])
	}
	return name
}

// asPerson returns the request with who sends it in its context.
func asPerson(r *http.Request) *http.Request {
	return r.WithContext(workspace.WithPerson(r.Context(), person(r)))
}
