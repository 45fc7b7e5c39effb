package session

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/internal/door"
)

const iris = "example:iris.csv"

func irisTable(t *testing.T) *door.Table {
	t.Helper()
	table, err := door.Open(context.Background(), iris, door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// begin makes a session on iris.
func begin(t *testing.T) *Session {
	t.Helper()
	h, err := NewHeader(context.Background(), iris, door.Source{}, irisTable(t), door.Options{K: 3, Method: "pc-kmeans"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Create(filepath.Join(t.TempDir(), "work.jsonl"), h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func add(t *testing.T, s *Session, e Event) Event {
	t.Helper()
	e, err := s.Append(e)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func weight(w float64) *float64 { return &w }

func TestASessionIsReadAsItWasWritten(t *testing.T) {
	s := begin(t)
	add(t, s, Event{Op: OpLabel, ID: "3", Label: "setosa", By: "lasso"})
	add(t, s, Event{Op: OpMust, A: "3", B: "7", Asked: &Asked{Strategy: "random", Why: "by chance"}})
	add(t, s, Event{Op: OpCannot, A: "3", B: "70", Weight: weight(0.8)})
	add(t, s, Event{Op: OpSkip, A: "1", B: "2"})
	add(t, s, Event{Op: OpRename, Cluster: "cluster-1", Name: "Occasional"})
	if e, err := s.Undo(3); err != nil || e.Op != OpCannot {
		t.Fatal(e, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if len(again.Events()) != 6 || len(again.Notes()) != 0 {
		t.Fatal(again.Events(), again.Notes())
	}
	if got, want := again.Totals(), (Totals{Labels: 1, Must: 1, Skipped: 1}); got != want {
		t.Errorf("%+v", got)
	}
	if got := again.Names()["cluster-1"]; got != "Occasional" {
		t.Error(got)
	}
	var said []string
	for _, e := range again.InForce() {
		said = append(said, e.String())
	}
	want := "3 is setosa; 3 and 7 belong together; 1 and 2: skipped; group cluster-1 is called Occasional"
	if got := strings.Join(said, "; "); got != want {
		t.Errorf("%s", got)
	}
}

// What people answered is theirs: others on the machine do not read it.
func TestSessionsArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes of files are of no use here")
	}
	s := begin(t)
	for _, path := range []string{s.Path(), lockName(s.Path())} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", filepath.Base(path), info.Mode())
		}
	}
}

// The lines are those of the contract, so that other programs can read and write them.
func TestLinesOfTheFile(t *testing.T) {
	s := begin(t)
	add(t, s, Event{Op: OpCannot, A: "3", B: "70", Weight: weight(0.8)})
	if _, _, err := s.Fit(context.Background(), irisTable(t), s.Header().Fit, door.Options{NoSuspects: true}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	for i, parts := range [][]string{
		{`{"inkling":"session/1","data":{"path":"example:iris.csv","sha256":"`, `"rows":150}`, `"source":{}`, `"prepare":{}`, `"fit":{"method":"pc-kmeans","k":3}`, `"created":"`},
		{`{"n":1,"at":"`, `"op":"cannot","a":"3","b":"70","weight":0.8}`},
		{`{"n":2,"at":"`, `"op":"fit"`, `"method":"pc-kmeans","k":3`, `"labels_sha256":"`},
	} {
		for _, part := range parts {
			if !strings.Contains(lines[i], part) {
				t.Errorf("line %d has no %s: %s", i+1, part, lines[i])
			}
		}
	}
	if len(lines) != 4 || lines[3] != "" {
		t.Errorf("%d lines", len(lines))
	}
}

func TestALineThatWasCutShortIsLeftOut(t *testing.T) {
	s := begin(t)
	add(t, s, Event{Op: OpMust, A: "1", B: "2"})
	add(t, s, Event{Op: OpMust, A: "3", B: "4"})
	s.Close()
	whole, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.IndexByte(whole, '\n') + 1
	for cut := first; cut < len(whole); cut++ {
		if err := os.WriteFile(s.Path(), whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(whole[:cut], []byte("\n"))
		again, err := Open(s.Path())
		if err != nil {
			t.Fatalf("cut after %d bytes: %v", cut, err)
		}
		if got := len(again.Events()); got != lines-1 {
			t.Fatalf("cut after %d bytes: %d events, there are %d whole lines", cut, got, lines)
		}
		if isCut := whole[cut-1] != '\n'; isCut != (len(again.Notes()) == 1) {
			t.Fatalf("cut after %d bytes: %v", cut, again.Notes())
		}
		add(t, again, Event{Op: OpCannot, A: "5", B: "6"}) // goes on after the last whole line
		again.Close()
		if read, err := Read(s.Path()); err != nil || len(read.Events()) != lines {
			t.Fatalf("cut after %d bytes, and one more: %v", cut, err)
		}
	}
}

func TestWrongFilesAreRefusedWithTheirLine(t *testing.T) {
	const first = `{"inkling":"session/1","data":{"path":"x.csv","sha256":"00","rows":3},"source":{},"prepare":{},"fit":{},"created":"2026-01-01T00:00:00Z"}` + "\n"
	path := filepath.Join(t.TempDir(), "s.jsonl")
	for _, c := range []struct{ text, says string }{
		{"", "s.jsonl:1: this is not a session"},
		{"id,label\n1,a\n", "s.jsonl:1: this is not a session"},
		{`{"inkling":"model/1"}` + "\n", `:1: this is not a session, but "model/1"`},
		{strings.Replace(first, "session/1", "session/2", 1), ":1: the session is of version session/2"},
		{first + "nonsense\n", "s.jsonl:2: not a JSON object"},
		{first + `{"n":2,"at":"2026-01-01T00:00:00Z","op":"must","a":"1","b":"2"}` + "\n", ":2: event 2 follows event 0"},
		{first + `{"n":1,"at":"2026-01-01T00:00:00Z","op":"must","a":"1"}` + "\n", ":2: must needs a and b"},
		{first + `{"n":1,"at":"2026-01-01T00:00:00Z","op":"must","a":"1","b":"1"}` + "\n", "the same row, 1"},
		{first + `{"n":1,"at":"2026-01-01T00:00:00Z","op":"undo","of":1}` + "\n", "there is no event 1 to undo"},
		{first + `{"n":1,"at":"2026-01-01T00:00:00Z","op":"cannot","a":"1","b":"2","weight":-1}` + "\n", "the weight must be above 0"},
		{first + `{"n":"x","op":"must"}` + "\n", ":2: n must not be a string"},
		{first + `{"n":1,"op":"` + strings.Repeat("x", maxLine) + "\"}\n", "longer than"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path)
		var input *door.InputError
		if err == nil || !errors.As(err, &input) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.80q: %v", c.text, err)
		}
	}
	// What a later minor version may add is kept.
	later := first + `{"n":1,"at":"2026-01-01T00:00:00Z","op":"colour","cluster":"1","hue":3}` + "\n"
	if err := os.WriteFile(path, []byte(later), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	branch, err := s.Branch(filepath.Join(t.TempDir(), "b.jsonl"), -1)
	if err != nil {
		t.Fatal(err)
	}
	defer branch.Close()
	if b, err := os.ReadFile(branch.Path()); err != nil || !strings.Contains(string(b), `"hue":3`) {
		t.Errorf("%s %v", b, err)
	}
}

func TestOneProcessAtATime(t *testing.T) {
	s := begin(t)
	_, err := Open(s.Path())
	var locked *LockedError
	if !errors.As(err, &locked) || !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())+" works on this session") {
		t.Fatal(err)
	}
	if r, err := Read(s.Path()); err != nil {
		t.Error(err)
	} else if _, err := r.Append(Event{Op: OpMust, A: "1", B: "2"}); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	s.Close()
	if _, err := os.Stat(lockName(s.Path())); err == nil {
		t.Error("the lock file is left")
	}
	if err := os.WriteFile(lockName(s.Path()), []byte("process 1\n"), 0o644); err != nil { // as after a crash
		t.Fatal(err)
	}
	again, err := Open(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	if _, err := Create(s.Path(), s.Header()); !errors.Is(err, os.ErrExist) {
		t.Errorf("a session was overwritten: %v", err)
	}
	other := filepath.Join(t.TempDir(), "other.jsonl")
	if err := os.WriteFile(other+".new", []byte(`{"inkling":"sess`), 0o644); err != nil { // a crash before it had its name
		t.Fatal(err)
	}
	created, err := Create(other, s.Header())
	if err != nil {
		t.Fatal(err)
	}
	created.Close()
	if left, err := os.ReadDir(filepath.Dir(other)); err != nil || len(left) != 1 {
		t.Error("files are left:", left, err)
	}
}

func TestUndo(t *testing.T) {
	s := begin(t)
	if _, err := s.Undo(0); !errors.Is(err, ErrNothingToUndo) {
		t.Error(err)
	}
	for i := range 3 {
		add(t, s, Event{Op: OpMust, A: "0", B: strconv.Itoa(i + 1)})
	}
	for want := 3; want > 0; want-- { // step by step back
		if e, err := s.Undo(0); err != nil || e.N != want {
			t.Fatal(e, err)
		}
	}
	if _, err := s.Undo(0); !errors.Is(err, ErrNothingToUndo) {
		t.Error(err)
	}
	if _, err := s.Undo(2); err == nil {
		t.Error("undone twice")
	}
	if _, err := s.Undo(4); err != nil { // the first undo, of event 3
		t.Fatal(err)
	}
	if got := s.InForce(); len(got) != 1 || got[0].N != 3 {
		t.Error(got)
	}
	if _, err := s.Undo(99); err == nil {
		t.Error("undone what is not there")
	}
}

// Whatever is undone and redone, in force is what a history kept by hand has.
func TestEffectsAreThoseOfAHistoryKeptByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []Event
		for n := range rapid.IntRange(1, 30).Draw(t, "events") {
			e := Event{N: n + 1, Op: OpMust, A: "a", B: "b"}
			if n > 0 && rapid.Bool().Draw(t, "undo") {
				e = Event{N: n + 1, Op: OpUndo, Of: rapid.IntRange(1, n).Draw(t, "of")}
			}
			events = append(events, e)
		}
		// By hand: an event is out if any later undo of it is in, by recursion.
		var in func(n int) bool
		in = func(n int) bool {
			for _, e := range events[n:] {
				if e.Op == OpUndo && e.Of == n && in(e.N) {
					return false
				}
			}
			return true
		}
		for i, got := range effects(events) {
			if want := in(i + 1); got != want {
				t.Fatalf("event %d: %v, by hand %v", i+1, got, want)
			}
		}
	})
}

func TestTheLastWordCounts(t *testing.T) {
	s := begin(t)
	add(t, s, Event{Op: OpLabel, ID: "3", Label: "setosa"})
	add(t, s, Event{Op: OpLabel, ID: "3", Label: "virginica"})
	add(t, s, Event{Op: OpMust, A: "1", B: "2"})
	add(t, s, Event{Op: OpCannot, A: "2", B: "1", Weight: weight(2)})
	add(t, s, Event{Op: OpMust, A: "5", B: "6"})
	add(t, s, Event{Op: OpUnsure, A: "5", B: "6"})
	add(t, s, Event{Op: OpBelief, A: "8", B: "9", Weight: weight(-0.5)})
	var labels, links, beliefs strings.Builder
	if err := errors.Join(s.WriteLabels(&labels), s.WriteLinks(&links), s.WriteBeliefs(&beliefs)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want string }{
		{labels.String(), "id,label\n3,virginica\n"},
		{links.String(), "a,b,kind,weight\n2,1,cannot,2\n"},
		{beliefs.String(), "a,b,belief\n8,9,-0.5\n"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if c := s.Constraints(irisTable(t)); c.Len() != 3 || c.Err() != nil {
		t.Error(c.Len(), c.Err())
	}
}

func TestReplayGivesTheSameClusters(t *testing.T) {
	ctx, table, s := context.Background(), irisTable(t), begin(t)
	quiet := door.Options{NoSuspects: true}
	set := s.Header().Fit
	if _, _, err := s.Fit(ctx, table, set, quiet); err != nil {
		t.Fatal(err)
	}
	for i := range 10 { // rows of two species
		add(t, s, Event{Op: OpCannot, A: strconv.Itoa(60 + i), B: strconv.Itoa(110 + i)})
	}
	_, e, err := s.Fit(ctx, table, set, quiet)
	if err != nil || e.ARIBefore == nil {
		t.Fatal(e, err)
	}
	s.Close()
	again, err := Read(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	opened, err := again.Table(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	fits, err := again.Replay(ctx, opened, quiet, nil)
	if err != nil || len(fits) != 2 {
		t.Fatal(fits, err)
	}
	for _, f := range fits {
		if !f.Same {
			t.Errorf("event %d gives other clusters", f.N)
		}
	}
	// A file that was changed gives another answer: the test can fail.
	b, _ := os.ReadFile(s.Path())
	changed := filepath.Join(t.TempDir(), "changed.jsonl")
	if err := os.WriteFile(changed, bytes.Replace(b, []byte(`"op":"fit","method":"pc-kmeans","k":3`), []byte(`"op":"fit","method":"pc-kmeans","k":4`), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	other, err := Read(changed)
	if err != nil {
		t.Fatal(err)
	}
	if fits, err := other.Replay(ctx, opened, quiet, nil); err != nil || fits[0].Same {
		t.Error(fits, err)
	}
}

func TestDataThatChangeAreNoticed(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	path := filepath.Join(dir, "points.csv")
	if err := os.WriteFile(path, []byte("x,y\n1,2\n3,4\n5,6\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	table, err := door.Open(ctx, path, door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHeader(ctx, path, door.Source{}, table, door.Options{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Create(filepath.Join(dir, "s.jsonl"), h)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Table(ctx, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x,y\n1,2\n3,4\n5,7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var changed *ChangedError
	if table, err := s.Table(ctx, 0); !errors.As(err, &changed) || table == nil {
		t.Error(table, err)
	}
	if _, err := NewHeader(ctx, "-", door.Source{}, table, door.Options{}); err == nil {
		t.Error("a session on standard input")
	}
}

func TestBranch(t *testing.T) {
	s := begin(t)
	for i := range 5 {
		add(t, s, Event{Op: OpMust, A: "0", B: strconv.Itoa(i + 1)})
	}
	b, err := s.Branch(filepath.Join(t.TempDir(), "branch.jsonl"), 3)
	if err != nil {
		t.Fatal(err)
	}
	add(t, b, Event{Op: OpCannot, A: "7", B: "8"})
	b.Close()
	again, err := Read(b.Path())
	if err != nil {
		t.Fatal(err)
	}
	if from := again.Header().From; from == nil || from.N != 3 || len(again.Events()) != 4 || again.Events()[2].B != "3" {
		t.Error(from, again.Events())
	}
	if _, err := s.Branch(filepath.Join(t.TempDir(), "x.jsonl"), 6); err == nil {
		t.Error("a branch after an event that is not there")
	}
}

const appendHere = "INKLING_TEST_APPEND"

// TestMain appends to a session for ever where appendHere names one, and prints every
// number once it is acknowledged.
func TestMain(m *testing.M) {
	path := os.Getenv(appendHere)
	if path == "" {
		os.Exit(m.Run())
	}
	s, err := Open(path)
	if err != nil {
		os.Exit(1)
	}
	for i := 0; ; i++ {
		e, err := s.Append(Event{Op: OpMust, A: "a" + strconv.Itoa(i), B: strings.Repeat("b", 1+i%500)})
		if err != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString(strconv.Itoa(e.N) + "\n")
	}
}

// Killed at any moment, a session has every event that was acknowledged.
func TestNoAcknowledgedEventIsLostWhenTheProcessIsKilled(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.Close()
	kills := 40
	if testing.Short() {
		kills = 5
	}
	for i := range 2 * kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), appendHere+"="+s.Path())
		out := acknowledgements{first: make(chan struct{})}
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 { // the others may be killed while they open the session
			select {
			case <-out.first:
			case <-time.After(time.Minute):
				t.Fatal("the process acknowledged nothing for a minute")
			}
		}
		time.Sleep(time.Duration(5+i*7%60) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		acknowledged := 0
		if lines := strings.Split(out.written.String(), "\n"); len(lines) > 1 {
			var err error
			if acknowledged, err = strconv.Atoi(lines[len(lines)-2]); err != nil {
				t.Fatal(err)
			}
		}
		again, err := Open(s.Path()) // the lock of the killed process is gone
		if err != nil {
			t.Fatal(err)
		}
		if got := len(again.Events()); got < acknowledged {
			t.Fatalf("%d events, %d were acknowledged", got, acknowledged)
		}
		again.Close()
	}
	if again, err := Read(s.Path()); err != nil || len(again.Events()) < kills {
		t.Errorf("too few events for a test: %v", err)
	}
}

// acknowledgements keeps what a process writes, and says when it has written something.
type acknowledgements struct {
	written bytes.Buffer
	first   chan struct{}
}

func (a *acknowledgements) Write(b []byte) (int, error) {
	if a.written.Len() == 0 {
		close(a.first)
	}
	return a.written.Write(b)
}

func FuzzRead(f *testing.F) {
	const first = `{"inkling":"session/1","data":{"path":"x.csv","sha256":"00","rows":3},"source":{"ID":"id"},"prepare":{},"fit":{"k":3},"created":"2026-01-01T00:00:00Z"}` + "\n"
	f.Add([]byte(first + `{"n":1,"at":"2026-01-01T00:00:00Z","op":"must","a":"1","b":"2"}` + "\n" + `{"n":2,"op":"undo","of":1}` + "\n"))
	f.Add([]byte(first + `{"n":1,"op":"fit","method":"auto","k":5,"seed":1,"labels_sha256":"0"}` + "\n" + `{"n":2,"op":"be`))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := readAll(bytes.NewReader(b), "f")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("no line: %v", err)
			}
			return
		}
		if all.size+int64(len(all.cut)) != int64(len(b)) {
			t.Errorf("%d and %d of %d bytes", all.size, len(all.cut), len(b))
		}
		effects(all.events)
		for _, e := range lastWords(InForce(all.events)) {
			_ = e.String()
		}
		for _, e := range all.events {
			_ = e.String()
		}
	})
}
