package experiment

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/judge/active"
)

// groups returns three groups of 20 on a line, the second close to the third.
func questionsOnGroups(t *testing.T) *Questions {
	t.Helper()
	rng := rand.New(rand.NewPCG(16, 5))
	x, truth := &data.Dense{Cols: 1}, []int{}
	for g, centre := range []float64{0, 10, 12.5} {
		for range 20 {
			x.V, truth = append(x.V, centre+rng.NormFloat64()), append(truth, g)
		}
	}
	methods, err := ParseMethods("label-spreading")
	if err != nil {
		t.Fatal(err)
	}
	return &Questions{Problem: &cluster.Problem{X: x, K: 3}, Truth: truth, Strategies: []active.Strategy{active.Auto, active.Random},
		Method: methods[0], Answers: []int{0, 5, 40}, Repeats: 3, Measure: "ari", Settings: cluster.Default()}
}

func TestQuestionsHelp(t *testing.T) {
	c := questionsOnGroups(t)
	seen := 0
	c.Observe = func(p Progress) { seen = max(seen, p.Done) }
	all, unasked, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if seen != 6 || !reflect.DeepEqual(all.X, []float64{0, 5, 40}) || all.Vary != Answers {
		t.Errorf("%d conversations, answers %v", seen, all.X)
	}
	if without, with := all.Cells[0][0].Score.Mean, all.Cells[0][2].Score.Mean; !(with > without) || with < 0.9 {
		t.Errorf("ARI %v without answers, %v with 40", without, with)
	}
	if y := unasked.Cells[0][2].Score.Mean; !(y > 0.8) {
		t.Errorf("ARI %v on rows that were never asked about", y)
	}
	area := all.Area(0)
	want := (5*(all.Scores(0, 0)[1]+all.Scores(0, 1)[1])/2 + 35*(all.Scores(0, 1)[1]+all.Scores(0, 2)[1])/2) / 40
	if d := area[1] - want; d > 1e-12 || d < -1e-12 {
		t.Errorf("area %v, want %v", area[1], want)
	}
	c.Settings.Workers, c.Observe = 1, nil
	again, _, err := c.Run(context.Background())
	if err != nil || !reflect.DeepEqual(again.Cells, all.Cells) {
		t.Errorf("another number of workers gives other scores (%v)", err)
	}
}

// Every answer is wrong at a noise near 1; rows of unknown truth say nothing.
func TestQuestionsWithNoise(t *testing.T) {
	c := questionsOnGroups(t)
	c.Strategies, c.Repeats = c.Strategies[:1], 1
	right, _, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	c.Noise = 0.999999
	wrong, _, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := right.Cells[0][2].Score.Mean, wrong.Cells[0][2].Score.Mean; !(b < a-0.2) {
		t.Errorf("ARI %v with right answers, %v with wrong ones", a, b)
	}
	c.Noise = 0
	for i := range c.Truth {
		if i%2 == 0 {
			c.Truth[i] = -1
		}
	}
	if _, _, err := c.Run(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestQuestionsRefuse(t *testing.T) {
	for want, change := range map[string]func(*Questions){
		"the problem is nil":                func(c *Questions) { c.Problem = nil },
		"given for all 60 rows, got 59":     func(c *Questions) { c.Truth = c.Truth[1:] },
		"each above the one before":         func(c *Questions) { c.Answers = []int{5, 5} },
		"repeats must be at least 1, got 0": func(c *Questions) { c.Repeats = 0 },
		"below 1, got 1":                    func(c *Questions) { c.Noise = 1 },
		"strategy auto is given twi":        func(c *Questions) { c.Strategies = append(c.Strategies, active.Auto) },
	} {
		c := questionsOnGroups(t)
		change(c)
		if _, _, err := c.Run(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, wanted %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := questionsOnGroups(t).Run(ctx); err != context.Canceled {
		t.Errorf("after cancellation: %v", err)
	}
}
