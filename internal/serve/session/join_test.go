package session

import (
	"reflect"
	"testing"

	"github.com/inklinghq/inkling/internal/judge/active"
)

// A second file of answers is a second vote: where it disagrees with what the session has the pair is disputed, and does not
// count while it is tied.
func TestJoinVotes(t *testing.T) {
	s := begin(t)
	if _, err := s.Append(Event{Op: OpMust, A: "a", B: "b", By: "anna, bert", Votes: map[string]string{"anna": "same", "bert": "unsure"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(Event{Op: OpCannot, A: "c", B: "d", By: "ask"}); err != nil {
		t.Fatal(err)
	}
	q := &Questions{session: s}
	got := q.Join(Verdicts([]Vote{
		{A: "b", B: "a", Say: active.Different, By: "cora"},
		{A: "c", B: "d", Say: active.Different, By: "cora"},
		{A: "a", B: "d", Say: active.Same, By: "cora"},
	}))
	want := []struct {
		taken    string
		disputed bool
		votes    map[string]string
	}{
		{"unsure", true, map[string]string{"anna": "same", "bert": "unsure", "cora": "different"}},
		{"different", false, map[string]string{"ask": "different", "cora": "different"}},
		{"same", false, map[string]string{"cora": "same"}},
	}
	for i, w := range want {
		if v := got[i]; v.Taken != w.taken || v.Disputed != w.disputed || !reflect.DeepEqual(v.Votes, w.votes) {
			t.Errorf("%s and %s: %+v, want %+v", v.A, v.B, v, w)
		}
	}
	again := q.Join(Verdicts([]Vote{{A: "a", B: "b", Say: active.Different, By: "anna"}}))
	if v := again[0]; v.Disputed || v.Taken != "different" {
		t.Errorf("anna changed her mind: %+v", v)
	}
}

// What was said about a pair or a row is counted once, as the last word has it.
func TestTotalsCountTheLastWord(t *testing.T) {
	s := begin(t)
	for _, e := range []Event{
		{Op: OpMust, A: "a", B: "b"}, {Op: OpUnsure, A: "b", B: "a"}, // a second vote that disagrees
		{Op: OpMust, A: "c", B: "d"}, {Op: OpMust, A: "c", B: "d"}, {Op: OpSkip, A: "d", B: "c"}, // one that agrees
		{Op: OpSkip, A: "a", B: "d"}, {Op: OpCannot, A: "a", B: "d"}, // skipped at first
		{Op: OpLabel, ID: "a", Label: "x"}, {Op: OpLabel, ID: "a", Label: "y"},
		{Op: OpLabel, ID: "b", Label: "y"}, {Op: OpUnlabel, ID: "b"},
	} {
		if _, err := s.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := s.Totals(), (Totals{Labels: 1, Must: 1, Cannot: 1, Unsure: 1}); got != want {
		t.Errorf("the totals are %+v, want %+v", got, want)
	}
}
