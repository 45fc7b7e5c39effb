package server

import (
	"net/http"
	"time"
)

// How long slow clients are waited for.
const (
	slowestBody = time.Minute // for all of a body in JSON, or one that nobody wants
	slowestRate = 16 << 10    // bytes in a second, for files and answers
)

// A limitedWriter gives up a client that does not take an answer.
type limitedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

// patient limits how long the body of a request and its answer may take.
func patient(w http.ResponseWriter, r *http.Request) http.ResponseWriter {
	control := http.NewResponseController(w)
	if r.ContentLength != 0 {
		_ = control.SetReadDeadline(time.Now().Add(slowestBody))
	}
	return &limitedWriter{w, control}
}

func (l *limitedWriter) Write(b []byte) (int, error) {
	_ = l.control.SetWriteDeadline(time.Now().Add(slowestWrite + timeFor(int64(len(b)))))
	return l.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (l *limitedWriter) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// timeFor is how long so many bytes take at the slowest rate.
func timeFor(bytes int64) time.Duration {
	return time.Duration(bytes/slowestRate) * time.Second
}
