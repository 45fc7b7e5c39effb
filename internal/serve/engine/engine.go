// Package engine speaks with programs in other languages: framed JSON messages in, framed
// JSON messages out, arrays in files that are mapped into memory. docs/ENGINE.md has the
// protocol.
//
// frame.go reads and writes messages, array.go arrays, request.go turns a message into
// what the front door takes; fit.go, predict.go and ask.go answer.
package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

// Protocol names the protocol and its version, in the first message of the engine.
const Protocol = "engine/1"

// A Hello is the first message of the engine.
type Hello struct {
	Inkling    string `json:"inkling"` // Protocol
	Version    string `json:"version"` // of the program
	Processors int    `json:"processors"`
	Operations []Op   `json:"operations"`
}

type handler func(c *call) (any, error)

func handlers() map[Op]handler {
	return map[Op]handler{
		OpMethods: func(*call) (any, error) { return catalog.Methods().Cards(), nil },
		OpFit:     (*call).fit, OpPredict: (*call).predict, OpDetails: (*call).details, OpSuspects: (*call).suspects,
		OpExplain: (*call).explain, OpReport: (*call).report, OpScore: (*call).score, OpAsk: (*call).ask, OpNext: (*call).next,
		OpAnswer: (*call).answer, OpForget: (*call).forget,
		OpRelease: func(c *call) (any, error) { return map[string]bool{"found": c.kept.drop(c.Handle)}, nil },
	}
}

// An Engine answers requests until there are no more.
type Engine struct {
	writing sync.Mutex
	out     io.Writer
	failed  error // of a write: nobody listens any more

	handlers map[Op]handler
	mu       sync.Mutex
	running  map[uint64]context.CancelFunc
	kept     kept
}

// gracePeriod is how long the requests under way may take to end when the caller is gone.
const gracePeriod = time.Second

// Serve answers the requests of r on w until r ends: then it cancels what is under way.
// Requests run side by side. An error is one of r or w, or a message that is not framed.
func Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e := &Engine{out: w, running: map[uint64]context.CancelFunc{}}
	e.handlers = handlers()
	e.handlers[OpCancel] = e.cancel
	hello := Hello{Inkling: Protocol, Version: door.Version, Processors: runtime.GOMAXPROCS(0)}
	for op := range e.handlers {
		hello.Operations = append(hello.Operations, op)
	}
	slices.Sort(hello.Operations)
	if err := e.write(hello); err != nil {
		return err
	}
	var under sync.WaitGroup
	defer func() {
		cancel()
		ended := make(chan struct{})
		go func() { under.Wait(); close(ended) }()
		select {
		case <-ended:
			e.kept.clear()
		case <-time.After(gracePeriod):
		}
	}()
	for {
		message, err := ReadFrame(r)
		if err == io.EOF {
			return nil
		}
		if err != nil { // where the next message begins is not known any more
			return errors.Join(err, e.write(Reply{Error: errorOf(err)}))
		}
		c, err := e.begin(ctx, message)
		if err != nil {
			if err := e.write(Reply{ID: c.ID, Error: errorOf(err)}); err != nil {
				return err
			}
			continue
		}
		if c.Op == OpCancel { // at once, and not behind what it cancels
			e.serve(c)
			continue
		}
		under.Add(1)
		go func() {
			defer under.Done()
			e.serve(c)
		}()
	}
}

// begin reads a request. The call has its id even where the request is wrong.
func (e *Engine) begin(ctx context.Context, message []byte) (*call, error) {
	c := &call{mem: newMemory(), kept: &e.kept, write: e.write}
	in := json.NewDecoder(bytes.NewReader(message))
	in.DisallowUnknownFields()
	err := in.Decode(&c.Request)
	if err == nil && in.More() {
		err = errors.New("there is more after the request")
	}
	if err != nil {
		if c.ID == 0 { // it may be there nevertheless
			var only struct {
				ID uint64 `json:"id"`
			}
			_ = json.Unmarshal(message, &only)
			c.ID = only.ID
		}
		return c, protocolError("the message is not a request: %v", err)
	}
	if e.handlers[c.Op] == nil {
		return c, protocolError("there is no operation %q", c.Op)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running[c.ID] != nil {
		return c, protocolError("request %d is under way already", c.ID)
	}
	c.ctx, e.running[c.ID] = context.WithCancel(ctx)
	return c, nil
}

// serve answers one request.
func (e *Engine) serve(c *call) {
	reply := Reply{ID: c.ID}
	func() {
		defer func() {
			if r := recover(); r != nil {
				if path := c.mem.cutShort(); path != "" {
					reply.OK, reply.Error = nil, &Error{Kind: KindArray, Message: fmt.Sprintf("the file of an array was cut short while it was used: %s", path)}
					return
				}
				reply.Error = &Error{Kind: KindInternal, Message: fmt.Sprintf("internal error (please report it): %v\n%s", r, debug.Stack())}
			}
		}()
		debug.SetPanicOnFault(true) // arrays are files that others can cut short
		ok, err := e.handlers[c.Op](c)
		if err == nil {
			err = c.toFiles(ok)
		}
		if reply.OK = ok; err != nil {
			reply.OK, reply.Error = nil, errorOf(err)
			reply.Error.Message = c.Data.called(reply.Error.Message)
		}
	}()
	e.mu.Lock()
	e.running[c.ID]()
	delete(e.running, c.ID)
	e.mu.Unlock()
	b, err := encode(reply)
	if err != nil {
		b, _ = encode(Reply{ID: c.ID, Error: errorOf(err)})
	}
	c.mem.release() // before the reply, after which the client may remove its files
	_ = e.send(b)   // where it fails nobody listens any more, and reading ends
}

func encode(message any) ([]byte, error) {
	b, err := json.Marshal(message)
	if err == nil && len(b) > MaxFrame {
		err = &Error{Kind: KindInternal, Message: sprintf("the reply has %d bytes, more than a message can have", len(b))}
	}
	return b, err
}

// write writes one message.
func (e *Engine) write(message any) error {
	b, err := encode(message)
	if err != nil {
		return err
	}
	return e.send(b)
}

func (e *Engine) send(b []byte) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	if e.failed == nil {
		e.failed = WriteFrame(e.out, b)
	}
	return e.failed
}

// cancel ends another request: what it has found so far is its reply.
func (e *Engine) cancel(c *call) (any, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	cancel, found := e.running[c.Of]
	if found {
		cancel()
	}
	return map[string]bool{"found": found}, nil
}
