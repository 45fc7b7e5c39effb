package sessioncommand

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// TestMain is the test, or the program that answers where ORACLE says how.
func TestMain(m *testing.M) {
	how := os.Getenv("ORACLE")
	if how == "" {
		os.Exit(m.Run())
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		switch {
		case how == "dies":
			os.Exit(1)
		case how == "dies once":
			if f, err := os.OpenFile(os.Getenv("MARK"), os.O_CREATE|os.O_EXCL, 0o600); err == nil {
				f.Close()
				os.Exit(1)
			}
			fmt.Println(`{"answer":"different","probability":0.9}`)
		case strings.Contains(in.Text(), `"a":"one"`):
			fmt.Println("same")
		default:
			fmt.Println(how)
		}
	}
	os.Exit(0)
}

func TestProgramAnswers(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("MARK", filepath.Join(t.TempDir(), "mark"))
	for _, c := range []struct {
		how, a string
		say    active.Answer
		fails  string
	}{
		{"unsure", "one", active.Same, ""},
		{"unsure", "two", active.Unsure, ""},
		{"dies once", "two", active.Different, ""},
		{"dies", "two", 0, "3 times in a row"},
		{"perhaps", "two", 0, `got "perhaps"`},
		{`{"answer":"same","probability":2}`, "two", 0, "from 0 to 1"},
	} {
		t.Setenv("ORACLE", c.how)
		p := &oracleProgram{words: []string{own}, stderr: io.Discard}
		one := &AskedPair{Question: session.Question{A: c.a, B: "other"}}
		said, err := p.answers(context.Background(), []*AskedPair{one, one, one})
		p.close()
		say := active.Answer(0)
		if len(said) == 3 {
			say = said[2].say
		}
		if say != c.say || (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s about %s: %v, %v", c.how, c.a, say, err)
		}
	}
}

func TestNamesProgram(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	labels := filepath.Join(t.TempDir(), "labels.csv")
	if err := os.WriteFile(labels, []byte("id,label\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for oracle, want := range map[string]bool{"": false, "example:iris-truth.csv": false, labels: false, "no-such-file.csv": false, own: true, own + " --fast": true} {
		if namesProgram(oracle) != want {
			t.Errorf("%q names a program: %v, want %v", oracle, !want, want)
		}
	}
}
