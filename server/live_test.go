package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/server"
)

// stream returns the states that a tab is sent.
func (c *client) stream() (states <-chan object, stop func()) {
	c.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, _ := http.NewRequestWithContext(ctx, "GET", c.url+"api/stream", nil)
	r.Header.Set("Authorization", "Bearer "+c.token)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	out := make(chan object, 1000)
	go func() {
		defer close(out)
		defer a.Body.Close()
		in := bufio.NewScanner(a.Body)
		in.Buffer(nil, 1<<20)
		event := ""
		for in.Scan() {
			if name, ok := strings.CutPrefix(in.Text(), "event: "); ok {
				event = name
			}
			if data, ok := strings.CutPrefix(in.Text(), "data: "); ok && event == "state" {
				var s object
				if json.Unmarshal([]byte(data), &s) == nil {
					out <- s
				}
			}
		}
	}()
	return out, cancel
}

// An answer counts although another question has taken the place of the one that was shown, and
// so does one about any other pair.
func TestAnswersToQuestionsThatWereReplaced(t *testing.T) {
	c, _ := start(t, "iris")
	q := c.question()
	c.post("label", object{"points": []int{5, 6, 7}, "label": "x"})
	c.post("link", object{"kind": "must", "a": 20, "b": 21})
	c.settled()
	c.answer(200, q, "different")
	c.answer(409, q, "different")
	c.post("answer", object{"a": 30, "b": 31, "say": "unsure"})
	c.call(409, "POST", "api/answer", object{"a": 31, "b": 30, "say": "same"})
	c.call(400, "POST", "api/answer", object{"a": 30, "b": 30, "say": "same"})
	if got := c.get("state")["totals"].(object); got["cannot"] != 1.0 || got["unsure"] != 1.0 || got["must"] != 1.0 {
		t.Errorf("got %v", got)
	}
}

// From a change on, the state says that a fit follows, and one that has not begun can be cancelled.
func TestAFitIsAnnounced(t *testing.T) {
	t.Parallel()
	c, _ := start(t, "iris")
	before := c.settled()["fit"].(object)["n"]
	c.post("link", object{"kind": "must", "a": 20, "b": 21})
	s := c.get("state")
	if s["running"] == nil && s["fit"].(object)["n"] == before {
		t.Error("after a change nothing says that a fit follows")
	}
	if after := c.settled()["fit"].(object)["n"]; after == before {
		t.Error("no fit followed the change")
	}
	c.post("link", object{"kind": "must", "a": 21, "b": 22})
	c.post("cancel", object{})
	if s := c.get("state"); s["running"] != nil && s["running"].(object)["stage"] == "waiting" {
		t.Error("a cancelled fit still waits to begin")
	}
	c.post("link", object{"kind": "must", "a": 22, "b": 23})
	if s := c.settled(); s["fit"].(object)["constraints"] != 3.0 {
		t.Errorf("the next change is followed by a fit with %v constraints", s["fit"].(object)["constraints"])
	}
}

// Two tabs see what either of them does, and the question that one answers is gone in the
// other.
func TestTwoTabs(t *testing.T) {
	c, _ := start(t, "iris")
	one, stopOne := c.stream()
	two, stopTwo := c.stream()
	defer stopOne()
	defer stopTwo()
	q := c.question()
	c.answer(200, q, "different")
	c.answer(409, q, "same")
	c.post("label", object{"points": []int{5}, "label": "x"})
	for _, tab := range []<-chan object{one, two} {
		timeout := time.After(5 * time.Minute)
		for seen := false; !seen; {
			select {
			case s, ok := <-tab:
				if !ok {
					t.Fatal("the stream ended")
				}
				totals := s["totals"].(object)
				seen = totals["cannot"] == 1.0 && totals["labels"] == 1.0
			case <-timeout:
				t.Fatal("a tab does not see the changes")
			}
		}
	}
}

