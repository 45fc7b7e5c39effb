package constraint

import (
	"math"
	"testing"
)

func TestPreferenceCountsPairsThatTellClusteringsApart(t *testing.T) {
	a, b := []int{0, 0, 1, 1, 0, 1}, []int{0, 1, 0, 1, 0, 1}
	for _, c := range []struct {
		name string
		s    *Set
		want float64
	}{
		{"none", nil, 0},
		{"no difference", &Set{Must: []Pair{{0, 4, 1}}, Cannot: []Pair{{4, 5, 1}}}, 0},
		{"one must-link", &Set{Must: []Pair{{0, 1, 1}}}, 1},
		{"one must-link for the other", &Set{Must: []Pair{{0, 2, 3}}}, -1},
		{"a cannot-link", &Set{Cannot: []Pair{{1, 2, 1}}}, 0}, // apart in both
		{"three for a, one for b", &Set{Must: []Pair{{0, 1, 1}, {2, 3, 1}, {0, 2, 1}}, Cannot: []Pair{{0, 2, 1}}}, 2 / math.Sqrt(4)},
		{"weights", &Set{Must: []Pair{{0, 1, 2}, {0, 2, 1}}}, 1 / math.Sqrt(5)},
		{"beliefs", &Set{Beliefs: []Pair{{0, 1, 0.5}, {0, 2, -1}}}, 1.5 / math.Sqrt(1.25)},
	} {
		if got := c.s.Preference(a, b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := c.s.Preference(b, a); math.Abs(got+c.want) > 1e-12 {
			t.Errorf("%s, the other way: %v, want %v", c.name, got, -c.want)
		}
	}
}

func TestPreferenceCountsLabelledPointsOnce(t *testing.T) {
	s, a, b := &Set{}, []int(nil), []int(nil)
	for i := range 20 {
		s.Labels = append(s.Labels, Label{I: i, Class: i % 2, W: 1})
		a, b = append(a, 1-i%2), append(b, i%2)
	}
	if got := s.Preference(a, b); got != 0 {
		t.Errorf("the same clusters by other numbers: %v, want 0", got)
	}
	b[0] = 1 // one point of class 0 among class 1
	got := s.Preference(a, b)
	// Its own share goes from 1 to 0; those of the 9 others of its class from 1 to 17/18,
	// and those of the 10 of class 1 from 1 to 19/20.
	sum, squares := 1+9*(1./18)+10*(1./20), 1+9*(1./18)*(1./18)+10*(1./20)*(1./20)
	if want := sum / math.Sqrt(squares); math.Abs(got-want) > 1e-12 {
		t.Errorf("one point elsewhere: %v, want %v", got, want)
	}
}
