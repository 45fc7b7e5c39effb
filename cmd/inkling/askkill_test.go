package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// smallTable writes forty rows in two clusters, and their classes.
func smallTable(t *testing.T, dir string) (data, truth string) {
	t.Helper()
	var rows, classes strings.Builder
	rows.WriteString("name,x,y\n")
	classes.WriteString("id,label\n")
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range 40 {
		fmt.Fprintf(&rows, "r%d,%.3f,%.3f\n", i, rng.NormFloat64()+float64(i%2)*3, rng.NormFloat64())
		fmt.Fprintf(&classes, "r%d,%s\n", i, []string{"low", "high"}[i%2])
	}
	data, truth = filepath.Join(dir, "rows.csv"), filepath.Join(dir, "truth.csv")
	for path, text := range map[string]string{data: rows.String(), truth: classes.String()} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return data, truth
}

// inklingAsk is the command that the tests on sessions run; a simulated person answers.
func inklingAsk(data, truth, session string, more ...string) *exec.Cmd {
	return exec.Command("inkling", append([]string{"ask", data, "--id", "name", "-k", "2", "--scale", "none", "--session", session, "--method", "pc-kmeans",
		"--oracle", truth, "--every", "5", "-v", "--workers", "1"}, more...)...)
}

// A killing is a session that is killed again and again while a simulated person answers.
type killing struct {
	t           *testing.T
	data, truth string
	path        string
	rng         *rand.Rand
	before      []byte         // the session after the last kill
	hashes      map[int]string // of the fits that were replayed, by event
	last        int            // the greatest number that was acknowledged
	cut         bool           // the session ends in half a line
	kills       int
	answers     int
	cuts        int
}

// A session that is killed at any moment keeps every answer that was acknowledged, what
// is in it does not change, and every fit of it can be made again.
func TestKilledSessionLosesNoAnswer(t *testing.T) {
	dir := t.TempDir()
	k := &killing{t: t, rng: rand.New(rand.NewPCG(16, 1))}
	k.data, k.truth = smallTable(t, dir)
	kills, each := 24, 8
	switch {
	case testing.Short():
		kills, each = 12, 6
	case os.Getenv("INKLING_FULL") != "":
		kills, each = 200, 10
	}
	began := time.Now()
	if out, err := inklingAsk(k.data, k.truth, filepath.Join(dir, "whole.jsonl"), "--budget", "10").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	longest := time.Since(began)
	for round := 0; k.kills < kills || k.answers < kills && k.kills < 3*kills; round++ {
		k.path = filepath.Join(dir, fmt.Sprintf("session%d.jsonl", round))
		k.before, k.hashes, k.last, k.cut = nil, map[int]string{}, 0, false
		for range each {
			k.killOnce(time.Duration(k.rng.Int64N(int64(longest))))
		}
		k.endWell()
	}
	t.Logf("%d kills, %d acknowledged answers, %d lines cut short", k.kills, k.answers, k.cuts)
	if k.answers < kills || k.cuts == 0 {
		t.Error("too little happened between the kills for a test")
	}
}

// killOnce starts the program on the session and kills it after a while.
func (k *killing) killOnce(after time.Duration) {
	var said bytes.Buffer
	cmd := inklingAsk(k.data, k.truth, k.path)
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	k.kills++
	k.checkAfter(said.String())
}

var acknowledged = regexp.MustCompile(`(?m)^event (\d+): .*\n`)

// checkAfter compares the session with what the program said before it was killed.
func (k *killing) checkAfter(said string) {
	k.t.Helper()
	warnings := strings.Count(said, "the last line was cut short")
	if strings.Contains(said, "event ") && (warnings == 1) != k.cut || warnings > 1 {
		k.t.Fatalf("cut short: %v; it said\n%s", k.cut, said)
	}
	if strings.Contains(said, "inkling: ") {
		k.t.Fatalf("it failed after kill %d:\n%s", k.kills, said)
	}
	for _, m := range acknowledged.FindAllStringSubmatch(said, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n <= k.last {
			k.t.Fatalf("event %d was acknowledged after %d, %v", n, k.last, err)
		}
		k.last = n
		k.answers++
	}
	now, err := os.ReadFile(k.path)
	if os.IsNotExist(err) && k.before == nil && k.last == 0 {
		return // killed before it began
	}
	if err != nil {
		k.t.Fatal(err)
	}
	whole := k.before[:bytes.LastIndexByte(k.before, '\n')+1]
	if !bytes.HasPrefix(now, whole) {
		k.t.Fatalf("what was on disk has changed after kill %d", k.kills)
	}
	k.read()
	if k.cut = len(now) > 0 && now[len(now)-1] != '\n'; !k.cut && k.rng.IntN(3) == 0 {
		now = k.cutShort(now)
	}
	k.before = now
}

