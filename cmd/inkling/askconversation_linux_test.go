package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/inklinghq/inkling/internal/serve/session"
)

// openTerminal returns both ends of a new pseudo-terminal of 80 columns.
func openTerminal(t *testing.T, columns uint16) (person, program *os.File) {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Skip("there are no pseudo-terminals here:", err)
	}
	person = os.NewFile(uintptr(fd), "terminal")
	t.Cleanup(func() { person.Close() })
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	if err := unix.IoctlSetWinsize(int(program.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	return person, program
}

// A talk is a program at a terminal, and the person before it.
type talk struct {
	t      *testing.T
	cmd    *exec.Cmd
	person *os.File
	screen bytes.Buffer // all that was shown
	read   int          // of it that was waited for
}

func startTalk(t *testing.T, env []string, args ...string) *talk {
	t.Helper()
	return startTalkIn(t, 80, env, args...)
}

// startTalkIn starts a program at a terminal with so many columns.
func startTalkIn(t *testing.T, columns uint16, env []string, args ...string) *talk {
	t.Helper()
	person, program := openTerminal(t, columns)
	k := &talk{t: t, person: person, cmd: exec.Command("inkling", args...)}
	k.cmd.Stdin, k.cmd.Stdout, k.cmd.Stderr = program, program, program
	k.cmd.Env = append(os.Environ(), env...)
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.cmd.Process.Kill() })
	program.Close()
	return k
}

// waitFor reads until the screen shows a text, and returns what it shows up to there.
func (k *talk) waitFor(pattern string) string {
	k.t.Helper()
	want := regexp.MustCompile(pattern)
	buf := make([]byte, 4096)
	if err := k.person.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		k.t.Fatal(err)
	}
	for {
		rest := k.screen.Bytes()[k.read:]
		if at := want.FindIndex(rest); at != nil {
			k.read += at[1]
			return string(rest[:at[1]])
		}
		n, err := k.person.Read(buf)
		k.screen.Write(buf[:n])
		if err != nil {
			k.t.Fatalf("waiting for %q: %v; the screen is\n%s", pattern, err, k.screen.String())
		}
	}
}

func (k *talk) press(key string) {
	k.t.Helper()
	if _, err := k.person.WriteString(key); err != nil {
		k.t.Fatal(err)
	}
}

// end waits until the program has ended.
func (k *talk) end() {
	k.t.Helper()
	late := time.AfterFunc(time.Minute, func() { _ = k.cmd.Process.Kill() })
	defer late.Stop()
	if err := k.cmd.Wait(); err != nil {
		k.t.Fatalf("%v; the screen is\n%s", err, k.screen.String())
	}
}

var (
	escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)
	waiting = `\?\] (?:\x1b\[0m)?`
)

// checkWidth holds every line of the screen to so many columns.
func (k *talk) checkWidth(columns int) {
	k.t.Helper()
	for _, line := range strings.FieldsFunc(escapes.ReplaceAllString(k.screen.String(), ""), func(r rune) bool { return r == '\n' || r == '\r' }) {
		if utf8.RuneCountInString(line) > columns {
			k.t.Errorf("a line is too long for the screen: %s", line)
		}
	}
}

// A whole conversation at a terminal, with every key.
func TestConversationAtATerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wine.jsonl")
	k := startTalk(t, []string{"TERM=xterm", "NO_COLOR="}, "ask", "example:wine.csv", "-k", "3", "--scale", "standard", "--session", path, "--method", "pc-kmeans", "--by", "anna", "--every", "2", "--budget", "29")
	first := k.waitFor(`0 same, 0 different, 0 unsure, 29 left  \[y n u s p w l f ` + waiting)
	pair := regexp.MustCompile(`1\. Do (\d+) and (\d+) belong together\?`).FindStringSubmatch(first)
	k.press("?")
	k.waitFor(`y same  n different  u unsure(?s:.*)` + waiting)
	k.press("w")
	k.waitFor(`w\r\nauto asks: (?s:.*)` + waiting)
	k.press("\x1b[A") // an arrow: one key that means nothing
	if shown := k.waitFor(`f finish\r\n(?s:.*)` + waiting); strings.Contains(shown, "2. Do") {
		t.Errorf("an arrow answered:\n%s", shown)
	}
	k.press("y")
	k.waitFor(`2\. Do \d+ and \d+(?s:.*)1 same, 0 different, 0 unsure, 28 left.*` + waiting)
	k.press("n")
	k.waitFor(`3\. Do (?s:.*)1 same, 1 different, 0 unsure, 27 left.*` + waiting)
	k.press("p")
	k.waitFor(`taken back: \d+ and \d+ do not belong together\r\n(?s:.*)2\. Do (?s:.*)1 same, 0 different, 0 unsure, 28 left.*` + waiting)
	k.press("u")
	k.waitFor(`3\. Do (?s:.*)1 same, 0 different, 1 unsure, 27 left.*` + waiting)
	k.press("s")
	k.waitFor(`4\. Do (?s:.*)1 same, 0 different, 1 unsure, 1 skipped, 26 left.*` + waiting)
	k.press("l")
	k.waitFor(`label of \d+ \(Enter: none\): `)
	k.press("red\n")
	k.waitFor(`label of \d+ \(Enter: none\): `)
	k.press("\n")
	k.waitFor(`1 label, 25 left.*` + waiting)
	k.press("l")
	k.waitFor(`label of \d+ \(so far red; Enter: none\): `)
	k.press("\n")
	k.waitFor(`label of \d+ \(so far red; Enter: none\): `)
	k.press("\n")
	k.waitFor(`1 label, 25 left`)
	k.waitFor(waiting)
	for range 20 { // until a fit in the background has ended
		if strings.Contains(k.screen.String(), "clustered again by pc-kmeans") {
			break
		}
		waitForFit(t, path)
		k.press("u")
		k.waitFor(`belong together(?s:.*)` + waiting)
	}
	k.press("f")
	k.waitFor(`1 same, 0 different, \d+ unsure, 1 skipped, 1 label\r\n(?s:.*)clustered by pc-kmeans: \d of 1 must-links`)
	k.waitFor(`the\s+answers\s+are\s+in\s+\S+;\s+the\s+same\s+command\s+goes\s+on\s+with\s+them`)
	k.end()
	if shown := k.screen.String(); !strings.Contains(shown, "\x1b[1m1. Do ") || !regexp.MustCompile(`  \* \x1b\[1;33m[a-z_0-9]+ `).MatchString(shown) {
		t.Errorf("differing fields are not marked:\n%s", shown)
	}
	if !strings.Contains(k.screen.String(), "clustered again by pc-kmeans") {
		t.Error("there was no fit while the person answered")
	}
	s, err := session.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, e := range s.InForce() {
		if e.Op != session.OpFit {
			said = append(said, string(e.Op)+" "+e.By)
		}
	}
	if got := strings.Join(said, ", "); !strings.HasPrefix(got, "must anna, unsure anna, skip anna, label anna") {
		t.Error("the session has", got)
	}
	if e := s.Events()[0]; pair == nil || e.A != pair[1] || e.B != pair[2] {
		t.Errorf("the first answer is %v, asked was %v", e, pair)
	}
}

