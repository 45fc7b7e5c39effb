package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/server"
)

// pageRule is what the page does.
const pageRule = "over HTTP"

// pageTables makes the tables whose questions are answered over HTTP too, all of them read from files: two that k-means
// solves, a mixed one among them, and three that it does not.
func pageTables() (list []table, err error) {
	for _, m := range []struct {
		name string
		easy bool
		file func() ([]byte, []int, error)
	}{
		{"customers", true, func() ([]byte, []int, error) {
			text, truth := customersFile()
			return text, truth, nil
		}},
		{"wine", true, builtInFile("wine")},
		{"iris", false, builtInFile("iris")},
		{"10 blobs", false, builtInFile("blobs")},
		{"two moons", false, func() ([]byte, []int, error) {
			x, truth, err := example.TwoMoons(300, 0.12, rand.New(rand.NewPCG(14, 0)))
			return fileOf(x), truth, err
		}},
	} {
		text, truth, err := m.file()
		if err != nil {
			return nil, err
		}
		rows, truth, err := readTable(text, truth)
		if err != nil {
			return nil, err
		}
		list = append(list, table{m.name, m.easy, rows, truth, 1 + slices.Max(truth), text})
	}
	return list, nil
}

func builtInFile(name string) func() ([]byte, []int, error) {
	return func() ([]byte, []int, error) {
		s, err := example.Load(name)
		if err != nil {
			return nil, nil, err
		}
		truth, _ := s.Classes()
		return fileOf(s.X), truth, nil
	}
}

// A page is a server of the page with one table, and who answers its questions.
type page struct {
	server *server.Server
	http   *httptest.Server
	row    map[string]int // by id
}

// openPage opens the page of a table that is read from a file.
func openPage(ctx context.Context, t *table, seed uint64, folder string) (*page, error) {
	path := filepath.Join(folder, "rows.csv")
	if err := os.WriteFile(path, t.text, 0o600); err != nil {
		return nil, err
	}
	s, err := server.New(server.Options{Unguarded: true, Folder: folder, Workers: 1})
	if err != nil {
		return nil, err
	}
	err = s.Open(ctx, server.Data{Path: path, Session: filepath.Join(folder, "s.jsonl"), Source: inkling.Source{ID: idColumn(t.text)}, Options: inkling.Options{K: t.k, Seed: &seed}})
	if err != nil {
		s.Close()
		return nil, err
	}
	p := &page{server: s, http: httptest.NewServer(s), row: map[string]int{}}
	for i := range t.rows.Len() {
		p.row[t.rows.ID(i)] = i
	}
	return p, nil
}

func (p *page) close() error {
	p.http.CloseClientConnections()
	p.http.Close()
	return p.server.Close()
}

// call makes a call with a body, or without, and reads what it returns.
func (p *page) call(ctx context.Context, path string, in, out any) ([]byte, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		method, body = http.MethodPost, bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, p.http.URL+"/api/"+path, body)
	if err != nil {
		return nil, err
	}
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := p.http.Client().Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", path, answer.Status, text)
	}
	if err == nil && out != nil {
		err = json.Unmarshal(text, out)
	}
	return text, err
}

// pollEvery is how often the page is asked whether it is done.
const pollEvery = 20 * time.Millisecond

// settle waits until the clusters follow from an event.
func (p *page) settle(ctx context.Context, event int) error {
	for {
		var state struct {
			Error   *struct{ Message string }
			Fit     *struct{ N int }
			Running *struct{ Stage string }
		}
		if _, err := p.call(ctx, "state", nil, &state); err != nil {
			return err
		}
		if state.Error != nil {
			return fmt.Errorf("the fit failed: %s", state.Error.Message)
		}
		if state.Fit != nil && state.Fit.N > event && state.Running == nil {
			return nil
		}
		time.Sleep(pollEvery)
	}
}

// clusters returns the cluster of each row as the page exports it.
func (p *page) clusters(ctx context.Context) ([]int, error) {
	text, err := p.call(ctx, "export/clusters.csv", nil, nil)
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	of, number := make([]int, len(p.row)), map[string]int{}
	for _, line := range lines[1:] {
		if _, ok := number[line[1]]; !ok {
			number[line[1]] = len(number)
		}
		of[p.row[line[0]]] = number[line[1]]
	}
	return of, nil
}

type shownRow struct {
	ID    string
	Point int
}

// question returns the next one; nil where nothing is left to ask.
func (p *page) question(ctx context.Context) (a, b *shownRow, err error) {
	for {
		var ask struct {
			Preparing bool
			Question  *struct{ A, B shownRow }
		}
		if _, err := p.call(ctx, "question", nil, &ask); err != nil {
			return nil, nil, err
		}
		switch {
		case ask.Preparing:
		case ask.Question == nil:
			return nil, nil, nil
		default:
			return &ask.Question.A, &ask.Question.B, nil
		}
	}
}

// overHTTP answers the questions of the page as converse does those of the library, and takes its clusters as they are
// exported.
func (s *study) overHTTP(ctx context.Context, t *table, seed uint64, wrong float64) (out []cell, err error) {
	folder, err := os.MkdirTemp("", "inkling-ask-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	p, err := openPage(ctx, t, seed, folder)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := p.close(); err == nil {
			err = closed
		}
	}()
	noise, answered, last := rand.New(rand.NewPCG(seed, 2)), 0, 0
	for _, n := range s.answers {
		for more := true; more && answered < n; {
			if last, more, err = p.answer(ctx, t, noise, wrong, last); err != nil {
				return nil, err
			}
			if more {
				answered++
			}
		}
		if err := p.settle(ctx, last); err != nil {
			return nil, err
		}
		of, err := p.clusters(ctx)
		if err != nil {
			return nil, err
		}
		one := cell{Table: t.name, Easy: t.easy, Seed: seed, Wrong: wrong > 0, Rule: pageRule, Answers: answered}
		if one.ARI, err = score.ARI(t.truth, of); err != nil {
			return nil, err
		}
		out = append(out, one)
		out[len(out)-1].Without = out[0].ARI
	}
	return out, nil
}

// answer answers the next question by the truth, or wrongly, and returns the number of the answer in the session;
// that of the last one, and false, where nothing is left to ask.
func (p *page) answer(ctx context.Context, t *table, noise *rand.Rand, wrong float64, last int) (int, bool, error) {
	a, b, err := p.question(ctx)
	if err != nil || a == nil {
		return last, false, err
	}
	same := t.truth[p.row[a.ID]] == t.truth[p.row[b.ID]]
	if noise.Float64() < wrong {
		same = !same
	}
	say := "different"
	if same {
		say = "same"
	}
	var written struct{ Event int }
	_, err = p.call(ctx, "answer", map[string]any{"a": a.Point, "b": b.Point, "say": say}, &written)
	return written.Event, true, err
}
