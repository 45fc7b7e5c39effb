package density

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// The agreement of all pairs is the adjusted Rand index: by hand for two clusterings of five points,
// {0,1,2}{3,4} and {0,1}{2,3,4}. Of 10 pairs 2 are together in both, 4 in each, 4 in neither: chance is 1.6, and the index (2−1.6)/(4−1.6).
func TestAgreementIsTheRandIndex(t *testing.T) {
	truth, found := []int{0, 0, 0, 1, 1}, []int{0, 0, 1, 1, 1}
	var h heldOut
	for i := range truth {
		for j := range i {
			q := constraint.Pair{I: i, J: j, W: 1}
			if truth[i] == truth[j] {
				h.addMust(found, q)
			} else {
				h.addCannot(found, q)
			}
		}
	}
	if got, want := h.agreement(), (2-1.6)/(4-1.6); math.Abs(got-want) > 1e-12 {
		t.Errorf("the agreement is %v, want %v", got, want)
	}
	one := heldOut{must: 4, mustHeld: 3}
	if got := one.agreement(); got != 0.75 {
		t.Errorf("of must-links alone it is %v", got)
	}
	if got := (heldOut{}).agreement(); got != 0 {
		t.Errorf("of nothing it is %v", got)
	}
	var half heldOut
	half.addMust([]int{0, -1}, constraint.Pair{I: 0, J: 1, W: 2})
	half.addCannot([]int{-1, -1}, constraint.Pair{I: 0, J: 1, W: 3})
	if want := (heldOut{2, 1, 3, 1.5}); half != want || half.agreement() != 0 {
		t.Errorf("links to noise count %v with agreement %v, want %v and 0", half, half.agreement(), want)
	}
}

// The standard error of a share, by leaving out one link at a time, is that of the mean: the root of p(1−p)/(n−1).
func TestGainHasItsStandardError(t *testing.T) {
	s, o := linkScores{of: make([]heldOut, 10)}, linkScores{of: make([]heldOut, 10)}
	for m := range s.of {
		s.of[m], o.of[m] = heldOut{must: 1}, heldOut{must: 1}
		if m < 4 {
			s.of[m].mustHeld = 1
		}
	}
	if gain, deviation := s.gain(&o); math.Abs(gain-0.4) > 1e-12 || math.Abs(deviation-math.Sqrt(0.4*0.6/9)) > 1e-12 {
		t.Errorf("the gain is %v with standard error %v", gain, deviation)
	}
	if gain, _ := (&linkScores{failed: true}).gain(&o); gain >= 0 {
		t.Errorf("what has failed gains %v", gain)
	}
}

// Links that are held out are of other points than those that are used.
func TestHeldOutLinksShareNoPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	var links []constraint.Pair
	for range 50 {
		links = append(links, constraint.Pair{I: rng.IntN(40), J: 40 + rng.IntN(40), W: 1})
	}
	out := func(i int) bool { return i%5 == 2 }
	used := without(links, out)
	if len(used) == 0 || len(used) == len(links) {
		t.Fatalf("%d are used of %d", len(used), len(links))
	}
	points := linkedPoints(used)
	for _, i := range points {
		if out(i) {
			t.Errorf("point %d is held out, and its links are used", i)
		}
	}
	if !slices.IsSorted(points) {
		t.Error("the points are not sorted")
	}
}

// True links change the clusters where these are wrong; links about clear clusters of which every fifth is wrong are not
// obeyed. The order of the links does not matter.
func TestHeldOutLinksChoose(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 17))
	n := 300
	p := &cluster.Problem{X: clumps(rng, n)}
	fit := func(s *constraint.Set) *cluster.Result {
		q := *p
		q.Constraints = s
		got, err := cluster.Fit(context.Background(), &q, New(), cluster.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	alone := fit(nil).Labels
	wrong, merged := &constraint.Set{}, &constraint.Set{}
	for drawn := 0; drawn < 100; drawn++ {
		i, j := rng.IntN(n), rng.IntN(n)
		if i == j || alone[i] < 0 || alone[j] < 0 {
			continue
		}
		q := constraint.Pair{I: i, J: j, W: 1}
		if (alone[i] == alone[j]) == (drawn%5 > 0) {
			wrong.Must = append(wrong.Must, q)
		} else {
			wrong.Cannot = append(wrong.Cannot, q)
		}
		if alone[i]/2 == alone[j]/2 { // clusters 0 and 1 are one, and so are 2 and 3
			merged.Must = append(merged.Must, q)
		} else {
			merged.Cannot = append(merged.Cannot, q)
		}
	}
	if r := fit(wrong).Learned.(*Report); r.Links == LinksObeyed || !r.judged || (r.Links == LinksIgnored) != (len(r.Notes()) == 1) {
		t.Errorf("links of which some are wrong are %s", r.Links)
	}
	got := fit(merged)
	if r := got.Learned.(*Report); r.Links != LinksObeyed {
		t.Errorf("true links are %s", r.Links)
	}
	for i, h := range alone {
		for j := range i {
			if h >= 0 && alone[j] >= 0 && areTogether(got.Labels[i], got.Labels[j]) != (h/2 == alone[j]/2) {
				t.Fatalf("rows %d and %d of clusters %d and %d are in %d and %d", i, j, h, alone[j], got.Labels[i], got.Labels[j])
			}
		}
	}
	slices.Reverse(merged.Must)
	slices.Reverse(merged.Cannot)
	if again := fit(merged); !slices.Equal(again.Labels, got.Labels) {
		t.Error("the order of the links matters")
	}
}
