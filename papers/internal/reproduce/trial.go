package reproduce

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// A Trial is something that was measured: one line of a log. Its key holds
// everything that determines the value.
type Trial struct {
	TrialKey
	Value json.RawMessage `json:"value"`
}

// A TrialKey names a trial.
type TrialKey struct {
	Program string `json:"program"`
	Recipe  string `json:"recipe"`
	Step    string `json:"step"`
	Trial   string `json:"trial"`
	Seed    uint64 `json:"seed"`
}

// Try makes the trials of a step that the log does not have, side by side, and
// returns all values in the order of keys. A key says what its trial is,
// sizes and all; the seed of the lab and the recipe are added. Values pass
// through JSON, so that they are the same whether or not the log had them; so
// they cannot hold NaN.
func Try[T any](ctx context.Context, l *Lab, step string, keys []string, work func(ctx context.Context, i int) (T, error)) ([]T, error) {
	had := map[TrialKey]json.RawMessage{}
	for _, t := range l.Trials {
		had[t.TrialKey] = t.Value
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	values := make([]json.RawMessage, len(keys))
	var todo []int
	for i, key := range keys {
		if values[i] = had[l.trialKey(step, key)]; values[i] == nil {
			todo = append(todo, i)
		}
	}
	var mu sync.Mutex
	var first error
	done := len(keys) - len(todo)
	l.reportProgress(step, done, len(keys))
	err := blocks.Tasks(ctx, max(1, l.Workers), len(todo), func(at int) {
		i := todo[at]
		v, err := work(ctx, i)
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			return // an interrupted trial does not count
		}
		if err == nil {
			values[i], err = l.logTrial(l.trialKey(step, keys[i]), v)
		}
		if err != nil {
			if first == nil {
				first = fmt.Errorf("%s, %s: %w", step, keys[i], err)
			}
			stop()
			return
		}
		done++
		l.reportProgress(step, done, len(keys))
	})
	if first != nil || err != nil {
		return nil, errors.Join(first, err)
	}
	out := make([]T, len(keys))
	for i, v := range values {
		if err := json.Unmarshal(v, &out[i]); err != nil {
			return nil, fmt.Errorf("%s, %s: the log has another kind of value: %w", step, keys[i], err)
		}
	}
	return out, nil
}

func (l *Lab) trialKey(step, trial string) TrialKey {
	return TrialKey{l.Program, l.recipe.ID, step, trial, l.Seed}
}

// logTrial logs a trial in one call, so that a kill can tear only the last line.
func (l *Lab) logTrial(key TrialKey, value any) (json.RawMessage, error) {
	v, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("a value that cannot be logged: %w", err)
	}
	b, err := json.Marshal(Trial{key, v})
	if err != nil {
		return nil, fmt.Errorf("a trial that cannot be logged: %w", err)
	}
	if l.TrialLog == nil {
		return v, nil
	}
	if _, err := l.TrialLog.Write(append(b, '\n')); err != nil {
		return nil, fmt.Errorf("writing the log: %w", err)
	}
	return v, nil
}

// ReadTrials reads a log of trials, as experiment.ReadLog reads one of fits: a
// last line that was cut short is skipped and begins at whole; any other
// line that is not a trial is an *experiment.LogError.
func ReadTrials(r io.Reader) (trials []Trial, whole int64, err error) {
	return experiment.ReadLines(r, "trial", func(t *Trial) error {
		if t.Value == nil {
			return errors.New("it has no value")
		}
		return nil
	})
}
