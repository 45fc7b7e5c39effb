package active

import (
	"fmt"
	"slices"
)

// A Relation is what is known about two points.
type Relation int8

// The relations.
const (
	Unknown  Relation = iota
	Together          // they belong in one cluster
	Apart             // they do not
)

// An Answer is what a person says about two points.
type Answer int8

// The answers. Skip says as little as Unsure, but the pair may be asked again in a later
// session.
const (
	Same Answer = iota + 1
	Different
	Unsure
	Skip
)

// String returns the answer as the line protocol has it.
func (a Answer) String() string {
	switch a {
	case Same:
		return "same"
	case Different:
		return "different"
	case Unsure:
		return "unsure"
	case Skip:
		return "skip"
	}
	return fmt.Sprintf("answer %d", int8(a))
}

// Answers are what was said about pairs of points, with what follows: who is with the
// same point is together, and who is with points that are apart is apart.
type Answers struct {
	group   []int32                      // of each point
	members map[int32][]int32            // of groups of several points
	apart   map[int32]map[int32]struct{} // groups that are apart
	decided map[[2]int32]Answer          // by pair, the smaller point first
	said    int                          // answers Same and Different
	touched map[int32]struct{}           // points in such answers
}

// NewAnswers returns those on n points before the first question.
func NewAnswers(n int) *Answers {
	a := &Answers{group: make([]int32, n), members: map[int32][]int32{}, apart: map[int32]map[int32]struct{}{}, decided: map[[2]int32]Answer{}, touched: map[int32]struct{}{}}
	for i := range a.group {
		a.group[i] = int32(i)
	}
	return a
}

// Len returns the number of points.
func (a *Answers) Len() int { return len(a.group) }

// Said returns the number of pairs that were said to be the same or different.
func (a *Answers) Said() int { return a.said }

func pairOf(i, j int) [2]int32 { return [2]int32{int32(min(i, j)), int32(max(i, j))} }

// Asked reports whether there was an answer about the pair, unsure ones included.
func (a *Answers) Asked(i, j int) bool { return a.decided[pairOf(i, j)] != 0 }

// Relation returns what is known about two points, by answers and by what follows from
// them.
func (a *Answers) Relation(i, j int) Relation {
	g, h := a.group[i], a.group[j]
	if g == h {
		return Together
	}
	if _, ok := a.apart[g][h]; ok {
		return Apart
	}
	return Unknown
}

// Add adds an answer. One that contradicts what is known already has no effect but that
// the pair is not asked again; Add returns false for it.
func (a *Answers) Add(i, j int, say Answer) bool {
	a.decided[pairOf(i, j)] = say
	if say != Same && say != Different {
		return true
	}
	a.said++
	a.touched[int32(i)], a.touched[int32(j)] = struct{}{}, struct{}{}
	switch known := a.Relation(i, j); {
	case known == Unknown && say == Same:
		a.merge(a.group[i], a.group[j])
	case known == Unknown:
		a.separate(a.group[i], a.group[j])
	default:
		return (known == Together) == (say == Same)
	}
	return true
}

func (a *Answers) list(g int32) []int32 {
	if m := a.members[g]; m != nil {
		return m
	}
	return []int32{g} // a point by itself has its own number
}

func (a *Answers) merge(g, h int32) {
	if len(a.list(g)) < len(a.list(h)) {
		g, h = h, g
	}
	joined := slices.Concat(a.list(g), a.list(h))
	for _, i := range a.list(h) {
		a.group[i] = g
	}
	delete(a.members, h)
	a.members[g] = joined
	for other := range a.apart[h] {
		delete(a.apart[other], h)
		a.separate(g, other)
	}
	delete(a.apart, h)
}

func (a *Answers) separate(g, h int32) {
	for _, p := range [][2]int32{{g, h}, {h, g}} {
		if a.apart[p[0]] == nil {
			a.apart[p[0]] = map[int32]struct{}{}
		}
		a.apart[p[0]][p[1]] = struct{}{}
	}
}

// Touches reports whether point i is in an answer that says something.
func (a *Answers) Touches(i int) bool {
	_, ok := a.touched[int32(i)]
	return ok
}

// Touched returns the points in such answers, in ascending order.
func (a *Answers) Touched() (points []int) {
	for i := range a.touched {
		points = append(points, int(i))
	}
	slices.Sort(points)
	return points
}
