package workspace

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// ranks are the parts of a workspace from the ground up; each knows only parts of lower rank.
var ranks = [][]any{
	{points{}, &jobs{}, &record{}},
	{&kept{}, &places{}},
	{&fitSettings{}, &names{}},
	{&fits{}, &suspicions{}},
	{&questions{}},
	{&edits{}},
	{&view{}},
}

func TestPartsKnowOnlyThoseBelow(t *testing.T) {
	below := map[reflect.Type]bool{}
	known := map[reflect.Type]bool{}
	for _, rank := range ranks {
		for _, part := range rank {
			known[reflect.Indirect(reflect.ValueOf(part)).Type()] = true
		}
	}
	for _, rank := range ranks {
		for _, part := range rank {
			of := reflect.Indirect(reflect.ValueOf(part)).Type()
			for f := range of.Fields() {
				to := f.Type
				if to.Kind() == reflect.Pointer {
					to = to.Elem()
				}
				if known[to] && !below[to] {
					t.Errorf("%s knows %s, which is not below it", of, to)
				}
			}
		}
		for _, part := range rank {
			below[reflect.Indirect(reflect.ValueOf(part)).Type()] = true
		}
	}
	of := reflect.TypeFor[Workspace]()
	for f := range of.Fields() {
		if f.Type.Kind() != reflect.Pointer || !known[f.Type.Elem()] {
			t.Errorf("%s is a field of a workspace itself: it belongs to a part", f.Name)
		}
	}
}

// ground is what other parts stand on, without a background that changes anything: a file of rows and a new session.
func ground(t *testing.T, text string, source door.Source, o door.Options) (*points, *jobs, *record) {
	t.Helper()
	dir, ctx := t.TempDir(), context.Background()
	path := filepath.Join(dir, "rows.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := door.Open(ctx, path, source)
	if err != nil {
		t.Fatal(err)
	}
	h, err := session.NewHeader(ctx, path, source, table, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Create(filepath.Join(dir, "s.jsonl"), h)
	if err != nil {
		t.Fatal(err)
	}
	rec, j := &record{table: table, session: s}, newJobs(1, nil)
	t.Cleanup(func() { j.close(); rec.close() })
	return newPoints(table), j, rec
}

// say adds events to a record.
func say(t *testing.T, rec *record, events ...session.Event) {
	t.Helper()
	if _, err := rec.write(events); err != nil {
		t.Fatal(err)
	}
}

const eightRows = "id,x,y,kind\na,0,0,red\nb,0.1,0,red\nc,0,0.1,\nd,0.2,0.1,\ne,9,9,\nf,9.1,9,\ng,9,9.2,blue\nh,9.2,9.1,\n"

func eight(t *testing.T, o door.Options) (*points, *jobs, *record) {
	return ground(t, eightRows, door.Source{ID: "id", LabelColumn: "kind"}, o)
}

func TestPointsAreRowsInAnotherOrder(t *testing.T) {
	ps, _, _ := eight(t, door.Options{})
	seen := map[int]bool{}
	for p := range ps.order {
		row, ok := ps.row(p)
		if !ok || seen[row] || ps.pointOf(ps.id(p)) != p {
			t.Errorf("point %d is row %d (%v)", p, row, ok)
		}
		seen[row] = true
	}
	if slices.IsSorted(ps.order) {
		t.Error("the first points are the first rows, which is no fair sample")
	}
	for _, p := range []int{-1, 8} {
		if _, ok := ps.row(p); ok {
			t.Errorf("there is a point %d", p)
		}
	}
	if ps.pointOf("nobody") != -1 {
		t.Error("a row that is not there has a point")
	}
}

// The last word about a pair or a row counts, labels of the data until somebody speaks about the row.
func TestRecordOfWhatWasSaid(t *testing.T) {
	_, _, rec := eight(t, door.Options{})
	say(t, rec,
		session.Event{Op: session.OpMust, A: "b", B: "a", By: byPage},
		session.Event{Op: session.OpCannot, A: "a", B: "e", By: bySplit},
		session.Event{Op: session.OpCannot, A: "a", B: "b", By: byPage},
		session.Event{Op: session.OpLabel, ID: "c", Label: "red", By: byPage},
		session.Event{Op: session.OpUnlabel, ID: "a", By: byPage})
	labels, err := rec.labels()
	if err != nil || strings.Join(labels, ",") != ",red,red,,,,blue," {
		t.Errorf("the labels are %q, %v", labels, err)
	}
	s := saidIn(rec.session.InForce())
	if e := s.links[pairOf("a", "b")]; e.Op != session.OpCannot || e.N != 3 {
		t.Errorf("the last word about a and b is %v", e)
	}
	if e := rec.answerTo("b", "a"); e == nil || e.N != 3 {
		t.Errorf("the answer about b and a is %v", e)
	}
	if rec.answerTo("g", "h") != nil {
		t.Error("somebody spoke about g and h")
	}
	if !s.spoken["a"] || s.spoken["b"] {
		t.Errorf("spoken of are %v", s.spoken)
	}
	if got := rec.linksInForce(); len(got) != 2 || got[0].N != 2 || got[1].N != 3 {
		t.Errorf("the links in force are %v", got)
	}
	say(t, rec, session.Event{Op: session.OpCannot, A: "b", B: "f", By: bySplit}, session.Event{Op: session.OpCannot, A: "b", B: "g", By: bySplit})
	if got := balance(rec.session.Events()); got != 1 {
		t.Errorf("after one split by two links the balance is %d", got)
	}
}

// The latest fit is shown, in its absence the preview; of many the first stays.
func TestKeptFits(t *testing.T) {
	ke := &kept{}
	if ke.Latest() != nil || ke.number(0) != nil {
		t.Error("something is shown before there is anything")
	}
	preview := &Fit{isPreview: true}
	ke.show(preview)
	if ke.Latest() != preview || ke.number(0) != preview {
		t.Error("the preview is not shown")
	}
	for _, n := range []int{4, 9, 7} { // 7 was made again
		ke.add(&Fit{N: n})
	}
	if f := ke.Latest(); f.N != 9 || ke.before(f) != 7 || ke.before(ke.number(4)) != 4 || ke.number(5) != nil {
		t.Errorf("the latest is %d, after %d", f.N, ke.before(f))
	}
	for n := 10; n < 10+fitsKept; n++ {
		ke.add(&Fit{N: n})
	}
	numbers := ke.numbers()
	if len(numbers) != fitsKept || !numbers[4] || numbers[7] || numbers[9] || !numbers[9+fitsKept] {
		t.Errorf("kept are %v", numbers)
	}
	ke.add(&Fit{N: 5}) // made again, though it is older than all but the first
	if f := ke.number(5); f == nil || len(ke.fits) != fitsKept {
		t.Errorf("a fit that was made again is not kept: %v of %d", f, len(ke.fits))
	}
}
