package dedupe_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/dedupe"
)

var background = context.Background()

func entities(t testing.TB, r *dedupe.Records, known *constraint.Set, o dedupe.Options) *dedupe.Result {
	t.Helper()
	found, err := dedupe.Entities(background, r, known, o)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func table(fields []string, rows ...[]string) *dedupe.Records {
	r := &dedupe.Records{Fields: fields, Cells: make([][]string, len(fields))}
	for _, row := range rows {
		for f, c := range row {
			r.Cells[f] = append(r.Cells[f], c)
		}
	}
	return r
}

func repeated(row []string, times int) (rows [][]string) {
	for range times {
		rows = append(rows, row)
	}
	return rows
}

// Input that has little or nothing to compare has the answer that nobody can object to.
func TestDegenerateRecords(t *testing.T) {
	name := []string{"name"}
	three := []string{"name", "email", "city"}
	different := [][]string{{"Alda Brisko", "ab@mail.test", "Birkau"}, {"Torvin Kestrup", "tk@post.test", "Ilmtal"}, {"Yorick Zaddach", "yz@inbox.test", "Hohenau"}}
	for _, test := range []struct {
		what string
		r    *dedupe.Records
		want []int
	}{
		{"no records", table(three), []int{}},
		{"one record", table(three, different[0]), []int{0}},
		{"two equal records", table(three, different[0], different[0]), []int{0, 0}},
		{"two different records", table(three, different[0], different[1]), []int{0, 1}},
		{"different records", table(three, different...), []int{0, 1, 2}},
		{"a record and a copy with a typing error", table(three, append(slices.Clone(different), []string{"Alda Brsko", "ab@mail.test", "Birkau"})...), []int{0, 1, 2, 0}},
		{"all missing", table(three, repeated([]string{"", "n/a", "-"}, 4)...), []int{0, 1, 2, 3}},
		{"one field", table(name, []string{"Alda Brisko"}, []string{"Torvin Kestrup"}, []string{"ALDA BRISKO"}, []string{"Yorick Zaddach"}), []int{0, 1, 0, 2}},
		{"equal after normalising", table(three, append(slices.Clone(different), []string{"brisko, ALDA", "AB@mail.test", "birkau"})...), []int{0, 1, 2, 0}},
	} {
		found := entities(t, test.r, nil, dedupe.Options{})
		if !reflect.DeepEqual(found.Entity, test.want) {
			t.Errorf("%s: %v, want %v", test.what, found.Entity, test.want)
		}
		if !(found.Recall >= 0 && found.Recall <= 1) {
			t.Errorf("%s: recall %v", test.what, found.Recall)
		}
		for i, c := range found.Confidence {
			if !(c >= 0 && c <= 1) {
				t.Errorf("%s: confidence %v of record %d", test.what, c, i)
			}
		}
	}
}

// Thousands of equal records cost no more than one.
func TestEqualRecords(t *testing.T) {
	t.Parallel()
	p := customers(1, 40, 100)
	for range 20_000 {
		p.add(0, p.Cells[0][0], p.Cells[1][0], p.Cells[2][0], p.Cells[3][0], p.Cells[4][0], p.Cells[5][0])
	}
	found := entities(t, &p.Records, nil, dedupe.Options{})
	for i := 100; i < len(found.Entity); i++ {
		if found.Entity[i] != found.Entity[0] {
			t.Fatalf("record %d is in entity %d", i, found.Entity[i])
		}
	}
	if found.Compared > 10_000 {
		t.Errorf("%d pairs compared", found.Compared)
	}
	// A record that says only the city says nothing about who it is.
	few := table([]string{"name", "city"}, repeated([]string{"", "Birkau"}, 200)...)
	for i := range 100 {
		few.Cells[0] = append(few.Cells[0], fmt.Sprint("name", i*i))
		few.Cells[1] = append(few.Cells[1], "Birkau")
	}
	if found := entities(t, few, nil, dedupe.Options{}); found.Entities < 250 {
		t.Errorf("%d entities among records that share nothing but the city", found.Entities)
	}
}

func TestRefusals(t *testing.T) {
	good := table([]string{"name"}, []string{"a"}, []string{"b"}, []string{"c"})
	for what, test := range map[string]struct {
		r     *dedupe.Records
		known *constraint.Set
		o     dedupe.Options
		want  any
	}{
		"nil":             {nil, nil, dedupe.Options{}, new(*dedupe.RecordsError)},
		"no fields":       {&dedupe.Records{}, nil, dedupe.Options{}, new(*dedupe.RecordsError)},
		"no cells":        {&dedupe.Records{Fields: []string{"a"}}, nil, dedupe.Options{}, new(*dedupe.RecordsError)},
		"ragged":          {&dedupe.Records{Fields: []string{"a", "b"}, Cells: [][]string{{"x"}, {}}}, nil, dedupe.Options{}, new(*dedupe.RecordsError)},
		"threshold":       {good, nil, dedupe.Options{Threshold: 1}, new(*dedupe.OptionError)},
		"threshold NaN":   {good, nil, dedupe.Options{Threshold: math.NaN()}, new(*dedupe.OptionError)},
		"neighbours":      {good, nil, dedupe.Options{Neighbours: -1}, new(*dedupe.OptionError)},
		"unknown record":  {good, &constraint.Set{Must: []constraint.Pair{{I: 0, J: 3, W: 1}}}, dedupe.Options{}, new(*constraint.EntryError)},
		"contradiction":   {good, &constraint.Set{Must: []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}}, Cannot: []constraint.Pair{{I: 0, J: 2, W: 1}}}, dedupe.Options{}, new(*constraint.ConflictError)},
		"apart from self": {good, &constraint.Set{Cannot: []constraint.Pair{{I: 1, J: 1, W: 1}}}, dedupe.Options{}, new(*constraint.ConflictError)},
	} {
		if _, err := dedupe.Entities(background, test.r, test.known, test.o); !errors.As(err, test.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The result has the same bits on any number of workers.
func TestWorkers(t *testing.T) {
	t.Parallel()
	p := customers(3, 150, 450)
	one := entities(t, &p.Records, nil, dedupe.Options{Workers: 1})
	known := answers(one, p.truth, 40, 1)
	for _, set := range []*constraint.Set{nil, known} {
		one := entities(t, &p.Records, set, dedupe.Options{Workers: 1})
		for _, workers := range []int{2, 7} {
			many := entities(t, &p.Records, set, dedupe.Options{Workers: workers})
			if !reflect.DeepEqual(one.Entity, many.Entity) || !reflect.DeepEqual(one.Confidence, many.Confidence) || one.Objective != many.Objective ||
				one.Threshold != many.Threshold || !reflect.DeepEqual(one.Fields, many.Fields) || !reflect.DeepEqual(one.UncertainPairs(-1), many.UncertainPairs(-1)) {
				t.Errorf("%d workers find something else", workers)
			}
		}
	}
}

// Whatever the links, must-links hold and cannot-links are not violated, also between equal
// records.
func TestLinksHold(t *testing.T) {
	t.Parallel()
	persons, records := 12, 32
	if os.Getenv("INKLING_FULL") != "" {
		persons, records = 30, 80
	}
	copied := records / 4
	p := customers(4, persons, records)
	for range 3 { // copies
		for i := range copied {
			p.add(p.truth[i], p.Cells[0][i], p.Cells[1][i], p.Cells[2][i], p.Cells[3][i], p.Cells[4][i], p.Cells[5][i])
		}
	}
	n := p.Len()
	rapid.Check(t, func(t *rapid.T) {
		// Links that a random division satisfies: mostly against the records.
		group := rapid.SliceOfN(rapid.IntRange(0, 5), n, n).Draw(t, "group")
		known := &constraint.Set{}
		for range rapid.IntRange(1, 150).Draw(t, "links") {
			i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
			if rapid.Bool().Draw(t, "copies") {
				i, j = i%copied, records+i%copied+copied*(j%3)
			}
			if i == j {
				continue
			}
			if p := (constraint.Pair{I: i, J: j, W: 1}); group[i] == group[j] {
				known.Must = append(known.Must, p)
			} else {
				known.Cannot = append(known.Cannot, p)
			}
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "labels") {
			known.Labels = append(known.Labels, constraint.Label{I: i, Class: group[i], W: 1})
		}
		found, err := dedupe.Entities(background, &p.Records, known, dedupe.Options{Workers: 1})
		var conflict *constraint.ConflictError
		if errors.As(err, &conflict) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range known.Must {
			if found.Entity[l.I] != found.Entity[l.J] {
				t.Fatalf("must-link %d, %d is violated", l.I, l.J)
			}
		}
		for _, l := range known.Cannot {
			if found.Entity[l.I] == found.Entity[l.J] {
				t.Fatalf("cannot-link %d, %d is violated", l.I, l.J)
			}
		}
		for _, a := range known.Labels {
			for _, b := range known.Labels {
				if (a.Class == b.Class) != (found.Entity[a.I] == found.Entity[b.I]) {
					t.Fatalf("labels of %d and %d are not kept", a.I, b.I)
				}
			}
		}
		next := 0
		for _, e := range found.Entity {
			if e > next {
				t.Fatal("entities are not numbered by their first records")
			}
			next = max(next, e+1)
		}
		if next != found.Entities {
			t.Fatalf("%d entities, %d counted", next, found.Entities)
		}
	})
}

func TestThresholdSource(t *testing.T) {
	t.Parallel()
	p := customers(5, 100, 300)
	r := entities(t, &p.Records, nil, dedupe.Options{})
	if r.ThresholdFrom != dedupe.FromDefault || r.Threshold != dedupe.DefaultThreshold {
		t.Errorf("without links: %v from %s", r.Threshold, r.ThresholdFrom)
	}
	if s := entities(t, &p.Records, answers(r, p.truth, 19, 1), dedupe.Options{}); s.ThresholdFrom != dedupe.FromDefault {
		t.Errorf("19 links: from %s", s.ThresholdFrom)
	}
	s := entities(t, &p.Records, answers(r, p.truth, 150, 1), dedupe.Options{})
	if learned := s.Fields[0].Agree != 0; learned != (s.ThresholdFrom == dedupe.FromLinks) { // see TestLinksHelp for when
		t.Errorf("150 links: from %s, %+v", s.ThresholdFrom, s.Fields[0])
	}
	low, high := entities(t, &p.Records, nil, dedupe.Options{Threshold: 0.01}), entities(t, &p.Records, nil, dedupe.Options{Threshold: 0.999})
	if low.ThresholdFrom != dedupe.FromOptions || !(low.Entities < high.Entities) {
		t.Errorf("%d entities at 0.01, %d at 0.999", low.Entities, high.Entities)
	}
}

// Every stage ends soon after the context does.
func TestCancellation(t *testing.T) {
	t.Parallel()
	p := customers(6, 400, 1200)
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := dedupe.Entities(ctx, &p.Records, nil, dedupe.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended before: %v", err)
	}
	steps := map[string]bool{}
	entities(t, &p.Records, nil, dedupe.Options{Progress: func(step string, _ float64) { steps[step] = true }})
	for step := range steps {
		ctx, cancel := context.WithCancel(background)
		calls := 0 // of Progress after the context ended
		_, err := dedupe.Entities(ctx, &p.Records, nil, dedupe.Options{Progress: func(s string, _ float64) {
			if ctx.Err() != nil && s != step {
				calls++
			}
			if s == step {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", step, err)
		}
		if calls > 0 {
			t.Errorf("%s: %d reports of later steps after the context ended", step, calls)
		}
	}
}

// The confidence of records tells those in a wrong entity from the others.
func TestConfidence(t *testing.T) {
	t.Parallel()
	p := patients(7, 600, 1800)
	r := entities(t, &p.Records, nil, dedupe.Options{})
	// A record is right where most of its entity describe the same person.
	count, size := map[[2]int]int{}, map[int]int{}
	for i, e := range r.Entity {
		count[[2]int{e, p.truth[i]}]++
		size[e]++
	}
	var right, wrong []float64
	for i, e := range r.Entity {
		if 2*count[[2]int{e, p.truth[i]}] > size[e] {
			right = append(right, r.Confidence[i])
		} else {
			wrong = append(wrong, r.Confidence[i])
		}
	}
	mean := func(list []float64) (m float64) {
		for _, c := range list {
			m += c / float64(len(list))
		}
		return m
	}
	t.Logf("%d right with mean confidence %.3f, %d wrong with %.3f", len(right), mean(right), len(wrong), mean(wrong))
	if len(wrong) < 5 || mean(right) < mean(wrong)+0.1 {
		t.Errorf("%d right with mean confidence %.3f, %d wrong with %.3f", len(right), mean(right), len(wrong), mean(wrong))
	}
}

func ExampleEntities() {
	r := &dedupe.Records{
		Fields: []string{"name", "email", "city"},
		Cells: [][]string{
			{"Alda Brisko", "Torvin Kestrup", "BRISKO, Alda", "Torvin Kestrp", "Yorick Zaddach"},
			{"alda@mail.test", "tk@post.test", "alda@mail.test", "tk@post.test", ""},
			{"Birkau", "Ilmtal", "Birkau", "", "Hohenau"},
		},
	}
	found, err := dedupe.Entities(context.Background(), r, nil, dedupe.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Entities, found.Entity)
	// Output: 3 [0 1 0 1 2]
}
