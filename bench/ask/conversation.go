package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/active"
)

// A study is conversations about tables.
type study struct {
	tables  []table
	answers []int // numbers after which both rules cluster, ascending
	seeds   int
	first   int // of them
	wrong   float64
	cells   bool
	page    bool // over HTTP too
	jobs    int
	log     *log
}

// rules are compared: ours, and spreading at once, or ours as the page follows it.
func (s *study) rules() []string {
	if s.page {
		return []string{door.MethodAnswers, pageRule}
	}
	return []string{door.MethodAnswers, "label-spreading"}
}

// A cell is the result of one rule after so many answers.
type cell struct {
	Table   string  `json:"table"`
	Easy    bool    `json:"easy"`
	Seed    uint64  `json:"seed"`
	Wrong   bool    `json:"wrong"` // one in so many answers is
	Rule    string  `json:"rule"`
	Answers int     `json:"answers"`
	ARI     float64 `json:"ari"`
	Without float64 `json:"without"` // the index of the clusters without answers
	Spread  bool    `json:"spread"`
	Asked   int     `json:"asked"`
	Left    int     `json:"left"`
}

// margin is by how much a result may be below that without answers.
const margin = 0.02

func (c *cell) loss() float64 { return c.Without - c.ARI }
func (c *cell) bad() bool     { return c.loss() > margin }

type said struct {
	a, b int
	say  active.Answer
}

// converse asks as many questions as the largest number of answers, and clusters by each rule.
func (s *study) converse(ctx context.Context, t *table, seed uint64, wrong float64) ([]cell, error) {
	p, _, err := door.NewProblem(ctx, t.rows, nil, door.Options{K: t.k, Seed: &seed, Workers: 1})
	if err != nil {
		return nil, err
	}
	pool, err := active.NewPool(ctx, p, seed, 1)
	if err != nil {
		return nil, err
	}
	asker, err := active.New(pool, active.Auto, t.k, seed)
	if err != nil {
		return nil, err
	}
	defer asker.Close()
	noise := rand.New(rand.NewPCG(seed, 2))
	var list []said
	for len(list) < slices.Max(s.answers) {
		q, ok, err := asker.Next(ctx)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		say := active.Different
		if t.truth[q.A] == t.truth[q.B] {
			say = active.Same
		}
		if noise.Float64() < wrong {
			say = active.Same + active.Different - say
		}
		asker.Record(q.A, q.B, say)
		list = append(list, said{q.A, q.B, say})
	}
	var out []cell
	for _, rule := range s.rules() {
		var cells []cell
		if rule == pageRule {
			cells, err = s.overHTTP(ctx, t, seed, wrong)
		} else {
			cells, err = s.cluster(ctx, t, seed, rule, list)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, seed %d, %s: %w", t.name, seed, rule, err)
		}
		for i := range cells {
			cells[i].Wrong = wrong > 0
			if len(out) > 0 {
				cells[i].Without = out[0].ARI
			}
		}
		out = append(out, cells...)
	}
	return out, nil
}

// cluster clusters after each number of answers.
func (s *study) cluster(ctx context.Context, t *table, seed uint64, rule string, list []said) (out []cell, err error) {
	o := door.Options{K: t.k, Method: rule, Seed: &seed, Workers: 1, NoSuspects: true, Kept: new(prepare.Kept)}
	for _, n := range s.answers {
		n = min(n, len(list))
		c := door.NewConstraints(t.rows)
		for _, q := range list[:n] {
			kind := door.MustLink
			if q.say == active.Different {
				kind = door.CannotLink
			}
			c.Add(door.Link{A: t.rows.ID(q.a), B: t.rows.ID(q.b), Kind: kind})
		}
		r, err := door.Cluster(ctx, t.rows, c, o)
		if err != nil {
			return nil, err
		}
		one := cell{Table: t.name, Easy: t.easy, Seed: seed, Rule: rule, Answers: n}
		if one.ARI, err = score.ARI(t.truth, r.Assignment()); err != nil {
			return nil, err
		}
		if a := r.Answered; a != nil {
			one.Spread, one.Asked, one.Left = a.Spread, a.Asked, a.Left
		}
		out = append(out, one)
		out[len(out)-1].Without = out[0].ARI
	}
	return out, nil
}

// measure holds all conversations.
func (s *study) measure(ctx context.Context) ([]cell, error) {
	type job struct {
		t     *table
		seed  uint64
		wrong float64
	}
	var jobs []job
	for i := range s.tables {
		for seed := range s.seeds {
			for _, wrong := range []float64{0, s.wrong} {
				jobs = append(jobs, job{&s.tables[i], uint64(seed + s.first), wrong})
			}
		}
	}
	done, errs := make([][]cell, len(jobs)), make([]error, len(jobs))
	next := make(chan int)
	var work sync.WaitGroup
	for range max(1, s.jobs) {
		work.Go(func() {
			for i := range next {
				j := jobs[i]
				name := j.t.name
				if s.page {
					name += ", " + pageRule
				}
				done[i], errs[i] = s.log.get(name, j.seed, j.wrong, s.answers, func() ([]cell, error) {
					return s.converse(ctx, j.t, j.seed, j.wrong)
				})
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	work.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(done...), nil
}
