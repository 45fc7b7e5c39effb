package sidebyside

import (
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/contents"
)

// lines returns a pair at a width, and fails for lines that are too long.
func lines(t *testing.T, s Style, p contents.Pair) []string {
	t.Helper()
	out := strings.Split(strings.TrimSuffix(s.Pair("left", "right", p), "\n"), "\n")
	for _, l := range out {
		if plain := strings.NewReplacer("\x1b[1;33m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[0m", "").Replace(l); width(plain) > s.Width || strings.Contains(plain, "\x1b") && p.Colours == nil {
			t.Errorf("%d columns in a line of %d: %q", width(plain), s.Width, l)
		}
	}
	return out
}

func TestFields(t *testing.T) {
	p := contents.Pair{Fields: []contents.Field{{Column: "age", A: "31", B: "70", Differs: true}, {Column: "height", A: "1.7", B: ""}}}
	want := []string{"                left     right", "  * age           31        70", "    height       1.7         –"}
	if got := lines(t, Style{Width: 80}, p); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := lines(t, Style{80, true}, p); got[1] != "  * \x1b[1;33mage           31        70\x1b[0m" {
		t.Errorf("%q", got[1])
	}
}

func TestLongCellsAreWrappedAndNothingEscapes(t *testing.T) {
	p := contents.Pair{Fields: []contents.Field{
		{Column: strings.Repeat("a very long name of a column ", 3), A: strings.Repeat("many words ", 30), B: strings.Repeat("x", 500), Differs: true},
		{Column: "evil", A: "\x1b[2J\nsecond line", B: strings.Repeat("日本語", 40), Differs: true}}}
	for i := range 100 {
		p.Fields = append(p.Fields, contents.Field{Column: strings.Repeat("c", i), A: "1", B: "2"})
	}
	for _, w := range []int{40, 80, 120} {
		got := strings.Join(lines(t, Style{Width: w}, p), "\n")
		if strings.Contains(got, "\x1b") || !strings.Contains(got, `\x1b[2J`) || !strings.Contains(got, "columns more, in which") {
			t.Errorf("at %d columns:\n%s", w, got)
		}
	}
}

func TestTextsMarkWhatTellsMost(t *testing.T) {
	few := contents.Pair{Texts: &contents.Both[string]{A: "The striker scored two goals.", B: "Two goals and a red card: the referee left"}}
	if got := strings.Join(lines(t, Style{Width: 80}, few), "\n"); !strings.Contains(got, "*goals.*") || strings.Contains(got, "*striker*") || !strings.Contains(got, "1 of 6 words are in both texts; those are marked") {
		t.Error(got)
	}
	most := contents.Pair{Texts: &contents.Both[string]{A: "Miller street twelve, Boston", B: "miller street eleven, Boston"}}
	if got := strings.Join(lines(t, Style{Width: 80}, most), "\n"); !strings.Contains(got, "*twelve,*") || strings.Contains(got, "*street*") || !strings.Contains(got, "the others are marked") {
		t.Error(got)
	}
	if got := strings.Join(lines(t, Style{Width: 80, Colour: true}, few), "\n"); !strings.Contains(got, "\x1b[1;33mgoals.\x1b[0m") {
		t.Errorf("%q", got)
	}
	long := contents.Pair{Texts: &contents.Both[string]{A: strings.Repeat("word ", 1000), B: "\x1b[31m" + strings.Repeat("x", 300)}}
	got := lines(t, Style{Width: 80}, long)
	if len(got) > textLines+4 || !strings.Contains(strings.Join(got, "\n"), "more words") {
		t.Error(strings.Join(got, "\n"))
	}
}

func TestNeighbours(t *testing.T) {
	one := 2.5
	p := contents.Pair{Joined: &one, Neighbours: &contents.Both[contents.Neighbours]{
		A: contents.Neighbours{Count: 20, Common: 1, List: []contents.Neighbour{{ID: "n7", Weight: 1, Common: true}, {ID: strings.Repeat("n", 90), Weight: 0.25}}},
		B: contents.Neighbours{Count: 1, Common: 1, List: []contents.Neighbour{{ID: "n7", Weight: 3, Common: true}}}}}
	got := strings.Join(lines(t, Style{Width: 80}, p), "\n")
	for _, want := range []string{"    20 neighbours, 1 in common", "  * n7 ", "  * n7 (3)", "and 18 more", "joined with weight 2.5; neighbours of both are marked"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestColours(t *testing.T) {
	p := contents.Pair{Colours: &contents.Both[[3]uint8]{A: [3]uint8{1, 2, 255}, B: [3]uint8{16, 16, 16}}}
	if got := strings.Join(lines(t, Style{Width: 80}, p), "\n"); !strings.Contains(got, "#0102ff") || strings.Contains(got, "\x1b") {
		t.Error(got)
	}
	if got := strings.Join(lines(t, Style{Width: 80, Colour: true}, p), "\n"); !strings.Contains(got, "\x1b[48;2;1;2;255m") {
		t.Errorf("%q", got)
	}
}
