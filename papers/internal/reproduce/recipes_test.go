package reproduce

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// dataFolder is where the data sets are, if they are.
func dataFolder() string {
	if dir := os.Getenv("INKLING_DATA"); dir != "" {
		return dir
	}
	return "../../../../shared/data"
}

// cookTwice runs a recipe, then again from the logs of the first run, with
// nothing to write more to: the sheets must be the same to the byte.
func cookTwice(t *testing.T, r Recipe, repeats int) *Sheet {
	t.Helper()
	var fits, trials bytes.Buffer
	l := &Lab{Data: dataFolder(), Seed: 1, Workers: 2, Program: "test", FitLog: &fits, TrialLog: &trials, repeats: repeats}
	sheet, err := r.Run(context.Background(), l)
	var missing *MissingError
	if errors.As(err, &missing) {
		t.Skipf("the data is not there: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	again := &Lab{Data: dataFolder(), Seed: 1, Workers: 1, Program: "test", FitLog: noRoom{}, TrialLog: noRoom{}, repeats: repeats}
	if again.Fits, _, err = experiment.ReadLog(&fits); err != nil {
		t.Fatal(err)
	}
	if again.Trials, _, err = ReadTrials(&trials); err != nil {
		t.Fatal(err)
	}
	second, err := r.Run(context.Background(), again)
	if err != nil {
		t.Fatalf("from the log: %v", err)
	}
	if a, b := pages(t, sheet), pages(t, second); a != b {
		t.Errorf("from the log the pages differ")
	}
	return sheet
}

// noRoom is a disk without room.
type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, errors.New("the log has it already") }

func pages(t *testing.T, s *Sheet) string {
	t.Helper()
	var b strings.Builder
	for _, timed := range []bool{false, true} {
		b.WriteString(written(t, s, timed))
	}
	for _, f := range s.Files() {
		b.Write(f.Content)
	}
	return b.String()
}

// TestRecipes runs those that take a second or less with one repeat.
func TestRecipes(t *testing.T) {
	for _, of := range []struct {
		id      string
		repeats int
		claims  int
		long    bool
	}{
		{"mpck-wine", 1, 2*8 + 2, true},
		{"inference-protein", 1, 11, true},
		{"kernel-circles", 1, 6, false},
		{"kernel-protein", 1, 12, true},
		{"kernel-letters", 1, 26, true},
		{"kernel-yeast", 1, 19, true},
	} {
		t.Run(of.id, func(t *testing.T) {
			if of.long && os.Getenv("INKLING_FULL") == "" {
				t.Skip("takes a minute: set INKLING_FULL=1")
			}
			t.Parallel()
			r, err := Select(of.id)
			if err != nil {
				t.Fatal(err)
			}
			sheet := cookTwice(t, r[0], of.repeats)
			if len(sheet.Claims) != of.claims {
				t.Errorf("%d claims, want %d", len(sheet.Claims), of.claims)
			}
			for _, c := range sheet.Claims {
				if c.Text == "" || strings.Contains(c.Numbers, "NaN") || !strings.ContainsAny(c.Numbers, "0123456789") {
					t.Errorf("claim %q has numbers %q", c.Text, c.Numbers)
				}
			}
			if len(sheet.Files()) == 0 {
				t.Error("there is no chart")
			}
		})
	}
}

func TestFewSets(t *testing.T) {
	x, err := blobs(600, 8, 4, 4, 1, true)(nil)
	if err != nil {
		t.Fatal(err)
	}
	count := make([]int, 8)
	for _, h := range x.Truth {
		count[h]++
	}
	if n := len(x.Truth); n < 580 || n > 620 || n != x.X.Len() {
		t.Errorf("%d rows, want about 600", n)
	}
	for h := range 7 {
		if count[h] <= count[h+1] {
			t.Errorf("sizes %v do not fall", count)
		}
	}
	s := circles()
	for i, class := range s.Truth {
		row := s.X.Row(i, nil).Val
		if r := math.Hypot(row[0], row[1]); math.Abs(r-float64(1+2*class)) > 0.5 {
			t.Errorf("point %d of class %d at radius %.2f", i, class, r)
		}
	}
}