// read returns the session, which has every event that was acknowledged, and its table.
func (k *killing) read() (*session.Session, *door.Table) {
	k.t.Helper()
	s, err := session.Read(k.path)
	if err != nil {
		k.t.Fatalf("after kill %d: %v", k.kills, err)
	}
	if got := len(s.Events()); got < k.last {
		k.t.Fatalf("after kill %d there are %d events, %d were acknowledged", k.kills, got, k.last)
	}
	table, err := s.Table(context.Background(), 1)
	if err != nil {
		k.t.Fatal(err)
	}
	return s, table
}

// replay makes every fit of the session again: those of before every kill, since what is
// on disk does not change.
func (k *killing) replay() {
	k.t.Helper()
	s, table := k.read()
	fits, err := s.Replay(context.Background(), table, door.Options{Workers: 1, NoSuspects: true}, nil)
	if err != nil {
		k.t.Fatal(err)
	}
	for _, f := range fits {
		if !f.Same {
			k.t.Fatalf("after %d kills fit %d gives other clusters", k.kills, f.N)
		}
		k.hashes[f.N] = f.LabelsSHA256
	}
}

// cutShort appends the beginning of another event, as a crash of the machine can leave it.
func (k *killing) cutShort(now []byte) []byte {
	k.t.Helper()
	line := fmt.Sprintf(`{"n":%d,"at":"2026-01-02T03:04:05Z","op":"must","a":"r1","b":"r2"}`, bytes.Count(now, []byte("\n")))
	now = append(now, line[:1+k.rng.IntN(len(line)-1)]...)
	if err := os.WriteFile(k.path, now, 0o644); err != nil {
		k.t.Fatal(err)
	}
	k.cut = true
	k.cuts++
	return now
}

// endWell lets the program end, and replays the session by the command line.
func (k *killing) endWell() {
	k.t.Helper()
	out, err := inklingAsk(k.data, k.truth, k.path, "--budget", "2").CombinedOutput()
	if err != nil {
		k.t.Fatalf("%v\n%s", err, out)
	}
	k.checkAfter(string(out))
	k.replay()
	again, err := exec.Command("inkling", "session", "replay", k.path, "--json", "-q").Output()
	var replayed struct {
		Fits []session.Replayed
		Same bool
	}
	if err := json.Unmarshal(again, &replayed); err != nil || !replayed.Same || len(replayed.Fits) == 0 {
		k.t.Fatalf("%v: %s", err, again)
	}
	for _, f := range replayed.Fits {
		if f.LabelsSHA256 != k.hashes[f.N] {
			k.t.Fatalf("fit %d gives other clusters", f.N)
		}
	}
	if err != nil {
		k.t.Fatal(err)
	}
}

// While one process asks, another one is refused, and may read.
func TestSecondProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	data, truth := smallTable(t, dir)
	path := filepath.Join(dir, "session.jsonl")
	first := exec.Command("inkling", "ask", data, "--id", "name", "-k", "2", "--session", path, "--json", "-q")
	in, err := first.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := first.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil { // it asks: the session is open
		t.Fatal(err)
	}
	for _, second := range []*exec.Cmd{inklingAsk(data, truth, path), exec.Command("inkling", "session", "undo", path)} {
		said, err := second.CombinedOutput()
		if second.ProcessState.ExitCode() != exitUsage || !strings.Contains(string(said), fmt.Sprintf("process %d works on this session; end it first, or work on a copy", first.Process.Pid)) {
			t.Errorf("%v: %s", err, said)
		}
	}
	if said, err := exec.Command("inkling", "session", "show", path).CombinedOutput(); err != nil {
		t.Errorf("a session that is being written cannot be read: %v\n%s", err, said)
	}
	fmt.Fprintln(in, `{"answer":"finish"}`)
	in.Close()
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Error(err)
	}
	if err := first.Wait(); err != nil {
		t.Error(err)
	}
	if said, err := inklingAsk(data, truth, path, "--budget", "1").CombinedOutput(); err != nil {
		t.Errorf("after the first has ended: %v\n%s", err, said)
	}
}
