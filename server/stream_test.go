package server

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/serve/workspace"
)

// Whoever joins while something changes hears of the last change, and of none before one that they know of.
func TestWhoJoinsHearsOfTheLastChange(t *testing.T) {
	h := newHub()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var value atomic.Int64
	go h.run(ctx, func(what, _ string) any {
		if what != workspace.StateChanged {
			return nil
		}
		return value.Load()
	})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.serve(w, r, "somebody") }))
	defer s.Close()
	const clients, changes = 20, 40
	heard := make(chan error, clients)
	for range clients {
		go func() { heard <- hears(ctx, s.URL, changes) }()
		for range changes / clients {
			value.Add(1)
			h.changed(workspace.StateChanged)
		}
		time.Sleep(time.Millisecond)
	}
	for range clients {
		if err := <-heard; err != nil {
			t.Error(err)
		}
	}
}

// hears reads a stream until it has a value.
func hears(ctx context.Context, url string, until int64) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	last := int64(-1)
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var v int64
		if _, err := fmt.Sscan(text, &v); err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		if v < last {
			return fmt.Errorf("%d was heard after %d", v, last)
		}
		if last = v; v == until {
			return nil
		}
	}
	return fmt.Errorf("the last that was heard is %d, not %d", last, until)
}
