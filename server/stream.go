package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/serve/workspace"
)

// The stream of events.
const (
	mostOften    = 100 * time.Millisecond // between two states, or two reports of progress
	heartbeat    = 15 * time.Second       // a comment keeps the connection open
	slowestWrite = 10 * time.Second       // a client that takes longer is dropped
	queueLength  = 32                     // messages that a client may be behind
	mostClients  = 200
)

// A hub sends events to all tabs. One that is too slow is dropped, and connects again.
type hub struct {
	mu      sync.Mutex
	clients map[chan []byte]string // with the person
	closed  bool
	dirty   map[string]bool
	wake    chan struct{}
}

func newHub() *hub {
	return &hub{clients: map[chan []byte]string{}, dirty: map[string]bool{}, wake: make(chan struct{}, 1)}
}

// changed notes what has changed; run sends it.
func (h *hub) changed(what string) {
	h.mu.Lock()
	h.dirty[what] = true
	h.mu.Unlock()
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// run sends what has changed, at most every mostOften, until the context ends.
func (h *hub) run(ctx context.Context, current func(what, who string) any) {
	defer h.close()
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.wake:
		}
		h.mu.Lock()
		dirty := h.dirty
		h.dirty = map[string]bool{}
		h.mu.Unlock()
		for _, what := range []string{"state", "progress", "question"} {
			if dirty[what] {
				h.send(what, func(who string) any { return current(what, who) })
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(mostOften):
		}
	}
}

// message is an event with its data, nothing where there are none.
func message(event string, data any) []byte {
	if data == nil {
		return nil
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return nil
	}
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", event, raw)
}

// people returns who listens.
func (h *hub) people() map[string]bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := map[string]bool{}
	for _, who := range h.clients {
		out[who] = true
	}
	return out
}

// send sends everybody what they are to see.
func (h *hub) send(event string, data func(who string) any) {
	texts := map[string][]byte{}
	for who := range h.people() {
		texts[who] = message(event, data(who))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for c, who := range h.clients {
		text, ok := texts[who]
		if !ok { // they came since
			h.dirty[event] = true
			select {
			case h.wake <- struct{}{}:
			default:
			}
		}
		if text == nil {
			continue
		}
		select {
		case c <- text:
		default:
			delete(h.clients, c)
			close(c)
		}
	}
}

func (h *hub) join(who string) (chan []byte, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.clients) >= mostClients {
		return nil, false
	}
	c := make(chan []byte, queueLength)
	h.clients[c] = who
	return c, true
}

func (h *hub) leave(c chan []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.clients, c)
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for c := range h.clients {
		delete(h.clients, c)
		close(c)
	}
}

// serve writes events to one client until it leaves, is too slow, or the server ends. The first is the state, which run
// sends like all others: whoever has joined hears of every change, in order.
func (h *hub) serve(w http.ResponseWriter, r *http.Request, who string) {
	c, ok := h.join(who)
	if !ok {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	defer h.leave(c)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	write := func(text []byte) bool {
		_ = control.SetWriteDeadline(time.Now().Add(slowestWrite))
		if _, err := w.Write(text); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	if control.Flush() != nil {
		return
	}
	h.changed(workspace.StateChanged)
	h.changed(workspace.QuestionChanged) // which may have been made since they asked for it
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		var text []byte
		select {
		case <-r.Context().Done():
			return
		case <-beat.C:
			text = []byte(": still here\n\n")
		case text, ok = <-c:
			if !ok {
				return
			}
		}
		if !write(text) {
			return
		}
	}
}
