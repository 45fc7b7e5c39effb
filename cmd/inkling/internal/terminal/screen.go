// Package terminal writes for people: a line of progress at the bottom of a
// terminal, and text from files made harmless to it.
package terminal

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// A Screen shows one line of progress at the bottom of a terminal, from the
// first second on. On anything but a terminal it shows nothing.
type Screen struct {
	out   *os.File
	live  bool
	quiet *bool // no progress either
	paint bool  // in colours
	words bool  // lines break between words
	mu    sync.Mutex
	line  func() string // what to show; nil: nothing
	since time.Time
	drawn bool
	once  sync.Once
}

// NewScreen returns a screen on out, which shows no progress while quiet is true.
func NewScreen(out *os.File, quiet *bool) *Screen {
	live := term.IsTerminal(int(out.Fd()))
	return &Screen{out: out, live: live, quiet: quiet, paint: live && wantsColour(os.Getenv)}
}

// Show puts up a line that is computed again a few times a second; done removes
// it.
func (s *Screen) Show(line func() string) (done func()) {
	if !s.live || *s.quiet {
		return func() {}
	}
	s.once.Do(func() { go s.tick() })
	s.mu.Lock()
	s.line, s.since = line, time.Now()
	s.mu.Unlock()
	return s.Clear
}

func (s *Screen) tick() {
	for range time.Tick(120 * time.Millisecond) {
		s.mu.Lock()
		if spent := time.Since(s.since); s.line != nil && spent > time.Second {
			text := Printable(fmt.Sprintf("%s  %s", s.line(), spent.Round(time.Second)))
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

// Clear removes the line.
func (s *Screen) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = nil
	if s.drawn {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.drawn = false
	}
}

// Print writes a line for people above the line of progress.
func (s *Screen) Print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drawn {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.drawn = false
	}
	text = Printable(text)
	if width, _, err := term.GetSize(int(s.out.Fd())); s.words && err == nil {
		text = brokenBetweenWords(text, width-1)
	}
	if s.paint {
		text = coloured(text)
	}
	fmt.Fprintln(s.out, text)
}

// BreakBetweenWords makes lines that are wider than the terminal break between words, as sentences may.
func (s *Screen) BreakBetweenWords() { s.words = s.live }

// brokenBetweenWords returns a text in lines of at most so many letters, where its words are that short.
func brokenBetweenWords(text string, most int) string {
	var out strings.Builder
	at := 0 // letters of the line
	for i, word := range strings.Split(text, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > most && at > 0:
			out.WriteByte('\n')
			at = 0
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at += n
	}
	return out.String()
}
