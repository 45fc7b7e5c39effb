// Command page measures what the page costs its user's processor: from the data to the first
// clusters, to all of the opening (places, choice, confidences, descriptions, questions,
// suspects), and from an answer to the clusters that follow it.
//
//	go run ./bench/page -file customers.csv -id id -label segment
//	go run ./bench/page -rows 200000 -columns 16 -k 8 -answers 3
//
// Without -file the rows are drawn around k places. Figures are CPU seconds of the whole process
// since the data were read, which a busy machine changes little.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/serve/workspace"
)

// A study is one opening of the page.
type study struct {
	file    string
	source  door.Source
	rows    int
	columns int
	k       int
	answers int
	profile string
}

func main() {
	s := study{}
	flag.StringVar(&s.file, "file", "", "the data; empty: drawn")
	flag.StringVar(&s.source.ID, "id", "", "the column of ids")
	flag.StringVar(&s.source.LabelColumn, "label", "", "the column of labels")
	flag.IntVar(&s.rows, "rows", 5_000, "rows to draw")
	flag.IntVar(&s.columns, "columns", 16, "columns to draw")
	flag.IntVar(&s.k, "k", 0, "number of clusters; 0: chosen")
	flag.IntVar(&s.answers, "answers", 0, "questions to answer after the opening")
	flag.StringVar(&s.profile, "cpuprofile", "", "file for a profile of the processor")
	flag.Parse()
	if err := s.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

func (s *study) run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "inkling-page-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if s.file == "" {
		s.file, s.source.ID = filepath.Join(dir, "rows.csv"), "id"
		if err := s.draw(); err != nil {
			return err
		}
	}
	table, err := door.Open(ctx, s.file, s.source)
	if err != nil {
		return err
	}
	h, err := session.NewHeader(ctx, s.file, s.source, table, door.Options{K: s.k})
	if err != nil {
		return err
	}
	record, err := session.Create(filepath.Join(dir, "s.jsonl"), h)
	if err != nil {
		return err
	}
	return harness.Profiled(s.profile, func() error { return s.measure(ctx, table, record) })
}

// measure opens the page and answers its questions.
func (s *study) measure(ctx context.Context, table *door.Table, record *session.Session) error {
	changed := make(chan struct{}, 1)
	began, _ := harness.Process()
	w := workspace.New(workspace.Options{Session: record, Table: table, Changed: func(string) {
		select {
		case changed <- struct{}{}:
		default:
		}
	}})
	defer w.Close()
	seen := map[string]bool{}
	say := func(what string, is bool) {
		if is && !seen[what] {
			seen[what] = true
			now, _ := harness.Process()
			fmt.Printf("%-22s %6.2f CPU s\n", what, now-began)
		}
	}
	for !seen["all"] {
		<-changed
		st, ask := w.State(ctx), w.Question(ctx)
		say("first clusters", st.Fit != nil)
		fitted := st.Fit != nil && st.Running == nil
		say("clusters", fitted)
		say("first question", ask.Question != nil)
		if !fitted {
			continue
		}
		described := table.Len() > 50_000 || st.Fit.Clusters[0].Summary != "" || len(st.Fit.Clusters[0].Terms) > 0
		say("confidences", st.Fit.Sure)
		say("descriptions", described)
		suspects, err := w.Suspects()
		if err != nil {
			return err
		}
		say("suspects", suspects.Ready)
		say("all", st.Fit.Sure && described && suspects.Ready && ask.Question != nil)
	}
	st := w.State(ctx)
	fmt.Printf("%s, %d groups, %d constraints, %d violated\n", st.Fit.Method, st.Fit.K, st.Fit.Constraints, st.Fit.Violated)
	for n := range s.answers {
		ask := w.Question(ctx)
		for ask.Preparing {
			<-changed
			ask = w.Question(ctx)
		}
		if ask.Question == nil {
			break
		}
		before, from := w.State(ctx).Fit.N, time.Now()
		cpu, _ := harness.Process()
		if _, err := w.AnswerQuestion(ctx, workspace.AnswerRequest{A: ask.Question.A.Point, B: ask.Question.B.Point, Say: []string{"same", "different"}[n%2]}); err != nil {
			return err
		}
		for w.State(ctx).Fit.N == before {
			<-changed
		}
		now, _ := harness.Process()
		fmt.Printf("answer %d to clusters   %6.2f CPU s, %.2f s\n", n+1, now-cpu, time.Since(from).Seconds())
	}
	return nil
}

// draw writes rows around places.
func (s *study) draw() error {
	rng, places := rand.New(rand.NewPCG(3, 3)), max(2, s.k)
	centres := make([]float64, places*s.columns)
	for i := range centres {
		centres[i] = 3 * rng.NormFloat64()
	}
	var b strings.Builder
	b.WriteString("id")
	for c := range s.columns {
		fmt.Fprintf(&b, ",x%d", c)
	}
	for i := range s.rows {
		fmt.Fprintf(&b, "\nr%d", i)
		for c := range s.columns {
			fmt.Fprintf(&b, ",%.3f", centres[i%places*s.columns+c]+rng.NormFloat64())
		}
	}
	return os.WriteFile(s.file, []byte(b.String()+"\n"), 0o600)
}
