package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/serve/session"
)

// webTab speaks with a page that may be killed at any moment: its errors mean that it was.
type webTab struct{ url, token string }

func (w *webTab) call(method, path string, body, to any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(method, w.url+path, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	r.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	if a.StatusCode != 200 {
		return fmt.Errorf("status %d", a.StatusCode)
	}
	return json.NewDecoder(a.Body).Decode(to)
}

type webPoint struct {
	Point int
	ID    string
}

type webAsk struct {
	Question *struct {
		N    int
		A, B webPoint
	}
}

// A page that is killed at any moment loses no answer that it confirmed.
func TestKilledPageLosesNoAnswer(t *testing.T) {
	dir := t.TempDir()
	data, _ := smallTable(t, dir)
	path := ""
	rng := rand.New(rand.NewPCG(17, 1))
	kills := 20
	switch {
	case testing.Short():
		kills = 4
	case os.Getenv("INKLING_FULL") != "":
		kills = 200
	}
	total := 0
	var confirmed map[int][2]string // the rows of an answer, by event
	for kill := range kills {
		if kill%20 == 0 { // another session: this one has few questions left
			total += len(confirmed)
			path, confirmed = filepath.Join(dir, fmt.Sprintf("s%d.jsonl", kill)), map[int][2]string{}
		}
		cmd := exec.Command("inkling", "web", data, "--id", "name", "-k", "2", "--session", path, "--no-open")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatalf("%v\n%s", err, said.String())
		}
		url, token, _ := strings.Cut(strings.TrimSpace(line), "?token=")
		tab := &webTab{url, token}
		// The kill is due a moment after some answers, or where questions run out; how fast the machine is does not matter.
		answers, waits := rng.IntN(6), 200
		killSoon := func() {
			time.AfterFunc(time.Duration(rng.IntN(30))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		}
		for due := false; ; {
			if !due && (answers <= 0 || waits <= 0) {
				due = true
				killSoon()
			}
			var ask webAsk
			if tab.call("GET", "api/question", nil, &ask) != nil {
				break
			}
			q := ask.Question
			if q == nil {
				waits--
				time.Sleep(5 * time.Millisecond)
				continue
			}
			say := []string{"same", "different", "unsure", "skip"}[rng.IntN(4)]
			var done struct{ Event int }
			if tab.call("POST", "api/answer", map[string]any{"n": q.N, "a": q.A.Point, "b": q.B.Point, "say": say}, &done) != nil {
				break
			}
			confirmed[done.Event] = [2]string{q.A.ID, q.B.ID}
			answers--
		}
		_ = cmd.Wait()
		s, err := session.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		events := s.Events()
		for n, rows := range confirmed {
			if n > len(events) || events[n-1].A != rows[0] || events[n-1].B != rows[1] {
				t.Fatalf("the confirmed answer %d about %v is lost: there are %d events", n, rows, len(events))
			}
		}
	}
	total += len(confirmed)
	t.Logf("%d kills, %d confirmed answers", kills, total)
	if total < kills {
		t.Error("too little happened between the kills for a test")
	}
}
