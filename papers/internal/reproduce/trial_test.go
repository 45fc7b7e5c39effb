package reproduce

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

var background = context.Background()

func labOf(recipe string) *Lab {
	return &Lab{Seed: 1, Workers: 2, Program: "test", recipe: Recipe{ID: recipe}}
}

// square is a trial that counts its calls.
func square(calls *atomic.Int64) func(context.Context, int) (float64, error) {
	return func(_ context.Context, i int) (float64, error) {
		calls.Add(1)
		return float64(i*i) + 0.1, nil
	}
}

func keysOf(n int) (keys []string) {
	for i := range n {
		keys = append(keys, fmt.Sprintf("trial %d", i))
	}
	return keys
}

// A log that was cut anywhere gives the values of a fresh run, and only what it
// does not have is made.
func TestTryGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "trials")
		var calls atomic.Int64
		var log bytes.Buffer
		l := labOf("r-x")
		l.Workers, l.TrialLog = rapid.IntRange(1, 4).Draw(t, "workers"), &log
		want, err := Try(background, l, "step", keysOf(n), square(&calls))
		if err != nil || len(want) != n || int(calls.Load()) != n {
			t.Fatalf("%v after %d calls, %v", want, calls.Load(), err)
		}
		for i, y := range want {
			if y != float64(i*i)+0.1 {
				t.Fatalf("trial %d is %v", i, y)
			}
		}
		at := rapid.IntRange(0, log.Len()).Draw(t, "cut")
		kept, whole, err := ReadTrials(bytes.NewReader(log.Bytes()[:at]))
		if err != nil {
			t.Fatalf("a log cut at %d: %v", at, err)
		}
		if full := bytes.LastIndexByte(log.Bytes()[:at], '\n') + 1; int(whole) != full || len(kept) != bytes.Count(log.Bytes()[:at], []byte("\n")) {
			t.Fatalf("%d trials, whole %d of %d", len(kept), whole, full)
		}
		calls.Store(0)
		more := bytes.NewBuffer(slices.Clone(log.Bytes()[:whole]))
		l.Trials, l.TrialLog = kept, more
		got, err := Try(background, l, "step", keysOf(n), square(&calls))
		if err != nil || !slices.Equal(got, want) || int(calls.Load()) != n-len(kept) {
			t.Fatalf("%v after %d calls with %d kept, %v", got, calls.Load(), len(kept), err)
		}
		if all, _, err := ReadTrials(more); err != nil || len(all) != n {
			t.Fatalf("the log has %d trials, %v", len(all), err)
		}
	})
}

// What was measured for something else is not taken.
func TestTryTakesOnlyItsOwn(t *testing.T) {
	var log bytes.Buffer
	var calls atomic.Int64
	l := labOf("r-x")
	l.TrialLog = &log
	if _, err := Try(background, l, "step", keysOf(3), square(&calls)); err != nil {
		t.Fatal(err)
	}
	had, _, err := ReadTrials(&log)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Lab) string{
		"seed":    func(l *Lab) string { l.Seed = 2; return "step" },
		"program": func(l *Lab) string { l.Program = "other"; return "step" },
		"recipe":  func(l *Lab) string { l.recipe.ID = "r-y"; return "step" },
		"step":    func(*Lab) string { return "another step" },
	} {
		other := labOf("r-x")
		other.Trials = had
		step := change(other)
		calls.Store(0)
		if _, err := Try(background, other, step, keysOf(3), square(&calls)); err != nil || calls.Load() != 3 {
			t.Errorf("%s: %d calls, %v; want all 3", name, calls.Load(), err)
		}
	}
}

// An error ends the step and is reported with its trial; what was done before stays
// in the log.
func TestTryTellsErrors(t *testing.T) {
	var log bytes.Buffer
	l := labOf("r-x")
	l.Workers, l.TrialLog = 1, &log
	bad := errors.New("no luck")
	_, err := Try(background, l, "step", keysOf(5), func(_ context.Context, i int) (int, error) {
		if i == 3 {
			return 0, bad
		}
		return i, nil
	})
	if !errors.Is(err, bad) || !strings.Contains(err.Error(), "step, trial 3") {
		t.Fatalf("%v", err)
	}
	if had, _, err := ReadTrials(&log); err != nil || len(had) != 3 {
		t.Errorf("%d trials in the log, %v; want the 3 before the error", len(had), err)
	}
	for name, value := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1)} {
		if _, err := Try(background, l, name, keysOf(1), func(context.Context, int) (float64, error) { return value, nil }); err == nil {
			t.Errorf("%s was logged", name)
		}
	}
	l.Trials = []Trial{{l.trialKey("step", "trial 0"), []byte(`"words"`)}}
	if _, err := Try(background, l, "step", keysOf(1), square(new(atomic.Int64))); err == nil || !strings.Contains(err.Error(), "another kind") {
		t.Errorf("words for a number: %v", err)
	}
}

