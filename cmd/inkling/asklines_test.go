package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/serve/session"
)

// The client of the documentation runs and answers.
func TestClientOfTheLineProtocol(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go to run the client with")
	}
	code, err := os.ReadFile(filepath.FromSlash("../../docs/askclient.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(code), "func main()")
	if lines := strings.Count(body, "\n"); lines > 20 {
		t.Errorf("the client has %d lines after its types", lines)
	}
	dir := t.TempDir()
	client := filepath.Join(dir, "client.go")
	if err := os.WriteFile(client, code, 0o644); err != nil {
		t.Fatal(err)
	}
	data, _ := smallTable(t, dir)
	path := filepath.Join(dir, "session.jsonl")
	run := exec.Command("go", "run", client, data, "--id", "name", "-k", "2", "--session", path, "--budget", "12", "--every", "4", "--method", "pc-kmeans")
	if out, err := run.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	s, err := session.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	fits := 0
	for _, e := range s.Events() {
		if e.Op == session.OpFit {
			fits++
		}
	}
	if c := s.Totals(); c.Must+c.Cannot != 12 || c.Must == 0 || c.Cannot == 0 || fits < 1 {
		t.Errorf("the session has %+v and %d fits", c, fits)
	}
}

// Every kind of line, and what both rows hold.
func TestLinesOfTheProtocol(t *testing.T) {
	dir := t.TempDir()
	data, _ := smallTable(t, dir)
	path := filepath.Join(dir, "session.jsonl")
	cmd := exec.Command("inkling", "ask", data, "--id", "name", "-k", "2", "--session", path, "--method", "pc-kmeans", "--budget", "3", "--json", "-q")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	type question struct {
		N         int
		A, B, Why string
		Fields    []struct{ Column, A, B string }
	}
	read := func() (kind string, q question) {
		t.Helper()
		if !lines.Scan() {
			t.Fatal("the lines end:", lines.Err())
		}
		var l map[string]json.RawMessage
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil || len(l) != 1 {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		for kind = range l {
		}
		if kind == "question" {
			if err := json.Unmarshal(l[kind], &q); err != nil {
				t.Fatal(err)
			}
		}
		return kind, q
	}
	kind, first := read()
	if kind != "question" || first.N != 1 || len(first.Fields) != 2 || first.Fields[0].Column != "x" || first.Why == "" {
		t.Fatalf("%s %+v", kind, first)
	}
	for _, step := range []struct{ say, kind, then string }{
		{`nonsense`, "error", ""}, {`{"answer":"perhaps"}`, "error", ""}, {`{"answer":"undo"}`, "error", ""},
		{`{"answer":"same","by":"eva"}`, "ok", "question"}, {`{"answer":"undo"}`, "ok", "question"}, {`{"answer":"unsure"}`, "ok", "question"},
		{`{"answer":"skip"}`, "ok", "question"}, {`{"answer":"different"}`, "ok", "done"},
	} {
		fmt.Fprintln(in, step.say)
		if kind, _ := read(); kind != step.kind {
			t.Fatalf("%s gave %s: %s", step.say, kind, lines.Text())
		}
		if step.then == "" {
			continue
		}
		kind, q := read()
		if kind != step.then {
			t.Fatalf("after %s came %s: %s", step.say, kind, lines.Text())
		}
		if strings.Contains(step.say, "undo") && (q.A != first.A || q.B != first.B || q.N != 1) {
			t.Errorf("after undo came %+v, not %+v", q, first)
		}
	}
	if lines.Text() != `{"done":{"answers":3,"reason":"budget"}}` {
		t.Error(lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	b, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(b), `"by":"eva"`) {
		t.Errorf("%v: %s", err, b)
	}
}
