package session

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/judge/active"
)

func anyID(string) bool { return true }

// A batch goes to three people and back, and the session holds who said what.
func TestBatchGoesRound(t *testing.T) {
	s := begin(t)
	table := irisTable(t)
	q, err := s.Questions(context.Background(), table, active.Auto, door.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	guess := func(a, b string) active.Answer {
		if len(a) == len(b) {
			return active.Same
		}
		return active.Different
	}
	list, err := q.Batch(context.Background(), 6, guess)
	if err != nil || len(list) != 6 {
		t.Fatal(list, err)
	}
	if len(s.Events()) != 0 {
		t.Error("a batch left something in the session")
	}
	seen := map[[2]string]bool{}
	for _, x := range list {
		if key := [2]string{min(x.A, x.B), max(x.A, x.B)}; seen[key] || x.A == x.B {
			t.Error("asked twice:", x)
		} else {
			seen[key] = true
		}
	}
	if first, _, err := q.Next(context.Background()); err != nil || first.A != list[0].A || first.B != list[0].B {
		t.Errorf("after a batch the first question is %v, not %v", first, list[0])
	}
	var file bytes.Buffer
	rows := table.Contents()
	if err := WriteBatch(&file, list, func(a, b string) contents.Pair {
		i, _ := table.Row(a)
		j, _ := table.Row(b)
		return rows.Pair(i, j)
	}); err != nil {
		t.Fatal(err)
	}
	cells, err := csv.NewReader(bytes.NewReader(file.Bytes())).ReadAll()
	if err != nil || len(cells) != 7 || !slices.Equal(cells[0][:7], []string{"question", "answer", "annotator", "a", "b", "sepal_length a", "sepal_length b"}) {
		t.Fatal(cells, err)
	}
	// By question: anna, bert, cora.
	said := [][3]string{{"same", "same", "same"}, {"same", "different", "different"}, {"same", "different", ""}, {"unsure", "u", ""}, {"y", "", "N"}, {"", "", ""}}
	var votes []Vote
	for person, name := range []string{"anna", "bert", "cora"} {
		var filled bytes.Buffer
		out := csv.NewWriter(&filled)
		for i, row := range cells {
			row = slices.Clone(row)
			if i > 0 {
				row[1] = said[i-1][person]
			}
			if err := out.Write(row); err != nil {
				t.Fatal(err)
			}
		}
		out.Flush()
		list, empty, err := ReadBatch(&filled, name+".csv", name, q.Knows)
		if err != nil {
			t.Fatal(err)
		}
		if len(list)+empty != 6 {
			t.Errorf("%s: %d answers and %d empty lines of 6", name, len(list), empty)
		}
		votes = append(votes, list...)
	}
	verdicts := Verdicts(votes)
	var taken []string
	for _, v := range verdicts {
		taken = append(taken, v.Taken)
	}
	if !slices.Equal(taken, []string{"same", "different", "skip", "unsure", "skip"}) || !verdicts[1].Disputed || !verdicts[2].Disputed || verdicts[0].Disputed {
		t.Errorf("%+v", verdicts)
	}
	if got := verdicts[1].People(); got != "same: anna; different: bert, cora" {
		t.Error(got)
	}
	if n, err := q.Take(verdicts); err != nil || n != 5 {
		t.Fatal(n, err)
	}
	if n, err := q.Take(verdicts); err != nil || n != 0 {
		t.Error("taken twice:", n, err)
	}
	again, err := Read(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	e := again.Events()[1]
	if e.Op != OpCannot || e.By != "anna, bert, cora" || e.Votes["anna"] != "same" || e.Votes["cora"] != "different" || e.Asked.Strategy != "auto" {
		t.Errorf("%+v", e)
	}
	if next, ok, err := q.Next(context.Background()); err != nil || !ok || seen[[2]string{min(next.A, next.B), max(next.A, next.B)}] && (next.A != list[5].A || next.B != list[5].B) {
		t.Error("an answered question is asked again:", next)
	}
}

func TestWrongBatchesAreRefusedWithTheirPlace(t *testing.T) {
	known := func(id string) bool { return id == "1" || id == "2" }
	for text, want := range map[string]string{
		"":                             "x.csv:1: there is no header",
		"a,b\n1,2\n":                   `x.csv:1:1: there is no column "answer"`,
		"a,b,answer\n1,2,maybe\n":      `x.csv:2:5: "maybe" is not an answer`,
		"a,b,answer\n1,2,\n1,9,same\n": `x.csv:3:3: there is no row "9"`,
		"answer,a,b\nsame,1,1\n":       "x.csv:2:8: a and b are the same row, 1",
		"a,b,answer\n1,\"2,same\n":     "x.csv:2:",
		"a,b,answer\n1,2\nx\n":         "",
	} {
		_, _, err := ReadBatch(strings.NewReader(text), "x.csv", "eva", known)
		var in *door.InputError
		switch {
		case want == "" && err == nil:
		case !errors.As(err, &in) || want == "" || !strings.Contains(err.Error(), want):
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"\xef\xbb\xbfa;b;answer;annotator\r\n1;2; Yes ;Kim\r\n", "A\tB\tAnswer\tAnnotator\n1\t2\tsame\tKim\n"} {
		votes, _, err := ReadBatch(strings.NewReader(text), "x.csv", "eva", known)
		if err != nil || len(votes) != 1 || votes[0] != (Vote{A: "1", B: "2", Say: active.Same, By: "Kim"}) {
			t.Errorf("%q: %v %v", text, votes, err)
		}
	}
}

// Ids that were escaped for a spreadsheet are those of the rows again; an id that begins with an
// apostrophe stays.
func TestEscapedIDsOfABatch(t *testing.T) {
	known := func(id string) bool { return id == "=x" || id == "'=y" || id == "=y" }
	votes, _, err := ReadBatch(strings.NewReader("a,b,answer\n'=x,'=y,same\n"), "x.csv", "eva", known)
	if err != nil || len(votes) != 1 || votes[0].A != "=x" || votes[0].B != "'=y" {
		t.Errorf("%v %v", votes, err)
	}
}

// Whatever the file holds, it is read or refused with its line.
func FuzzReadBatch(f *testing.F) {
	f.Add("question,answer,annotator,a,b\n1,same,,x,y\n2,,,x,z\n")
	f.Add("a;b;answer\n\"x;y\";z;n\n")
	f.Add("\xef\xbb\xbfa\tb\tanswer\nx\ty\t?\n")
	f.Fuzz(func(t *testing.T, text string) {
		votes, empty, err := ReadBatch(strings.NewReader(text), "f.csv", "eva", anyID)
		if err != nil {
			var in *door.InputError
			if !errors.As(err, &in) || in.Line < 1 {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if empty < 0 {
			t.Fatal(empty)
		}
		for _, v := range votes {
			if v.A == v.B || v.By == "" || v.Say < active.Same || v.Say > active.Skip {
				t.Fatalf("%+v", v)
			}
		}
		for _, v := range Verdicts(votes) {
			if len(v.Votes) == 0 || v.Taken == "" {
				t.Fatalf("%+v", v)
			}
		}
	})
}
