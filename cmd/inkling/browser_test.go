package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// findBrowser returns the browser that INKLING_BROWSER names, which must be there; without a name it skips the
// test, so that what the tests do on a machine does not depend on what else is installed there.
func findBrowser(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the browser is spoken to by inherited pipes, which Windows has not")
	}
	path := os.Getenv("INKLING_BROWSER")
	if path == "" {
		t.Skip("INKLING_BROWSER names a Chromium to open pages with, as in .ci/run")
	}
	found, err := exec.LookPath(path)
	if err != nil {
		t.Fatalf("INKLING_BROWSER: %v", err)
	}
	return found
}

// A browser is a headless Chromium, spoken to by the DevTools protocol over two
// pipes: JSON objects with a zero byte after each.
type browser struct {
	to    *os.File
	mu    sync.Mutex
	next  int
	waits map[int]chan answer
	tabs  map[string]*tab // by session
}

type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// A tab is one page and what was seen of it.
type tab struct {
	b        *browser
	session  string
	loaded   chan struct{}
	faults   []string // errors on the console, exceptions
	requests []string // addresses that it asked for
}

// startBrowser starts a browser that ends with the test.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := findBrowser(t)
	hear, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, reply, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--disable-extensions", "--disable-background-networking", "--hide-scrollbars", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{hear, reply} // descriptors 3 and 4
	var said bytes.Buffer
	cmd.Stderr, cmd.WaitDelay = &said, 5*time.Second
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	_, _ = hear.Close(), reply.Close()
	b := &browser{to: to, waits: map[int]chan answer{}, tabs: map[string]*tab{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.listen(bufio.NewReader(from))
	}()
	t.Cleanup(func() {
		_ = b.call("", "Browser.close", nil, nil)
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		_ = to.Close()
		<-done
		_ = from.Close()
		if t.Failed() {
			t.Logf("the browser said:\n%s", said.String())
		}
	})
	return b
}

// listen hears answers and events until the browser ends.
func (b *browser) listen(r *bufio.Reader) {
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			defer b.mu.Unlock()
			for id, wait := range b.waits {
				close(wait)
				delete(b.waits, id)
			}
			b.waits = nil
			return
		}
		var m struct {
			ID        int
			Method    string
			SessionID string
			Params    json.RawMessage
			answer
		}
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if wait := b.waits[m.ID]; wait != nil {
			wait <- m.answer
			delete(b.waits, m.ID)
		} else if tab := b.tabs[m.SessionID]; tab != nil {
			tab.hear(m.Method, m.Params)
		}
		b.mu.Unlock()
	}
}

// call asks for something and fills result with the answer.
func (b *browser) call(session, method string, params, result any) error {
	if params == nil {
		params = struct{}{}
	}
	b.mu.Lock()
	if b.waits == nil {
		b.mu.Unlock()
		return errors.New("the browser has ended")
	}
	b.next++
	wait := make(chan answer, 1)
	b.waits[b.next] = wait
	text, err := json.Marshal(struct {
		ID        int    `json:"id"`
		Method    string `json:"method"`
		SessionID string `json:"sessionId,omitempty"`
		Params    any    `json:"params"`
	}{b.next, method, session, params})
	b.mu.Unlock()
	if err != nil {
		return err
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return err
	}
	select {
	case a, ok := <-wait:
		switch {
		case !ok:
			return fmt.Errorf("%s: the browser ended", method)
		case a.Error != nil:
			return fmt.Errorf("%s: %s", method, a.Error.Message)
		case result != nil:
			return json.Unmarshal(a.Result, result)
		}
		return nil
	case <-time.After(30 * time.Second):
		return fmt.Errorf("%s: no answer in 30 s", method)
	}
}

// open opens an address in a new tab of that width and colour scheme, and waits
// until it is there.
func (b *browser) open(t *testing.T, address string, width int, scheme string) *tab {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var target struct{ TargetID string }
	must(b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target))
	var at struct{ SessionID string }
	must(b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &at))
	tb := &tab{b: b, session: at.SessionID, loaded: make(chan struct{}, 1)}
	b.mu.Lock()
	b.tabs[at.SessionID] = tb
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		must(tb.call(domain+".enable", nil, nil))
	}
	must(tb.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil))
	must(tb.call("Emulation.setEmulatedMedia", map[string]any{
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil))
	must(tb.call("Page.navigate", map[string]any{"url": address}, nil))
	select {
	case <-tb.loaded:
	case <-time.After(60 * time.Second):
		t.Fatalf("%s did not load in a minute", address)
	}
	t.Cleanup(func() { _ = b.call("", "Target.closeTarget", map[string]any{"targetId": target.TargetID}, nil) })
	return tb
}

func (tb *tab) call(method string, params, result any) error {
	return tb.b.call(tb.session, method, params, result)
}

// hear notes an event; the browser is locked.
func (tb *tab) hear(method string, params json.RawMessage) {
	var p struct {
		Type    string
		Entry   struct{ Level, Text, URL string }
		Request struct{ URL string }
	}
	_ = json.Unmarshal(params, &p) // what does not fit is not asked for below
	switch method {
	case "Page.loadEventFired":
		select {
		case tb.loaded <- struct{}{}:
		default:
		}
	case "Runtime.exceptionThrown":
		tb.faults = append(tb.faults, string(params))
	case "Runtime.consoleAPICalled":
		if p.Type == "error" || p.Type == "warning" || p.Type == "assert" {
			tb.faults = append(tb.faults, string(params))
		}
	case "Log.entryAdded":
		if p.Entry.Level == "error" || p.Entry.Level == "warning" {
			tb.faults = append(tb.faults, p.Entry.Text+" "+p.Entry.URL)
		}
	case "Network.requestWillBeSent":
		if !strings.HasPrefix(p.Request.URL, "data:") {
			tb.requests = append(tb.requests, p.Request.URL)
		}
	}
}

// seen returns the faults and requests so far.
func (tb *tab) seen() (faults, requests []string) {
	tb.b.mu.Lock()
	defer tb.b.mu.Unlock()
	return append([]string(nil), tb.faults...), append([]string(nil), tb.requests...)
}

// eval runs a script that returns a value, and fills result with it.
func (tb *tab) eval(script string, result any) error {
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if err := tb.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}, &got); err != nil {
		return err
	}
	if e := got.ExceptionDetails; e != nil {
		return fmt.Errorf("%s %s", e.Text, e.Exception.Description)
	}
	return json.Unmarshal(got.Result.Value, result)
}