// Many tabs change, look and undo at once, and nothing is lost: every confirmed event is in
// the file.
func TestManyAtOnce(t *testing.T) {
	folder := t.TempDir()
	s, err := server.New(server.Options{Folder: folder, Unguarded: true})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "s.jsonl")
	if err := s.Open(context.Background(), server.Data{Path: "example:iris.csv", Session: path}); err != nil {
		t.Fatal(err)
	}
	c := serve(t, s)
	var mu sync.Mutex
	var confirmed []int
	var tabs sync.WaitGroup
	for tab := range 4 {
		tabs.Go(func() {
			for i := range 12 {
				status, raw := c.do("POST", "api/label", object{"points": []int{tab*20 + i}, "label": fmt.Sprintf("class %d", tab)})
				var out struct{ Events []int }
				if status != 200 || json.Unmarshal(raw, &out) != nil {
					t.Errorf("%d %s", status, raw)
					return
				}
				mu.Lock()
				confirmed = append(confirmed, out.Events...)
				mu.Unlock()
				c.do("GET", "api/state", nil)
				c.do("GET", "api/question", nil)
				c.do("GET", "api/rows?sort=confidence", nil)
				if i == 5 {
					c.do("POST", "api/fit", object{"k": 3})
				}
			}
		})
	}
	tabs.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := session.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(confirmed)
	if len(confirmed) != 48 || len(slices.Compact(confirmed)) != 48 {
		t.Fatalf("%d events were confirmed", len(confirmed))
	}
	for _, n := range confirmed {
		if again.Events()[n-1].Op != session.OpLabel {
			t.Errorf("event %d is %v", n, again.Events()[n-1])
		}
	}
}

// When a server is closed nothing of it goes on.
func TestNothingIsLeft(t *testing.T) {
	count := func() int {
		n := 0
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			raw := make([]byte, 1<<20)
			stacks := string(raw[:runtime.Stack(raw, true)])
			n = 0
			for _, name := range []string{"inkling/server.", "inkling/internal/serve/workspace.", "inkling/internal/serve/photo.", "inkling/internal/serve/session.", "inkling/internal/judge/active."} {
				n += strings.Count(stacks, name)
			}
			if n == 0 {
				return 0
			}
		}
		return n
	}
	for _, name := range []string{"iris", "graph", "scene"} {
		s, err := server.New(server.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.OpenExample(context.Background(), name); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil { // while what opening began is under way
			t.Error(err)
		}
	}
	if n := count(); n > 0 {
		raw := make([]byte, 1<<20)
		t.Errorf("%d goroutines go on:\n%s", n, raw[:runtime.Stack(raw, true)])
	}
}

// latencies answers questions while fits run, and returns how long each confirmation took.
func latencies(tb testing.TB, answers int) []time.Duration {
	c, _ := start(tb, "blobs")
	q := c.question()
	var took []time.Duration
	for i := range answers {
		say := "different"
		if i%4 == 0 {
			say = "skip"
		}
		begin := time.Now()
		out := c.answer(200, q, say)
		took = append(took, time.Since(begin))
		next, _ := out["next"].(object)["question"].(object)
		if q = next; q == nil {
			q = c.question()
		}
	}
	slices.Sort(took)
	return took
}

func BenchmarkAnswers(b *testing.B) {
	for b.Loop() {
		took := latencies(b, 1000)
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "ms-median")
		b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1e3, "ms-p95")
		b.ReportMetric(float64(took[len(took)-1].Microseconds())/1e3, "ms-max")
	}
}