// When time is over Try returns the error of the context, and half a trial is
// none.
func TestTryIsCancelled(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(background)
		var log bytes.Buffer
		l := labOf("r-x")
		l.Workers, l.TrialLog = workers, &log
		_, err := Try(ctx, l, "step", keysOf(20), func(ctx context.Context, i int) (int, error) {
			if i == 4 {
				cancel()
				return -1, ctx.Err()
			}
			return i, nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%v", err)
		}
		had, _, err := ReadTrials(&log)
		if err != nil || len(had) >= 20 {
			t.Fatalf("%d trials, %v", len(had), err)
		}
		for _, h := range had {
			if h.Trial == "trial 4" {
				t.Error("the trial that was cut short is in the log")
			}
		}
		l.Trials = had
		got, err := Try(background, l, "step", keysOf(20), func(_ context.Context, i int) (int, error) { return i, nil })
		if err != nil || got[4] != 4 || got[19] != 19 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestTryNeedsItsLog(t *testing.T) {
	l := labOf("r-x")
	l.TrialLog = full{}
	if _, err := Try(background, l, "step", keysOf(4), square(new(atomic.Int64))); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("%v", err)
	}
}

// Observers are called one at a time, and hear of the end.
func TestTryTellsHowFarItIs(t *testing.T) {
	l := labOf("r-x")
	l.Workers = 4
	var mu sync.Mutex
	var last Progress
	busy := false
	l.Observe = func(p Progress) {
		mu.Lock()
		if busy {
			t.Error("two calls at a time")
		}
		busy = true
		mu.Unlock()
		last = p
		mu.Lock()
		busy = false
		mu.Unlock()
	}
	if _, err := Try(background, l, "step", keysOf(30), square(new(atomic.Int64))); err != nil {
		t.Fatal(err)
	}
	if want := (Progress{"r-x", "step", 30, 30}); last != want {
		t.Errorf("the last was %v, want %v", last, want)
	}
}

func TestReadTrialsNamesBadLines(t *testing.T) {
	good := `{"program":"p","recipe":"r","step":"s","trial":"t","seed":1,"value":2}` + "\n"
	for name, text := range map[string]string{
		"no JSON":       good + "words\n",
		"other object":  good + `{"fit":1}` + "\n",
		"other field":   good + `{"program":"p","colour":"red","value":1}` + "\n",
		"no value":      good + `{"program":"p","recipe":"r","step":"s","trial":"t","seed":1}` + "\n",
		"two at once":   good + strings.TrimSpace(good) + good,
		"empty line":    good + "\n" + good,
		"torn, not end": good + good[:20] + "\n" + good,
		"torn, foreign": good + "wor",
	} {
		_, _, err := ReadTrials(strings.NewReader(text))
		var bad *experiment.LogError
		if !errors.As(err, &bad) || bad.Line != 2 {
			t.Errorf("%s: %v, want an error of line 2", name, err)
		}
	}
	if trials, whole, err := ReadTrials(strings.NewReader(good + good[:len(good)-1])); err != nil || len(trials) != 1 || int(whole) != len(good) {
		t.Errorf("a last line without an end: %d trials, whole %d, %v", len(trials), whole, err)
	}
}

// FuzzReadTrials: whatever the bytes, what is read as whole is read again alike.
func FuzzReadTrials(f *testing.F) {
	good := `{"program":"p","recipe":"r","step":"s","trial":"t","seed":1,"value":[1,{"a":null}]}` + "\n"
	for _, s := range []string{"", good, good + good[:9], good[:len(good)-1], `{"program":` + "\n", "{\"program\":\"p\",\"value\":null}\n", good + "x\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		trials, whole, err := ReadTrials(bytes.NewReader(b))
		if err != nil {
			if trials != nil || whole != 0 {
				t.Errorf("%d trials, whole %d beside %v", len(trials), whole, err)
			}
			return
		}
		if whole < 0 || whole > int64(len(b)) || whole > 0 && b[whole-1] != '\n' || bytes.Count(b[:whole], []byte("\n")) != len(trials) {
			t.Fatalf("%d trials in the first %d of %d bytes", len(trials), whole, len(b))
		}
		again, same, err := ReadTrials(bytes.NewReader(b[:whole]))
		if err != nil || same != whole || len(again) != len(trials) {
			t.Fatalf("read again: %d trials, whole %d, %v", len(again), same, err)
		}
		for i := range trials {
			if trials[i].TrialKey != again[i].TrialKey || !bytes.Equal(trials[i].Value, again[i].Value) {
				t.Fatalf("trial %d is another", i)
			}
		}
	})
}
