package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/blocks"
)

// A study is all that is run on one corpus. Of[s][f] is nil until setting s has
// been run on fold f.
type study struct {
	*corpus
	Curves []curve
	Folds  int
	Of     map[setting][]*outcome
	fold   []int
}

func newStudy(c *corpus, folds int, seed uint64, quick bool) *study {
	s := &study{corpus: c, Curves: curves(c.k(), quick), Folds: folds, Of: map[setting][]*outcome{},
		fold: deal(c.Class, folds, stream(seed, foldStream, 0))}
	for _, t := range settings(s.Curves, c.k()) {
		s.Of[t] = make([]*outcome, folds)
	}
	return s
}

type job struct {
	*study
	what setting
	f    int
	cost float64 // of an iteration, about: products with centres, and passes over these
}

// jobs lists the runs, fold by fold, so that a study cut short has whole folds.
func jobs(studies []*study) (out []job) {
	for _, s := range studies {
		for f := range s.Folds {
			for _, t := range settings(s.Curves, s.k()) {
				out = append(out, job{s, t, f, float64((s.X.Stored() + 8*s.X.Dim()) * s.k())})
			}
		}
	}
	return out
}

// runAll makes all runs, several at a time. What has been made by the time ctx
// ends stays.
func runAll(ctx context.Context, studies []*study, seed uint64, workers int, progress *meter) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all := jobs(studies)
	for _, j := range all {
		progress.total += j.cost
	}
	progress.jobs, progress.began = len(all), time.Now()
	var mu sync.Mutex
	var first error
	err := blocks.Tasks(ctx, workers, len(all), func(i int) {
		j := all[i]
		o, err := j.run(ctx, j.what, j.fold, j.f, seed)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			if first == nil {
				first = err
			}
			cancel()
			return
		}
		j.Of[j.what][j.f] = &o
		progress.done(j)
	})
	progress.end()
	if first != nil {
		return first
	}
	return err
}

// A meter tells how far the runs are.
type meter struct {
	w        io.Writer
	terminal bool // one line, written over and over; else a line now and then
	jobs, at int
	total    float64
	made     float64
	began    time.Time
	told     time.Time
}

func (m *meter) done(j job) {
	m.at++
	m.made += j.cost
	pause := 15 * time.Second
	if m.terminal {
		pause = time.Second / 4
	}
	now := time.Now()
	if now.Sub(m.told) < pause && m.at < m.jobs {
		return
	}
	m.told = now
	spent := now.Sub(m.began)
	left := time.Duration(float64(spent) * (m.total - m.made) / m.made)
	line := fmt.Sprintf("%d of %d runs, %s, fold %d; %v, about %v left", m.at, m.jobs, j.Name, j.f+1,
		spent.Round(time.Second), left.Round(time.Second))
	if m.terminal {
		fmt.Fprintf(m.w, "\r\033[K%s", line)
	} else {
		fmt.Fprintln(m.w, line)
	}
}

func (m *meter) end() {
	if m.terminal && m.at > 0 {
		fmt.Fprintln(m.w)
	}
}