// manyEvents writes a session of n labels and answers, and returns of how many
// rows and pairs they speak: the last word about each is in force.
func manyEvents(tb testing.TB, path string, n int) (inForce int) {
	s, err := server.New(server.Options{Unguarded: true})
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.Open(context.Background(), server.Data{Path: "example:blobs.csv", Session: path}); err != nil {
		tb.Fatal(err)
	}
	if err := s.Close(); err != nil {
		tb.Fatal(err)
	}
	work, err := session.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	var events []session.Event
	subjects := map[[2]int]bool{}
	for i := range n {
		a, b := i%1000, (i*7+13+i/1000)%1000
		switch {
		case a == b || i%5 == 0:
			events = append(events, session.Event{Op: session.OpLabel, ID: fmt.Sprint(a), Label: fmt.Sprint("class ", a%10)})
			b = a
		case a%10 == b%10:
			events = append(events, session.Event{Op: session.OpMust, A: fmt.Sprint(a), B: fmt.Sprint(b)})
		default:
			events = append(events, session.Event{Op: session.OpCannot, A: fmt.Sprint(a), B: fmt.Sprint(b)})
		}
		subjects[[2]int{min(a, b), max(a, b)}] = true
	}
	if _, err := work.AppendAll(events); err != nil {
		tb.Fatal(err)
	}
	if err := work.Close(); err != nil {
		tb.Fatal(err)
	}
	return len(subjects)
}

// A session of many events opens, and the state and the history have them all.
func TestManyEvents(t *testing.T) {
	t.Parallel()
	n := 10_000
	if testing.Short() {
		n = 2_000
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	inForce := manyEvents(t, path, n)
	s, err := server.New(server.Options{Unguarded: true})
	if err != nil {
		t.Fatal(err)
	}
	c := serve(t, s)
	if err := s.Open(context.Background(), server.Data{Session: path}); err != nil {
		t.Fatal(err)
	}
	st := c.get("state")
	if got := st["events"].(float64); got < float64(n) {
		t.Errorf("%v events of %d", got, n)
	}
	totals := st["totals"].(object)
	if sum := totals["labels"].(float64) + totals["must"].(float64) + totals["cannot"].(float64); sum != float64(inForce) {
		t.Errorf("%v are in force of %d", sum, inForce)
	}
	if got := len(c.get("history?since=" + fmt.Sprint(n-10))["events"].([]any)); got < 10 {
		t.Errorf("the history has %d events", got)
	}
}

func BenchmarkReopen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "s.jsonl")
	manyEvents(b, path, 10_000)
	for b.Loop() {
		s, err := server.New(server.Options{Unguarded: true})
		if err != nil {
			b.Fatal(err)
		}
		c := serve(b, s)
		if err := s.Open(context.Background(), server.Data{Session: path}); err != nil {
			b.Fatal(err)
		}
		if c.get("state")["events"].(float64) < 10_000 {
			b.Fatal("events are missing")
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// Of many rows a fit is shown before its confidences: until these are there, rows that stayed in
// their clusters keep those of the fit before.
func TestConfidencesFollowFitsOfManyRows(t *testing.T) {
	t.Parallel()
	c, s := start(t, "")
	path := filepath.Join(t.TempDir(), "many.csv")
	text := "x,y\n"
	for i := range 5_500 {
		text += fmt.Sprintf("%d,%d\n", i%3*1000+i*7%97, i*13%89)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Open(context.Background(), server.Data{Path: path, Options: inkling.Options{K: 3}}); err != nil {
		t.Fatal(err)
	}
	sure := func(s object) bool {
		return s["fit"] != nil && s["fit"].(object)["sure"] == true && s["running"] == nil
	}
	known := func() {
		t.Helper()
		for _, r := range c.get("rows?limit=50")["rows"].([]any) {
			if r.(object)["confidence"] == nil {
				t.Fatalf("no confidence of %v", r)
			}
		}
	}
	n := c.until("confidences", sure)["fit"].(object)["n"]
	known()
	of, pair := map[any]any{}, object{"kind": "must"} // two rows of one cluster
	for _, r := range c.get("rows?limit=50")["rows"].([]any) {
		row := r.(object)
		if other, ok := of[row["cluster"]]; ok {
			pair["a"], pair["b"] = other, row["point"]
			break
		}
		of[row["cluster"]] = row["point"]
	}
	c.post("link", pair)
	c.until("another fit", func(s object) bool { return s["fit"].(object)["n"] != n })
	known() // the clusters are far apart: every row stays in its own
	c.until("its confidences", sure)
	known()
}
