package dedupecommand

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
)

// A witness reads the questions and answers them by the truth, line by line.
type witness struct {
	truth  map[string]string
	asked  [][2]string
	answer func(n int, same bool) string
	lines  bytes.Buffer
}

var question = regexp.MustCompile(`Are (\S+) and (\S+) the same\?`)

// Write takes what is shown, and prepares the answer to each question in it.
func (w *witness) Write(b []byte) (int, error) {
	for _, m := range question.FindAllSubmatch(b, -1) {
		x, y := string(m[1]), string(m[2])
		w.asked = append(w.asked, [2]string{x, y})
		w.lines.WriteString(w.answer(len(w.asked), w.truth[x] == w.truth[y]))
	}
	return len(b), nil
}

func (w *witness) Read(b []byte) (int, error) { return w.lines.Read(b) }

func truthfully(_ int, same bool) string {
	if same {
		return "y\n"
	}
	return "n\n"
}

// interviewed runs dedupe with questions that a witness answers, and returns what was said.
func interviewed(t *testing.T, w *witness, args ...string) (string, error) {
	t.Helper()
	var said bytes.Buffer
	no := false
	p := Program{Say: func(f string, a ...any) { fmt.Fprintf(&said, f+"\n", a...) }, Note: func(door.Note) {}, Show: func(func() string) func() { return func() {} },
		WriteFile: func(path string, write func(io.Writer) error) error {
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			defer f.Close()
			return write(f)
		},
		JSON: &no, Verbose: &no, Stdin: w, Painted: w, Canvas: func() (int, bool) { return 80, false }}
	cmd := New(cobra.RangeArgs(1, 2), p)
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.ExecuteContext(context.Background())
	return said.String(), err
}

func column(t *testing.T, b []byte) map[string]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, r := range rows[1:] {
		out[r[0]] = r[1]
	}
	return out
}

// f is the F measure over pairs of records.
func f(truth, found map[string]string) float64 {
	count := func(key func(id string) string) (n float64) {
		size := map[string]float64{}
		for id := range truth {
			size[key(id)]++
		}
		for _, m := range size {
			n += m * (m - 1) / 2
		}
		return n
	}
	both := count(func(id string) string { return truth[id] + "/" + found[id] })
	return 2 * both / (count(func(id string) string { return truth[id] }) + count(func(id string) string { return found[id] }))
}

// Forty correct answers raise F by a third of what is missing, hold, and are kept as links; the next run asks about other pairs.
func TestAnswersRaiseF(t *testing.T) {
	b, _, err := door.Builtin("example:contacts-truth.csv")
	if err != nil {
		t.Fatal(err)
	}
	truth := column(t, b)
	dir := t.TempDir()
	out, answers := filepath.Join(dir, "out.csv"), filepath.Join(dir, "answers.csv")
	found := func() map[string]string {
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return column(t, b)
	}
	if _, err := interviewed(t, &witness{}, "example:contacts.csv", "-o", out); err != nil {
		t.Fatal(err)
	}
	before := f(truth, found())
	first := &witness{truth: truth, answer: truthfully}
	said, err := interviewed(t, first, "example:contacts.csv", "--ask", "20", "--answers", answers, "-o", out)
	if err != nil || len(first.asked) != 20 {
		t.Fatalf("%d questions, %v\n%s", len(first.asked), err, said)
	}
	second := &witness{truth: truth, answer: truthfully}
	if _, err = interviewed(t, second, "example:contacts.csv", "--ask", "20", "--answers", answers, "-o", out); err != nil {
		t.Fatal(err)
	}
	for _, q := range second.asked {
		for _, p := range first.asked {
			if q == p {
				t.Errorf("%v is asked again", q)
			}
		}
	}
	after := found()
	if now := f(truth, after); now < before+(1-before)/3 {
		t.Errorf("F was %.3f without answers, %.3f with 40", before, now)
	}
	kept, err := os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(kept))
	n := -1
	for lines.Scan() {
		if n++; n == 0 {
			continue
		}
		row := strings.Split(lines.Text(), ",")
		if same := after[row[0]] == after[row[1]]; same != (row[2] == "must") {
			t.Errorf("the answer %s does not hold", lines.Text())
		}
	}
	if n != 40 {
		t.Errorf("%d answers are kept, want 40", n)
	}
}

// An answer can be taken back, a pair can be skipped, and every answer is in the file before the next question.
func TestAnswersOneByOne(t *testing.T) {
	dir := t.TempDir()
	table, answers := filepath.Join(dir, "t.csv"), filepath.Join(dir, "answers.csv")
	var b strings.Builder
	b.WriteString("id,name,mail\n")
	for i := range 60 {
		fmt.Fprintf(&b, "p%d,person %c%c,%c%d@a.example\n", i, 'a'+rune(i%20), 'a'+rune(i/20), 'a'+rune(i%20), i%7)
	}
	if err := os.WriteFile(table, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	w := &witness{answer: func(n int, _ bool) string {
		if n > 1 {
			if kept, err := os.ReadFile(answers); err != nil || strings.Count(string(kept), "\n") < 2 {
				t.Errorf("before question %d the file has %q (%v)", n, kept, err)
			}
		}
		switch n {
		case 1:
			return "w\n?\ny\n"
		case 2:
			return "p\np\nn\n"
		case 3:
			return "s\n"
		}
		return "f\n"
	}}
	said, err := interviewed(t, w, table, "--id", "id", "--ask", "5", "--answers", answers, "-o", filepath.Join(dir, "out.csv"))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(answers)
	if err != nil || strings.Count(string(kept), "\n") != 2 || !strings.Contains(string(kept), ",cannot\n") {
		t.Errorf("the file has %q (%v)", kept, err)
	}
	for _, words := range []string{"taken back: " + w.asked[0][0], "there is no answer of this run to take back", "1 answer: 0 the same, 1 different"} {
		if !strings.Contains(said, words) {
			t.Errorf("%q is not said in\n%s", words, said)
		}
	}
}
