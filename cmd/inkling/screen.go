package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// A screen shows one line of progress at the bottom of a terminal, from the
// first second on. On anything but a terminal it shows nothing.
type screen struct {
	out   *os.File
	live  bool
	quiet *bool // no progress either
	mu    sync.Mutex
	line  func() string // what to show; nil: nothing
	since time.Time
	drawn bool
	once  sync.Once
}

func newScreen(out *os.File, quiet *bool) *screen {
	return &screen{out: out, live: term.IsTerminal(int(out.Fd())), quiet: quiet}
}

// show puts up a line that is asked for anew a few times a second; done takes
// it away.
func (s *screen) show(line func() string) (done func()) {
	if !s.live || *s.quiet {
		return func() {}
	}
	s.once.Do(func() { go s.tick() })
	s.mu.Lock()
	s.line, s.since = line, time.Now()
	s.mu.Unlock()
	return s.clear
}

func (s *screen) tick() {
	for range time.Tick(120 * time.Millisecond) {
		s.mu.Lock()
		if spent := time.Since(s.since); s.line != nil && spent > time.Second {
			text := printable(fmt.Sprintf("%s  %s", s.line(), spent.Round(time.Second)))
			if width, _, err := term.GetSize(int(s.out.Fd())); err == nil && width > 1 {
				if r := []rune(text); len(r) >= width {
					text = string(r[:width-1])
				}
			}
			fmt.Fprintf(s.out, "\r\x1b[K%s", text)
			s.drawn = true
		}
		s.mu.Unlock()
	}
}

// clear takes the line away.
func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = nil
	if s.drawn {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.drawn = false
	}
}

// print writes a line for people above the line of progress.
func (s *screen) print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drawn {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.drawn = false
	}
	fmt.Fprintln(s.out, printable(text))
}
