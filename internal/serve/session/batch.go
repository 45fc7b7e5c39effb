package session

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/judge/active"
)

// Columns of a batch: the file with questions that several people answer.
const (
	batchQuestion  = "question"
	batchAnswer    = "answer"
	batchAnnotator = "annotator"
	batchA         = "a"
	batchB         = "b"
	batchStrategy  = "strategy"
)

// WriteBatch writes questions as CSV: number, an empty answer and annotator, the ids, the
// strategy, and what both rows hold side by side.
func WriteBatch(w io.Writer, questions []Question, pair func(a, b string) contents.Pair) error {
	var names []string
	cells := make([]map[string]string, len(questions))
	for i, q := range questions {
		cells[i] = map[string]string{}
		add := func(name, a, b string) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			cells[i][name+" a"], cells[i][name+" b"] = a, b
		}
		p := pair(q.A, q.B)
		for _, f := range p.Fields {
			add(f.Column, f.A, f.B)
		}
		if p.Texts != nil {
			add("text", p.Texts.A, p.Texts.B)
		}
		if p.Neighbours != nil {
			add("neighbours", neighbourList(p.Neighbours.A), neighbourList(p.Neighbours.B))
		}
		if c := p.Colours; c != nil {
			add("colour", fmt.Sprintf("#%x", c.A[:]), fmt.Sprintf("#%x", c.B[:]))
		}
	}
	head := []string{batchQuestion, batchAnswer, batchAnnotator, batchA, batchB}
	for _, name := range names {
		head = append(head, name+" a", name+" b")
	}
	out := csv.NewWriter(w)
	if err := out.Write(append(head, batchStrategy)); err != nil {
		return err
	}
	for i, q := range questions {
		row := []string{strconv.Itoa(i + 1), "", "", q.A, q.B}
		for _, name := range head[len(row):] {
			row = append(row, cells[i][name])
		}
		if err := out.Write(append(row, q.Strategy)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func neighbourList(n contents.Neighbours) string {
	ids := make([]string, len(n.List))
	for i, m := range n.List {
		ids[i] = m.ID
	}
	return strings.Join(ids, " ")
}

// A Vote is what one person says about a pair.
type Vote struct {
	A, B     string
	Say      active.Answer
	By       string
	Strategy string
}

// batchAnswers are the answers in a batch, as people write them.
var batchAnswers = map[string]active.Answer{
	"same": active.Same, "y": active.Same, "yes": active.Same, "must": active.Same,
	"different": active.Different, "n": active.Different, "no": active.Different, "cannot": active.Different,
	"unsure": active.Unsure, "u": active.Unsure, "?": active.Unsure,
	"skip": active.Skip, "s": active.Skip,
}

// ReadBatch reads the answers of a batch that people have filled in: CSV, or with
// semicolons or tabs between cells. Lines without an answer are counted and left out. by
// is who answered where no annotator is named. known reports whether there is a row with
// an id. What is wrong is an *inkling.InputError with its line and column.
func ReadBatch(r io.Reader, name, by string, known func(id string) bool) (votes []Vote, empty int, err error) {
	buffered := bufio.NewReaderSize(r, 64<<10)
	if mark, err := buffered.Peek(3); err == nil && bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = buffered.Discard(3)
	}
	in := csv.NewReader(buffered)
	in.Comma, in.FieldsPerRecord, in.ReuseRecord = separator(buffered), -1, true
	head, err := in.Read()
	if err != nil {
		return nil, 0, batchFault(name, err, "there is no header: a batch begins with question,answer,annotator,a,b")
	}
	at, err := batchColumns(head, name)
	if err != nil {
		return nil, 0, err
	}
	for {
		row, err := in.Read()
		if err == io.EOF {
			return votes, empty, nil
		}
		if err != nil {
			return nil, 0, batchFault(name, err, "")
		}
		cell := func(column string) string {
			if j, ok := at[column]; ok && j < len(row) {
				return strings.TrimSpace(row[j])
			}
			return ""
		}
		wrong := func(column, format string, args ...any) error {
			line, col := in.FieldPos(min(at[column], len(row)-1))
			return &door.InputError{File: name, Line: line, Col: col, Msg: fmt.Sprintf(format, args...)}
		}
		word := cell(batchAnswer)
		if word == "" {
			empty++
			continue
		}
		say, ok := batchAnswers[strings.ToLower(word)]
		if !ok {
			return nil, 0, wrong(batchAnswer, "%q is not an answer: same, different, unsure or skip (or y, n, u, s; empty: not answered)", word)
		}
		id := func(column string) string {
			s := cell(column)
			if bare, escaped := strings.CutPrefix(s, "'"); escaped && !known(s) && known(bare) {
				return bare // an apostrophe before what a spreadsheet would take for a formula
			}
			return s
		}
		v := Vote{A: id(batchA), B: id(batchB), Say: say, By: cmp.Or(cell(batchAnnotator), by), Strategy: cell(batchStrategy)}
		if !known(v.A) {
			return nil, 0, wrong(batchA, "there is no row %q", v.A)
		}
		if !known(v.B) {
			return nil, 0, wrong(batchB, "there is no row %q", v.B)
		}
		if v.A == v.B {
			return nil, 0, wrong(batchB, "a and b are the same row, %s", v.A)
		}
		votes = append(votes, v)
	}
}

// separator is what stands between the cells of the first line.
func separator(in *bufio.Reader) rune {
	line, _ := in.Peek(4096)
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	for _, s := range ",;\t" {
		if bytes.ContainsRune(line, s) {
			return s
		}
	}
	return ','
}

func batchColumns(head []string, name string) (map[string]int, error) {
	at := map[string]int{}
	for j, column := range head {
		column = strings.ToLower(strings.TrimSpace(column))
		if _, twice := at[column]; !twice {
			at[column] = j
		}
	}
	for _, column := range []string{batchA, batchB, batchAnswer} {
		if _, ok := at[column]; !ok {
			return nil, &door.InputError{File: name, Line: 1, Col: 1, Msg: fmt.Sprintf("there is no column %q: a batch has question,answer,annotator,a,b", column)}
		}
	}
	return at, nil
}

func batchFault(name string, err error, atEnd string) error {
	out := &door.InputError{File: name, Msg: err.Error(), Err: err}
	var parse *csv.ParseError
	var limit *dataio.Error
	switch {
	case errors.As(err, &limit):
		out.Line, out.Msg, out.Hint = limit.Line, limit.Msg, limit.Hint
	case err == io.EOF:
		out.Line, out.Msg = 1, atEnd
	case errors.As(err, &parse):
		out.Line, out.Col, out.Msg = parse.Line, parse.Column, parse.Err.Error()
	}
	return out
}

// A Verdict is what several people say about a pair, and what is taken.
type Verdict struct {
	A        string            `json:"a"`
	B        string            `json:"b"`
	Votes    map[string]string `json:"votes"` // by person
	Taken    string            `json:"taken"` // same, different, unsure or skip
	Disputed bool              `json:"disputed"`

	strategy string
}

// Verdicts join the votes on each pair, in the order in which pairs first occur. Of
// several votes of one person on a pair the last counts. The majority of those who say
// same or different is taken; a tie is skipped; where nobody decides, the pair is unsure,
// or skipped where all skip it.
func Verdicts(votes []Vote) []Verdict {
	where := map[[2]string]int{}
	var out []Verdict
	for _, v := range votes {
		a, b := min(v.A, v.B), max(v.A, v.B)
		i, ok := where[[2]string{a, b}]
		if !ok {
			i = len(out)
			where[[2]string{a, b}] = i
			out = append(out, Verdict{A: v.A, B: v.B, Votes: map[string]string{}, strategy: v.Strategy})
		}
		out[i].Votes[v.By] = v.Say.String()
	}
	for i := range out {
		out[i].decide()
	}
	return out
}

func (v *Verdict) decide() {
	count := map[string]int{}
	for _, say := range v.Votes {
		count[say]++
	}
	same, different := count["same"], count["different"]
	v.Disputed = same > 0 && different > 0
	switch {
	case same > different:
		v.Taken = "same"
	case different > same:
		v.Taken = "different"
	case same > 0 || count["unsure"] == 0:
		v.Taken = "skip"
	default:
		v.Taken = "unsure"
	}
}

// People lists who said something, by what they said: "same: anna, bert; different: cora".
func (v *Verdict) People() string {
	var parts []string
	for _, say := range []string{"same", "different", "unsure", "skip"} {
		var who []string
		for _, name := range slices.Sorted(maps.Keys(v.Votes)) {
			if v.Votes[name] == say {
				who = append(who, name)
			}
		}
		if len(who) > 0 {
			parts = append(parts, say+": "+strings.Join(who, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// Join adds to verdicts what the session has from others about their pairs, so that a second file of answers is a
// second vote. Of one person the last vote counts. A pair that is then tied is unsure: nobody's
// answer counts.
func (q *Questions) Join(verdicts []Verdict) []Verdict {
	have := map[[2]string]Event{}
	for _, e := range q.session.InForce() {
		if e.isAnswer() {
			have[[2]string{min(e.A, e.B), max(e.A, e.B)}] = e
		}
	}
	words := map[Op]active.Answer{OpMust: active.Same, OpCannot: active.Different}
	for i := range verdicts {
		v := &verdicts[i]
		old, ok := have[[2]string{min(v.A, v.B), max(v.A, v.B)}]
		if !ok {
			continue
		}
		before := maps.Clone(old.Votes)
		if say, decided := words[old.Op]; len(before) == 0 && decided {
			before = map[string]string{cmp.Or(old.Who, old.By, "before"): say.String()}
		}
		if len(before) == 0 {
			continue
		}
		maps.Copy(before, v.Votes)
		v.Votes = before
		if v.decide(); v.Disputed && v.Taken == active.Skip.String() && old.Op != OpSkip {
			v.Taken = active.Unsure.String()
		}
	}
	return verdicts
}

// Take writes verdicts to the session, those that it has already left out, and returns how
// many were written.
func (q *Questions) Take(verdicts []Verdict) (written int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	ops := map[string]Op{"same": OpMust, "different": OpCannot, "unsure": OpUnsure, "skip": OpSkip}
	have := map[[2]string]Event{}
	for _, e := range q.session.InForce() {
		if e.isAnswer() {
			have[[2]string{min(e.A, e.B), max(e.A, e.B)}] = e
		}
	}
	for _, v := range verdicts {
		old, ok := have[[2]string{min(v.A, v.B), max(v.A, v.B)}]
		if ok && old.Op == ops[v.Taken] && maps.Equal(old.Votes, v.Votes) {
			continue
		}
		e := Event{Op: ops[v.Taken], A: v.A, B: v.B, By: strings.Join(slices.Sorted(maps.Keys(v.Votes)), ", "), Votes: v.Votes, Asked: &Asked{Strategy: cmp.Or(v.strategy, string(q.strategy))}}
		if _, err = q.session.Append(e); err != nil {
			break
		}
		written++
	}
	q.restart()
	return written, err
}

// Batch returns the next n questions at once. Those after the first are asked as if the
// ones before were answered as guess does; nothing of that is kept.
func (q *Questions) Batch(ctx context.Context, n int, guess func(a, b string) active.Answer) (list []Question, err error) {
	defer func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.restart()
	}()
	for len(list) < n {
		question, ok, err := q.Next(ctx)
		if err != nil || !ok {
			return list, err
		}
		question.N = len(list) + 1
		list = append(list, question)
		q.mu.Lock()
		q.asker.Record(q.row[question.A], q.row[question.B], guess(question.A, question.B))
		q.mu.Unlock()
	}
	return list, nil
}