// waitForFit waits until a session has a fit.
func waitForFit(t *testing.T, path string) {
	t.Helper()
	for range 6000 {
		if b, err := os.ReadFile(path); err == nil && bytes.Contains(b, []byte(`"op":"fit"`)) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nothing was clustered in a minute")
}

// Without colours there is not one escape sequence, and no line is longer than the screen.
func TestConversationWithoutColours(t *testing.T) {
	for _, data := range [][]string{{"example:wine.csv", "-k", "3"}, {"example:text.csv", "--text", "text", "-k", "3"}, {"example:graph.edges", "-k", "4"}} {
		path := filepath.Join(t.TempDir(), "session.jsonl")
		k := startTalk(t, []string{"TERM=xterm", "NO_COLOR=1"}, append(append([]string{"ask"}, data...), "--session", path, "-q")...)
		for i := range 6 {
			k.waitFor(waiting)
			k.press([]string{"y", "n"}[i%2])
		}
		k.waitFor(waiting)
		k.press("\x03") // Ctrl-C finishes: every answer is on disk
		k.end()
		if strings.Contains(k.screen.String(), "\x1b[") {
			t.Errorf("%s: there are escape sequences:\n%q", data[0], k.screen.String())
		}
		k.checkWidth(80)
		if s, err := session.Read(path); err != nil || len(s.InForce()) < 6 {
			t.Errorf("%s: %v", data[0], err)
		}
	}
}

// In a narrow terminal sentences break between words, from the first line to the last.
func TestConversationInANarrowTerminal(t *testing.T) {
	k := startTalkIn(t, 44, []string{"TERM=xterm", "NO_COLOR=1"}, "ask", "example:wine.csv", "-k", "3", "--session", filepath.Join(t.TempDir(), "session.jsonl"))
	for _, key := range []string{"w", "y", "s", "l", "Barolo wine\r", "\r", "n", "l", "\r", "\r", "f"} {
		k.waitFor(waiting + `|none\): `)
		k.press(key)
	}
	k.waitFor(`3 clusters by \w+`)
	k.end()
	k.checkWidth(44)
	words := strings.Join(strings.Fields(k.screen.String()), " ")
	for _, sentence := range []string{"read as csv: 178 rows, 13 columns, header", "k keep the clusters as they were f finish", "that nobody has named yet", "1 same, 0 different, 0 unsure, 1 skipped [?]", "(so far Barolo wine; Enter: none):", "the same command goes on with them"} {
		if !strings.Contains(words, sentence) {
			t.Errorf("%q is not there in whole words:\n%s", sentence, k.screen.String())
		}
	}
}

// A program that is ended while it waits for a key leaves the terminal as it was.
func TestTerminalIsRestored(t *testing.T) {
	k := startTalk(t, nil, "ask", "example:iris.csv", "-k", "3", "--session", filepath.Join(t.TempDir(), "iris.jsonl"))
	before := k.modes()
	k.waitFor(waiting)
	if k.modes() == before {
		t.Error("the terminal waits for Enter while the program waits for a key")
	}
	if err := k.cmd.Process.Signal(unix.SIGTERM); err != nil {
		t.Fatal(err)
	}
	k.waitFor("inkling: interrupted")
	_ = k.cmd.Wait()
	if after := k.modes(); after != before {
		t.Errorf("the terminal was left with modes %x, before %x", after, before)
	}
}

// modes are the local and the output modes of the terminal.
func (k *talk) modes() (modes [2]uint32) {
	k.t.Helper()
	conn, err := k.person.SyscallConn()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := conn.Control(func(fd uintptr) {
		var now *unix.Termios
		if now, err = unix.IoctlGetTermios(int(fd), unix.TCGETS); err == nil {
			modes = [2]uint32{now.Lflag, now.Oflag}
		}
	}); err != nil {
		k.t.Fatal(err)
	}
	if err != nil {
		k.t.Fatal(err)
	}
	return modes
}
