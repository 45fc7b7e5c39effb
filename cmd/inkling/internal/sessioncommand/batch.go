package sessioncommand

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/dataio/tablefile"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/support/format"
)

// Batch is what inkling ask --questions and --answers print with --json.
type Batch struct {
	Schema     string            `json:"schema"`
	Answers    int               `json:"answers"`    // in the files
	Unanswered int               `json:"unanswered"` // lines without an answer
	Pairs      int               `json:"pairs"`      // that the answers are about
	Recorded   int               `json:"recorded"`   // pairs that the session did not have so
	Disputed   []session.Verdict `json:"disputed"`   // pairs on which people disagree
	Questions  int               `json:"questions"`  // written
	Method     string            `json:"method"`     // of the fit; "": none was made
}

// exchangeBatches takes back files with answers, and then writes one with questions.
func (a *asking) exchangeBatches(ctx context.Context) error {
	out := Batch{Schema: "inkling.ask/1", Disputed: []session.Verdict{}}
	if len(a.answered) > 0 {
		if err := a.takeAnswers(&out); err != nil {
			return err
		}
	}
	if err := a.fit(ctx); err != nil {
		return err
	}
	out.Method = a.latest.Method
	if a.batch > 0 {
		if err := a.writeQuestions(ctx, &out); err != nil {
			return err
		}
	}
	if *a.JSON {
		return a.PrintJSON(out)
	}
	a.sayBatch(&out)
	return nil
}

// takeAnswers reads all files before it writes to the session: where one is wrong, nothing
// is taken.
func (a *asking) takeAnswers(out *Batch) error {
	var votes []session.Vote
	for _, path := range a.answered {
		list, empty, err := a.readVotes(path)
		if err != nil {
			return err
		}
		votes = append(votes, list...)
		out.Unanswered += empty
	}
	verdicts := a.questions.Join(session.Verdicts(votes))
	for _, v := range verdicts {
		if v.Disputed {
			out.Disputed = append(out.Disputed, v)
		}
	}
	out.Answers, out.Pairs = len(votes), len(verdicts)
	var err error
	out.Recorded, err = a.questions.Take(verdicts)
	return err
}

func (a *asking) readVotes(path string) (votes []session.Vote, empty int, err error) {
	by := a.by
	in := a.Stdin
	if path != "-" {
		f, err := dataio.OpenSideFile(path)
		if err != nil {
			return nil, 0, err
		}
		defer f.Close()
		in = f
		if by == "" { // a file of one person
			by = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		}
	}
	if by == "" {
		by = "stdin"
	}
	return session.ReadBatch(in, path, by, a.questions.Knows)
}

// writeQuestions chooses questions as if the clusters of the last fit were the answers.
func (a *asking) writeQuestions(ctx context.Context, out *Batch) error {
	list, err := a.questions.Batch(ctx, a.batch, a.byLatest())
	if err != nil {
		return err
	}
	rows := a.table.Contents()
	out.Questions = len(list)
	return a.WriteFile(a.out, tablefile.Encode(a.out, a.escape, func(w io.Writer) error {
		return session.WriteBatch(w, list, func(x, y string) contents.Pair {
			i, okX := a.table.Row(x)
			j, okY := a.table.Row(y)
			if !okX || !okY {
				return contents.Pair{}
			}
			return rows.Pair(i, j)
		})
	}))
}

// byLatest answers as the clusters of the last fit do.
func (a *asking) byLatest() func(x, y string) active.Answer {
	cluster := map[string]int{}
	for row := range a.latest.Rows() {
		cluster[row.ID] = row.ClusterIndex
	}
	return func(x, y string) active.Answer {
		if cluster[x] == cluster[y] {
			return active.Same
		}
		return active.Different
	}
}

func (a *asking) sayBatch(out *Batch) {
	if len(a.answered) > 0 {
		a.Say("%s about %s taken, %d of them new; %s without an answer", format.Count(out.Answers, "answer"), format.Count(out.Pairs, "pair"), out.Recorded, format.Count(out.Unanswered, "line"))
		if len(out.Disputed) > 0 {
			a.Say("people disagree about %s: the majority counts, a tie does not", format.Count(len(out.Disputed), "pair"))
		}
		for _, v := range out.Disputed {
			a.Say("  %s and %s: %s; taken as %s", v.A, v.B, v.People(), v.Taken)
		}
		a.Say("%s", a.saidOf())
		a.Say("clustered by %s: %d of %d must-links and %d of %d cannot-links satisfied", a.latest.Method, a.latest.Must.Satisfied, a.latest.Must.Given, a.latest.Cannot.Satisfied, a.latest.Cannot.Given)
	}
	if a.batch > 0 {
		a.Say("%s in %s: fill in the column answer (same, different, unsure), and take it back by --answers", format.Count(out.Questions, "question"), a.out)
	}
	if len(a.answered) > 0 {
		a.sayEnd()
	}
}
