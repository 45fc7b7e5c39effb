package terminal

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// A Keyboard reads single keys of a terminal; of anything else lines, of which the first
// letter is the key.
type Keyboard struct {
	in *bufio.Reader
	fd int // of the terminal; -1: there is none
}

// NewKeyboard returns a keyboard that reads from in.
func NewKeyboard(in io.Reader) *Keyboard {
	k := &Keyboard{in: bufio.NewReader(in), fd: -1}
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		k.fd = int(f.Fd())
	}
	return k
}

// Single reports whether keys come without Enter, and are not shown by the terminal.
func (k *Keyboard) Single() bool { return k.fd >= 0 }

// Control keys.
const (
	CtrlC  = 3
	CtrlD  = 4
	escape = 27
)

// Key calls prompt, which writes a line without its end, and waits for a key. An empty line
// is a space, as is a key that sends several letters.
func (k *Keyboard) Key(prompt func()) (rune, error) {
	if k.fd < 0 {
		prompt()
		line, err := k.in.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			return []rune(line)[0], nil
		}
		return ' ', err
	}
	if err := raw.begin(k.fd); err != nil {
		return 0, err
	}
	prompt() // a key after it is not shown by the terminal any more
	key, _, err := k.in.ReadRune()
	if key == escape { // an arrow: the rest of it is there already
		_, _ = k.in.Discard(k.in.Buffered())
		key = ' '
	}
	if back := raw.end(); err == nil {
		err = back
	}
	return key, err
}

// Line waits for a line, which the terminal shows, and returns it without spaces around.
func (k *Keyboard) Line() (string, error) {
	line, err := k.in.ReadString('\n')
	if line = strings.TrimSpace(line); line != "" {
		err = nil
	}
	return line, err
}

// raw is how the terminal was before keys were read without Enter.
var raw rawMode

type rawMode struct {
	mu    sync.Mutex
	fd    int
	state *term.State
}

func (r *rawMode) begin(fd int) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fd = fd
	r.state, err = term.MakeRaw(fd)
	return err
}

func (r *rawMode) end() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == nil {
		return nil
	}
	err := term.Restore(r.fd, r.state)
	r.state = nil
	return err
}

// Restore leaves the terminal as it was before keys were read, for a program that ends
// while it waits for one.
func Restore() { _ = raw.end() }

// Canvas returns how wide lines on out may be, and whether they may be in colours.
func Canvas(out *os.File) (width int, colour bool) {
	const usual, least, most = 80, 40, 120
	if !term.IsTerminal(int(out.Fd())) {
		return usual, false
	}
	width, _, err := term.GetSize(int(out.Fd()))
	if err != nil || width < 1 {
		width = usual
	}
	return max(least, min(width, most)), wantsColour(os.Getenv)
}

// Answer writes a prompt to out, waits for a key and shows it. Control-C and Control-D are the key end.
func (k *Keyboard) Answer(out io.Writer, prompt string, end rune) (rune, error) {
	key, err := k.Key(func() { fmt.Fprint(out, prompt) })
	if key == CtrlC || key == CtrlD {
		key = end
	}
	if k.Single() {
		fmt.Fprintf(out, "%s\n", strings.TrimSpace(Printable(string(key))))
	} else {
		fmt.Fprintln(out)
	}
	return key, err
}
